/** Views on a screen: the prompt, the pager, the review of held merges. Screens are kept as text files. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Database, open } from '../../src/database.ts';
import { syntax } from '../../src/shell/commands/syntax.ts';
import type { Names } from '../../src/shell/edit/completion.ts';
import { History } from '../../src/shell/edit/history.ts';
import { COLOURED, UNCOLOURED } from '../../src/shell/text/style.ts';
import { AskView } from '../../src/shell/view/ask-view.ts';
import { ChangeSource } from '../../src/shell/view/change-source.ts';
import { type LineSource, PagerView } from '../../src/shell/view/pager-view.ts';
import { PromptView } from '../../src/shell/view/prompt-view.ts';
import { type ReviewActions, ReviewsView } from '../../src/shell/view/review-view.ts';
import { type SimulationReply, simulationLines, SimulationView } from '../../src/shell/view/simulation-view.ts';
import { textWidth } from '../../src/shell/text/width.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kept, Screen } from './screen.ts';

const UP = '\x1b[A';
const DOWN = '\x1b[B';
const NAMES: Names = {
  keywords: ['from', 'select', 'set', 'where'],
  tables: ['items', 'item_prices'],
  columns: new Map([['items', ['id', 'name']]]),
  functions: ['count'],
  worlds: ['main', 'draft'],
  agents: [],
  policies: [],
};

describe('the prompt', () => {
  const screens: Screen<unknown>[] = [];
  afterEach(() => screens.splice(0).forEach((screen) => screen.close()));
  const prompt = (history: string[] = [], style = UNCOLOURED, columns = 60, rows = 16): Screen<string | null> => {
    const view = new PromptView({
      prompt: 'main> ',
      continuation: 'main- ',
      history: new History(history),
      style,
      syntax: syntax(true),
      keywords: new Set(NAMES.keywords),
      names: () => Promise.resolve(NAMES),
      clearScreen: () => {},
    });
    const screen = new Screen(view, columns, rows);
    screens.push(screen);
    return screen;
  };

  test('continues over lines until the semicolon', async () => {
    const screen = prompt();
    await screen.keys('SELECT 1', '\r', '+ 2', '\r');
    expect(screen.text).toBe('main> SELECT 1\nmain- + 2\nmain-');
    expect(screen.result).toBeUndefined();
    await screen.keys(';', '\r');
    expect(screen.result).toBe('SELECT 1\n+ 2\n;');
  });

  test('takes a command at the end of its line', async () => {
    const screen = prompt();
    await screen.keys('worlds', '\r');
    expect(screen.result).toBe('worlds');
  });

  test('takes a slip at once instead of waiting for its semicolon', async () => {
    const screen = prompt();
    await screen.keys('wrlds', '\r');
    expect(screen.result).toBe('wrlds');
  });

  test('runs nothing of what is pasted before Enter', async () => {
    const screen = prompt();
    await screen.keys('\x1b[200~SELECT 1;\nSELECT 2;\n\x1b[201~');
    expect(screen.result).toBeUndefined();
    await screen.keys('\r');
    expect(screen.result).toBe('SELECT 1;\nSELECT 2;\n');
  });

  test('completes, lists and goes through what it offers', async () => {
    const screen = prompt();
    await screen.keys('sel', '\t');
    expect(screen.text).toBe('main> select');
    await screen.keys('* from i', '\t');
    await expect(screen.text).toMatchFileSnapshot(kept('prompt-completion'));
    await screen.keys('\t', '\t');
    expect(screen.text.split('\n')[0]).toBe('main> select * from item_prices');
    await screen.keys('\x1b');
    await new Promise((resolve) => setTimeout(resolve, 80));
    await screen.keys(';', '\r');
    expect(screen.result).toBe('select * from item_prices;');
  });

  test('recalls and searches', async () => {
    const screen = prompt(['fork a', 'SELECT 1;', 'worlds']);
    await screen.keys(UP, UP);
    expect(screen.text).toBe('main> SELECT 1;');
    await screen.keys(DOWN, DOWN);
    expect(screen.text).toBe('main>');
    await screen.keys('\x12', 'for');
    await expect(screen.text).toMatchFileSnapshot(kept('prompt-search'));
    await screen.keys('\r');
    expect(screen.result).toBe('fork a');
  });

  test('breaks long lines within the width, and follows the cursor where the text is higher than the screen', async () => {
    const screen = prompt([], UNCOLOURED, 24, 8);
    await screen.keys(`SELECT ${'abcdefghi, '.repeat(30)}`);
    const lines = screen.text.split('\n');
    expect(lines.length).toBeLessThanOrEqual(7);
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(24);
    await screen.keys('\x01');
    expect(screen.text.startsWith('main> SELECT')).toBe(true);
    await screen.resize(30, 30);
    expect(screen.text.split('\n').length).toBeGreaterThan(7);
  });

  test('colours words, strings and numbers', async () => {
    const screen = prompt([], COLOURED);
    await screen.keys("select 'a', 1 -- x");
    expect(screen.coloured).toContain('\x1b[34mselect\x1b[39m');
    expect(screen.coloured).toContain("\x1b[32m'a'\x1b[39m");
    expect(screen.coloured).toContain('\x1b[36m1\x1b[39m');
  });

  test('Ctrl-C drops the text and leaves only when there is none; Ctrl-D leaves', async () => {
    const screen = prompt();
    await screen.keys('abc', '\x03');
    expect(screen.result).toBe('');
    const second = prompt();
    await second.keys('\x03');
    expect(second.result).toBeNull();
    const third = prompt();
    await third.keys('\x04');
    expect(third.result).toBeNull();
  });
});

describe('the pager', () => {
  function source(total: number, loaded: number): LineSource & { loads: number } {
    const lines = Array.from({ length: loaded }, (_, i) => `line ${i + 1}`);
    return {
      loads: 0,
      lines: () => lines,
      head: () => ['HEAD'],
      get more() {
        return lines.length < total;
      },
      load() {
        this.loads++;
        for (let i = 0; i < 10 && lines.length < total; i++) lines.push(`line ${lines.length + 1}`);
        return Promise.resolve();
      },
    };
  }

  test('moves by screens and lines, and leaves', async () => {
    const screen = new Screen(new PagerView(source(50, 50), UNCOLOURED, 'rows'), 60, 12);
    await expect(screen.text).toMatchFileSnapshot(kept('pager'));
    await screen.keys(' ');
    expect(screen.text.split('\n')[1]).toBe('line 10');
    await screen.keys(DOWN, 'j', 'k');
    expect(screen.text.split('\n')[1]).toBe('line 11');
    await screen.keys('G');
    expect(screen.text.split('\n').at(-2)).toBe('line 50');
    expect(screen.text).toContain('(end)');
    await screen.keys('g');
    expect(screen.text.split('\n')[1]).toBe('line 1');
    await screen.resize(30, 6);
    for (const line of screen.text.split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(30);
    await screen.keys('q');
    expect('result' in screen).toBe(true);
    screen.close();
  });

  test('loads what is near, not all', async () => {
    const endless = source(1_000_000, 10);
    const screen = new Screen(new PagerView(endless, UNCOLOURED), 60, 12);
    await screen.idle();
    expect(endless.loads).toBeLessThan(6);
    await screen.keys(' ', ' ', ' ');
    expect(screen.text.split('\n')[1]).toBe('line 28');
    expect(endless.loads).toBeLessThan(12);
    screen.close();
  });
});

test('a question gives its answer, or none', async () => {
  const answered = new Screen(new AskView('How many?', UNCOLOURED), 60, 10);
  await answered.keys('12', '\r');
  expect(answered.result).toBe('12');
  const refused = new Screen(new AskView('How many?', UNCOLOURED), 60, 10);
  await refused.keys('12', '\x03');
  expect(refused.result).toBeNull();
  answered.close();
  refused.close();
});

describe('over a database', () => {
  let folder: string;
  let db: Database;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-views-'));
    db = await open(folder);
    await db.sql({
      sql: "CREATE TABLE stock (id int PRIMARY KEY, name text, amount int); INSERT INTO stock SELECT i, 'thing ' || i, 10 FROM generate_series(1, 400) i",
    });
    await db.set_merge_policy({ name: 'careful', rules: { max_rows: 2, confirm_deletes_over: 1 } });
    await db.create_agent({ name: 'ann', can: ['read', 'fork', 'write_own', 'merge_own', 'write_main'], policy: 'careful' });
  });
  afterEach(async () => {
    await db.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function held(name: string, sql: string, meta: { [key: string]: string[] } = {}): Promise<void> {
    const ann = db.commandsOf(db.directory.byName('ann')!);
    await ann.fork({ name, meta: { intent: 'put the shelf in order', ...meta } });
    await ann.sql({ branch: name, sql });
    await expect(ann.merge({ branch: name })).rejects.toThrow(/max_rows/);
  }

  const asked: string[] = [];
  const actions = (): ReviewActions => ({
    reviews: async () => (await db.reviews()).reviews,
    preview: (branch) => db.preview({ branch }),
    intent: async (branch) => String((await db.world({ branch })).meta['intent']),
    diff: (input) => {
      asked.push(JSON.stringify(input));
      return db.diff(input);
    },
    review: (input) => db.review(input),
    merge: (input) => db.merge(input as { branch: string }),
    nowMs: () => Date.now(),
  });
  async function reviews(): Promise<Screen<string[]>> {
    const screen = new Screen(new ReviewsView((await db.reviews()).reviews, actions(), UNCOLOURED));
    await waitFor(screen, 'merge');
    return screen;
  }
  async function waitFor(screen: Screen<unknown>, text: string): Promise<void> {
    for (let i = 0; i < 200 && !screen.text.includes(text); i++) await screen.idle();
    expect(screen.text).toContain(text);
  }

  test('a diff pages through the operation, deletes first, and loads no more than is shown', async () => {
    await db.fork({ name: 'draft' });
    await db.sql({ branch: 'draft', sql: 'DELETE FROM stock WHERE id > 395; UPDATE stock SET amount = 1 WHERE id <= 350' });
    asked.length = 0;
    const source = await ChangeSource.open(actions().diff, { branch: 'draft' }, UNCOLOURED);
    await source.load();
    await source.load();
    expect(
      source
        .lines(80)
        .slice(0, 6)
        .map((line) => line.slice(0, 11)),
    ).toEqual(['- stock/396', '- stock/397', '- stock/398', '- stock/399', '- stock/400', '~ stock/1  ']);
    expect(source.changes.length).toBe(105);
    expect(source.more).toBe(true);
    while (source.more) await source.load();
    expect(source.changes.length).toBe(355);
    expect(new Set(source.changes.map(({ key }) => key)).size).toBe(355);
    expect(asked.every((input) => input.includes('"limit":100') || input.includes('"count":true'))).toBe(true);
  });

  test('a diff that becomes stale while it is shown says so', async () => {
    await db.fork({ name: 'draft' });
    await db.sql({ branch: 'draft', sql: 'UPDATE stock SET amount = 1' });
    const source = await ChangeSource.open(actions().diff, { branch: 'draft' }, UNCOLOURED);
    await source.load();
    await db.sql({ branch: 'draft', sql: 'UPDATE stock SET amount = 2 WHERE id = 1' });
    await expect(source.load()).rejects.toMatchObject({ code: '40001' });
  });

  test('a review is listed, opened and approved', async () => {
    await held('recount', "UPDATE stock SET amount = 7 WHERE id <= 3; NOTIFY ON MERGE mail, 'recounted'", { may_change: ['stock.amount'] });
    const screen = await reviews();
    await expect(screen.text.replaceAll(/just now|\d+s ago/g, 'AGO')).toMatchFileSnapshot(kept('reviews'));
    await screen.keys('\r');
    await waitFor(screen, 'Why it waits');
    await expect(screen.text.replaceAll(/just now|\d+s ago/g, 'AGO')).toMatchFileSnapshot(kept('review'));
    await screen.keys('a');
    await waitFor(screen, 'No merge waits');
    expect(screen.text).toContain('approved recount: 3 rows merged');
    await screen.keys('q');
    expect(screen.result).toEqual(['approved recount: 3 rows merged']);
    expect((await db.sql({ sql: 'SELECT sum(amount) AS n FROM stock' })).results[0].rows).toEqual([{ n: 3991 }]);
    screen.close();
  });

  test('a rejection wants a reason, and keeps it', async () => {
    await held('recount', 'UPDATE stock SET amount = 7 WHERE id <= 3');
    const screen = await reviews();
    await screen.keys('\r');
    await waitFor(screen, 'Why it waits');
    await screen.keys('r', '\r');
    expect(screen.text).toContain('a reason helps');
    await screen.keys('wrong shelf', '\r');
    await waitFor(screen, 'rejected recount');
    expect((await db.merge_outcomes({})).outcomes[0].rejected).toBe(1);
    expect((await db.sql({ sql: 'SELECT sum(amount) AS n FROM stock' })).results[0].rows).toEqual([{ n: 4000 }]);
    screen.close();
  });

  test('conflicts are picked row by row, and deletes counted, before it merges', async () => {
    await held('cleanup', "DELETE FROM stock WHERE id > 397; UPDATE stock SET name = 'theirs' WHERE id IN (5, 6)");
    await db.sql({ sql: "UPDATE stock SET name = 'ours' WHERE id IN (5, 6)" });
    const screen = await reviews();
    await screen.keys('\r');
    await waitFor(screen, 'Conflicts: 2 to resolve');
    await screen.keys('a');
    expect(screen.text).toContain('is in conflict: o keeps');
    await screen.keys('o', 't');
    await screen.keys('a');
    expect(screen.text).toContain('how many rows does it delete?');
    await expect(screen.text.replaceAll(/just now|\d+s ago/g, 'AGO')).toMatchFileSnapshot(kept('review-deletes'));
    await screen.keys('2', '\r');
    expect(screen.text).toContain('that is not the number');
    await screen.keys('\x15', '3', '\r');
    await waitFor(screen, 'approved cleanup');
    expect((await db.sql({ sql: 'SELECT id, name FROM stock WHERE id IN (5, 6) ORDER BY id' })).results[0].rows).toEqual([
      { id: 5, name: 'ours' },
      { id: 6, name: 'theirs' },
    ]);
    expect((await db.merge_outcomes({})).outcomes[0].approved).toBe(1);
    screen.close();
  });

  test('what cannot be approved says why and stays', async () => {
    await held('recount', 'UPDATE stock SET amount = 7 WHERE id <= 3');
    const screen = await reviews();
    await screen.keys('\r');
    await waitFor(screen, 'Why it waits');
    await db.sql({ branch: 'recount', sql: 'UPDATE stock SET amount = 8 WHERE id = 1' });
    await screen.keys('a');
    await waitFor(screen, 'ERROR:');
    await screen.keys('q');
    await waitFor(screen, '1 merge waits');
    screen.close();
  });

  test('a review fits into a narrow and low terminal', async () => {
    await held('recount', 'UPDATE stock SET amount = 7 WHERE id <= 30');
    const screen = await reviews();
    await screen.keys('\r');
    await waitFor(screen, 'Why it waits');
    await screen.resize(36, 10);
    expect(screen.text.split('\n').length).toBeLessThanOrEqual(9);
    for (const line of screen.text.split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(36);
    screen.close();
  });
});

describe('a simulation', () => {
  const reply: SimulationReply = {
    worlds: Array.from({ length: 30 }, (_, i) => ({
      world: `sim_${i}`,
      index: i,
      seed: i,
      score: i === 29 ? null : 100 - i * i,
      error: i === 29 ? 'division by zero' : null,
      kept: i < 5,
    })),
    timings: { fork_ms: 1, run_ms: 20, discard_ms: 1, total_ms: 22 },
  };
  test('shows the best, and how scores are spread', async () => {
    await expect(simulationLines(reply, UNCOLOURED, 80, 10).join('\n')).toMatchFileSnapshot(kept('simulation'));
  });
  test('gives the two worlds that are to be compared', async () => {
    const screen = new Screen(new SimulationView(reply, UNCOLOURED), 80, 24);
    await screen.keys(DOWN, ' ', DOWN, '\r');
    expect(screen.result).toEqual({ branch: 'sim_1', to: 'sim_2' });
    screen.close();
    const other = new Screen(new SimulationView(reply, UNCOLOURED), 80, 24);
    await other.keys('G', '\r');
    expect(other.result).toBeUndefined();
    expect(other.text).toContain('sim_29 was not kept');
    other.close();
  });
});
