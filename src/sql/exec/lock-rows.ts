/**
 * FOR UPDATE and similar: each row is locked before it is passed on, one at a time, so that a LIMIT above locks no more rows than it
 * returns. A row that another transaction has locked makes the statement wait and retry, fail (NOWAIT), or is skipped (SKIP LOCKED).
 */
import type { Key } from '../../tree/datum.ts';
import type { LockPlan } from '../plan/logical.ts';
import { typesOf } from './compilation.ts';
import { asValue } from './operand.ts';
import type { Pipeline } from './pipeline.ts';
import { produce, type Needed } from './produce.ts';

type LockRow = (...keys: (Key | null)[]) => boolean;

export function produceLock(p: Pipeline, plan: LockPlan, needed: Needed, consume: () => void): void {
  const { g, x } = p;
  const { targets } = plan;
  const types = typesOf(plan.input);
  const state = p.c.runState(({ context }): LockRow => {
    return (...keys) => {
      for (let i = 0; i < targets.length; i++) {
        const key = keys[i];
        if (key !== null && !context.lockRow(targets[i].table, key, targets[i].strength, targets[i].wait)) return false;
      }
      return true;
    };
  });
  produce(p, plan.input, new Set([...needed, ...targets.map(({ key }) => key)]), () => {
    const keys = targets.map(({ key }) => asValue(g, x.column(key, types.get(key)!)));
    g.open(`if (${g.state(state)}(${keys.join(', ')}))`);
    consume();
    g.close();
  });
}
