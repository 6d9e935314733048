/** What agents can put into a database is text on every page: no markup, no script, nothing that turns a line or hides in it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noBrowser, openTab, idle, type Tab } from './browser.ts';
import { type Console, openConsole } from './console.ts';
import { pagesOfClient } from './page-list.ts';

const HOSTILE = [
  '<img src=x onerror="document.title=\'owned\'">',
  '</script><script>document.title="owned"</script>',
  '"><svg onload=alert(1)>',
  'javascript:alert(1)',
  '=HYPERLINK("http://evil.example","click")',
  "+1+cmd|' /C calc'!A0",
  'admin\u202Egpj.exe',
  'zero\u200Bwidth\u2066isolate\u2069',
  '\u0001\u0007\u001B[31mred',
  'שלום עולם مرحبا',
  'e\u0301'.repeat(200),
  '{{constructor.constructor("alert(1)")()}}',
  '%3Cscript%3E',
  ' leading and trailing ',
  'null',
  '',
];
const LONG = 10 * 1024 * 1024;

let opened: Console;
/** One for all pages: a tab costs a second of a core. */
let tab: Tab;
beforeAll(async () => {
  if (noBrowser) return;
  opened = await openConsole();
  const { db } = opened;
  await db.sql({ sql: 'CREATE TABLE "t<b>x</b>" (id int PRIMARY KEY, "c<i>" text, j jsonb); CREATE TABLE long (id int PRIMARY KEY, v text)' });
  for (const [id, text] of HOSTILE.entries())
    await db.sql({ sql: 'INSERT INTO "t<b>x</b>" VALUES ($1, $2, $3)', params: [id, text, { [text === '' ? 'k' : text]: [text] }] });
  await db.sql({ sql: `INSERT INTO long VALUES (1, repeat('<b>', ${Math.floor(LONG / 3)}))` });
  await db.set_merge_policy({ name: 'p', rules: { max_rows: 0 } });
  await db.create_agent({ name: 'evil', can: ['read', 'fork', 'write_own', 'merge_own', 'write_main'], policy: 'p' });
  const evil = db.directory.byName('evil')!;
  await db.fork({ name: 'bad', meta: { intent: HOSTILE.join('\n'), '<b>': HOSTILE } }, evil);
  await db.sql(
    { branch: 'bad', sql: 'UPDATE "t<b>x</b>" SET "c<i>" = "c<i>" || \'<s>\'; UPDATE long SET v = v || \'!\'; DELETE FROM "t<b>x</b>" WHERE id = 3' },
    evil,
  );
  await db.sql({ branch: 'bad', sql: `NOTIFY ON MERGE mail, '{"x": "<script>document.title=1</script>"}'` }, evil);
  await db.merge({ branch: 'bad' }, evil).catch(() => {});
  await db.sql({ sql: 'UPDATE "t<b>x</b>" SET "c<i>" = \'<u>\' WHERE id = 5' });
  await db.set_reader({ name: 'r', table: 't<b>x</b>', detail: HOSTILE.join('\n') });
  await db.set_merge_check({ name: 'c', query: 'SELECT id FROM "t<b>x</b>" WHERE "c<i>" = \'<img src=x onerror=alert(1)>\'' });
  // An effect that its worker could not do, and a merge to undo.
  await db.fork({ name: 'sender' });
  await db.sql({
    branch: 'sender',
    sql: `UPDATE "t<b>x</b>" SET j = '{"<img src=x>": "\u202e"}' WHERE id = 1; NOTIFY ON MERGE "<b>mail</b>", '{"<img src=x>": "<script>alert(1)</script>"}'`,
  });
  await db.merge({ branch: 'sender' });
  const { effects } = await db.claim_outbox({ for_ms: 0 });
  await db.retry_outbox({ id: effects[0]!.id, error: HOSTILE.join('\n').slice(0, 4000) });
  tab = await openTab(opened);
});
afterAll(async () => {
  await opened?.close();
});

const TABLE = encodeURIComponent('t<b>x</b>');

