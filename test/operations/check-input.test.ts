/** Inputs of programs: what JSON or the operation does not have is refused by the name of its field, in the words of HTTP. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, ExactNumber, exactJsonText, open, SvcError } from '../../src/database.ts';
import { createHttpServer, type HttpServer } from '../../src/http/server.ts';
import { OPERATIONS } from '../../src/operations/table.ts';
import { OWNER } from '../../src/session/principal.ts';

let folder: string;
let db: Database;
let server: HttpServer;
let url: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-input-'));
  db = await open(join(folder, 'db'));
  server = createHttpServer({ commandsOf: (principal) => db.commandsOf(principal), version: 'test', metrics: db.metrics });
  url = await server.listen('127.0.0.1', 0);
});
afterAll(async () => {
  await server.close();
  await db.close();
  rmSync(folder, { recursive: true, force: true });
});

type Call = (input?: unknown) => Promise<unknown>;
const call = (operation: string, input?: unknown): Promise<unknown> => (db as unknown as Record<string, Call>)[operation](input);

async function refusal(operation: string, input?: unknown): Promise<SvcError> {
  const error: unknown = await call(operation, input).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(SvcError);
  return error as SvcError;
}

class Point {
  readonly x = 1;
}
const loop: Record<string, unknown> = {};
loop['self'] = loop;

describe('what is not JSON', () => {
  test.each<[string, unknown, RegExp]>([
    ['a date', new Date(0), /`record\.d` is a Date, which is not JSON/],
    ['a map', new Map(), /`record\.d` is a Map/],
    ['a set', new Set(), /`record\.d` is a Set/],
    ['bytes', new Uint8Array(2), /`record\.d` is a Uint8Array/],
    ['an instance', new Point(), /`record\.d` is a Point/],
    ['a function', () => 1, /`record\.d` is a function/],
    ['a symbol', Symbol('x'), /`record\.d` is a symbol/],
    ['NaN', NaN, /`record\.d` is NaN/],
    ['infinity', -Infinity, /`record\.d` is -Infinity/],
    ['a bigint', 10n, /`record\.d` is a bigint/],
    ['undefined in an array', [1, undefined], /`record\.d\.1` is undefined/],
    ['a date further in', { e: [{ f: new Date(0) }] }, /`record\.d\.e\.0\.f` is a Date/],
    ['a number that is none', new ExactNumber('1}'), /`record\.d` is the number "1}"/],
  ])('%s', async (_what, value, message) => {
    for (const [operation, input, prefix] of [
      ['put', { table: 'refused', id: 'a', record: { d: value } }, ''],
      ['batch', { rows: [{ table: 'refused', id: 'a', record: { d: value } }] }, 'rows.0.'],
    ] as const) {
      const error = await refusal(operation, input);
      expect(error.message.replace(prefix, '')).toMatch(message);
      expect(error.code).toBe('22023');
      expect(error.hint).toBeTruthy();
    }
    expect(await refusal('fork', { name: 'refused', meta: { d: value } })).toMatchObject({ code: '22023' });
    expect(await refusal('find', { table: 'refused', where: { d: value } })).toMatchObject({ code: '22023' });
    await expect(db.get({ table: 'refused', id: 'a' })).rejects.toMatchObject({ status: 404 });
  });

  test('an object that holds itself', async () => {
    expect(await refusal('put', { table: 'refused', id: 'a', record: loop })).toMatchObject({ code: '54001' });
  });

  test('an undefined property is left out, and an object without a prototype is an object', async () => {
    const bare = Object.assign(Object.create(null) as object, { n: 1 });
    await db.put({ table: 'taken', id: 'a', branch: undefined, record: { a: undefined, b: { c: undefined, d: 1 }, bare } as never });
    expect((await db.get({ table: 'taken', id: 'a' })).row).toEqual({ b: { d: 1 }, bare: { n: 1 } });
  });

  test('an exact number keeps its digits', async () => {
    const digits = '123456789012345678901234567890.5';
    await db.put({ table: 'taken', id: 'b', record: { n: new ExactNumber(digits) as never } });
    const { row } = await db.get({ table: 'taken', id: 'b' });
    expect(exactJsonText(row)).toBe(`{"n":${digits}}`);
  });
});

describe('the words of HTTP', () => {
  test.each<[string, unknown]>([
    ['fork', undefined],
    ['fork', {}],
    ['fork', { name: '' }],
    ['fork', { name: 5 }],
    ['fork', { name: 'w', form: 'main' }],
    ['put', { table: 't', id: 'x', recrod: {} }],
    ['put', { table: 't', id: 'x', record: {}, data: {} }],
    ['put', { table: 't', id: 'x', record: [] }],
    ['put', { table: 't', id: 'x', record: null }],
    ['put', { table: 'a b', id: 'x', record: {} }],
    ['put', { table: 't', id: '', record: {} }],
    [
      'batch',
      {
        rows: [
          { table: 't', id: 'x', record: {} },
          { table: 't', record: {} },
        ],
      },
    ],
    ['batch', { rows: {} }],
    ['merge', {}],
    ['merge', { branch: 'w', resolve: 'our' }],
    ['merge', { branch: 'w', dry_run: 'yes' }],
    ['merge', { branch: 'w', version: -1 }],
    ['merge', { branch: 'w', version: 1.5 }],
    ['merge', { branch: 'w', only_tables: [] }],
    ['merge', { branch: 'w', only_keys: ['a'] }],
    ['history', { limit: 'all' }],
    ['sql', { sql: 5 }],
    ['sql', {}],
  ])('%s %j', async (operation, input) => {
    const { message, code } = await refusal(operation, input);
    const reply = await fetch(`${url}/v1/${operation}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(input ?? {}),
    });
    const { error } = (await reply.json()) as { error: { message: string; code: string } };
    expect({ message, code }).toEqual({ message: error.message, code: error.code });
  });

  test('an unknown field has the nearest known one in its hint', async () => {
    expect((await refusal('put', { table: 't', id: 'x', record: {}, brnach: 'main' })).hint).toContain('Did you mean `branch`?');
    expect((await refusal('put', { table: 't', id: 'x', record: {}, zzzzz: 1 })).hint).toContain('table, id, record');
  });

  test.each(OPERATIONS.map(({ name }) => [name]))('%s refuses a field that it does not have, and null', async (name) => {
    const { message } = await refusal(name, { no_such_field: 1 });
    expect(message).toMatch(/field `.+` is (not known here|missing)/);
    expect(await refusal(name, null)).toMatchObject({ code: '22023' });
    expect(await refusal(name, 'text')).toMatchObject({ code: '22023' });
  });

  test('examples of every operation pass', async () => {
    const { checkInput } = await import('../../src/operations/check-input.ts');
    for (const operation of OPERATIONS) for (const { input } of operation.examples) checkInput(operation, input);
    expect(OPERATIONS.length).toBeGreaterThan(50);
  });

  test('commands of a principal check, too', async () => {
    await expect((db.commands as unknown as Record<string, Call>)['fork']({})).rejects.toMatchObject({ message: 'field `name` is missing' });
    await expect((db as unknown as { fork(input: unknown, by: unknown): Promise<unknown> }).fork({}, OWNER)).rejects.toMatchObject({ code: '22023' });
  });
});
