/**
 * The plan of a long statement, made before the statement asks for it: step by step, with others let in where a turn is over. What went
 * wrong is raised where the plan is asked for.
 *
 *     turn ──► done within a turn
 *       └─────► finish: a turn, a pause, a turn … ──► taken
 */
import { beginSteps } from '../../base/slices.ts';
import type { Prepared, PrepareSteps, QueryStatement } from './prepare.ts';

/** Shorter texts are planned within a turn, unless what they name is large. */
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

  /** Goes on for a turn. Whether it is done. */
  turn(): boolean {
    try {
      const begun = beginSteps(this.#steps, TURN_MS);
      if (begun.done) this.#outcome = { prepared: begun.value };
    } catch (error) {
      this.#outcome = { error };
    }
    return this.#outcome !== null;
  }

  /** `pause` throws where nobody waits for the plan any more. */
  async finish(pause: () => Promise<void>): Promise<void> {
    do await pause();
    while (!this.turn());
  }

  /** The plan, or its error, as often as it is asked for. */
  taken(): Prepared {
    const outcome = this.#outcome!;
    if ('error' in outcome) throw outcome.error;
    return outcome.prepared;
  }
}
