/**
 * Which actions each page offers, by who opens it, now and as of a moment: all of them are in actions.txt (UPDATE=1 writes it, its difference is reviewed).
 * What a role may not do is refused by the database as well (server.test.ts); here no action is offered that is refused.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { idle, noBrowser, openTab, type Tab } from './browser.ts';
import { consoleOf, type Console, openConsole } from './console.ts';
import { pagesOfClient } from './page-list.ts';
import { makeStory } from './story.ts';

const FILE = join(import.meta.dirname, 'actions.txt');

/** What a page is about. */
const OF: Record<string, string> = {
  review: 'review/tidy-customers',
  world: 'world/tidy-customers',
  merge: 'merge/spring-prices',
  table: 'table/main/prices',
  agent: 'agent/tidy',
};

/** They look, or go to another page; all others change something. */
const LOOKING =
  /^(Reload|Older|Older events|Back to now|Copy|Search|Filter|More|Columns|Cards|Table|All|Undecided|Add a condition|Add filter|Preview|Run|Explain)$|^(main|The world|The changes)/;

let opened: Console;
let byKey: Awaited<ReturnType<typeof consoleOf>>;
let moment: string;
beforeAll(async () => {
  if (noBrowser) return;
  opened = await openConsole({ login: true });
  const { db } = opened;
  await makeStory(opened);
  await db.sql({
    sql: `CREATE ROLE boss SUPERUSER LOGIN PASSWORD 'right'; CREATE ROLE clerk LOGIN PASSWORD 'right'; GRANT SELECT, UPDATE ON prices TO clerk`,
  });
  await db.fork({ name: 'sender' });
  await db.sql({ branch: 'sender', sql: `NOTIFY ON MERGE mail, '{"to": "team"}'` });
  await db.merge({ branch: 'sender' });
  moment = `#${db.stats()['log_sequence']}`;
  // What there was at the moment is not what there is now.
  await db.set_meta({ branch: 'audit-2026', meta: { intent: 'later' } });
  byKey = await consoleOf(db);
});
afterAll(async () => {
  await byKey?.close();
  await opened?.close();
});

async function asRole(role: string): Promise<Tab> {
  const tab = await openTab(opened);
  await tab.page.getByLabel('Role').fill(role);
  await tab.page.getByLabel('Password').fill('right');
  await tab.page.getByRole('button', { name: 'Sign in' }).click();
  await tab.page.locator('.frame').waitFor();
  await idle(tab.page);
  return tab;
}

const VISITORS: readonly (readonly [string, () => Promise<Tab>])[] = [
  ['the holder of the link', () => openTab({ studio: byKey })],
  ['a superuser role', () => asRole('boss')],
  ['another role', () => asRole('clerk')],
];

/** Once two looks see the same, and nothing loads. */
async function actionsOn(tab: Tab): Promise<string[]> {
  for (let before: string | null = null; ;) {
    await tab.page.getByText('Loading…').waitFor({ state: 'detached' });
    const actions = await shownOn(tab);
    const text = actions.join();
    if (text === before) return actions;
    before = text;
    await setTimeout(250);
  }
}

async function shownOn({ page }: Tab): Promise<string[]> {
  const names = await page.evaluate<string[]>(
    `[...document.querySelectorAll('main button, main a.button')].filter((each) => each.offsetParent !== null && each.closest('.grid, .diff-list, .tables') === null)
      .map((each) => (each.getAttribute('aria-label') ?? each.textContent).replace(/\\s+/g, ' ').trim() + (each.disabled ? ' (disabled)' : ''))`,
  );
  return [...new Set(names.map((name) => name.replace(/\be[0-9a-f]{20,}/, '<id>')))].sort();
}

test.skipIf(noBrowser).each(VISITORS)(
  '%s is offered on each page what the list says, and nothing that acts on the past',
  { timeout: 240_000 },
  async (who, enter) => {
    const tab = await enter();
    const { page } = tab;
    const lines: string[] = [];
    for (const then of [false, true]) {
      if (then) {
        await tab.go('#/worlds');
        await page.getByLabel(/^Moment: a time/).fill(moment);
        await page.keyboard.press('Enter');
        await page.getByRole('button', { name: 'Back to now' }).waitFor();
      }
      for (const each of pagesOfClient()) {
        const [name, query = ''] = each.split('?');
        await tab.go(`#/${OF[name] ?? name}${query === '' ? '' : `?${query}`}`);
        const refused = (await page.getByText('needs a superuser role').count()) > 0 && (await page.locator('main .tabs, main .toolbar').count()) === 0;
        const actions = await actionsOn(tab);
        lines.push(`${then ? 'then' : 'now'} · ${each}: ${refused ? 'refused' : ''}${actions.join(', ')}`.trimEnd());
        // A simulation begins at the moment; a statement over it reads.
        if (then && name !== 'simulations') expect([each, actions.filter((action) => !LOOKING.test(action))]).toEqual([each, []]);
      }
    }
    expect(tab.faults).toEqual([]);
    await tab.close();
    const sections = sectionsOf(readOrEmpty());
    if (process.env['UPDATE'] === '1') {
      sections.set(who, lines);
      const text = VISITORS.map(([each]) => `# ${each}\n${(sections.get(each) ?? []).join('\n')}\n`).join('\n');
      writeFileSync(FILE, text);
    }
    expect(lines).toEqual(sections.get(who));
  },
);

function readOrEmpty(): string {
  try {
    return readFileSync(FILE, 'utf8');
  } catch {
    return '';
  }
}

function sectionsOf(text: string): Map<string, string[]> {
  return new Map(
    text
      .split(/^# /m)
      .slice(1)
      .map((section) => {
        const [who, ...lines] = section.trim().split('\n');
        return [who, lines];
      }),
  );
}
