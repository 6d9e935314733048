/** What a reply reports is durable: it waits for the sync of that, and for nothing else. The disk of this test writes the log on command. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SvcError } from '../../src/base/errors/svc-error.ts';
import type { FileSystem } from '../../src/storage/file-system.ts';
import { nodeFileSystem } from '../../src/storage/node-file-system.ts';
import { serve, type Served } from './open-server.ts';
import { bind, errorOf, execute, frame, parse, row, rows, SYNC, tags, types, WireClient } from './wire-client.ts';

/** Resolved: the disk writes. */
let disk = Promise.resolve();
let release = (): void => {};
let fails = false;
async function written(write: () => Promise<void>): Promise<void> {
  await disk;
  if (fails) throw new SvcError('53100', 'no space left');
  return write();
}
function hold(): void {
  disk = new Promise((resolve) => {
    release = resolve;
  });
}

const heldFiles: FileSystem = {
  ...nodeFileSystem,
  open(path, options) {
    const file = nodeFileSystem.open(path, options);
    return {
      write: (bytes, offset) => file.write(bytes, offset),
      read: (into, offset) => file.read(into, offset),
      sizeBytes: () => file.sizeBytes(),
      truncate: (size) => file.truncate(size),
      sync: () => written(() => file.sync()),
      writeDurably: (bytes, offset) => written(() => file.writeDurably(bytes, offset)),
      close: () => file.close(),
    };
  },
};

let served: Served;
let writer: WireClient;
let reader: WireClient;

beforeAll(async () => {
  served = await serve({ fs: heldFiles });
  writer = await WireClient.login(served.port);
  reader = await WireClient.login(served.port);
  await writer.query('CREATE TABLE t (id int PRIMARY KEY, v int, u int UNIQUE); CREATE TABLE log (at text)');
  await writer.query('INSERT INTO t SELECT i, i, i FROM generate_series(1, 9) i');
  await writer.query('CREATE FUNCTION looks(int) RETURNS int LANGUAGE sql IMMUTABLE AS $$ SELECT v FROM t WHERE id = 1 $$');
  await writer.query('CREATE TABLE watched (id int PRIMARY KEY, v int); INSERT INTO watched VALUES (1, 1)');
  await writer.query(
    'CREATE FUNCTION copies() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.v := (SELECT v FROM t WHERE id = 1); RETURN NEW; END $$;' +
      'CREATE TRIGGER w BEFORE UPDATE ON watched FOR EACH ROW EXECUTE FUNCTION copies()',
  );
});

afterAll(async () => {
  writer.quit();
  reader.quit();
  expect(served.faults).toEqual([]);
  await served.close();
});

/** Whether the reply comes while a change of row 1 is being written. */
async function waits(before: readonly string[], asked: string, change: string, simple: boolean): Promise<boolean> {
  for (const text of before) await reader.query(text);
  hold();
  const changed = writer.query(change);
  // The change is visible once the disk has the request.
  await new Promise((resolve) => setTimeout(resolve, 30));
  const reply = simple ? reader.query(asked) : reader.run(parse('', asked), bind('', '', []), execute(''), SYNC);
  const first = await Promise.race([reply.then(() => 'replied'), new Promise((resolve) => setTimeout(() => resolve('waits'), 150))]);
  release();
  await Promise.all([changed, reply]);
  if (before.length > 0) await reader.query('ROLLBACK');
  return first === 'waits';
}

const CHANGE = 'UPDATE t SET v = v + 1 WHERE id = 1';

