/** What comes between a person and the server: a restart, a cut connection, another person, another page. What is not known is not claimed. */
import { afterEach, expect, test } from 'vitest';
import { LoginThrottle } from '../../src/session/login-throttle.ts';
import { localLink } from '../../src/studio/local-link.ts';
import { startStudio } from '../../src/studio/server.ts';
import { noBrowser, openTab, idle, type Tab } from './browser.ts';
import { type Console, openConsole, slowed } from './console.ts';
import { makeStory } from './story.ts';

let opened: Console;
let tab: Tab;
/** Waits before an operation; null: none. */
let gate: ((name: string, input: unknown) => Promise<void> | undefined) | null;
afterEach(async () => {
  if (noBrowser) return;
  await tab.close();
  await opened.close();
});

async function start(login = false): Promise<void> {
  gate = null;
  opened = await openConsole({ login }, 1000, (link) => slowed(link, (name, input) => gate?.(name, input)));
  await makeStory(opened);
  await opened.db.sql({ sql: "CREATE ROLE boss SUPERUSER LOGIN PASSWORD 'right'; CREATE ROLE clerk LOGIN PASSWORD 'right'" });
  tab = await openTab(opened);
  await idle(tab.page);
}

async function signIn(role: string): Promise<void> {
  await tab.page.getByLabel('Role').fill(role);
  await tab.page.getByLabel('Password').fill('right');
  await tab.page.getByRole('button', { name: 'Sign in' }).click();
  await tab.page.locator('.frame').waitFor();
  await idle(tab.page);
}

/** A wait that the test ends. */
function held(): { wait: Promise<void>; release: () => void } {
  let release = (): void => {};
  const wait = new Promise<void>((resolve) => (release = resolve));
  return { wait, release };
}

test.skipIf(noBrowser)('a server that started again has another key: the page says so, and not that a session was idle', async () => {
  await start();
  const { db, studio } = opened;
  await studio.close();
  const again = await startStudio(
    {
      link: localLink({ commandsOf: (by) => db.commandsOf(by), roleNamed: (name) => db.roleNamed(name) }),
      throttle: new LoginThrottle(),
      login: false,
      release: 'test',
    },
    '127.0.0.1',
    Number(new URL(studio.origin).port),
  );
  await tab.go('#/worlds');
  await tab.page.getByRole('heading', { name: 'Open the link' }).waitFor();
  await tab.page.getByText(/started again, with another key/).waitFor();
  expect(await tab.page.getByText(/30 minutes/).count()).toBe(0);
  await again.close();
});

test.skipIf(noBrowser)('a page that is opened without the server says so, and tries again', async () => {
  await start();
  const { page } = tab;
  await page.route('**/api/who', (route) => route.abort());
  await page.reload();
  await page.getByRole('heading', { name: 'The server does not answer' }).waitFor();
  await page.unroute('**/api/who');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('.frame').waitFor();
});

test.skipIf(noBrowser)(
  'a merge whose connection is cut is not called stopped: it may have been done',
  async () => {
    await start();
    const { page } = tab;
    const stop = held();
    await tab.go('#/review/tidy-customers');
    await page.getByLabel(/It deletes 16 rows/).fill('16');
    gate = (name) => (name === 'review' ? stop.wait : undefined);
    await page.getByRole('button', { name: 'Approve and merge' }).click();
    await page.getByText('Deciding').waitFor();
    // Ends its connections after the wait of a closing server; the operation continues.
    const closing = opened.studio.close();
    await page
      .getByRole('alert')
      .getByText(/It may have been done all the same/)
      .waitFor({ timeout: 30_000 });
    expect(await page.getByText('stopped').count()).toBe(0);
    stop.release();
    await closing;
  },
  60_000,
);

test.skipIf(noBrowser)('a decision that ends when its person is elsewhere is reported there, and opens no other page', async () => {
  await start();
  const { page } = tab;
  const wait = held();
  await tab.go('#/review/tidy-customers');
  await page.getByLabel(/It deletes 16 rows/).fill('16');
  gate = (name) => (name === 'review' ? wait.wait : undefined);
  await page.getByRole('button', { name: 'Approve and merge' }).click();
  await page.getByText('Deciding').waitFor();
  await page.evaluate("location.hash = '#/tables'");
  await page.getByRole('link', { name: 'orders' }).waitFor();
  wait.release();
  await page.getByText(/^Merged \d+ changes? of tidy-customers/).waitFor();
  expect(await page.evaluate('location.hash')).toBe('#/tables');
});

