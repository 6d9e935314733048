/**
 * The plan of a long statement, made in time slices before the statement needs it. Its errors are raised when the plan is taken.
 *
 *     turn ──► done within a turn
 *       └─────► finish: a turn, a pause, a turn … ──► taken
 */
import { beginSteps } from '../../base/slices.ts';
import type { Prepared, PrepareSteps, QueryStatement } from './prepare.ts';

/** Shorter texts are planned within a turn, unless they refer to large definitions. */
export const LONG_PLAN_MIN = 2000;
const TURN_MS = 4;

type Outcome = { readonly prepared: Prepared } | { readonly error: unknown };

export class PlannedAhead {
  readonly statement: QueryStatement;
  readonly key: string | null;
  readonly #steps: PrepareSteps;
  #outcome: Outcome | null = null;

  constructor(statement: QueryStatement, key: string | null, steps: PrepareSteps) {
    this.statement = statement;
    this.key = key;
    this.#steps = steps;
  }

  /** Runs for one time slice. Whether it is done. */
  turn(): boolean {
    try {
      const begun = beginSteps(this.#steps, TURN_MS);
      if (begun.done) this.#outcome = { prepared: begun.value };
    } catch (error) {
      this.#outcome = { error };
    }
    return this.#outcome !== null;
  }

  /** `pause` throws if the plan is no longer needed. */
  async finish(pause: () => Promise<void>): Promise<void> {
    do await pause();
    while (!this.turn());
  }

  /** The plan, or its error; may be called repeatedly. */
  taken(): Prepared {
    const outcome = this.#outcome!;
    if ('error' in outcome) throw outcome.error;
    return outcome.prepared;
  }
}
