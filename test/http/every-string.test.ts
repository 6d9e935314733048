/** Every string of every operation, with what no caller should send: refused or taken, never a fault of the server. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, open } from '../../src/database.ts';
import { createHttpServer, type HttpServer } from '../../src/http/server.ts';
import { OPERATIONS } from '../../src/operations/table.ts';

let folder: string;
let db: Database;
let server: HttpServer;
let url: string;
let faults: unknown[] = [];
const home = process.cwd();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-http-'));
  // A backup's path may be a name alone.
  process.chdir(folder);
  db = await open(join(folder, 'db'));
  server = createHttpServer({ commandsOf: (principal) => db.commandsOf(principal), version: 'test', onFault: (error) => faults.push(error) });
  url = await server.listen('127.0.0.1', 0);
  await db.sql({ sql: 'CREATE TABLE items (id text PRIMARY KEY, name text, price numeric); INSERT INTO items VALUES ($$a$$, $$b$$, 1)' });
});
afterAll(async () => {
  await server.close();
  await db.close();
  process.chdir(home);
  rmSync(folder, { recursive: true, force: true });
});

const STRINGS: Readonly<Record<string, string>> = {
  NUL: 'a\0b',
  'half a character': 'a\ud800b',
  'text that turns': 'a\u202eb',
  'an unseen character': 'a\u200bb',
  'nothing at all': '',
  'a megabyte': 'x'.repeat(1 << 20),
  'a path': `${'../'.repeat(40)}x`,
  prototype: '__proto__',
  quotes: `';"--$$/*`,
  moment: 'main@-1s\0',
};

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
}

/** Ways into the input at which a string may stand, or a name of a field. */
function places(schema: Schema, at: readonly string[] = []): string[][] {
  if (at.length > 4) return [];
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((each) => places(each, at));
  if (schema.type === 'string' && schema.const === undefined) return [[...at]];
  if (schema.type === 'array' && schema.items !== undefined) return places(schema.items, [...at, '0']);
  if (schema.patternProperties !== undefined || (schema.type === 'object' && schema.properties === undefined))
    return [
      [...at, 'value'],
      [...at, 'NAME'],
    ];
  return Object.entries(schema.properties ?? {}).flatMap(([name, each]) => places(each, [...at, name]));
}

function withString(given: unknown, [first, ...rest]: readonly string[], text: string): unknown {
  if (first === undefined) return text;
  if (first === 'NAME') return { ...(given as object), [text]: 1 };
  if (first === '0') return [withString((given as unknown[] | undefined)?.[0], rest, text)];
  const object = given !== null && typeof given === 'object' && !Array.isArray(given) ? (given as Record<string, unknown>) : {};
  return { ...object, [first]: withString(object[first], rest, text) };
}

test.each(OPERATIONS.map((operation) => [operation.name, operation] as const))('%s', async (name, operation) => {
  const faulty: object[] = [];
  faults = [];
  for (const place of places(operation.input as Schema)) {
    for (const [what, text] of Object.entries(STRINGS)) {
      const body = JSON.stringify(withString(operation.examples[0]?.input ?? {}, place, text));
      const reply = await fetch(`${url}/v1/${name}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
      const said = await reply.text();
      if (reply.status >= 500) faulty.push({ place: place.join('.'), what, status: reply.status, said: said.slice(0, 200) });
      // No world has a name that looks like another. A prefix for a listing names nothing.
      if (
        name !== 'branches' &&
        place.length === 1 &&
        ['name', 'prefix', 'as', 'to'].includes(place[0]) &&
        ['NUL', 'half a character'].includes(what) &&
        reply.status < 400
      )
        faulty.push({ place: place.join('.'), what, said: said.slice(0, 200) });
    }
  }
  expect(faulty).toEqual([]);
  expect(faults.map(String)).toEqual([]);
});
