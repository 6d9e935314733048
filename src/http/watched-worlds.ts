/** The worlds with metrics of their own: `main` and those that SVC_METRICS_WORLDS names. A list of the operator bounds the number of series. */
import { SvcError } from '../base/errors/svc-error.ts';
import type { WorldValues } from './metric-list.ts';

const WATCHED_MAX = 100;

interface WatchedWorld {
  readonly version: number;
  readonly changed: number;
  readonly children: number;
  readonly checkpoints: readonly unknown[];
  /** In microseconds since 1970. */
  readonly active: number;
}

/** Names of SVC_METRICS_WORLDS (`a,b`), after `main`; 22023 for more than 100. */
export function watchedWorlds(text: string | undefined): readonly string[] {
  const named = (text ?? '').split(',').map((name) => name.trim());
  const names = [...new Set(['main', ...named.filter((name) => name !== '')])];
  if (names.length > WATCHED_MAX)
    throw new SvcError('22023', `SVC_METRICS_WORLDS names ${names.length} worlds; at most ${WATCHED_MAX} have metrics of their own, main among them`);
  return names;
}

/** Those that are open. */
export function worldValues(worlds: { byName(name: string): WatchedWorld | null }, names: readonly string[]): ReadonlyMap<string, WorldValues> {
  const values = new Map<string, WorldValues>();
  for (const name of names) {
    const world = worlds.byName(name);
    if (world === null) continue;
    const { version, changed, children, checkpoints, active } = world;
    values.set(name, { writes: version, changed, forks: children, checkpoints: checkpoints.length, active: active / 1e6 });
  }
  return values;
}
