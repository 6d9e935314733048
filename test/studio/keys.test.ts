/** The console without a mouse and without sight: where the focus goes, what a screen reader follows, and keys that must not decide. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { noBrowser, openTab, idle, type Tab } from './browser.ts';
import { type Console, openConsole } from './console.ts';
import { makeStory } from './story.ts';

let opened: Console;
let tab: Tab;
beforeEach(async () => {
  if (noBrowser) return;
  opened = await openConsole();
  await makeStory(opened);
  tab = await openTab(opened);
  await idle(tab.page);
});
afterEach(async () => {
  if (noBrowser) return;
  expect(tab.faults).toEqual([]);
  await tab.close();
  await opened.close();
});

test.skipIf(noBrowser)('Enter in the reason approves nothing', async () => {
  const { page } = tab;
  await opened.db.set_merge_policy({
    name: 'careful',
    rules: { max_rows: 20, max_deletes: 0, review_tables: ['customers'], confirm_deletes_over: null },
  });
  await tab.go('#/review/tidy-customers');
  await expect.poll(() => page.getByRole('button', { name: 'Approve and merge' }).isEnabled()).toBe(true);
  await page.getByLabel('Reason').fill('not these customers');
  await page.keyboard.press('Enter');
  await idle(page);
  expect((await opened.db.reviews({})).reviews).toHaveLength(1);
  expect(await page.evaluate('location.hash')).toBe('#/review/tidy-customers');
});

test.skipIf(noBrowser).each([
  ['a table', '#/table/main/prices', 'grid', 'SKU-0002'],
  ['changes', '#/world/spring-prices', 'listbox', 'price'],
  ['worlds', '#/worlds', 'grid', 'tidy-customers'],
] as const)('a screen reader follows the cursor in %s', async (_what, hash, role, text) => {
  const { page } = tab;
  await tab.go(hash);
  const list = page.getByRole(role).first();
  await list.getByText(text).first().waitFor();
  await list.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  const id = await list.getAttribute('aria-activedescendant');
  const line = page.locator(`[id="${id}"]`);
  expect([await line.getAttribute('aria-selected'), await line.textContent()]).toEqual(['true', expect.stringContaining(text)]);
});

test.skipIf(noBrowser)('another page takes the focus', async () => {
  const { page } = tab;
  const focused = (): Promise<string> => page.evaluate<string>('document.activeElement.id');
  await page.getByRole('link', { name: 'Review tidy-customers' }).press('Enter');
  await page.locator('.verdict').waitFor();
  expect(await focused()).toBe('main');
  await page.getByRole('link', { name: 'Worlds' }).press('Enter');
  await page.getByRole('heading', { name: 'Worlds' }).waitFor();
  expect(await focused()).toBe('main');
});

test.skipIf(noBrowser)('tabs of a row are chosen by arrows', async () => {
  const { page } = tab;
  await tab.go('#/table/main/prices');
  await page.getByRole('gridcell').first().click();
  await page.getByRole('tab', { name: 'Values' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('tabpanel', { name: 'History' }).waitFor();
  expect(await page.evaluate('document.activeElement.textContent')).toBe('History');
});

test.skipIf(noBrowser)('what is no moment is refused, and every page stays at the one that was chosen', async () => {
  const { page } = tab;
  await tab.go('#/tables');
  const field = page.getByLabel(/^Moment: a time/);
  for (const [text, refusal] of [
    ['yesterday', /no moment/],
    ['1', /no moment/],
    ['2999-01-01', /lies ahead/],
  ] as const) {
    await field.fill(text);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText(refusal).waitFor();
  }
  await field.fill('-1s');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Back to now' }).waitFor();
  for (const hash of ['reviews', 'review/tidy-customers', 'worlds', 'merge/spring-prices', 'agents', 'agent/tidy', 'status']) {
    await tab.go(`#/${hash}`);
    await page.getByRole('group', { name: 'Moment' }).getByRole('button', { name: 'Back to now' }).waitFor();
    expect([hash, await page.locator('main.past').count()]).toEqual([hash, 1]);
  }
  await page.getByRole('group', { name: 'Moment' }).getByRole('button', { name: 'Back to now' }).click();
  expect(await page.locator('main.past').count()).toBe(0);
});
