/**
 * Word similarity of pg_trgm: the greatest similarity between the trigrams of one text and those of any extent of another; strict:
 * of an extent of whole words. Manual, appendix F.35.
 */
import { lowerCase } from '../../types/letter-case.ts';

interface Positioned {
  readonly trigram: string;
  /** Whether it starts, or ends, its word. */
  readonly first: boolean;
  readonly last: boolean;
}

/** In text order, with duplicates. */
function inOrder(text: string): Positioned[] {
  const out: Positioned[] = [];
  for (const [word] of lowerCase(text).matchAll(/[\p{L}\p{N}]+/gu)) {
    const characters = [...`  ${word} `];
    const count = characters.length - 2;
    for (let i = 0; i < count; i++) out.push({ trigram: characters.slice(i, i + 3).join(''), first: i === 0, last: i === count - 1 });
  }
  return out;
}

const share = (common: number, one: number, other: number): number => Math.fround(common / (one + other - common));

export function wordSimilarity(part: string, text: string, strict: boolean): number {
  const wanted = new Set(inOrder(part).map(({ trigram }) => trigram));
  const all = inOrder(text);
  const lastAt = new Map<string, number>();
  let lower = strict ? 0 : -1;
  let common = 0;
  let distinct = 0;
  let best = 0;
  for (let i = 0; i < all.length; i++) {
    const { trigram, last } = all[i];
    const found = wanted.has(trigram);
    if (lower >= 0 || found) {
      if (!lastAt.has(trigram)) {
        distinct++;
        if (found) common++;
      }
      lastAt.set(trigram, i);
    }
    if (!(strict ? last : found)) continue;
    if (lower === -1) {
      lower = i;
      distinct = 1;
    }
    // The extent ends here; the best start is searched.
    let current = share(common, wanted.size, distinct);
    let [restCommon, restDistinct] = [common, distinct];
    const before = lower;
    for (let start = before; start <= i; start++) {
      if (!strict || all[start].first) {
        const own = share(restCommon, wanted.size, restDistinct);
        if (own > current) {
          current = own;
          [lower, common, distinct] = [start, restCommon, restDistinct];
        }
      }
      const gone = all[start].trigram;
      if (lastAt.get(gone) === start) {
        restDistinct--;
        if (wanted.has(gone)) restCommon--;
      }
    }
    if (current > best) best = current;
    for (let start = before; start < lower; start++) if (lastAt.get(all[start].trigram) === start) lastAt.delete(all[start].trigram);
  }
  return best;
}