describe.each([true, false])('simple protocol: %s', (simple) => {
  test.each([
    ['a row that is on disk', 'SELECT v FROM t WHERE id = 2'],
    ['a row that is not there', 'SELECT v FROM t WHERE id = 77'],
    ['a row of another table', 'SELECT v FROM watched WHERE id = 1'],
    ['no table', 'SELECT 1 + 1'],
  ])('%s is answered at once', async (_name, asked) => {
    expect(await waits([], asked, CHANGE, simple)).toBe(false);
  });

  test.each([
    ['the row itself', 'SELECT v FROM t WHERE id = 1'],
    ['all rows', 'SELECT count(*) FROM t'],
    ['rows by another index', 'SELECT v FROM t WHERE u = 2'],
    ['a range of keys', 'SELECT sum(v) FROM t WHERE id > 0'],
    ['a subquery', 'SELECT v + (SELECT max(v) FROM t) FROM t WHERE id = 2'],
    ['a function that reads', 'SELECT looks(v) FROM t WHERE id = 2'],
    ['a change of the row', 'UPDATE t SET v = v + 1 WHERE id = 1'],
    ['an error', 'SELECT v / 0 FROM t WHERE id = 2'],
  ])('%s is not', async (_name, asked) => {
    expect(await waits([], asked, CHANGE, simple)).toBe(true);
  });

  test('a deleted or new row is not reported', async () => {
    expect(await waits([], 'SELECT v FROM t WHERE id = 9', 'DELETE FROM t WHERE id = 9', simple)).toBe(true);
    expect(await waits([], 'SELECT v FROM t WHERE id = 9', 'INSERT INTO t VALUES (9, 9, 9)', simple)).toBe(true);
  });

  test('a definition is not reported', async () => {
    expect(await waits([], 'SELECT v FROM t WHERE id = 2', 'ALTER TABLE log ADD COLUMN more int', simple)).toBe(true);
    await writer.query('ALTER TABLE log DROP COLUMN more');
  });

  test('in a transaction', async () => {
    expect(await waits(['BEGIN'], 'UPDATE t SET v = v + 1 WHERE id = 2', CHANGE, simple)).toBe(false);
    expect(await waits(['BEGIN'], "INSERT INTO log VALUES ('x')", CHANGE, simple)).toBe(false);
    expect(await waits(['BEGIN'], 'COMMIT', CHANGE, simple)).toBe(false);
    expect(await waits(['BEGIN'], 'SELECT sum(v) FROM t', CHANGE, simple)).toBe(true);
  });

  test('in a transaction, a row count is reported before what it read is durable, and its end is not', async () => {
    for (const asked of ['UPDATE t SET v = v + 1 WHERE id = 1', 'DELETE FROM t WHERE id = 1', 'UPDATE t SET v = 0 WHERE id = 1 AND v < 0']) {
      expect(await waits(['BEGIN'], asked, CHANGE, simple)).toBe(false);
    }
    for (const asked of ['UPDATE t SET v = v + 1 WHERE id = 1 RETURNING v', 'UPDATE t SET v = v / 0 WHERE id = 1']) {
      expect(await waits(['BEGIN'], asked, CHANGE, simple)).toBe(true);
    }
    for (const [asked, end] of [
      ['UPDATE t SET v = 0 WHERE id = 1 AND v < 0', 'COMMIT'],
      ['UPDATE t SET v = v + 1 WHERE id = 1', 'ROLLBACK'],
      ['UPDATE t SET v = v + 1 WHERE id = 1', 'SELECT v FROM t WHERE id = 1'],
      ['UPDATE t SET id = 50 + v - v WHERE id = 1', 'SELECT v FROM t WHERE id = 50'],
      ['INSERT INTO t SELECT 50, v, 50 FROM t WHERE id = 1', 'SELECT v FROM t WHERE id = 50'],
    ]) {
      await reader.query('BEGIN');
      hold();
      const changed = writer.query(CHANGE);
      await new Promise((resolve) => setTimeout(resolve, 30));
      expect(types(await reader.query(asked))).toBe('CZ');
      const ended = reader.query(end);
      expect(await Promise.race([ended.then(() => 'replied'), new Promise((resolve) => setTimeout(() => resolve('waits'), 150))])).toBe('waits');
      release();
      await Promise.all([changed, ended]);
      await reader.query('ROLLBACK');
    }
  });

  test('a row that was made of others that are not on disk', async () => {
    await reader.query('BEGIN');
    hold();
    const changed = writer.query(CHANGE);
    await new Promise((resolve) => setTimeout(resolve, 30));
    const made = reader.query('UPDATE t SET v = (SELECT sum(v) FROM t) WHERE id = 2');
    const first = await Promise.race([made.then(() => 'replied'), new Promise((resolve) => setTimeout(() => resolve('waits'), 150))]);
    expect(first).toBe('waits');
    release();
    await Promise.all([changed, made]);
    await reader.query('ROLLBACK');
  });

  test('a trigger may have read anything', async () => {
    expect(await waits([], 'SELECT v FROM watched WHERE id = 1', CHANGE, simple)).toBe(false);
    expect(await waits(['BEGIN'], 'UPDATE watched SET v = 0 WHERE id = 1', CHANGE, simple)).toBe(true);
  });
});

