/**
 * A folder in memory for what tests write: most are not about durability, and otherwise each commit waits for the disk, and a new database
 * does twenty times before it is open. A process that is killed leaves there what it wrote, as it does on a disk; what a loss of power takes
 * is the subject of `test/simulation`, which has a file system of its own. Where there is no such folder, or it is small, tests write to the disk.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const PLACE = '/dev/shm';
const NAME = /^svc-tests-(\d+)$/;
/** Far more than tests have there at a time, with room for another run beside this one. */
const FREE_BYTES = 2 ** 31;

/** Made for this process and removed with it; null where tests write to the disk. */
export function memoryFolder(): string | null {
  if (!isRoomy()) return null;
  removeLeft();
  const folder = join(PLACE, `svc-tests-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function isRoomy(): boolean {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8').match(/^tmpfs \/dev\/shm tmpfs (\S+)/m);
    // Tests write programs there, too.
    if (mount === null || mount[1].split(',').includes('noexec')) return false;
    const { bavail, bsize } = statfsSync(PLACE);
    return bavail * bsize > FREE_BYTES && freemem() > 2 * FREE_BYTES;
  } catch {
    return false;
  }
}

/** Of runs that were killed. */
function removeLeft(): void {
  for (const name of readdirSync(PLACE)) {
    const pid = NAME.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(PLACE, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
