/**
 * The connection is cut, or the process ends, around the COMMIT in Postgres: Postgres is queried afterwards for what became of it. A proxy between the two sees
 * the COMMIT and drops it, or its answer.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { open, type SvcError } from '../../src/database.ts';
import { type Attached, rowsOf, Source } from './source.ts';

/** `pass`: everything; `before`: COMMIT is dropped with its connection; `after`: it arrives, its answer does not. With `gone` no connection is taken after that. */
type Mode = 'pass' | 'before' | 'after';

class Proxy {
  mode: Mode = 'pass';
  gone = false;
  isClosed = false;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  port = 0;

  constructor(to: number) {
    this.#server = createServer((client) => {
      if (this.isClosed) {
        client.destroy();
        return;
      }
      const server = connect(to, '127.0.0.1');
      let isCut = false;
      const end = (): void => {
        client.destroy();
        server.destroy();
      };
      for (const socket of [client, server]) {
        this.#sockets.add(socket);
        socket.on('error', end);
        socket.on('close', end);
      }
      client.on('data', (chunk: Buffer) => {
        const { mode } = this;
        if (mode === 'pass' || !chunk.includes('COMMIT\0')) {
          server.write(chunk);
          return;
        }
        isCut = true;
        this.mode = 'pass';
        this.isClosed = this.gone;
        if (mode === 'after') server.write(chunk);
        else end();
      });
      server.on('data', (chunk: Buffer) => {
        if (isCut) end();
        else client.write(chunk);
      });
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.port = (this.#server.address() as { port: number }).port;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

describe.runIf(Source.installed)('cut', () => {
  let source: Source;
  let proxy: Proxy;

  beforeAll(async () => {
    source = await Source.start();
    proxy = new Proxy(source.port);
    await proxy.listen();
  }, 60_000);

  afterAll(async () => {
    proxy?.close();
    await source?.stop();
  });

  async function shop(): Promise<{ attached: Attached; name: string; values: () => Promise<[main: string[], postgres: string[]]> }> {
    const { name, sql } = await source.database(`CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t VALUES (1, 'a'), (2, 'a')`);
    const attached = await source.attached(`postgres://tester@127.0.0.1:${proxy.port}/${name}`);
    await attached.db.fork({ name: 'w' });
    await attached.db.put({ branch: 'w', table: 't', id: '1', record: { v: 'b' } });
    await attached.db.fork({ name: 'other' });
    const query = 'SELECT id, v FROM t ORDER BY id';
    return { attached, name, values: async () => [await attached.rows(query), await rowsOf(sql, query)] };
  }

  const BEFORE = ['1|a', '2|a'];
  const AFTER = ['1|b', '2|a'];

  test('a COMMIT that does not arrive leaves both sides as they were', async () => {
    const { attached, values } = await shop();
    proxy.mode = 'before';
    await expect(attached.db.merge({ branch: 'w' })).rejects.toMatchObject({ code: '08006', status: 503 });
    expect(await values()).toEqual([BEFORE, BEFORE]);
    await attached.db.merge({ branch: 'w' });
    expect(await values()).toEqual([AFTER, AFTER]);
  });

  test('a COMMIT whose answer is lost is a merge', async () => {
    const { attached, values } = await shop();
    proxy.mode = 'after';
    expect(await attached.db.merge({ branch: 'w' })).toEqual({ merged: 1 });
    expect(await values()).toEqual([AFTER, AFTER]);
    proxy.mode = 'after';
    await attached.db.undo_merge({ branch: 'w' });
    expect(await values()).toEqual([BEFORE, BEFORE]);
  });

  test.each(['after', 'before'] as const)(
    'while Postgres does not answer, main waits; then, and after a crash, its word counts: COMMIT lost %s',
    async (mode) => {
      const { attached, name, values } = await shop();
      proxy.mode = mode;
      proxy.gone = true;
      await expect(attached.db.merge({ branch: 'w' })).rejects.toMatchObject({ code: '08007', status: 503 });
      const { pending } = await attached.db.attachment({});
      expect(pending).toMatchObject({
        branch: 'w',
        rows: 1,
        fate: 'in progress',
        changes: [{ key: 't/1', aborted: { id: 1, v: 'a' }, committed: { id: 1, v: 'b' } }],
      });
      // Both worlds of the merge say so, in each list of worlds.
      const { branches } = await attached.db.branches({});
      expect(branches.map(({ name: world, pending: xid }) => [world, xid])).toEqual([
        ['main', pending!.xid],
        ['w', pending!.xid],
        ['other', undefined],
      ]);
      expect(await attached.rows('SHOW WORLD')).toEqual([expect.stringMatching(new RegExp(`\\|${pending!.xid}$`))]);
      const refused = { code: '55000', message: expect.stringContaining(pending!.xid) };
      await expect(attached.db.put({ table: 'free', id: 'x', record: {} })).rejects.toMatchObject(refused);
      await expect(attached.db.discard({ branch: 'w' })).rejects.toMatchObject(refused);
      await attached.db.put({ branch: 'other', table: 'free', id: 'x', record: {} });
      await attached.db.flush();
      // What a killed process leaves.
      const copies = mkdtempSync(join(tmpdir(), 'svc-cut-'));
      try {
        for (const copy of ['asks', 'cannot-know'])
          cpSync(attached.folder, join(copies, copy), { recursive: true, filter: (path) => !/lock|\.sock/.test(path) });
        const expected = mode === 'after' ? AFTER : BEFORE;
        await using asks = await open(join(copies, 'asks'), { attachUrl: source.url(name) });
        expect((await asks.attachment({})).pending).toBeNull();
        await using session = asks.session();
        expect((await session.query('SELECT id, v FROM t ORDER BY id')).rows.map(({ id, v }) => `${id}|${v}`)).toEqual(expected);
        // Another cluster cannot know: a person decides.
        const elsewhere = await Source.start();
        try {
          const other = await elsewhere.database('SELECT 1');
          await using unknown = await open(join(copies, 'cannot-know'), { attachUrl: other.url });
          expect((await unknown.attachment({})).pending).toMatchObject({ fate: 'not known', reason: expect.stringContaining('another server') });
          await expect(unknown.put({ table: 'free', id: 'x', record: {} })).rejects.toMatchObject(refused);
          await expect(unknown.decide_write_back({ xid: '1', outcome: 'committed' })).rejects.toMatchObject({ code: '55000' });
          await unknown.decide_write_back({ xid: pending!.xid, outcome: mode === 'after' ? 'committed' : 'aborted' });
          expect((await unknown.attachment({})).pending).toBeNull();
          await using other2 = unknown.session();
          expect((await other2.query('SELECT id, v FROM t ORDER BY id')).rows.map(({ id, v }) => `${id}|${v}`)).toEqual(expected);
        } finally {
          await elsewhere.stop();
        }
        proxy.isClosed = false;
        proxy.gone = false;
        for (let tries = 0; (await attached.db.attachment({})).pending !== null; tries++) {
          expect(tries).toBeLessThan(200);
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        expect(await values()).toEqual([expected, expected]);
        const again = await attached.db.merge({ branch: 'w' }).catch((error: SvcError) => error.code);
        expect(again).toEqual(mode === 'after' ? '3D000' : { merged: 1 });
        expect(await values()).toEqual([AFTER, AFTER]);
      } finally {
        rmSync(copies, { recursive: true, force: true });
      }
    },
    60_000,
  );
});
