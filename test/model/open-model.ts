import type { Opened } from '../suite/open.ts';
import { SteppedClock } from '../suite/stepped-clock.ts';
import { NaiveModel } from './naive-model.ts';

export async function openModel(): Promise<Opened> {
  const clock = new SteppedClock();
  const model = new NaiveModel(clock);
  return { commands: model, clock, head: () => model.head, close: async () => {} };
}
