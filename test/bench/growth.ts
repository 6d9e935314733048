import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { open } from '../../src/database.ts';
import { type Report, times } from './report.ts';

const ROWS = 1_000_000;
const ROUNDS = 100;
const CHANGES = 10_000;

/** How far a folder under scattered updates grows beyond what it must hold: the rows as they are and the retained log. */
export async function benchGrowth(report: Report, folder: string): Promise<void> {
  report.section(
    'Growth of the folder',
    `${ROWS.toLocaleString('en-US')} rows, then ${ROUNDS} batches of ${CHANGES.toLocaleString('en-US')} updates spread over all of them, all within the retention.`,
  );
  const path = join(folder, 'growth');
  const db = await open(path);
  // About 160 bytes, of which compression can take half: a row of an order book, not of a test.
  const item = (i: number, n: number): { table: string; id: string; record: { [name: string]: number | string } } => ({
    table: 'items',
    id: String(i).padStart(9, '0'),
    record: { n: i, price: n + 0.5, note: createHash('sha512').update(String(i)).digest('hex') },
  });
  const batch = (at: number, count: number, stride: number, n: number): Promise<unknown> =>
    db.batch({
      rows: Array.from({ length: count }, (_, k) => {
        const i = (at + k * stride) % ROWS;
        return item(i, n);
      }),
    });
  for (let at = 0; at < ROWS; at += 10_000) await batch(at, 10_000, 1, 0);
  await db.flush();
  await db.close();
  const live = sizeOf(join(path, 'cache'));
  const again = await open(path);
  for (let round = 1; round <= ROUNDS; round++) {
    await again.batch({
      rows: Array.from({ length: CHANGES }, (_, k) => {
        const i = (round * 17 + k * 97) % ROWS;
        return item(i, round);
      }),
    });
  }
  await again.flush();
  await settled(join(path, 'cache'));
  const stats = again.stats();
  await again.close();
  const log = sizeOf(join(path, 'log'));
  const all = sizeOf(path);
  const mb = (bytes: number): string => `${(bytes / 1048576).toFixed(1)} MB`;
  report.row('rows as they are (page cache after the load)', mb(live));
  report.row('log, all of it retained', mb(log));
  report.row('page cache after the updates', mb(sizeOf(join(path, 'cache'))), `${stats['super_roots']} super-roots`);
  report.row('folder against rows and log', times(all / (live + log)), '≤ 1.5 ×');
  rmSync(path, { recursive: true, maxRetries: 5 });
}

/** The page store gives back in the background what was deleted: until its size stands still for ten seconds. */
async function settled(path: string): Promise<void> {
  for (let before = -1, same = 0, at = 0; same < 10 && at < 120; at++) {
    const now = sizeOf(path);
    same = now === before ? same + 1 : 0;
    before = now;
    await sleep(1000);
  }
}

function sizeOf(path: string): number {
  let bytes = 0;
  for (const name of readdirSync(path)) {
    const stat = lstatSync(join(path, name), { throwIfNoEntry: false });
    // Files come and go while the page store tidies up.
    if (stat === undefined) continue;
    bytes += stat.isDirectory() ? sizeOf(join(path, name)) : stat.isFile() ? stat.blocks * 512 : 0;
  }
  return bytes;
}
