/** The caller's picks for rows and definitions in conflict. */
import type { Row } from '../../commands/contract.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { canonicalRowKey, parseRowKey } from '../keys.ts';
import { canonicalDefinitionKey, isDefinitionKey } from './definition-names.ts';
import type { PlanInput } from './plan.ts';
import { tableNamed } from './selection.ts';

/** Each key must be of a row that the branch changed, or of a definition in conflict. */
export class Picks {
  readonly #left = new Map<string, 'ours' | 'theirs' | Row | null>();
  readonly #definitions = new Map<string, 'ours' | 'theirs'>();
  readonly #asked = new Set<string>();
  readonly active: boolean;

  constructor(input: PlanInput) {
    for (const [key, pick] of Object.entries(input.picks ?? {})) {
      if (isDefinitionKey(key)) {
        if (pick !== 'ours' && pick !== 'theirs') throw new SvcError('22023', `the pick for the definition "${key}" must be "ours" or "theirs"`);
        this.#definitions.set(canonicalDefinitionKey(key), pick);
        continue;
      }
      const { table } = parseRowKey(key);
      if (typeof pick === 'string' && pick !== 'ours' && pick !== 'theirs') {
        throw new SvcError('22023', `the pick for "${key}" must be "ours", "theirs", a row or null`);
      }
      this.#left.set(canonicalRowKey(key, tableNamed(input, table)), pick);
    }
    this.active = this.#left.size > 0;
  }

  take(key: string): 'ours' | 'theirs' | Row | null | undefined {
    const pick = this.#left.get(key);
    if (pick !== undefined) this.#left.delete(key);
    return pick;
  }

  /** The side picked for a definition. */
  definition(key: string): 'ours' | 'theirs' | undefined {
    this.#asked.add(key);
    return this.#definitions.get(key);
  }

  allTaken(branch: string): void {
    for (const key of this.#definitions.keys()) {
      if (!this.#asked.has(key))
        throw new SvcError('22023', `"${key}" is picked, but that definition is not in conflict`, { hint: 'Pick only what the preview shows.' });
    }
    for (const key of this.#left.keys()) {
      throw new SvcError('22023', `"${key}" is picked, but it is not a row that "${branch}" changed`, { hint: 'Pick only rows that the preview shows.' });
    }
  }
}
