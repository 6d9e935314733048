/**
 * Texts that come again in a leaf have codes: what is asked of a text (its number among keys, whether it passes a filter) is
 * asked once for each code of a leaf, and kept here.
 */
import type { Compilation } from './compilation.ts';
import type { Emitter } from './emitter.ts';

export const UNKNOWN = -2;

/** Ids (or anything else in a number) of the texts of one leaf by their codes. */
class CodeIds {
  #ids = new Int32Array(256);

  /** None of so many codes is known. */
  start(count: number): Int32Array {
    if (count > this.#ids.length) this.#ids = new Int32Array(count * 2);
    return this.#ids.fill(UNKNOWN, 0, count);
  }
}

/** The place of what is known of the text in the row at hand, by its code. */
export function byCode(c: Compilation, g: Emitter, reader: number): string {
  const known = c.runState(() => new CodeIds());
  const ids = g.hoist(`ids of codes ${known}`, `S[${known}].start(${g.hoist(`texts ${reader}`, `S[${reader}].texts`)}.length)`);
  return `${ids}[${g.hoist(`codes ${reader}`, `S[${reader}].codes`)}[i]]`;
}
