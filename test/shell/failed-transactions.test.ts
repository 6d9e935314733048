/** Errors inside a transaction of the shell, in the process that has the folder open and through its socket. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, open } from '../../src/database.ts';
import { localSession, openLocalEntrance } from '../../src/local-entrance.ts';
import type { ShellLink } from '../../src/shell/link/link.ts';
import { localLink } from '../../src/shell/link/local-link.ts';
import { socketLink } from '../../src/shell/link/socket-link.ts';
import type { Greeting } from '../../src/socket/greeting.ts';
import { connectTo } from '../../src/socket/socket-client.ts';
import type { SocketServer } from '../../src/socket/socket-server.ts';

const GREETING: Greeting = { entrance: 'shell', as: { kind: 'owner' }, branch: 'main' };

let folder: string;
let db: Database;
let entrance: SocketServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-failed-'));
  db = await open(folder);
  entrance = await openLocalEntrance(db);
  await db.sql({ sql: 'CREATE TABLE items (id int PRIMARY KEY)' });
});
afterAll(async () => {
  await entrance.close();
  await db.close();
  rmSync(folder, { recursive: true, force: true });
});

const LINKS: [string, () => Promise<ShellLink>][] = [
  ['here', async () => localLink(localSession(db, GREETING), db.session(), async () => {})],
  ['through the socket', async () => socketLink(await connectTo(folder, GREETING))],
];
const FAULTS: [string, string][] = [
  ['SELECT * FORM x', '42601'],
  ['SELECT 1; SELECT * FORM x', '42601'],
  ["SELECT 'open", '42601'],
  ['DIFF WORLD', '42601'],
  ['SELECT 1/0', '22012'],
  ['SELECT * FROM nothing', '42P01'],
  ['INSERT INTO items VALUES (NULL)', '23502'],
];

test.each(LINKS.flatMap(([where, link]) => FAULTS.map(([sql, code]) => ({ where, link, sql, code }))))(
  '$sql fails the transaction, $where',
  async ({ link: opened, sql, code }) => {
    const link = await opened();
    await link.run('BEGIN', 10);
    await link.run('INSERT INTO items VALUES (1)', 10);
    await expect(link.run(sql, 10)).rejects.toMatchObject({ code });
    expect(await link.stop()).toMatchObject({ transaction: 'failed' });
    await expect(link.run('SELECT 1', 10)).rejects.toMatchObject({ code: '25P02' });
    const { answers, place } = await link.run('COMMIT', 10);
    expect(answers.map(({ command }) => command)).toEqual(['ROLLBACK']);
    expect(place.transaction).toBe('none');
    expect((await link.run('SELECT * FROM items', 10)).answers[0].rows).toEqual([]);
    await link.close();
  },
);

test('an error of syntax outside of a transaction leaves the session as it was', async () => {
  const link = await LINKS[1][1]();
  await expect(link.run('SELECT * FORM x', 10)).rejects.toMatchObject({ code: '42601' });
  expect(await link.stop()).toMatchObject({ transaction: 'none' });
  expect((await link.run('SELECT 1 AS n', 10)).answers[0].rows).toEqual([['1']]);
  await link.close();
});
