/** What the browser's tab says. */
export function title(page: string, game: string): void {
  document.title = page ? `${page} · ${game}` : game;
}
