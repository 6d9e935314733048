/** V8's garbage collector settings for our own processes; an application that embeds the database keeps its own. */
import { availableParallelism } from 'node:os';
import { runInNewContext } from 'node:vm';
import { comings } from './slices.ts';
import { setFlag } from './v8-flags.ts';

/** Up to this many cores, young generations are collected by the allocating thread alone. */
const FEW_CORES = 4;

/** Clients are counted per period; with at most this many a period is quiet: health checks. */
const PERIOD_MS = 10_000;
const FEW_COMINGS = 20;
/** Less new memory than this is not worth the pause of some 100 ms for a heap of 300 MB. */
const GROWN_BYTES = 32 * 1024 * 1024;

/**
 * V8 returns memory only at full collections, which it starts as the heap grows: after a busy time it keeps hundreds of
 * megabytes of garbage. So a full collection runs once when no client waits for it: after two quiet periods that follow busy
 * ones.
 */
function collectWhenQuiet(): void {
  let before = comings();
  let quiet = 0;
  let leastBytes = Infinity;
  const look = (): void => {
    const came = comings() - before;
    before = comings();
    quiet = came <= FEW_COMINGS ? quiet + 1 : 0;
    const bytes = usedBytes();
    leastBytes = Math.min(leastBytes, bytes);
    if (quiet !== 2 || bytes < leastBytes + GROWN_BYTES) return;
    collectFully();
    leastBytes = usedBytes();
  };
  setInterval(look, PERIOD_MS).unref();
}

let collect: (() => void) | null = null;

function collectFully(): void {
  if (collect === null) {
    setFlag('--expose-gc', '--no-expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}

function usedBytes(): number {
  const { heapTotal, external } = process.memoryUsage();
  return heapTotal + external;
}

/** Call before the folder is opened. */
export function tuneCollector(): void {
  // V8 splits some milliseconds of collecting among as many threads as there are cores, which on few cores also serve clients and the disk: the collecting
  // thread waits for the last of them. The flag is read at each collection.
  if (availableParallelism() <= FEW_CORES) setFlag('--no-parallel-scavenge', '--parallel-scavenge');
  // Objects allocated by a bulk load live long, so V8 tenures all later objects of that allocation site, also those of small statements: garbage that no
  // young collection frees, and that retains everything it references.
  setFlag('--no-allocation-site-pretenuring', '--allocation-site-pretenuring');
  collectWhenQuiet();
}
