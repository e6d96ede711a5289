/** Addresses within the page: the browser's own history, nothing else. */

let path = $state('/');
let query = $state('');

/** Follow the browser's address from now on. */
export function follow(): void {
  look();
  window.addEventListener('popstate', look);
}

/** Be at an address where there is no browser. */
export function standAt(address: string): void {
  path = address;
}

function look(): void {
  path = location.pathname;
  query = location.search;
}

export const route = {
  get path(): string {
    return path;
  },
  get query(): URLSearchParams {
    return new URLSearchParams(query);
  },
};

/** Go to an address of ours. */
export function go(address: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  look();
  window.scrollTo(0, 0);
}

/** Let plain links within the page change the address without loading it anew. */
export function followLinks(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element | null)?.closest?.('a');
  if (!link || link.target || link.hasAttribute('download')) return;
  const to = link.getAttribute('href');
  if (!to?.startsWith('/') || /^\/(api|docs|mail)\b/.test(to)) return;
  event.preventDefault();
  go(to);
}
