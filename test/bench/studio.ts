/** The web console in Chromium: first paint, a table of a million rows with its exact count, jumps in a diff of 100,000 rows, clicks to a merge. */
import { join } from 'node:path';
import { type Database, open } from '../../src/database.ts';
import { LoginThrottle } from '../../src/session/login-throttle.ts';
import { localLink } from '../../src/studio/local-link.ts';
import { startStudio } from '../../src/studio/server.ts';
import { closeBrowser, noBrowser, openTab, idle, type Tab } from '../studio/browser.ts';
import { median, ms, type Report } from './report.ts';

const ROWS = 1_000_000;
const CHANGED = 100_000;
const RUNS = 7;
const JUMPS = 60;

export async function benchStudio(report: Report, folder: string): Promise<void> {
  report.section('Web console', 'In Chromium without a screen, on the machine of the server, both in one measurement.');
  if (noBrowser) {
    report.row('SKIPPED: there is no Chromium', '', '');
    return;
  }
  const db = await open(join(folder, 'studio'));
  await fill(db);
  const studio = await startStudio(
    {
      link: localLink({ commandsOf: (by) => db.commandsOf(by), roleNamed: (name) => db.roleNamed(name) }),
      throttle: new LoginThrottle(),
      login: false,
      release: 'bench',
    },
    '127.0.0.1',
    0,
  );
  try {
    const paints: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const tab = await openTab({ studio });
      await idle(tab.page);
      paints.push(await tab.page.evaluate<number>("performance.getEntriesByName('first-contentful-paint')[0].startTime"));
      await tab.close();
    }
    report.row('first contentful paint from the printed link', ms(median(paints)), '300 ms');
    const tab = await openTab({ studio });
    await table(tab, report);
    await diff(tab, report);
    await tab.close();
  } finally {
    await closeBrowser();
    await studio.close();
    await db.close();
  }
}

async function fill(db: Database): Promise<void> {
  await db.sql({
    sql: `CREATE TABLE big (id int PRIMARY KEY, name text, amount numeric(12,2)); INSERT INTO big SELECT g, 'row ' || g, g::numeric / 100 FROM generate_series(1, ${ROWS}) g`,
  });
  await db.fork({ name: 'draft' });
  await db.sql({ branch: 'draft', sql: `UPDATE big SET amount = amount + 1 WHERE id <= ${CHANGED}` });
}

/** In the page: the time from the click until the given text is there, over frames. */
const timed = (start: string, until: string): string => `new Promise((done) => {
  const begun = performance.now();
  const look = () => ((${until}) ? done(performance.now() - begun) : requestAnimationFrame(look));
  ${start};
  requestAnimationFrame(look);
})`;

async function table({ page }: Tab, report: Report): Promise<void> {
  const opened: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    await page.evaluate("location.hash = '#/status'");
    await idle(page);
    opened.push(
      await page.evaluate<number>(
        timed(
          "location.hash = '#/table/main/big'",
          "document.querySelector('[data-total]')?.textContent.startsWith('1,000,000') && document.querySelectorAll('.grid-line').length > 10",
        ),
      ),
    );
  }
  report.row('a table of 1,000,000 rows: opened, with its exact count', ms(median(opened)), '100 ms');
  const jumps = await jumpTimes(page, '.grid', "document.querySelectorAll('.grid .wait').length === 0");
  report.row('… a jump to another row, until all its rows are shown, p95', ms(p95(jumps)), '');
}

async function diff({ page }: Tab, report: Report): Promise<void> {
  const first = await page.evaluate<number>(timed("location.hash = '#/world/draft'", "document.querySelectorAll('.diff-list .line').length > 10"));
  report.row('a diff of 100,000 rows: its first rows are shown', ms(first), '');
  const all = await page.evaluate<number>(timed('0', "document.querySelector('.diff-bar')?.textContent.trim() === '100,000 rows'"));
  report.row('… all of them are in the page', ms(first + all), '');
  const jumps = await jumpTimes(page, '.diff-list', "document.querySelectorAll('.diff-list .line').length > 10");
  report.row('… a jump, p50', ms(median(jumps)), '');
  report.row('… a jump, p95', ms(p95(jumps)), '50 ms');
}

/** Random places of a list, each until the page has painted it. */
async function jumpTimes(page: Tab['page'], list: string, until: string): Promise<number[]> {
  return page.evaluate<number[]>(`(async () => {
    const box = document.querySelector(${JSON.stringify(list)});
    const times = [];
    let seed = 7;
    for (let i = 0; i < ${JUMPS}; i++) {
      seed = (seed * 16807) % 2147483647;
      const to = (seed / 2147483647) * (box.scrollHeight - box.clientHeight);
      const begun = performance.now();
      box.scrollTop = to;
      await new Promise((done) => {
        let frames = 0;
        const look = () => (++frames >= 2 && (${until}) ? done() : requestAnimationFrame(look));
        requestAnimationFrame(look);
      });
      times.push(performance.now() - begun);
    }
    return times;
  })()`);
}

function p95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)];
}
