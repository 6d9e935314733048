/** A clock that now and then jumps by more than a time slice, as a seed says: others are let in at other moments than on an idle machine. */
import { Seeded } from './seeded.ts';

/** Runs `work` under it, in this process. */
export async function withUnsteadyClock<T>(seed: number, work: () => Promise<T>): Promise<T> {
  const random = new Seeded(seed);
  const steady = performance.now;
  const often = random.pick([0.5, 0.2, 0.05]);
  let ahead = 0;
  performance.now = () => {
    if (random.chance(often)) ahead += 3;
    return steady.call(performance) + ahead;
  };
  try {
    return await work();
  } finally {
    performance.now = steady;
  }
}
