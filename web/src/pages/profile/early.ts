/** An answer of the server that is asked for before the part that shows it is drawn. */
export class Early<Answer> {
  #answer: Answer | null = null;
  readonly #ask: () => Promise<Answer>;

  constructor(ask: () => Promise<Answer>) {
    this.#ask = ask;
  }

  /** Ask now; if that fails, the part asks again and shows why. */
  readonly prepare = async (): Promise<void> => {
    this.#answer = await this.#ask().catch(() => null);
  };

  /** The answer, once: whoever comes later, after signing in for example, asks anew. */
  take(): Answer | null {
    const answer = this.#answer;
    this.#answer = null;
    return answer;
  }
}
