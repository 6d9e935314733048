/** Every page of the console in a browser: nothing breaks, no other server is called, and no person is kept out. PICTURES=<folder> keeps pictures. */
import { join } from 'node:path';
import axe from 'axe-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noBrowser, openTab, idle } from './browser.ts';
import { type Console, openConsole } from './console.ts';
import { makeStory } from './story.ts';

let opened: Console;
beforeAll(async () => {
  if (noBrowser) return;
  opened = await openConsole();
  await makeStory(opened);
});
afterAll(async () => {
  await opened?.close();
});

const PAGES: readonly (readonly [name: string, hash: string, until: string])[] = [
  ['reviews', '#/reviews', '.review-card'],
  ['review', '#/review/tidy-customers', '.verdict'],
  ['worlds', '#/worlds', '.row-line:not(.row-head)'],
  ['world', '#/world/tidy-customers', '.line.head'],
  ['world-definitions', '#/world/tidy-customers?tab=definitions', '.definitions'],
  ['world-sql', '#/world/tidy-customers?tab=sql', '.statements .line'],
  ['world-details', '#/world/tidy-customers?tab=details', '.scope'],
  ['merge', '#/merge/spring-prices', '.conflict'],
  ['tables', '#/tables', 'table.list td.num .num'],
  ['table', '#/table/main/orders', '.grid-line:not(.grid-head)'],
  ['sql', '#/sql', '.editor'],
  ['history', '#/history', '.event'],
  ['audit', '#/history?tab=audit', '.event'],
  ['agents', '#/agents', 'table.list'],
  ['agent', '#/agent/tidy', '.event'],
  ['simulations', '#/simulations', 'form'],
  ['status', '#/status', '.metrics'],
  ['status-policies', '#/status?tab=policies', '.card'],
];

const SIZES = [
  [360, 740],
  [1280, 860],
  [2560, 1300],
] as const;

/** Folder of the pictures, which a person inspects. */
const pictures = process.env['PICTURES'];

for (const theme of ['light', 'dark'] as const) {
  for (const [width, height] of SIZES) {
    test.skipIf(noBrowser)(`at ${width} pixels, ${theme}: each page is whole, fits its window and calls no other server`, async () => {
      const tab = await openTab(opened, { width, height, theme });
      const wrong: string[] = [];
      for (const [name, hash, until] of PAGES) {
        await tab.go(hash);
        await tab.page.locator(until).first().waitFor({ timeout: 15_000 });
        const wide = await tab.page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        if (wide > 0) wrong.push(`${name} is ${wide} pixels too wide`);
        if (pictures !== undefined) await tab.page.screenshot({ path: join(pictures, `${name}-${width}-${theme}.png`) });
        if (width === 1280) wrong.push(...(await violations(tab.page)).map((each) => `${name}: ${each}`));
      }
      expect(wrong).toEqual([]);
      expect(tab.faults).toEqual([]);
      await tab.close();
    });
  }
}

/** Of docs/reference/studio.md and the README; kept with PICTURES. */
test.skipIf(noBrowser || pictures === undefined)('pictures of the documents', async () => {
  const tab = await openTab(opened, { width: 1120, height: 720 });
  for (const [name, hash, until] of PAGES.filter(([each]) => ['review', 'merge', 'table'].includes(each))) {
    await tab.go(hash);
    await tab.page.locator(until).first().waitFor();
    if (name === 'merge') {
      await tab.page.getByRole('article', { name: 'Conflict prices SKU-0003' }).getByRole('button', { name: 'price as in main' }).click();
      await idle(tab.page);
    }
    await tab.page.screenshot({ path: join(pictures!, `studio-${name}.png`) });
  }
  await tab.close();
});

/** What keeps people out who do not see, or do not use a mouse. */
async function violations(page: Awaited<ReturnType<typeof openTab>>['page']): Promise<string[]> {
  // Scripts of a test are not bound by the page's policy, as they do not come by its markup.
  await page.evaluate(axe.source);
  const found = await page.evaluate<
    Violation[]
  >(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, impact, nodes }) => (
    { id, impact, where: nodes.map(({ target, failureSummary }) => (target.join(' ') + ' ' + failureSummary).slice(0, 240)) })))`);
  return found.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, where }) => `${id}: ${where.slice(0, 3).join(' | ')}`);
}

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly where: readonly string[];
}
