/** What V8's collector is told in processes of our own; who embeds the database keeps his own settings. */
import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';

/** Up to so many cores, young garbage is collected by the thread that made it. */
const FEW_CORES = 4;

/** To be called before the folder is opened. */
export function tuneCollector(): void {
  // V8 shares out some milliseconds of collecting among as many threads as there are, which on few cores have clients and the disk to
  // wait for: who collects waits for the last of them. It looks at the flag at each collection.
  if (availableParallelism() <= FEW_CORES) setFlagsFromString('--no-parallel-scavenge');
  // What a place in the code made for a bulk load lived long, so V8 makes what it makes for each small statement old from then on: garbage
  // that no young collection takes, and that keeps all alive that it points to.
  setFlagsFromString('--no-allocation-site-pretenuring');
}
