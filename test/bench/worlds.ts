import { join } from 'node:path';
import type { Row } from '../../src/commands/contract.ts';
import { type Database, open } from '../../src/database.ts';
import { ms, type Report, timed, times } from './report.ts';

/** Fork, diff, merge and reads of the past at sizes a hundredfold apart. */
export async function benchWorlds(report: Report, folder: string, sizes: number[]): Promise<void> {
  const forks = new Map<number, number>();
  for (const size of sizes) {
    const path = join(folder, `worlds-${size}`);
    let db = await open(path);
    const record = (i: number): { n: number; price: number; name: string; ok: boolean } => ({ n: i, price: i / 4, name: `item number ${i}`, ok: i % 3 === 0 });
    const id = (i: number): string => String(i).padStart(9, '0');
    const loadBegun = performance.now();
    for (let at = 0; at < size; at += 10_000) {
      await db.batch({ rows: Array.from({ length: Math.min(10_000, size - at) }, (_, k) => ({ table: 'items', id: id(at + k), record: record(at + k) })) });
    }
    const loadMs = performance.now() - loadBegun;
    await db.flush();
    report.section(
      `Worlds, ${size.toLocaleString('en-US')} rows`,
      size > 1_000_000 ? 'This table is about three times the page cache (256 MB): scattered reads go to the page store.' : '',
    );
    report.row('load in batches of 10,000', `${Math.round((size * 1000) / loadMs).toLocaleString('en-US')} rows/s`);
    report.row('memory (RSS)', `${Math.round(process.memoryUsage.rss() / 1048576)} MB`);

    await db.fork({ name: 'warm' });
    await db.discard({ branch: 'warm' });
    const forkMs = await timed(300, (i) => db.fork({ name: `f${i}` }));
    report.row('fork, durable', ms(forkMs), '≤ 1 ms');
    forks.set(size, forkMs);
    const begun = performance.now();
    await Promise.all(Array.from({ length: 2000 }, (_, i) => db.fork({ name: `g${i}` })));
    report.row('fork, 2000 at once, each', ms((performance.now() - begun) / 2000), '≤ 20 µs in memory');
    if (size === 1000) for (const { name } of (await db.branches()).branches) if (name !== 'main') await db.discard({ branch: name });

    await db.fork({ name: 'one' });
    await db.put({ branch: 'one', table: 'items', id: id(Math.floor(size / 2)), record: record(-1) });
    await db.flush();
    await db.diff({ branch: 'one' });
    report.row('diff of 1 row', ms(await timed(50, () => db.diff({ branch: 'one' }))), '≤ 1 ms');
    report.row('read now', ms(await timed(500, (i) => db.get({ table: 'items', id: id((i * 7919) % size) }))));

    for (const changed of [10_000, 100_000]) {
      // Ten million rows do not fit in the page cache: more scattered changes measure the disk, see the note.
      if (changed > size || (size > 1_000_000 && changed > 10_000)) continue;
      const stride = Math.floor(size / changed);
      const mergeTimes: number[] = [];
      let diffMs = 0;
      for (let round = 0; round < 3; round++) {
        await db.fork({ name: `m${changed}-${round}` });
        const branch = `m${changed}-${round}`;
        for (let at = 0; at < changed; at += 10_000) {
          await db.batch({
            branch,
            rows: Array.from({ length: 10_000 }, (_, k) => ({
              table: 'items',
              id: id((at + k) * stride),
              record: { ...record((at + k) * stride), price: round + 0.5 },
            })),
          });
        }
        if (round === 0) {
          await db.diff({ branch, count: true });
          diffMs = await timed(3, () => db.diff({ branch, count: true }));
        }
        mergeTimes.push(await timed(1, () => db.merge({ branch })));
      }
      report.row(`diff of ${changed.toLocaleString('en-US')} rows spread over the table, counted`, ms(diffMs), changed === 100_000 ? '≤ 150 ms' : '');
      report.row(
        `merge of ${changed.toLocaleString('en-US')} rows spread over the table`,
        ms(Math.min(...mergeTimes)),
        changed === 10_000 ? '≤ 60 ms' : '≤ 600 ms',
      );
    }

    const events = (await db.history({ limit: 10_000 })).events.filter(({ rows }) => rows > 0);
    for (const [what, event] of [
      ['the oldest', events[Math.floor(events.length * 0.6)]],
      ['a recent', events[Math.min(2, events.length - 1)]],
    ] as const) {
      const branch = `main@${event.at}`;
      const first = await timed(1, () => db.get({ branch, table: 'items', id: id(0) }));
      const again = await timed(500, (i) => db.get({ branch, table: 'items', id: id((i * 31) % Math.min(size, 1000)) }));
      report.row(`first read at ${what} moment`, ms(first), '≤ 150 ms');
      report.row(`read at ${what} moment, touched`, ms(again), '≤ 2 × now');
    }
    if (size === 1_000_000) await smallCommits(report, db, (i) => ({ table: 'items', id: id((i * 7919) % size), record: { ...record(i), price: i } }));
    const now = await timed(500, (i) => db.get({ table: 'items', id: id((i * 31) % Math.min(size, 1000)) }));
    report.row('read now, same keys', ms(now));
    const closeMs = await timed(1, () => db.close());
    report.row('close', ms(closeMs));
    const openMs = await timed(1, async () => {
      db = await open(path);
    });
    report.row('open after a clean close', ms(openMs));
    report.row('log on disk', `${(db.stats()['log_bytes'] / 1048576).toFixed(1)} MB`);
    await db.close();
  }
  const [small, large] = [Math.min(...sizes), Math.max(...sizes)];
  report.section('Growth');
  report.row(`fork at ${large.toLocaleString('en-US')} rows against ${small.toLocaleString('en-US')}`, times(forks.get(large)! / forks.get(small)!), '≤ 1.5 ×');
}

/** Commits of one row each, scattered over the table, and reads of moments before most, half and few of them, the earliest first. */
async function smallCommits(report: Report, db: Database, row: (i: number) => { table: string; id: string; record: Row }): Promise<void> {
  const commits = 200_000;
  const at: number[] = [];
  for (let i = 0; i < commits; i += 100) {
    at.push(db.stats()['log_sequence'] as number);
    await Promise.all(Array.from({ length: 100 }, (_, k) => db.put(row(i + k))));
  }
  for (const share of [0.95, 0.5, 0.05]) {
    const behind = Math.round(commits * share);
    const branch = `main@#${at[Math.floor((commits - behind) / 100)]}`;
    const { table, id } = row(0);
    report.row(`first read behind ${behind.toLocaleString('en-US')} commits of a row`, ms(await timed(1, () => db.get({ branch, table, id }))), '≤ 150 ms');
  }
}
