/** The story of agents in the console, by clicks and by keys: what waits is seen, resolved, approved or undone. */
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

const rows = async (sql: string): Promise<unknown[]> => (await opened.db.sql({ sql })).results[0].rows;

test.skipIf(noBrowser)('from the printed link to an approved merge in four clicks, the count of deletes typed', async () => {
  const { page } = tab;
  let clicks = 0;
  const click = async (name: string | RegExp, role: 'link' | 'button'): Promise<void> => {
    clicks++;
    await page.getByRole(role, { name }).click();
  };
  expect(page.url()).not.toContain('key=');
  await click('Review tidy-customers', 'link');
  await page.getByText('the merge deletes 16 rows').first().waitFor();
  const approve = page.getByRole('button', { name: 'Approve and merge' });
  expect(await approve.isDisabled()).toBe(true);
  clicks++;
  await page.getByLabel(/It deletes 16 rows/).fill('15');
  expect(await approve.isDisabled()).toBe(true);
  await page.getByLabel(/It deletes 16 rows/).fill('16');
  await page.getByLabel('Reason').fill('seen by a person');
  await click('Approve and merge', 'button');
  await page.getByText(/^Merged \d+ changes? of tidy-customers into main/).waitFor();
  await page.getByText('Nothing waits').waitFor();
  expect(clicks).toBeLessThanOrEqual(4);
  expect(await rows('SELECT count(*)::int AS n FROM customers WHERE id IN (7, 8)')).toEqual([{ n: 0 }]);
  const { events } = await opened.db.history({ branch: 'main', limit: 1 });
  expect(events[0]).toMatchObject({ event: 'merge', approval: { way: 'approved' } });
});

