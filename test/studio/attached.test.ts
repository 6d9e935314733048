/** Merges of tables of an external Postgres in the console: what Postgres says of one, and one whose fate it does not know. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { open } from '../../src/database.ts';
import { Source } from '../attach/source.ts';
import { noBrowser, openTab, idle } from './browser.ts';
import { consoleOf } from './console.ts';

const SHOP = `CREATE TABLE users (id int PRIMARY KEY, name text NOT NULL CHECK (name <> 'root'));
INSERT INTO users VALUES (1, 'ann'), (2, 'bob'), (3, 'cy');
CREATE FUNCTION upper_name() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.name := upper(NEW.name); RETURN NEW; END $$;
CREATE TRIGGER shout BEFORE UPDATE ON users FOR EACH ROW EXECUTE FUNCTION upper_name();`;

describe.runIf(Source.installed && !noBrowser)('attached', () => {
  let source: Source;
  beforeAll(async () => {
    source = await Source.start(['max_connections=60']);
  }, 60_000);
  afterAll(async () => {
    await source?.stop();
  });

  test('the merge page shows triggers, rows that changed in Postgres, and what Postgres refuses', async () => {
    const { url, sql } = await source.database(SHOP);
    const { db } = await source.attached(url);
    const studio = await consoleOf(db);
    const tab = await openTab({ studio });
    const { page } = tab;
    await db.fork({ name: 'w' });
    await db.sql({ branch: 'w', sql: "UPDATE users SET name = 'dee' WHERE id = 1" });
    await tab.go('#/merge/w');
    const says = page.getByRole('region', { name: 'Postgres' });
    await says.getByText('It takes the changes.').waitFor();
    await says.getByText('shout').waitFor();
    await says.getByText('Made otherwise by its triggers').waitFor();
    await says.getByText('DEE').waitFor();
    await db.fork({ name: 'late' });
    await db.sql({ branch: 'late', sql: "UPDATE users SET name = 'eve' WHERE id = 2" });
    await sql.query("UPDATE users SET name = 'moved' WHERE id = 2");
    await tab.go('#/merge/late');
    await says.getByText('Changed in Postgres since they were read').waitFor();
    await says.getByText('MOVED').waitFor();
    await db.fork({ name: 'bad' });
    await db.sql({ branch: 'bad', sql: "INSERT INTO users VALUES (9, 'fay')" });
    await sql.query("ALTER TABLE users ADD CHECK (name <> 'fay')");
    await tab.go('#/merge/bad');
    await page
      .getByRole('alert')
      .getByText(/violates check constraint/)
      .waitFor();
    expect(tab.faults).toEqual([]);
    await tab.close();
    await studio.close();
  }, 120_000);

  test('a write-back of which Postgres does not know is decided on the page of a merge', async () => {
    const { url, name } = await source.database(SHOP);
    // Between the two: takes no COMMIT, and no connection after it.
    let isArmed = false;
    let isCut = false;
    const between = createServer((client) => {
      const server = connect(Number(new URL(url).port), '127.0.0.1');
      const end = (): void => void (client.destroy(), server.destroy());
      for (const socket of [client, server]) socket.on('error', end).on('close', end);
      if (isCut) end();
      client.on('data', (chunk: Buffer) => {
        isCut ||= isArmed && chunk.includes('COMMIT\0');
        if (isCut) end();
        else server.write(chunk);
      });
      server.on('data', (chunk: Buffer) => client.write(chunk));
    });
    await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
    const through = new URL(source.url(name));
    through.port = String((between.address() as AddressInfo).port);
    through.hostname = '127.0.0.1';
    const attached = await source.attached(through.href);
    await attached.db.fork({ name: 'w' });
    await attached.db.sql({ branch: 'w', sql: "UPDATE users SET name = 'dee' WHERE id = 1" });
    await attached.db.fork({ name: 'next' });
    await attached.db.sql({ branch: 'next', sql: "UPDATE users SET name = 'eve' WHERE id = 2" });
    isArmed = true;
    await expect(attached.db.merge({ branch: 'w' })).rejects.toMatchObject({ code: '08007' });
    await attached.db.flush();
    const copies = mkdtempSync(join(tmpdir(), 'svc-studio-cut-'));
    const elsewhere = await Source.start();
    try {
      const copy = join(copies, 'cannot-know');
      cpSync(attached.folder, copy, { recursive: true, filter: (path) => !/lock|\.sock/.test(path) });
      const other = await elsewhere.database('SELECT 1');
      await using unknown = await open(copy, { attachUrl: other.url });
      const studio = await consoleOf(unknown);
      const tab = await openTab({ studio });
      const { page } = tab;
      await tab.go('#/merge/next');
      const waits = page.getByRole('region', { name: 'Write-back' });
      await waits.getByText(/another server/).waitFor();
      await waits
        .getByRole('row', { name: /users 1/ })
        .getByText('dee')
        .waitFor();
      expect(await waits.getByRole('button', { name: 'Decide' }).isDisabled()).toBe(true);
      await waits.getByLabel('it was aborted').check();
      await waits.getByRole('button', { name: 'Decide' }).click();
      await page.getByText(/was aborted: refresh the attachment now/).waitFor();
      await waits.waitFor({ state: 'detached' });
      expect((await unknown.attachment({})).pending).toBeNull();
      await idle(page);
      await tab.close();
      await studio.close();
    } finally {
      await elsewhere.stop();
      between.close();
      rmSync(copies, { recursive: true, force: true });
    }
  }, 120_000);
});
if (!Source.installed) console.warn('SKIPPED: there is no Postgres 15: merges of attached tables are not tested in the console');
