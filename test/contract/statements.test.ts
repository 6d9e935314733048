/** Statements of SQL that the contract names, by the wire protocol. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Served, serve } from '../wire/open-server.ts';

let served: Served;
let owner: pg.Client;
const connect = async (database: string): Promise<pg.Client> => {
  const client = new pg.Client({ host: '127.0.0.1', port: served.port, user: 'owner', database });
  await client.connect();
  return client;
};
beforeAll(async () => {
  served = await serve();
  owner = await connect('main');
  await owner.query('CREATE TABLE t (id int PRIMARY KEY, v int)');
});
afterAll(async () => {
  await owner.end();
  await served.close();
});

// contract: event.5, event.4, effect.1
test('an effect is queued, claimed, tried again and acknowledged by statements', async () => {
  await owner.query('CREATE WORLD sends');
  const branch = await connect('sends');
  await branch.query("NOTIFY ON MERGE mail, 'hello'");
  await branch.end();
  expect((await owner.query('CLAIM OUTBOX')).rows).toEqual([]);
  await owner.query('MERGE WORLD sends');
  const [claimed] = (await owner.query('CLAIM OUTBOX')).rows;
  expect(claimed).toMatchObject({ id: expect.any(String), channel: 'mail', payload: 'hello', attempts: '1' });
  await owner.query(`RETRY OUTBOX '${claimed.id}'`);
  const [again] = (await owner.query('CLAIM OUTBOX')).rows;
  expect(again).toMatchObject({ id: claimed.id, attempts: '2' });
  await owner.query(`ACK OUTBOX '${claimed.id}'`);
  await expect(owner.query(`ACK OUTBOX '${claimed.id}'`)).rejects.toMatchObject({ code: '42704' });
});

// contract: event.1, history.1
test('the history of a world has its forks, writes, commits, merges and discards', async () => {
  await owner.query('CREATE WORLD lived');
  const branch = await connect('lived');
  await branch.query('BEGIN');
  await branch.query('INSERT INTO t VALUES (1, 1)');
  await branch.query('COMMIT');
  await branch.end();
  await served.database.put({ branch: 'lived', table: 'notes', id: 'a', record: {} });
  await owner.query('MERGE WORLD lived');
  await owner.query('CREATE WORLD short');
  await owner.query('DROP WORLD short');
  const events = async (world: string): Promise<string[]> =>
    (await served.database.history({ branch: world })).events.map(({ event, rows }) => `${event} ${rows}`);
  expect(await events('lived')).toEqual(['merge 2', 'write 1', 'commit 1', 'fork 0']);
  expect(await events('short')).toEqual(['discard 0', 'fork 0']);
  const [newest] = (await owner.query('SHOW HISTORY')).rows;
  expect(newest).toMatchObject({ world: 'main', event: 'merge', rows: '2' });
});

// contract: auth.wire.1, http.5
test('the database of a connection may be the id of a world', async () => {
  const { world } = await served.database.fork({ name: 'named' });
  await served.database.sql({ branch: 'named', sql: 'INSERT INTO t VALUES (77, 1)' });
  const client = await connect(world.id);
  expect((await client.query('SELECT count(*)::int AS n FROM t WHERE id = 77')).rows).toEqual([{ n: 1 }]);
  await client.end();
});