test.skipIf(noBrowser)('the same by keys alone', async () => {
  const { page } = tab;
  /** Tabs until the wanted element has the focus. */
  const tabTo = async (name: string): Promise<void> => {
    for (let i = 0; i < 80; i++) {
      await page.keyboard.press('Tab');
      const here = await page.evaluate<string>(
        "(() => { const e = document.activeElement; return (e.getAttribute('aria-label') ?? '') + ' ' + (e.labels?.[0]?.textContent ?? '') + ' ' + (e.textContent ?? '').slice(0, 80); })()",
      );
      if (here.includes(name)) return;
    }
    throw new Error(`nothing named ${name} is reached by Tab`);
  };
  await page.keyboard.press('g');
  await page.keyboard.press('w');
  await page.getByRole('heading', { name: 'Worlds' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await page.getByRole('heading', { name: 'Reviews' }).waitFor();
  await page.locator('.cover').first().waitFor();
  await tabTo('Review tidy-customers');
  await page.keyboard.press('Enter');
  await page.locator('.diff-list .line').first().waitFor();
  await idle(page);
  await tabTo('Changed rows');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await tabTo('It deletes 16 rows');
  await page.keyboard.type('16');
  await tabTo('Approve and merge');
  await page.keyboard.press('Enter');
  await page.getByText(/^Merged \d+ changes? of tidy-customers/).waitFor();
  expect((await opened.db.reviews({})).reviews).toEqual([]);
});

test.skipIf(noBrowser)('what moved under one’s hands is not approved: the page says so, and the server refuses it', async () => {
  const { page } = tab;
  await tab.go('#/review/tidy-customers');
  await page.getByLabel(/It deletes 16 rows/).fill('16');
  // The world stays as it is, and the merge comes to do something else: a row that it changes is changed in main, alike in part.
  await opened.db.sql({ sql: 'DELETE FROM orders WHERE id = 6' });
  await page.getByRole('button', { name: 'Approve and merge' }).click();
  await page.getByRole('alert').getByText('Changed since you looked.').waitFor();
  expect((await opened.db.reviews({})).reviews).toHaveLength(1);
  await page.getByRole('alert').getByRole('button', { name: 'Reload' }).click();
  await idle(page);
  // The world moves: the page notices it.
  await opened.db.sql({ branch: 'tidy-customers', sql: "UPDATE customers SET city = 'Bergen' WHERE id = 20" });
  await page.getByText('Changed since you looked.').waitFor({ timeout: 15_000 });
  expect(await page.getByRole('button', { name: 'Approve and merge' }).isDisabled()).toBe(true);
});

test.skipIf(noBrowser)('a merge is rejected with a reason, or passed on', async () => {
  const { page } = tab;
  await tab.go('#/review/tidy-customers');
  await page.getByLabel('Reason').fill('not these customers');
  await page.getByRole('button', { name: 'Reject' }).click();
  await page.getByText('Rejected: tidy-customers').waitFor();
  expect((await opened.db.reviews({})).reviews[0]).toMatchObject({ verdict: 'reject', reason: 'not these customers' });
  // It does not wait any more.
  await tab.go('#/worlds');
  await page
    .getByRole('row', { name: /tidy-customers/ })
    .getByText('rejected', { exact: true })
    .waitFor();
  expect(await page.locator('.places .count').count()).toBe(0);
});

test.skipIf(noBrowser)('conflicts are resolved by row, by column and with a value of one’s own, each tried at once', async () => {
  const { page } = tab;
  await tab.go('#/merge/spring-prices');
  const card = (id: string) => page.getByRole('article', { name: `Conflict prices ${id}` });
  expect(await page.locator('.conflict.open').count()).toBe(3);
  expect(await page.getByRole('button', { name: '3 conflicts left' }).isDisabled()).toBe(true);
  await card('SKU-0003').getByRole('radio', { name: 'spring-prices' }).check();
  await page.getByText('1 resolved').waitFor();
  // The price as in main, the stock as in the branch.
  await card('SKU-0004').getByRole('button', { name: 'price as in main' }).click();
  await idle(page);
  await card('SKU-0004').getByRole('button', { name: 'stock as in spring-prices' }).click();
  await page.getByText('2 resolved').waitFor();
  await card('SKU-0005').getByRole('radio', { name: 'main' }).check();
  await idle(page);
  await card('SKU-0005').getByRole('button', { name: 'Edit stock' }).click();
  await card('SKU-0005').getByRole('textbox', { name: 'stock' }).fill('777');
  await page.keyboard.press('Enter');
  await idle(page);
  await page.getByRole('button', { name: 'Merge into main' }).click();
  await page.getByText(/^Merged \d+ changes? of spring-prices/).waitFor();
  expect(await rows("SELECT sku, price, stock FROM prices WHERE sku IN ('SKU-0003', 'SKU-0004', 'SKU-0005') ORDER BY sku")).toEqual([
    { sku: 'SKU-0003', price: '92.99', stock: 52 },
    { sku: 'SKU-0004', price: '126.99', stock: 69 },
    { sku: 'SKU-0005', price: '155.99', stock: 777 },
  ]);
});

test.skipIf(noBrowser)('what an agent did is seen, its undo tried, and undone', async () => {
  const { page } = tab;
  const before = await rows("SELECT stock FROM prices WHERE sku = 'SKU-0100'");
  await tab.go('#/agent/pricer');
  await page.getByText('merge into main').waitFor();
  await page.getByRole('button', { name: 'Undo what it did…' }).click();
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('It puts 1 row back').waitFor();
  await page.getByText('prices/SKU-0100').waitFor();
  expect(await rows("SELECT stock FROM prices WHERE sku = 'SKU-0100'")).toEqual(before);
  await page.getByRole('button', { name: 'Undo 1 row' }).click();
  await page.getByText('Put 1 row back').waitFor();
  expect(await rows("SELECT stock FROM prices WHERE sku = 'SKU-0100'")).not.toEqual(before);
});

test.skipIf(noBrowser)('the undo of a merge is tried, and undone', async () => {
  const { page } = tab;
  const before = await rows("SELECT stock FROM prices WHERE sku = 'SKU-0100'");
  await tab.go('#/history');
  await page.getByRole('listitem').filter({ hasText: 'restock' }).getByRole('button', { name: 'Undo…' }).click();
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('It puts 1 row back').waitFor();
  await page.getByRole('dialog').getByText('prices/SKU-0100').waitFor();
  expect(await rows("SELECT stock FROM prices WHERE sku = 'SKU-0100'")).toEqual(before);
  await page.getByRole('button', { name: 'Undo 1 row' }).click();
  await page.getByText('Put 1 row back in main').waitFor();
  expect(await rows("SELECT stock FROM prices WHERE sku = 'SKU-0100'")).not.toEqual(before);
});

test.skipIf(noBrowser)('the outbox is listed, and an effect that was done otherwise is taken out of it', async () => {
  const { page } = tab;
  await opened.db.fork({ name: 'sends' });
  await opened.db.sql({ branch: 'sends', sql: `NOTIFY ON MERGE mail, '{"to": "team"}'; UPDATE prices SET stock = 1 WHERE sku = 'SKU-0101'` });
  await opened.db.merge({ branch: 'sends' });
  await tab.go('#/status?tab=outbox');
  const row = page.getByRole('table', { name: 'Outbox' }).getByRole('row').filter({ hasText: 'mail' });
  await row.getByText('waits').waitFor();
  expect((await opened.db.outbox({})).effects).toMatchObject([{ channel: 'mail', attempts: 0, until: null }]);
  await row.getByRole('button', { name: /^Take out/ }).click();
  await row.getByRole('button', { name: 'It is done' }).click();
  await page.getByText('Nothing waits.').waitFor();
  expect((await opened.db.outbox({})).total).toBe(0);
});

test.skipIf(noBrowser)('an agent is made, its token is shown once, and it is disabled', async () => {
  const { page } = tab;
  await tab.go('#/agents');
  await page.getByRole('button', { name: 'New agent' }).click();
  await page.getByLabel('Name').fill('night-shift');
  await page.getByRole('button', { name: 'Create' }).click();
  const token = await page.locator('.token').textContent();
  expect(token).toMatch(/^svc_[0-9a-f]{64}$/);
  await page.getByRole('button', { name: 'I have it' }).click();
  expect(await page.content()).not.toContain(token);
  await tab.go('#/agent/night-shift');
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByText('night-shift is disabled: its token works no longer').waitFor();
  expect((await opened.db.agents({})).agents.find(({ name }) => name === 'night-shift')).toMatchObject({ disabled: true });
});

test.skipIf(noBrowser)('a row is changed in a fork, seen as it was, and its history says who', async () => {
  const { page } = tab;
  await tab.go('#/table/main/prices');
  await page.getByText('120 rows').waitFor();
  const only = async (): Promise<void> => {
    await page.getByRole('search', { name: 'Filter rows' }).getByLabel('Value').fill('SKU-0100');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('1 row', { exact: true }).waitFor();
  };
  await only();
  await page.getByRole('gridcell', { name: 'SKU-0100' }).click();
  await page.getByRole('tab', { name: 'History' }).click();
  await page
    .getByRole('dialog')
    .getByText(/by pricer, merge of restock/)
    .waitFor();
  await page.getByRole('tab', { name: 'Values' }).click();
  await page.getByRole('button', { name: 'Edit price' }).click();
  await page.getByRole('textbox', { name: 'price' }).fill('12345678.90');
  await page.getByRole('button', { name: 'Save in a fork of main' }).click();
  await page.getByRole('heading', { name: /^edit-/ }).waitFor();
  await page.getByText('12345678.90').waitFor();
  expect(await rows("SELECT price FROM prices WHERE sku = 'SKU-0100'")).not.toEqual([{ price: '12345678.90' }]);
  // The moment before the restocking.
  await tab.go('#/history');
  await page.getByRole('listitem').filter({ hasText: '3,020 rows' }).getByRole('button', { name: 'Look at this moment' }).click();
  await tab.go('#/table/main/prices');
  await only();
  const past = await page.getByRole('row', { name: /SKU-0100/ }).textContent();
  await page.getByRole('button', { name: 'Back to now' }).click();
  await idle(page);
  await only();
  expect(await page.getByRole('row', { name: /SKU-0100/ }).textContent()).not.toBe(past);
});

test.skipIf(noBrowser)('SQL runs, is explained, runs in a fork, and is stopped', async () => {
  const { page } = tab;
  await tab.go('#/sql');
  await page.getByRole('textbox', { name: 'SQL' }).waitFor();
  const write = async (sql: string): Promise<void> => {
    await page.getByRole('textbox', { name: 'SQL' }).focus();
    await page.keyboard.press('Control+A');
    // What the editor deletes; the browser would keep the colours of a text that it replaces.
    await page.keyboard.press('Delete');
    await page.keyboard.insertText(sql);
  };
  await write('SELECT 9007199254740993 AS big, 1.10 AS scaled; SELECT count(*) AS n FROM prices');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('gridcell', { name: '9007199254740993' }).waitFor();
  await page.getByRole('gridcell', { name: '1.10' }).waitFor();
  await page.getByText(/^2 statements in/).waitFor();
  await write('SELECT * FROM orders WHERE id = 7');
  await page.getByRole('button', { name: 'Explain' }).click();
  await page.locator('.plan .step, pre.card').first().waitFor();
  await write("UPDATE prices SET stock = 0 WHERE sku = 'SKU-0001'");
  await page.getByRole('button', { name: 'Run in a fork' }).click();
  await page.getByText(/^Ran in sql-/).waitFor();
  expect(await rows("SELECT stock FROM prices WHERE sku = 'SKU-0001'")).not.toEqual([{ stock: 0 }]);
  await write('SELECT pg_sleep(60)');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('alert').getByText('stopped').waitFor();
  await write('SELECT nonsense');
  await page.keyboard.press('Control+Enter');
  await page
    .getByRole('alert')
    .getByText(/column "nonsense" does not exist/)
    .waitFor();
});

test.skipIf(noBrowser)('a simulation shows its scores, keeps the best, and plays one again', async () => {
  const { page } = tab;
  await tab.go('#/simulations');
  await page.getByLabel(/^Script/).fill('UPDATE prices SET stock = stock + (random() * 100)::int');
  await page.getByLabel(/^Score/).fill('SELECT sum(stock) FROM prices');
  await page.getByLabel('Worlds', { exact: true }).fill('12');
  await page.getByLabel('Keep the best').fill('2');
  await page.getByRole('button', { name: 'Simulate' }).click();
  await page.getByRole('img', { name: /^Scores from/ }).waitFor({ timeout: 60_000 });
  expect(await page.getByText('kept', { exact: true }).count()).toBe(2);
  await page.getByRole('button', { name: 'Play again' }).first().click();
  await page.getByText('identical').waitFor({ timeout: 60_000 });
});

test.skipIf(noBrowser)('without the server a page says so, and no other server is called', async () => {
  const { page } = tab;
  await page.context().setOffline(true);
  await page.evaluate("location.hash = '#/worlds'");
  await page.getByRole('alert').getByText('the server cannot be reached').waitFor();
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Reload' }).last().click();
  await page.getByRole('link', { name: 'tidy-customers' }).waitFor();
  tab.faults.splice(0, tab.faults.length, ...tab.faults.filter((each) => !each.includes('ERR_INTERNET_DISCONNECTED')));
});
