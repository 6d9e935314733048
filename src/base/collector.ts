/** What V8's collector is told in processes of our own; who embeds the database keeps his own settings. */
import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { comings } from './slices.ts';

/** Up to so many cores, young garbage is collected by the thread that made it. */
const FEW_CORES = 4;

/** Periods in which clients are counted, and how many of them at most make one a quiet one: somebody who looks whether the server is there. */
const PERIOD_MS = 10_000;
const FEW_COMINGS = 20;
/** Less than this of new memory is not worth the pause, some 100 ms for a heap of 300 MB. */
const GROWN_BYTES = 32 * 1024 * 1024;

/**
 * V8 gives memory back when it collects all, which it does as the heap grows: after a busy time it keeps hundreds of megabytes of garbage until
 * the next one. So all is collected once when nobody is there to wait for it: after two quiet periods that follow others.
 */
function collectWhenQuiet(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
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
    collect();
    leastBytes = usedBytes();
  };
  setInterval(look, PERIOD_MS).unref();
}

function usedBytes(): number {
  const { heapTotal, external } = process.memoryUsage();
  return heapTotal + external;
}

/** To be called before the folder is opened. */
export function tuneCollector(): void {
  // V8 shares out some milliseconds of collecting among as many threads as there are, which on few cores have clients and the disk to
  // wait for: who collects waits for the last of them. It looks at the flag at each collection.
  if (availableParallelism() <= FEW_CORES) setFlagsFromString('--no-parallel-scavenge');
  // What a place in the code made for a bulk load lived long, so V8 makes what it makes for each small statement old from then on: garbage
  // that no young collection takes, and that keeps all alive that it points to.
  setFlagsFromString('--no-allocation-site-pretenuring');
  collectWhenQuiet();
}
