import { expect, it } from 'vitest';
import { addressIn } from '../../../src/pages/lobby/links';

const ID = 'kN3xTq8ZrYw0aVbM_-xyz';

it('finds the table in a link, an address or an id', () => {
  expect(addressIn(`https://patrizier.example/t/${ID}`)).toBe(`/t/${ID}`);
  expect(addressIn(` http://127.0.0.1:8321/t/${ID}/ `)).toBe(`/t/${ID}`);
  expect(addressIn(`/t/${ID}`)).toBe(`/t/${ID}`);
  expect(addressIn(ID)).toBe(`/t/${ID}`);
});

it('keeps the key of a link for watchers', () => {
  expect(addressIn(`https://patrizier.example/t/${ID}?key=abc`)).toBe(`/t/${ID}?key=abc`);
});

it('takes nothing else for a table', () => {
  for (const text of ['', 'hello', 'https://patrizier.example/rules', `x/${ID}/y`, 't/abc']) {
    expect(addressIn(text)).toBeNull();
  }
});
