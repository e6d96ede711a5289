/** The title of the browser's tab. */
export function title(page: string, game: string): void {
  document.title = titleOf(page, game);
}

export function titleOf(page: string, game: string): string {
  return page ? `${page} · ${game}` : game;
}
