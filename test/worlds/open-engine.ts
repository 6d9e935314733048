/** A new database in a folder of its own, which goes when it is closed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from '../../src/database.ts';
import { type Opened, withoutNames } from '../suite/open.ts';
import { SteppedClock } from '../suite/stepped-clock.ts';

export async function openEngine(): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-suite-'));
  const clock = new SteppedClock();
  // Suites count back over weeks.
  const database = await open(folder, { clock, historyRetentionMs: 1000 * 86_400_000 });
  return {
    commands: withoutNames(database),
    clock,
    close: async () => {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
