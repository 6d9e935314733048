import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { open } from '../../src/database.ts';
import { ms, type Report, timed } from './report.ts';

/** Opening after a crash with a tail to replay, and without any page cache. */
export async function benchRecovery(report: Report, folder: string): Promise<void> {
  report.section('Recovery', 'One row an event, 1,000 keys. The crash is a copy of the folder taken while the database is open.');
  for (const events of [50_000, 1_000_000]) {
    const path = join(folder, `recovery-${events}`);
    const copy = `${path}-copy`;
    // No checkpoint before the copy: everything is tail.
    const db = await open(path, { checkpointLogBytes: 2 ** 40, dirtyBytes: 2 ** 40, checkpointMs: 2 ** 30 });
    for (let at = 0; at < events; at += 5000)
      await Promise.all(Array.from({ length: 5000 }, (_, i) => db.put({ table: 't', id: `k${(at + i) % 1000}`, record: { n: at + i, name: 'a name' } })));
    cpSync(path, copy, { recursive: true });
    await db.close();
    rmSync(join(copy, 'svc.lock'), { force: true });
    if (events >= 1_000_000) rmSync(join(copy, 'cache'), { recursive: true });
    let opened = await open(path);
    await opened.close();
    const took = await timed(1, async () => {
      opened = await open(copy);
    });
    report.row(
      events >= 1_000_000
        ? `open, ${events.toLocaleString('en-US')} events, no page cache`
        : `open after a crash, ${events.toLocaleString('en-US')} events of tail`,
      ms(took),
      events >= 1_000_000 ? '≤ 5 s' : '≤ 0.5 s',
    );
    await opened.close();
    rmSync(path, { recursive: true });
    rmSync(copy, { recursive: true });
  }
}
