/** Greedy shrinking: takes the first smaller form that still fails, again and again, until none does or the tries are used up. */
import { type Piece, smaller } from './piece.ts';

export interface Case {
  /** Statements before the failing one: the tables, their rows, writes. */
  before: string[];
  piece: Piece;
}

export async function shrink(found: Case, fails: (candidate: Case) => Promise<boolean>, triesMax = 400): Promise<Case> {
  let best = found;
  let tries = 0;
  // Halves of what stands before, then single statements, then the statement itself.
  for (let size = Math.ceil(best.before.length / 2); size >= 1 && tries < triesMax; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < best.before.length && tries < triesMax;) {
      const candidate = { ...best, before: best.before.toSpliced(at, size) };
      tries++;
      if (await fails(candidate)) best = candidate;
      else at += size;
    }
  }
  for (let improved = true; improved && tries < triesMax;) {
    improved = false;
    for (const piece of smaller(best.piece)) {
      if (tries++ >= triesMax) break;
      if (!(await fails({ ...best, piece }))) continue;
      best = { ...best, piece };
      improved = true;
      break;
    }
  }
  return best;
}
