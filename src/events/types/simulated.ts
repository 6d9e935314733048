/**
 * A simulation over the envelope's world keeps worlds, each with an event of its own; they become visible with
 * `simulationKept`. `changes` turn the base world's current state into the simulation's base.
 */
import type { Micros, Sequence } from '../../base/brands.ts';
import { readChanges, type TreeChanges, writeChanges } from '../changes.ts';
import { defineEvent, VERSIONS_OF_CHANGES } from '../define-event.ts';

export interface Simulated {
  type: 'simulated';
  recipe: Recipe;
  changes: TreeChanges[];
}

/** What a simulation's worlds were made from, and can be rebuilt from. */
export interface Recipe {
  /** World i is named `<prefix>_<i>`. */
  prefix: string;
  script: string;
  score: string;
  seed: number;
  /** The base: the envelope's world as it was after this event. */
  sequence: Sequence;
  /** The time that its worlds take as now. */
  at: Micros;
  /** The name of its single world, if one was given. */
  name?: string;
  /** The principal that the script ran as: an agent or the guest; null: the database's own user. */
  runner: string | null;
}

export const simulated = defineEvent<Simulated>({
  type: 'simulated',
  number: 40,
  versions: VERSIONS_OF_CHANGES,
  encode(out, event) {
    out.text(JSON.stringify(event.recipe));
    writeChanges(out, event.changes);
  },
  decode: (from) => ({ type: 'simulated', recipe: JSON.parse(from.text()) as Recipe, changes: readChanges(from) }),
});
