/** pg_dump of attached tables gives the same text from svc as from Postgres, definitions and rows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { program, run } from '../clients/client-programs.ts';
import { sharedFolder } from '../slt/corpora.ts';
import { tableStatements } from '../sql/chinook/split-script.ts';
import { createWireServer } from '../../src/wire/server.ts';
import { identityOf } from '../wire/open-server.ts';
import { FILMS, MUSIC, RENTALS } from './schemas.ts';
import { type Attached, Source } from './source.ts';

const pgDump = program('pg_dump');
const fixtures = sharedFolder('fixtures');

/** What a dump may say otherwise, and why. Each is made the same in both. */
const DIFFERENCES: readonly [reason: string, pattern: RegExp, by: (found: string) => string][] = [
  ['each dump makes a key of its own', /^\\(?:un)?restrict .*\n/gm, () => ''],
  ['the minor releases of both may differ', /^-- Dumped (?:from|by) .*\n/gm, () => ''],
  ['rows have the order of their keys in svc, and of their pages in Postgres', /(?<=^COPY .* FROM stdin;\n)((?:.*\n)*?)(?=\\\.\n)/gm, (rows) => sorted(rows)],
];

function sorted(rows: string): string {
  return rows
    .split('\n')
    .slice(0, -1)
    .sort()
    .map((row) => `${row}\n`)
    .join('');
}

describe.skipIf(!Source.installed || pgDump === null)('dumps', () => {
  let source: Source;

  beforeAll(async () => {
    source = await Source.start();
  }, 60_000);

  afterAll(() => source?.stop());

  async function dump(port: number, user: string, database: string): Promise<string> {
    // Owners and rights stay in Postgres.
    const args = ['-h', '127.0.0.1', '-p', String(port), '-U', user, '--no-owner', '--no-acl', database];
    const { code, err, out } = await run(pgDump!, args);
    expect(err).toBe('');
    expect(code).toBe(0);
    return DIFFERENCES.reduce((text, [, pattern, by]) => text.replaceAll(pattern, by), out);
  }

  async function dumpOf(attached: Attached): Promise<string> {
    const { db } = attached;
    const server = createWireServer({ session: (where) => db.session(where), logins: db.logins(identityOf({})), log: () => {} });
    try {
      return await dump(await server.listen('127.0.0.1', 0), 'me', 'main');
    } finally {
      await server.close();
    }
  }

  async function expectSame(script: string, schema: string, left = 'SELECT 1'): Promise<string> {
    const { url, name, sql } = await source.database(script);
    const attached = await source.attached(url, { schema });
    // Also objects that a dump leaves out change its order.
    await sql.query(left);
    const wanted = await dump(source.port, 'tester', name);
    expect(await dumpOf(attached)).toBe(wanted);
    return wanted;
  }

  test.each([
    ['films', FILMS, 'public', 5],
    ['music', MUSIC, 'Shop', 4],
  ])('%s', async (_name, script, schema, tables) => {
    expect((await expectSame(script, schema)).match(/^COPY /gm)).toHaveLength(tables);
  });

  test('rentals, beside views, triggers and functions, which are left to Postgres', async () => {
    const wanted = await expectSame(
      `${RENTALS} CREATE VIEW rent.late AS SELECT * FROM rent.rental WHERE state = 'out'; CREATE FUNCTION rent.stop() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
       CREATE TRIGGER stop BEFORE INSERT ON rent.rental FOR EACH ROW EXECUTE FUNCTION rent.stop()`,
      'rent',
      'DROP VIEW rent.late; DROP FUNCTION rent.stop() CASCADE',
    );
    for (const part of [
      'CREATE DOMAIN rent.code',
      'ADD GENERATED ALWAYS AS IDENTITY',
      'MATCH FULL DEFERRABLE INITIALLY DEFERRED',
      'COMMENT ON SCHEMA rent',
      'INCLUDE (active)',
    ])
      expect(wanted).toContain(part);
  });

  test.skipIf(fixtures === null)('Chinook', async () => {
    const script = tableStatements(gunzipSync(readFileSync(join(fixtures!, 'chinook.sql.gz'))).toString('utf8')).join(';\n');
    expect((await expectSame(script, 'public')).match(/^COPY /gm)).toHaveLength(11);
  });
});
