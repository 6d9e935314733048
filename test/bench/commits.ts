import { closeSync, fdatasync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { open } from '../../src/database.ts';
import { perSecond, type Report, times } from './report.ts';

/** Commits alone and by 64 writers, against what the disk itself does. */
export async function benchCommits(report: Report, folder: string): Promise<void> {
  report.section(
    'Commits',
    'One row a commit, each on disk before it is acknowledged. The floor is a bare append of 120 bytes and fdatasync in a loop, awaited.',
  );
  const COUNT = 3000;
  const fd = openSync(join(folder, 'floor'), 'w');
  const bytes = Buffer.alloc(120, 7);
  const floorRun = async (): Promise<number> => {
    const begun = performance.now();
    for (let i = 0; i < COUNT; i++) {
      writeSync(fd, bytes);
      await new Promise<void>((resolve, reject) => fdatasync(fd, (error) => (error === null ? resolve() : reject(error))));
    }
    return (COUNT * 1000) / (performance.now() - begun);
  };
  const db = await open(join(folder, 'commits'));
  const serialRun = async (): Promise<number> => {
    const begun = performance.now();
    for (let i = 0; i < COUNT; i++) await db.put({ table: 't', id: `k${i % 1000}`, record: { n: i, name: `name ${i}` } });
    return (COUNT * 1000) / (performance.now() - begun);
  };
  await serialRun();
  const floors: number[] = [];
  const serials: number[] = [];
  for (let round = 0; round < 3; round++) {
    floors.push(await floorRun());
    serials.push(await serialRun());
  }
  closeSync(fd);
  const floor = Math.max(...floors);
  const serial = Math.max(...serials);
  const GROUPED = 60_000;
  const begun = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      while (next < GROUPED) {
        const i = next++;
        await db.put({ table: 't', id: `k${i % 1000}`, record: { n: i, name: `name ${i}` } });
      }
    }),
  );
  const grouped = (GROUPED * 1000) / (performance.now() - begun);
  await db.close();
  report.row('bare append + fdatasync', perSecond(floor));
  report.row('commits, one writer', perSecond(serial));
  report.row('commits, one writer, share of the bare rate', times(serial / floor), '≥ 0.7 ×');
  report.row('commits, 64 writers', perSecond(grouped));
  report.row('commits, 64 writers against one', times(grouped / serial), '≥ 5 ×');
}
