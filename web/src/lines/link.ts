/** Record, lines and place as one short text: what a link carries. */

import type { Place } from './source';
import { countBranches, MOST_BRANCHES, type Branch, type Tree } from './tree';

/** What a link opens. */
export interface Study {
  record: string;
  tree: Tree;
  place: Place;
}

const FORM = '1'; // of the text
const MOVE = /^[A-Z]{2}\d:[LR]{1,2}(?:>[A-Z]{2}\.[LR])?(?:\+[A-Z]{2})?(?:@[A-Z]{2}-[A-Z]{2})?$/;
const LONGEST_RECORD = 60_000;

type Packed = [string, string, ...Packed[]]; // move, name, then

export async function packed({ record, tree, place }: Study): Promise<string> {
  const lines = tree.map(({ at, first }) => [at, ...first.map(listed)]);
  const text = JSON.stringify([record, lines, [place.at, ...place.moves]]);
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  return `${FORM}.${base64(bytes)}`;
}

/** Read what `packed` wrote; null if it is something else. */
export async function unpacked(text: string): Promise<Study | null> {
  try {
    const [form, body = ''] = text.split('.');
    if (form !== FORM) return null;
    const stream = new DecompressionStream('deflate-raw');
    const json = new TextDecoder().decode(await through(bytesOf(body), stream));
    const [record, lines, [at, ...moves]] = JSON.parse(json) as [
      unknown,
      [number, ...Packed[]][],
      [number, ...string[]],
    ];
    if (typeof record !== 'string' || record.length > LONGEST_RECORD) return null;
    const tree = lines.map(([from, ...first]) => ({ at: turnsIn(from), first: first.map(read) }));
    if (tree.reduce((sum, each) => sum + countBranches(each.first), 0) > MOST_BRANCHES) return null;
    return { record, tree, place: { at: turnsIn(at), moves: moves.map(moveIn) } };
  } catch {
    return null; // cut off, or made by somebody else
  }
}

function listed({ move, name, then }: Branch): Packed {
  return [move, name, ...then.map(listed)];
}

function read([move, name, ...then]: Packed): Branch {
  return { move: moveIn(move), name: String(name), then: then.map(read) };
}

/** Whether a text is written like a turn. */
export function isTurn(text: string): boolean {
  return MOVE.test(text);
}

function moveIn(text: unknown): string {
  if (typeof text !== 'string' || !isTurn(text)) throw new Error('not a turn');
  return text;
}

function turnsIn(value: unknown): number {
  if (!Number.isInteger(value) || (value as number) < 0) throw new Error('not a number of turns');
  return value as number;
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const answer = new Response(new Blob([bytes]).stream().pipeThrough(stream));
  return new Uint8Array(await answer.arrayBuffer());
}

function base64(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}