const PAGES: readonly (readonly [what: string, hash: string])[] = [
  ['reviews', '#/reviews'],
  ['a review', '#/review/bad'],
  ['worlds', '#/worlds'],
  ['a world', '#/world/bad'],
  ['a world as SQL', '#/world/bad?tab=sql'],
  ['details of a world', '#/world/bad?tab=details'],
  ['a merge', '#/merge/bad'],
  ['tables', '#/tables'],
  ['a table', `#/table/main/${TABLE}`],
  ['a table with a value of 10 MB', '#/table/main/long'],
  ['history', '#/history'],
  ['an agent', '#/agent/evil'],
  ['definitions of a world', '#/world/bad?tab=definitions'],
  ['readers of a world', '#/world/bad?tab=readers'],
  ['what agents did', '#/history?tab=audit'],
  ['agents', '#/agents'],
  ['outcomes of an agent', '#/agent/evil?tab=outcomes'],
  ['limits of an agent', '#/agent/evil?tab=limits'],
  ['SQL', '#/sql'],
  ['simulations', '#/simulations'],
  ['status', '#/status'],
  ['settings', '#/status?tab=settings'],
  ['policies', '#/status?tab=policies'],
  ['checks and readers', '#/status?tab=checks'],
  ['the outbox', '#/status?tab=outbox'],
  ['verify', '#/status?tab=verify'],
  ['a page of a hostile name', `#/world/${encodeURIComponent(HOSTILE[0])}`],
  ['no page', `#/${encodeURIComponent(HOSTILE[1])}`],
];

test('every page and tab of the client is among them', () => {
  const listed = PAGES.map(([, hash]) => hash.replace(/^#\/(\w+)[^?]*/, '$1'));
  expect(pagesOfClient().filter((each) => !listed.includes(each))).toEqual([]);
});

/** Elements that only a value could have made. */
function madeByValues(page: Tab['page']): Promise<number> {
  return page.evaluate<number>(
    "document.querySelectorAll('main img, main script, main svg[onload], main b b, main s, main u, main [onerror], main iframe').length",
  );
}

test.skipIf(noBrowser)('the preview of an undo, and each page of the past, show hostile values as text', { timeout: 120_000 }, async () => {
  const past = await openTab(opened);
  const { page } = past;
  await past.go('#/history');
  await page.getByRole('button', { name: 'Undo…' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('region', { name: 'Preview' }).getByText('t<b>x</b>').first().waitFor();
  expect(await madeByValues(page)).toBe(0);
  await page.keyboard.press('Escape');
  await page.getByLabel(/^Moment: a time/).fill(`#${opened.db.stats()['log_sequence']}`);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Back to now' }).waitFor();
  for (const [what, hash] of PAGES) {
    await past.go(hash);
    expect([what, await madeByValues(page)]).toEqual([what, 0]);
  }
  expect(await page.title()).not.toBe('owned');
  expect(past.faults).toEqual([]);
  await past.close();
});

test.skipIf(noBrowser).each(PAGES)('%s shows hostile values as text', async (_what, hash) => {
  const { page } = tab;
  await tab.go(hash);
  expect(await madeByValues(page)).toBe(0);
  expect(await page.title()).not.toBe('owned');
  // No character that turns the line, and none that is not seen.
  const text = await page.evaluate<string>("document.querySelector('main').textContent");
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u0001-\u0008\u001b\u200b\u202a-\u202e\u2066-\u2069]/);
  expect(text.length).toBeLessThan(2_000_000);
  expect(tab.faults.splice(0)).toEqual([]);
});

test.skipIf(noBrowser)('a row with such values is opened, and a long one is cut', async () => {
  const { page } = tab;
  await tab.go(`#/table/main/${TABLE}`);
  await page.getByRole('row').nth(7).click();
  await page.getByRole('dialog').getByText('U+202E').first().waitFor();
  await page.keyboard.press('Escape');
  await tab.go('#/table/main/long');
  await page.getByRole('row').nth(1).click();
  await page
    .getByRole('dialog')
    .getByText(/10,485,759 characters/)
    .waitFor();
  await page.getByRole('button', { name: 'Copy all' }).waitFor();
  await idle(page);
  expect(tab.faults).toEqual([]);
});
