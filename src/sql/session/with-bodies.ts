/** A plan or expression after inlining (bind/inline-functions.ts), and the privileges that the inlined bodies need. */
import type { Binder } from '../bind/binder.ts';
import { type FunctionBodies, Inliner } from '../bind/inline-functions.ts';
import type { Plan } from '../plan/logical.ts';
import type { SessionEnvironment } from './environment.ts';
import { withoutPositions } from './without-positions.ts';

export interface WithBodies<T> {
  readonly made: T;
  /** null: nothing was inlined. */
  readonly inliner: Inliner | null;
}

/** A plan with functions of another state inlined; their accesses count as the plan's own. */
export function withBodiesOf(bodies: FunctionBodies, binder: Binder, plan: Plan, env: SessionEnvironment): Plan {
  const { made, inliner } = withBodies(plan, binder, { bodies, env }, (each) => each.plan(plan));
  binder.access.push(...(inliner?.relations ?? []));
  for (const fn of inliner?.calls ?? []) binder.calls.add(fn);
  return made;
}

export function withBodies<T>(
  bound: T,
  binder: Binder,
  { bodies, env }: { readonly bodies: FunctionBodies; readonly env: SessionEnvironment },
  make: (inliner: Inliner) => T,
): WithBodies<T> {
  if (!binder.callsOwn) return { made: bound, inliner: null };
  const { positionsReported, clockReads } = env;
  const inliner = new Inliner(binder, bodies);
  const made = withoutPositions(env, () => make(inliner));
  // Errors with positions in a body, and literals like 'now', belong to the run of the function.
  const stays = env.positionsReported !== positionsReported || env.clockReads !== clockReads || inliner.calls.size === 0;
  return stays ? { made: bound, inliner: null } : { made, inliner };
}
