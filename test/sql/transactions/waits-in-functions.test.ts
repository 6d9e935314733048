/** A statement that waits runs again: what its functions and triggers had written by then is not written twice. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { serve, type Served } from '../../wire/open-server.ts';
import { bind, errorOf, execute, type Message, parse, rows, SYNC, WireClient } from '../../wire/wire-client.ts';

let served: Served;
let holder: WireClient;
let waiter: WireClient;

beforeAll(async () => {
  served = await serve();
  holder = await WireClient.login(served.port);
  waiter = await WireClient.login(served.port);
  await holder.query(`CREATE TABLE w (id int PRIMARY KEY, v int); CREATE TABLE book (what text);
    CREATE FUNCTION noted() RETURNS int LANGUAGE plpgsql AS $$BEGIN INSERT INTO book VALUES ('called'); UPDATE w SET v = v + 1 WHERE id = 2; RETURN 1; END$$;
    CREATE TABLE watched (id int PRIMARY KEY, v int); INSERT INTO watched VALUES (1, 0), (2, 0);
    CREATE FUNCTION watch() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN INSERT INTO book VALUES ('fired'); UPDATE w SET v = v + 1 WHERE id = 2; RETURN NULL; END$$;
    CREATE TRIGGER watch AFTER UPDATE ON watched FOR EACH ROW EXECUTE FUNCTION watch()`);
});
afterAll(async () => {
  holder.quit();
  waiter.quit();
  expect(served.faults).toEqual([]);
  await served.close();
});
beforeEach(async () => {
  await holder.query('TRUNCATE w, book; INSERT INTO w VALUES (1, 0), (2, 0)');
});

const extended = (sql: string): Promise<Message[]> => waiter.run(parse('', sql), bind('', '', []), execute(''), SYNC);

/** What stands in the book when `statement` had to wait in the middle. */
async function booked(before: string | null, statement: () => Promise<Message[]>): Promise<string> {
  if (before !== null) await waiter.query(before);
  await holder.query('BEGIN; UPDATE w SET v = 10 WHERE id = 2');
  const reply = statement();
  await waits();
  await holder.query('COMMIT');
  const told = await reply;
  expect(told.filter(({ type }) => type === 'E').map((each) => errorOf([each]))).toEqual([]);
  if (before !== null) await waiter.query('COMMIT');
  return rows(await holder.query("SELECT (SELECT string_agg(what, ' ' ORDER BY what) FROM book) || ', ' || v FROM w WHERE id = 2"))[0][0]!;
}

/** Until somebody waits for a lock. */
async function waits(): Promise<void> {
  for (;;) {
    if (rows(await holder.query('SELECT 1 FROM pg_locks WHERE NOT granted')).length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const BLOCKS: readonly (string | null)[] = [null, 'BEGIN', 'BEGIN; INSERT INTO w VALUES (7, 7)'];

test.each(BLOCKS)('of a text (after %s)', async (before) => {
  expect(await booked(before, () => waiter.query('SELECT noted()'))).toBe('called, 11');
});

test('the first of several in one text', async () => {
  expect(await booked(null, () => waiter.query('SELECT noted(); SELECT 1'))).toBe('called, 11');
});

test('a later one in one text', async () => {
  expect(await booked(null, () => waiter.query("INSERT INTO book VALUES ('before'); SELECT noted()"))).toBe('before called, 11');
});

test.each(BLOCKS)('by Parse, Bind and Execute (after %s)', async (before) => {
  expect(await booked(before, () => extended('SELECT noted()'))).toBe('called, 11');
});

test.each(BLOCKS)('by triggers of each row (after %s)', async (before) => {
  expect(await booked(before, () => extended('UPDATE watched SET v = v + 1 WHERE id = 1'))).toBe('fired, 11');
});

test('in a pipeline, behind a statement that stays', async () => {
  const pipeline = (): Promise<Message[]> =>
    waiter.run(...["INSERT INTO book VALUES ('before')", 'SELECT noted()'].flatMap((sql) => [parse('', sql), bind('', '', []), execute('')]), SYNC);
  expect(await booked(null, pipeline)).toBe('before called, 11');
});
