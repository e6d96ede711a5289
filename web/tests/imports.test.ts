import { join } from 'node:path';
import { ESLint } from 'eslint';
import { expect, it } from 'vitest';

const WEB = join(import.meta.dirname, '..');
const linter = new ESLint({ cwd: WEB });

/** What the linter says about a file that has these lines, whether it is there or not. */
async function said(filePath: string, text: string): Promise<(string | null)[]> {
  const [result] = await linter.lintText(text, { filePath: join(WEB, filePath) });
  return result!.messages.map(({ ruleId }) => ruleId);
}

const component = (line: string) => `<script lang="ts">\n  ${line}\n</script>\n`;
const DEPENDENCIES = 'boundaries/dependencies';

it.each([
  ['src/turn/x.ts', `import { t } from '../lib/i18n.svelte';`],
  ['src/turn/x.ts', `import type { Pace } from '../story/presenter';`],
  ['src/turn/x.svelte.ts', `export { go } from '../lib/router.svelte';`],
  ['src/lib/x.ts', `import Home from '../frame/Home.svelte';`],
  ['src/board/X.svelte', component(`import Desk from '../desk/Desk.svelte';`)],
  ['src/learn/X.svelte', component(`import type { TableGame } from '../table/game.svelte';`)],
  ['src/replay/X.svelte', `{#await import('../learn/Learn.svelte')}…{/await}`],
  ['src/pages/lobby/x.ts', `import { setupOf } from '../new/setup';`],
  ['src/lib/x.ts', `import { load } from '../routes';`],
  ['src/App.svelte', component(`import Table from './table/Table.svelte';`)],
])('%s: no %s', async (file, text) => {
  expect(await said(file, text)).toEqual([DEPENDENCIES]);
});

it('lets rooms use what stands below them', async () => {
  expect(await said('src/turn/x.ts', `import type { View } from '../protocol';`)).toEqual([]);
  const line = `import Desk from '../desk/Desk.svelte';`;
  expect(await said('src/learn/X.svelte', component(line))).toEqual([]);
});

it('lets the application load screens by its routes only', async () => {
  const load = `import('./table/Table.svelte');`;
  expect(await said('src/routes.ts', load)).toEqual([]);
  expect(await said('src/App.svelte', component(`import { page } from './routes';`))).toEqual([]);
});

it('knows every room', async () => {
  expect(await said('src/attic/x.ts', '')).toEqual(['boundaries/no-unknown-files']);
});
