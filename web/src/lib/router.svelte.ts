/** Routing by the browser's history. */

let path = $state('/');
let query = $state('');

/** Follow the browser's URL from now on. */
export function follow(): void {
  look();
  window.addEventListener('popstate', look);
}

/** Set the path without a browser. */
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

/** Navigate to a path of this page. */
export function go(address: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  look();
  window.scrollTo(0, 0);
}

/** Let plain links within the page navigate without reloading it. */
export function followLinks(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element | null)?.closest?.('a');
  if (!link || link.target || link.hasAttribute('download')) return;
  const to = link.getAttribute('href');
  if (!to?.startsWith('/') || /^\/(api|docs|licences|mail)\b/.test(to)) return;
  event.preventDefault();
  go(to);
}