test.skipIf(noBrowser)('a merge waits for the dry run of the latest choice', async () => {
  await start();
  const { page } = tab;
  await tab.go('#/merge/spring-prices');
  await page.getByRole('button', { name: 'All as in spring-prices' }).click();
  await page.getByRole('button', { name: 'Merge into main' }).waitFor();
  const wait = held();
  gate = (name) => (name === 'merge' ? wait.wait : undefined);
  await page.getByRole('article', { name: 'Conflict prices SKU-0003' }).getByRole('radio', { name: 'main' }).check();
  expect(await page.locator('.verdict button.primary').isDisabled()).toBe(true);
  wait.release();
  await expect.poll(() => page.locator('.verdict button.primary').isDisabled()).toBe(false);
});

test.skipIf(noBrowser)('of two persons who decide at once one merges, and the other reads that it was merged', async () => {
  await start();
  const other = await openTab(opened);
  for (const each of [tab, other]) {
    await each.go('#/review/tidy-customers');
    await each.page.getByLabel(/It deletes 16 rows/).fill('16');
  }
  await tab.page.getByRole('button', { name: 'Approve and merge' }).click();
  await tab.page.getByText(/^Merged \d+ changes? of tidy-customers/).waitFor();
  const approve = other.page.getByRole('button', { name: 'Approve and merge' });
  if (await approve.isEnabled()) await approve.click();
  await other.page.getByRole('alert').first().waitFor();
  await other.page.reload();
  await other.page.getByText(/tidy-customers was merged/).waitFor();
  expect(
    (await opened.db.history({ branch: 'main' })).events.filter(({ event, branch }) => event === 'merge' && branch?.name === 'tidy-customers'),
  ).toHaveLength(1);
  await other.close();
});

test.skipIf(noBrowser)('a slow answer about one world does not replace that of the next', async () => {
  await start();
  const { page } = tab;
  const wait = held();
  gate = (name, input) => (name === 'history' && (input as { branch?: string }).branch === 'main' ? wait.wait : undefined);
  await page.evaluate("location.hash = '#/history/main'");
  await page.getByLabel('World').waitFor();
  await page.evaluate("location.hash = '#/history/audit-2026'");
  await page.locator('.event').first().waitFor();
  const before = await page.locator('.event').allTextContents();
  wait.release();
  await idle(page);
  expect((await page.locator('.event').allTextContents()).map((each) => each.slice(20))).toEqual(before.map((each) => each.slice(20)));
});

// contract: console.6
test.skipIf(noBrowser)('a sign-out that does not reach the server is not called one', async () => {
  await start(true);
  await signIn('boss');
  const { page } = tab;
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText(/^You are still signed in/).waitFor();
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test.skipIf(noBrowser)('what one role wrote in a tab is not there for the next', async () => {
  await start(true);
  await signIn('boss');
  const { page } = tab;
  await tab.go('#/sql');
  await page.getByRole('textbox', { name: 'SQL' }).focus();
  await page.keyboard.insertText('SELECT 1 AS private');
  await opened.db.sql({ sql: 'ALTER ROLE boss NOLOGIN' });
  await tab.go('#/worlds');
  await page.getByText(/Your session is over/).waitFor();
  await signIn('clerk');
  await tab.go('#/sql');
  await page.getByRole('textbox', { name: 'SQL' }).waitFor();
  expect(await page.getByText('private').count()).toBe(0);
});

test.skipIf(noBrowser)('an editor that cannot be loaded is missed aloud', async () => {
  await start();
  const { page } = tab;
  await page.route('**/assets/editor-*', (route) => route.abort());
  await page.evaluate("location.hash = '#/sql'");
  await page.getByRole('alert').getByText('The editor could not be loaded').waitFor();
});
