/** All drawings of the package; each can be used by its path: "crests/BO". */

const files = import.meta.glob<string>('../../../src/patrizier/art/**/*.svg', {
  query: '?raw',
  import: 'default',
  eager: true,
});

interface Drawing {
  id: string; // of the symbol: "crests-BO"
  name: string; // "crests/BO"
  width: number;
  height: number;
  body: string; // the content of the svg element
}

function read(path: string, text: string): Drawing {
  const name = path.replace(/^.*\/patrizier\/art\//, '').replace(/\.svg$/, '');
  const [, width = '0', height = '0'] = /viewBox="0 0 (\S+) (\S+)"/.exec(text) ?? [];
  const body = text.replace(/^[^]*?<svg[^>]*>/, '').replace(/<\/svg>\s*$/, '');
  return {
    id: name.replaceAll('/', '-'),
    name,
    width: Number(width),
    height: Number(height),
    body,
  };
}

export const DRAWINGS: ReadonlyMap<string, Drawing> = new Map(
  Object.entries(files)
    .map(([path, text]) => read(path, text))
    .map((drawing) => [drawing.name, drawing]),
);

/** A drawing as a symbol, to be used any number of times. */
export function symbolOf({ id, width, height, body }: Drawing): string {
  return `<symbol id="${id}" viewBox="0 0 ${width} ${height}">${body}</symbol>`;
}

const laidOut = new Set<string>();

/** Add a drawing to the page, once, on first use. */
export function draw(name: string): Drawing | undefined {
  const drawing = DRAWINGS.get(name);
  if (!drawing || typeof document === 'undefined' || laidOut.has(drawing.id)) return drawing;
  laidOut.add(drawing.id);
  // A prerendered page contains some already.
  if (!document.getElementById(drawing.id)) {
    document.getElementById('sprite')?.insertAdjacentHTML('beforeend', symbolOf(drawing));
  }
  return drawing;
}
