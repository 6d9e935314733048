/**
 * Repeated texts in a leaf have codes: a function of a text (its number among keys, whether it passes a filter) is computed once per
 * code of a leaf, and cached here.
 */
import type { Compilation } from './compilation.ts';
import type { Emitter } from './emitter.ts';

export const UNKNOWN = -2;

/** Ids (or other numbers) of the texts of one leaf, by code. */
class CodeIds {
  #ids = new Int32Array(256);

  /** Resets `count` codes to unknown. */
  start(count: number): Int32Array {
    if (count > this.#ids.length) this.#ids = new Int32Array(count * 2);
    return this.#ids.fill(UNKNOWN, 0, count);
  }
}

/** The cache entry of the current row's text, by its code. */
export function byCode(c: Compilation, g: Emitter, reader: number): string {
  const known = c.runState(() => new CodeIds());
  const ids = g.hoist(`ids of codes ${known}`, `S[${known}].start(${g.hoist(`texts ${reader}`, `S[${reader}].texts`)}.length)`);
  return `${ids}[${g.hoist(`codes ${reader}`, `S[${reader}].codes`)}[i]]`;
}
