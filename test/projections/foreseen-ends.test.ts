/** A replay that leaves out what ends in it comes to the same rows, worlds, pasts and differences. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Database, open } from '../../src/database.ts';
import { readSuperRoots } from '../../src/projection/super-root.ts';
import { openPageStore } from '../../src/storage/open-page-store.ts';
import { Random } from '../suite/random.ts';

/** Everything that can be read: open worlds, their rows and diffs, ended worlds, and past moments. */
async function readAll(db: Database, moments: readonly string[]): Promise<unknown> {
  const { branches } = await db.branches();
  const out: unknown[] = [];
  for (const world of branches) {
    const { active: _active, flagged: _flagged, ...view } = world;
    const rows = await db.sql({ branch: world.name, sql: 'SELECT * FROM stock ORDER BY id; SELECT id FROM stock WHERE v = 3 ORDER BY id' });
    out.push(view, rows.results, world.parent === null ? null : (await db.diff({ branch: world.name })).changes);
  }
  for (const moment of moments)
    out.push(
      await db.sql({ branch: moment, sql: 'SELECT * FROM stock ORDER BY id' }).then(
        (reply) => reply.results[0].rows,
        (error: Error) => error.message,
      ),
    );
  for (let n = 0; n < 60; n += 7)
    out.push(
      await db.diff({ branch: `w${n}` }).then(
        ({ changes }) => changes,
        (error: Error) => error.message,
      ),
    );
  out.push(await db.find({ table: 'notes' }).catch((error: Error) => error.message));
  return out;
}

test.each([1, 2, 3, 4])('worlds that fork, change, rebase, merge into each other and end: seed %s', async (seed) => {
  const random = new Random(seed);
  const folder = mkdtempSync(join(tmpdir(), 'svc-foreseen-'));
  const copy = `${folder}-copy`;
  // Checkpoints come only where the test makes one, and a replay makes many.
  const quiet = { checkpointLogBytes: 1e9, checkpointMs: 1e8, dirtyBytes: 1e9 };
  try {
    const db = await open(folder, quiet);
    await db.sql({
      sql: "CREATE TABLE stock (id int PRIMARY KEY, v int, t text); CREATE INDEX stock_v ON stock (v); INSERT INTO stock SELECT i, i % 5, 'text ' || i FROM generate_series(1, 600) i",
    });
    const moments: string[] = [];
    const live: string[] = [];
    let made = 0;
    for (let n = 0; n < 160; n++) {
      if (n === 60) await db.flush();
      if (random.chance(0.1)) moments.push(`main@#${Number((db.stats() as { log_sequence: number }).log_sequence)}`);
      const branch = live[random.below(live.length)] ?? 'main';
      const act = random.below(10);
      try {
        if (act < 3) {
          const name = `w${made++}`;
          await db.fork({ name, from: random.chance(0.7) ? 'main' : branch });
          live.push(name);
        } else if (act < 6) await db.sql({ branch, sql: `UPDATE stock SET v = ${random.below(5)}, t = 'by ${n}' WHERE id % 97 = ${random.below(97)}` });
        else if (act === 6) await db.put({ branch: random.chance(0.3) ? 'main' : branch, table: 'notes', id: `n${random.below(20)}`, record: { n } });
        else if (act === 7) {
          const how = random.below(4);
          if (how === 0) await db.merge({ branch, into: live[random.below(live.length)] ?? 'main', resolve: 'theirs' });
          else if (how === 1) await db.merge({ branch, only_tables: ['stock'], resolve: 'ours' });
          else await db.merge({ branch, resolve: 'theirs' });
        } else if (act === 8) {
          if (random.chance(0.5)) await db.rebase({ branch, resolve: 'theirs' });
          else await db.checkpoint({ branch, name: `c${n}` });
        } else if (random.chance(0.2))
          await db.sql({ branch, sql: `ALTER TABLE stock ADD COLUMN c${n} int DEFAULT ${n}; UPDATE stock SET c${n} = 1 WHERE id < 5` });
        else await db.discard({ branch, cascade: random.chance(0.5) });
      } catch {
        // A conflict, or a world with forks: it stays as it is.
      }
      for (let i = live.length - 1; i >= 0; i--) if (!(await db.branches()).branches.some(({ name }) => name === live[i])) live.splice(i, 1);
    }
    const before = await readAll(db, moments);
    cpSync(folder, copy, { recursive: true, filter: (path) => !path.endsWith('LOCK') && !path.endsWith('.sock') });
    await db.close();
    // From the checkpoint in the middle, from nothing, and from nothing with super-roots on the way.
    for (const [withCache, dirtyBytes] of [
      [true, 1e9],
      [false, 1e9],
      [false, 100_000],
    ] as const) {
      if (!withCache) rmSync(join(copy, 'cache'), { recursive: true, force: true });
      const again = await open(copy, { ...quiet, dirtyBytes });
      if (dirtyBytes < 1e9) expect(again.stats()['checkpoints']).toBeGreaterThan(1);
      expect(await readAll(again, moments)).toEqual(before);
      await again.flush();
      expect(await readAll(again, moments)).toEqual(before);
      await again.close();
      const store = await openPageStore(join(copy, 'cache'));
      expect(readSuperRoots(store).filter(({ foreseen }) => foreseen !== undefined)).toEqual([]);
      await store.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(copy, { recursive: true, force: true });
  }
});
