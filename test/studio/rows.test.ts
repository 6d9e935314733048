/** Rows of every kind of table: opened in one call, shown whole, and changed where the rights allow it. */
import { afterEach, expect, test } from 'vitest';
import { noBrowser, openTab, idle, type Tab } from './browser.ts';
import { type Console, openConsole } from './console.ts';

let opened: Console;
let tab: Tab;
afterEach(async () => {
  if (noBrowser) return;
  await tab.close();
  await opened.close();
});

async function start(sql: string): Promise<void> {
  opened = await openConsole();
  await opened.db.sql({ sql });
  tab = await openTab(opened);
  await idle(tab.page);
}

async function startAs(role: string, sql: string): Promise<void> {
  opened = await openConsole({ login: true });
  await opened.db.sql({ sql });
  tab = await openTab(opened);
  await tab.page.getByLabel('Role').fill(role);
  await tab.page.getByLabel('Password').fill('right');
  await tab.page.getByRole('button', { name: 'Sign in' }).click();
  await tab.page.locator('.frame').waitFor();
  await idle(tab.page);
}

/** Opens the first row. */
async function firstRow(hash: string): Promise<void> {
  await tab.go(hash);
  await tab.page.getByRole('gridcell').first().click();
  await tab.page.getByRole('dialog').waitFor();
}

test.skipIf(noBrowser)('a table opens with one call', async () => {
  await start('CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t SELECT g, g::text FROM generate_series(1, 1000) g');
  const calls: string[] = [];
  tab.page.on('request', (request) => {
    if (request.url().endsWith('/op/sql')) calls.push(request.postData() ?? '');
  });
  await tab.go('#/table/main/t');
  await tab.page.getByText('1,000 rows').waitFor();
  await tab.page.getByRole('gridcell', { name: '1', exact: true }).first().waitFor();
  expect(calls).toHaveLength(1);
});

test.skipIf(noBrowser)('a search of documents shows the key of each', async () => {
  await start('SELECT 1');
  await opened.db.put({ table: 'notes', id: 'lamp-7', record: { text: 'a red lamp' } });
  await opened.db.put({ table: 'notes', id: 'sofa-8', record: { text: 'a blue sofa' } });
  await tab.go('#/table/main/notes');
  await tab.page.getByRole('searchbox').fill('lamp');
  await tab.page.getByRole('searchbox').press('Enter');
  await tab.page.getByText('1 found').waitFor();
  await tab.page.getByRole('gridcell', { name: 'lamp-7', exact: true }).waitFor();
});

test.skipIf(noBrowser)('names with dots, partitions, and columns without a privilege are opened in the order of their keys', async () => {
  await startAs(
    'clerk',
    `CREATE ROLE clerk LOGIN PASSWORD 'right';
     CREATE TABLE "a.b" (id int PRIMARY KEY); INSERT INTO "a.b" VALUES (41); CREATE SCHEMA "x.y"; CREATE TABLE "x.y"."q.r" (id int PRIMARY KEY); INSERT INTO "x.y"."q.r" VALUES (42);
     CREATE TABLE p (id int PRIMARY KEY, v text) PARTITION BY RANGE (id); CREATE TABLE p_high PARTITION OF p FOR VALUES FROM (100) TO (200);
     CREATE TABLE p_low PARTITION OF p FOR VALUES FROM (0) TO (100); INSERT INTO p VALUES (150, 'high'), (50, 'low');
     CREATE TABLE part (id int PRIMARY KEY, open text, closed text); INSERT INTO part VALUES (1, 'seen', 'unreadable');
     GRANT USAGE ON SCHEMA "x.y" TO clerk; GRANT SELECT ON "a.b", "x.y"."q.r", p TO clerk; GRANT SELECT (id, open) ON part TO clerk`,
  );
  const { page } = tab;
  for (const [name, cells] of [
    ['a.b', ['41']],
    ['x.y.q.r', ['42']],
    ['p', ['50', 'low', '150', 'high']],
    ['part', ['1', 'seen']],
  ] as const) {
    await tab.go('#/tables');
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('gridcell').first().waitFor();
    await idle(page);
    expect([name, await page.getByRole('gridcell').allTextContents()]).toEqual([name, cells]);
  }
  expect(await page.content()).not.toContain('unreadable');
  expect(tab.faults).toEqual([]);
});

test.skipIf(noBrowser)('values of every kind are edited as they are written: what is saved unchanged is unchanged', async () => {
  await start(`CREATE TABLE ab (id int PRIMARY KEY, j jsonb, s jsonb, t text[], n int[], b bytea, d date, ts timestamptz, iv interval, e text, ok boolean, big numeric);
    INSERT INTO ab VALUES (1, '{"x": 1.10}', '"abc"', '{a,"b,c",NULL}', '{1,2}', '\\x00ff', '2020-01-01', '2026-01-02T03:04:05.678901Z', '1 day 2 hours', '', true,
      12345678901234567890.10)`);
  const { page } = tab;
  await firstRow('#/table/main/ab');
  for (const name of ['j', 's', 't', 'n', 'b', 'd', 'ts', 'iv', 'e', 'ok', 'big'])
    await page.getByRole('button', { name: `Edit ${name}`, exact: true }).click();
  await page.getByRole('button', { name: 'Save in a fork of main' }).click();
  await page.getByRole('heading', { name: /^edit-/ }).waitFor();
  await page.getByText('No rows changed').waitFor();
  await firstRow('#/table/main/ab');
  await page.getByRole('button', { name: 'Edit n', exact: true }).click();
  await page.getByRole('textbox', { name: 'n', exact: true }).fill('{1,2}');
  await page.getByRole('button', { name: 'Save in a fork of main' }).click();
  await page.getByRole('alert').getByText('n is not an array in JSON').waitFor();
});

