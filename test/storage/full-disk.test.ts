/** A disk that is full when a folder on it is opened: a small file system of its own, where this user may mount one. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { open } from '../../src/database.ts';

const home = mkdtempSync(join(tmpdir(), 'svc-full-'));
let mounted = false;
try {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', home], { stdio: 'ignore' });
  mounted = true;
} catch {
  process.stderr.write('test/storage/full-disk.test.ts: SKIPPED, no file system can be mounted here (that needs root)\n');
}

afterAll(() => {
  if (mounted) execFileSync('umount', ['-l', home]);
  rmSync(home, { recursive: true, force: true });
});

function fill(leave: number): void {
  rmSync(join(home, 'ballast'), { force: true });
  const { bavail, bsize } = statfsSync(home);
  writeFileSync(join(home, 'ballast'), Buffer.alloc(Math.max(0, bavail * bsize - leave)));
}

describe.skipIf(!mounted)('a folder on a full disk', () => {
  test.each([3 * 1024 * 1024, 256 * 1024, 16 * 1024, 0])('with %i bytes left can be read, refuses writes, and continues once there is space', async (left) => {
    const folder = join(home, 'db');
    rmSync(join(home, 'ballast'), { force: true });
    rmSync(folder, { recursive: true, force: true });
    const made = await open(folder, { key: null });
    await made.sql({ sql: 'CREATE TABLE t (id int PRIMARY KEY, name text); INSERT INTO t SELECT i, repeat(md5(i::text), 3) FROM generate_series(1, 5000) i' });
    await made.flush();
    await made.sql({ sql: "UPDATE t SET name = 'x' WHERE id % 3 = 0" });
    await made.close();
    fill(left);
    const db = await open(folder, { key: null, repairMs: 20 });
    try {
      const count = async (): Promise<unknown> => (await db.sql({ sql: "SELECT count(*) AS n FROM t WHERE name = 'x'" })).results[0]!.rows;
      expect(await count()).toEqual([{ n: 1666 }]);
      if (db.stats()['writable'] === 0) await expect(db.put({ table: 'd', id: '1', record: {} })).rejects.toMatchObject({ code: '53100' });
      rmSync(join(home, 'ballast'), { force: true });
      await expect
        .poll(
          () =>
            db.put({ table: 'd', id: '1', record: { n: 1 } }).then(
              () => 'taken',
              (error: { code: string }) => error.code,
            ),
          { timeout: 8000 },
        )
        .toBe('taken');
      expect(await count()).toEqual([{ n: 1666 }]);
      await db.flush();
      await db.verify();
    } finally {
      await db.close();
    }
    const again = await open(folder, { key: null });
    expect((await again.get({ table: 'd', id: '1' })).row).toEqual({ n: 1 });
    await again.close();
  });
});
