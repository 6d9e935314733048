/** Greedy shrinking: takes the first smaller form that still fails, again and again, until none does or the tries are used up. */
import { type Piece, smaller } from './piece.ts';

export interface Case {
  /** Statements before the failing one: the tables, their rows, writes. */
  before: Piece[];
  piece: Piece;
}

/** `fails` is told whether what stands before has changed since the try before. */
export async function shrink(found: Case, fails: (candidate: Case, changed: boolean) => Promise<boolean>, triesMax = 800): Promise<Case> {
  let best = found;
  let tries = 0;
  const shrinkPiece = async (max: number): Promise<void> => {
    for (let improved = true; improved && tries < max;) {
      improved = false;
      for (const piece of smaller(best.piece)) {
        if (tries++ >= max) break;
        if (!(await fails({ ...best, piece }, false))) continue;
        best = { ...best, piece };
        improved = true;
        break;
      }
    }
  };
  // The statement itself first: it need not be prepared anew for that where it leaves nothing behind.
  await shrinkPiece(triesMax / 2);
  // Halves of what stands before, then single statements, then their parts.
  for (let size = Math.ceil(best.before.length / 2); size >= 1 && tries < triesMax; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < best.before.length && tries < triesMax;) {
      const candidate = { ...best, before: best.before.toSpliced(at, size) };
      tries++;
      if (await fails(candidate, true)) best = candidate;
      else at += size;
    }
  }
  for (let at = 0; at < best.before.length; at++) {
    for (const piece of smaller(best.before[at])) {
      if (tries++ >= triesMax) break;
      if (await fails({ ...best, before: best.before.with(at, piece) }, true)) {
        best = { ...best, before: best.before.with(at, piece) };
        break;
      }
    }
  }
  // The targets hold what the last try left.
  await fails(best, true);
  await shrinkPiece(triesMax);
  return best;
}