test('a serializable transaction waits for all that it sees', async () => {
  expect(await waits(['BEGIN ISOLATION LEVEL SERIALIZABLE'], 'SELECT v FROM t WHERE id = 2', CHANGE, true)).toBe(true);
});

test('statements sent together are answered together', async () => {
  hold();
  const changed = writer.query(CHANGE);
  await new Promise((resolve) => setTimeout(resolve, 30));
  reader.send(
    parse('', 'SELECT v FROM t WHERE id = 2'),
    bind('', '', []),
    execute(''),
    parse('', 'SELECT v FROM t WHERE id = 1'),
    bind('', '', []),
    execute(''),
    SYNC,
  );
  const early = await Promise.race([reader.until('Z').then(() => true), new Promise((resolve) => setTimeout(() => resolve(false), 150))]);
  expect(early).toBe(false);
  release();
  await changed;
});

test('many rows wait with the last of them', async () => {
  hold();
  const changed = writer.query(CHANGE);
  await new Promise((resolve) => setTimeout(resolve, 30));
  reader.send(frame('Q', "SELECT repeat('x', 1000) FROM t, generate_series(1, 3000) WHERE id = 1"));
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(reader.messages.length).toBe(0);
  release();
  await changed;
  expect(rows(await reader.until('Z')).length).toBe(3000);
});

describe('after the disk has refused', () => {
  const writable = async (): Promise<boolean> => (await writer.query('UPDATE t SET v = v + 1 WHERE id = 3')).every(({ type }) => type !== 'E');
  const value = async (client: WireClient): Promise<string | null> =>
    row((await client.query('SELECT v FROM t WHERE id = 1')).find(({ type }) => type === 'D')!)[0];

  /** A change of row 1 that is read, waited for by the reader, and undone; ends when the disk accepts writes again. */
  async function refusedChange(asked: string): Promise<string[]> {
    hold();
    const changed = writer.query(CHANGE);
    await new Promise((resolve) => setTimeout(resolve, 30));
    const reply = reader.query(asked);
    await new Promise((resolve) => setTimeout(resolve, 30));
    fails = true;
    release();
    const codes = [errorOf(await changed)['C'], errorOf(await reply)['C']];
    fails = false;
    for (let i = 0; i < 100 && !(await writable()); i++) await new Promise((resolve) => setTimeout(resolve, 100));
    return codes;
  }

  test('both get the error, and the next statements of both sessions work as usual', { timeout: 30_000 }, async () => {
    const before = await value(reader);
    expect(await refusedChange('SELECT v FROM t WHERE id = 1')).toEqual(['53100', '53100']);
    expect(await value(reader)).toBe(before);
    expect((await writer.query(CHANGE)).map(({ type }) => type).join('')).toBe('CZ');
    expect([await value(reader), await value(writer)]).toEqual([String(Number(before) + 1), String(Number(before) + 1)]);
  });

  test('a transaction whose row count was reported is refused', { timeout: 30_000 }, async () => {
    const before = await value(reader);
    for (const [asked, tag] of [
      [CHANGE, 'UPDATE 1'],
      ['UPDATE t SET v = 0 WHERE id = 1 AND v < 0', 'UPDATE 0'],
    ]) {
      await reader.query('BEGIN');
      hold();
      const changed = writer.query(CHANGE);
      await new Promise((resolve) => setTimeout(resolve, 30));
      expect(tags(await reader.query(asked))).toEqual([tag]);
      fails = true;
      release();
      expect(errorOf(await changed)['C']).toBe('53100');
      fails = false;
      for (let i = 0; i < 100 && !(await writable()); i++) await new Promise((resolve) => setTimeout(resolve, 100));
      expect(errorOf(await reader.query('COMMIT'))['C']).toBe('40001');
      await reader.query('ROLLBACK');
      expect([await value(reader), await value(writer)]).toEqual([before, before]);
    }
  });

  test('a transaction without any reply yet continues or ends, and reads consistent data', { timeout: 30_000 }, async () => {
    const before = await value(reader);
    await reader.query('BEGIN');
    expect(await refusedChange('SELECT sum(v) FROM t')).toEqual(['53100', '53100']);
    expect((await reader.query('ROLLBACK')).map(({ type }) => type).join('')).toBe('CZ');
    expect([await value(reader), await value(writer)]).toEqual([before, before]);
  });
});
