/** Roles in a browser: what each page shows to whom, and where a session ends. */
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

async function signedIn(role: string): Promise<void> {
  opened = await openConsole({ login: true });
  await opened.db.sql({
    sql: `CREATE ROLE boss SUPERUSER LOGIN PASSWORD 'right'; CREATE ROLE clerk LOGIN PASSWORD 'right';
      CREATE TABLE seen (id int PRIMARY KEY, name text); INSERT INTO seen VALUES (1, 'lamp'); CREATE TABLE secret (id int PRIMARY KEY); GRANT SELECT ON seen TO clerk`,
  });
  await opened.db.fork({ name: 'draft' });
  tab = await openTab(opened);
  await tab.page.getByLabel('Role').fill(role);
  await tab.page.getByLabel('Password').fill('wrong');
  await tab.page.getByRole('button', { name: 'Sign in' }).click();
  await tab.page.getByRole('alert').getByText('wrong role name or password').waitFor();
  await tab.page.getByLabel('Password').fill('right');
  await tab.page.getByRole('button', { name: 'Sign in' }).click();
  await tab.page.locator('.frame').waitFor();
  await idle(tab.page);
}

const SUPERUSERS = ['reviews', 'review/draft', 'merge/draft', 'history', 'agents', 'agent/x', 'simulations'];
const OF_EVERY_ROLE = ['worlds', 'world/draft', 'tables', 'table/main/seen', 'sql', 'status'];

// contract: console.3
test.skipIf(noBrowser)('a superuser role has every page', async () => {
  await signedIn('boss');
  for (const page of [...SUPERUSERS, ...OF_EVERY_ROLE]) {
    await tab.go(`#/${page}`);
    expect([page, await tab.page.getByText('needs a superuser role').count()]).toEqual([page, 0]);
  }
  expect(tab.faults).toEqual([]);
});

// contract: console.3
test.skipIf(noBrowser)('another role has worlds, tables with its privileges, SQL and status, and no action of others', async () => {
  await signedIn('clerk');
  const { page } = tab;
  expect(await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents()).toEqual(['Worlds', 'Tables', 'SQL', 'Status']);
  for (const each of SUPERUSERS) {
    await tab.go(`#/${each}`);
    expect([each, await page.getByText('needs a superuser role').count()]).toEqual([each, 1]);
  }
  await tab.go('#/worlds');
  await page.getByRole('link', { name: 'draft' }).waitFor();
  expect(await page.getByRole('button', { name: 'Fork a world' }).count()).toBe(0);
  await tab.go('#/tables');
  await page.getByText('no privilege').waitFor();
  await page.getByRole('link', { name: 'seen' }).click();
  await page.getByRole('gridcell', { name: 'lamp' }).click();
  expect(await page.getByRole('button', { name: /^Edit/ }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await tab.go('#/status');
  await page.getByText('Reads and writes are answered.').waitFor();
  expect(tab.faults).toEqual([]);
});

// contract: console.6
test.skipIf(noBrowser)('a session that is over leads to the door', async () => {
  await signedIn('clerk');
  await opened.db.sql({ sql: 'ALTER ROLE clerk NOLOGIN' });
  await tab.go('#/tables');
  await tab.page.getByText(/Your session is over/).waitFor();
  await tab.page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test.skipIf(noBrowser)('without the key there is the door, and the key is not in the address', async () => {
  opened = await openConsole();
  tab = await openTab(opened);
  expect(tab.page.url()).not.toContain(opened.key);
  expect(await tab.page.evaluate<string>('document.cookie + localStorage.length + document.title')).not.toContain(opened.key);
  await tab.page.reload();
  await tab.page.locator('.frame').waitFor();
  const stranger = await openTab({ studio: { ...opened.studio, link: `${opened.studio.origin}/` } });
  await stranger.page.getByRole('heading', { name: 'Open the link' }).waitFor();
  await stranger.close();
});
