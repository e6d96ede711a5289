import { beforeAll, describe, expect, it } from 'vitest';
import { ApiProblem } from '../../src/lib/api';
import { speak } from '../../src/lib/i18n.svelte';
import { Refusal } from '../../src/lib/live';
import { explain } from '../../src/lib/problems';
import type { Reason } from '../../src/protocol';

const refused = (reason: Reason, values: Record<string, string | number>) =>
  new Refusal({
    kind: 'refused',
    table: null,
    command: null,
    code: 'stale',
    reason,
    values,
    text: 'English words',
  });

describe('what went wrong', () => {
  beforeAll(() => speak('it'));

  it('is said in the reader’s language, whichever way it came', () => {
    expect(explain(refused('turn-passed', { meant: 3, now: 4 }))).toBe(
      'Era per il turno 3, e ora siamo al turno 4.',
    );
    const weak = new ApiProblem(422, 'weak-password', 'English', 'weak-password', { least: 8 });
    expect(explain(weak)).toBe('Una password deve avere almeno 8 caratteri.');
    expect(explain(new ApiProblem(0, 'offline', ''))).toMatch(/^Il server non risponde/);
  });

  it('comes in the server’s words where the page is older than the reason', () => {
    expect(explain(refused('newer' as Reason, {}))).toBe('English words');
  });

  it('may come from somewhere else, without a reason', () => {
    expect(explain(new ApiProblem(502, 'error', 'Bad Gateway'))).toBe(
      'Qualcosa è andato storto: Bad Gateway',
    );
    expect(explain(new TypeError('oops'))).toBe('Qualcosa è andato storto: oops');
  });
});