test.skipIf(noBrowser)('a row without a primary key, and one of a view, says why it is not changed', async () => {
  await start('CREATE TABLE k (v text); INSERT INTO k VALUES (1); CREATE VIEW w AS SELECT v FROM k');
  const { page } = tab;
  await firstRow('#/table/main/k');
  await page.getByRole('dialog').getByText('This table has no primary key').waitFor();
  expect(await page.getByRole('button', { name: /^Edit/ }).count()).toBe(0);
  await firstRow('#/table/main/w');
  await page.getByRole('dialog').getByText('Rows of a view are not changed here').waitFor();
});

// contract: console.3
test.skipIf(noBrowser)('a role changes a row in a fork, as its privileges allow', async () => {
  await startAs(
    'clerk',
    `CREATE ROLE clerk LOGIN PASSWORD 'right'; CREATE ROLE maker LOGIN CREATEDB PASSWORD 'right';
     CREATE TABLE t (id int PRIMARY KEY, v text, kept text); INSERT INTO t VALUES (1, 'old', 'x'); CREATE TABLE seen (id int PRIMARY KEY, v text); INSERT INTO seen VALUES (1, 'x');
     GRANT SELECT, UPDATE (v) ON t TO clerk, maker; GRANT SELECT ON seen TO clerk; CREATE WORLD draft FROM main`,
  );
  const { page } = tab;
  await firstRow('#/table/draft/seen');
  await page.getByRole('dialog').getByText('Role clerk has no UPDATE privilege').waitFor();
  await firstRow('#/table/main/t');
  await page.getByRole('dialog').getByText('role clerk may not fork (CREATEDB)').waitFor();
  await firstRow('#/table/draft/t');
  await page.getByRole('button', { name: 'Edit v', exact: true }).click();
  expect(await page.getByRole('button', { name: 'Edit kept' }).count()).toBe(0);
  await page.getByRole('textbox', { name: 'v', exact: true }).fill('new');
  await page.getByRole('button', { name: 'Save in draft' }).click();
  await page.getByText('Changed in draft').waitFor();
  await page.getByRole('gridcell', { name: 'new' }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Role').fill('maker');
  await page.getByLabel('Password').fill('right');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.frame').waitFor();
  await firstRow('#/table/main/t');
  await page.getByRole('button', { name: 'Edit v', exact: true }).click();
  await page.getByRole('textbox', { name: 'v', exact: true }).fill('made');
  await page.getByRole('button', { name: 'Save in a fork of main' }).click();
  await page.getByText(/^Changed in edit-\w+, a fork of main/).waitFor();
  await page.getByRole('gridcell', { name: 'made' }).waitFor();
  expect((await opened.db.sql({ sql: 'SELECT v FROM t' })).results[0].rows).toEqual([{ v: 'old' }]);
  expect((await opened.db.sql({ branch: 'draft', sql: 'SELECT v FROM t' })).results[0].rows).toEqual([{ v: 'new' }]);
  expect(tab.faults).toEqual([]);
});

test.skipIf(noBrowser)('a row of an SQL result opens whole', async () => {
  await start('CREATE TABLE t (id int PRIMARY KEY)');
  const { page } = tab;
  await tab.go('#/sql');
  await page.getByRole('textbox', { name: 'SQL' }).focus();
  await page.keyboard.insertText("SELECT 1 AS a, 2 AS a, repeat('x', 5000) || 'end' AS long");
  await page.keyboard.press('Control+Enter');
  await page.getByText(/^1 statement in/).waitFor();
  await page.getByRole('gridcell', { name: '1', exact: true }).click({ timeout: 10_000 });
  await page.getByRole('dialog').getByText(/xend$/).waitFor();
});

test.skipIf(noBrowser)('titles, messages and notices show characters that are not seen', async () => {
  await start(`CREATE TABLE h (id text PRIMARY KEY, v text); INSERT INTO h VALUES ('admin\u202Egpj.exe', 'x')`);
  const { page } = tab;
  await firstRow('#/table/main/h');
  const all = (): Promise<string> =>
    page.evaluate<string>(
      "document.title + document.body.textContent + [...document.querySelectorAll('[aria-label]')].map((e) => e.getAttribute('aria-label')).join()",
    );
  expect(await all()).not.toContain('\u202e');
  await page.keyboard.press('Escape');
  await tab.go('#/table/main/x%E2%80%AEy');
  expect(await all()).not.toContain('\u202e');
  // A browser that lets pages copy nothing: over plain HTTP from afar.
  await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  await opened.db.fork({ name: 'w' });
  await tab.go('#/world/w?tab=sql');
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByText('This browser lets the page copy nothing').waitFor();
});
