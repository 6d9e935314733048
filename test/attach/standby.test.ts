/** A standby as the source: it is read, and not written. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PostgresServer } from '../sql/transactions/postgres-server.ts';
import { rowsOf, Source } from './source.ts';
import { changedWorld, expectSameRows, STORY } from './story.ts';

describe.runIf(Source.installed)('standby', () => {
  let source: Source;
  let standby: PostgresServer;

  beforeAll(async () => {
    source = await Source.start();
    standby = await PostgresServer.start([], 'tester', 'C', {
      make: (data, run) =>
        run('pg_basebackup', [
          '-h',
          source.server.folder,
          '-p',
          String(source.port),
          '-U',
          'tester',
          '-D',
          data,
          '-R',
          '-X',
          'stream',
          '-c',
          'fast',
          '--no-sync',
        ]),
    });
  }, 60_000);

  afterAll(async () => {
    await standby?.stop();
    await source?.stop();
  });

  test('is attached and read again; merges need the primary, or its promotion', async () => {
    const { name, sql, url } = await source.database(STORY);
    const replayed = async (): Promise<void> => {
      const [lsn] = await rowsOf(sql, 'SELECT pg_current_wal_lsn()');
      for (let tries = 0; (await rowsOf(sql, `SELECT count(*) FROM pg_stat_replication WHERE replay_lsn >= '${lsn}'`))[0] !== '1'; tries++) {
        expect(tries).toBeLessThan(400);
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    };
    await replayed();
    const attached = await source.attached(`postgres://tester@127.0.0.1:${standby.port}/${name}`);
    const standbyUrl = attached.url;
    const connected = async (address: string): Promise<void> => {
      await attached.close();
      attached.url = address;
      await attached.open();
    };
    await expectSameRows(attached, sql);
    await sql.query(`UPDATE language SET name = 'later' WHERE language_id = 1`);
    await replayed();
    expect((await attached.db.refresh_attachment({})).tables.map(({ updated }) => updated)).toEqual([0, 0, 1, 0, 0]);

    await changedWorld(attached, 'w', `UPDATE film SET title = 'by w' WHERE film_id = 100`);
    const refused = { code: '25006', message: expect.stringContaining('standby'), hint: 'Connect to the primary.' };
    await expect(attached.db.merge({ branch: 'w' })).rejects.toMatchObject(refused);
    expect((await attached.db.preview({ branch: 'w' })).postgres!.error).toMatchObject({ code: '25006', message: expect.stringContaining('standby') });
    expect((await attached.db.attachment({})).pending).toBeNull();

    await connected(url);
    await attached.db.merge({ branch: 'w' });
    await replayed();
    await connected(standbyUrl);
    expect((await attached.db.refresh_attachment({})).tables.every(({ inserted, updated, deleted }) => inserted + updated + deleted === 0)).toBe(true);
    await expectSameRows(attached, sql);

    await sql.query('SELECT 1');
    const promoting = await source.clientAt(standby.port, name);
    await promoting.query('SELECT pg_promote(true, 30)');
    await changedWorld(attached, 'after', `UPDATE film SET title = 'after' WHERE film_id = 100`);
    await attached.db.merge({ branch: 'after' });
    await expectSameRows(attached, promoting);
  }, 60_000);
});
