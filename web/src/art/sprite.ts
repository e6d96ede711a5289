/** All drawings of the package, gathered once; each can be used by its path: "crests/BO". */

const files = import.meta.glob<string>('../../../src/patrizier/art/**/*.svg', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export interface Drawing {
  id: string; // of the symbol: "crests-BO"
  name: string; // "crests/BO"
  width: number;
  height: number;
  body: string; // what stands within the svg
}

function read(path: string, text: string): Drawing {
  const name = path.replace(/^.*\/patrizier\/art\//, '').replace(/\.svg$/, '');
  const [, width = '0', height = '0'] = /viewBox="0 0 (\S+) (\S+)"/.exec(text) ?? [];
  const body = text.replace(/^[^]*?<svg[^>]*>/, '').replace(/<\/svg>\s*$/, '');
  return { id: idOf(name), name, width: Number(width), height: Number(height), body };
}

export function idOf(name: string): string {
  return name.replaceAll('/', '-');
}

export const DRAWINGS: ReadonlyMap<string, Drawing> = new Map(
  Object.entries(files)
    .map(([path, text]) => read(path, text))
    .map((drawing) => [drawing.name, drawing]),
);

/** The sprite's inside: one symbol a drawing. */
export const SYMBOLS: string = [...DRAWINGS.values()]
  .map((d) => `<symbol id="${d.id}" viewBox="0 0 ${d.width} ${d.height}">${d.body}</symbol>`)
  .join('');
