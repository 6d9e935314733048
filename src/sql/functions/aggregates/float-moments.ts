/**
 * Sums, and sums of squared differences from the mean, of floats by the Youngs-Cramer algorithm, as Postgres keeps them:
 * over one variable, and over pairs of them.
 */
import { floatOverflow, isInfinite } from '../numeric/float-arithmetic.ts';

export class FloatMoments {
  count = 0;
  sum = 0;
  squares = 0;
}

export function addFloat(state: FloatMoments, value: number): FloatMoments {
  const before = state.count;
  const count = before + 1;
  const oldSum = state.sum;
  const sum = oldSum + value;
  state.count = count;
  state.sum = sum;
  if (before > 0) {
    const difference = value * count - sum;
    const squares = state.squares + (difference * difference) / (count * before);
    state.squares = squares;
    if (isInfinite(sum) || isInfinite(squares)) {
      if (!isInfinite(oldSum) && !isInfinite(value)) floatOverflow();
      state.squares = NaN;
    }
  } else if (value - value !== 0) state.squares = NaN;
  return state;
}

export class PairMoments {
  count = 0;
  sumX = 0;
  squaresX = 0;
  sumY = 0;
  squaresY = 0;
  products = 0;
}

export function addPair(state: PairMoments, y: number, x: number): PairMoments {
  const before = state.count;
  const count = before + 1;
  const { sumX: oldX, sumY: oldY } = state;
  const sumX = oldX + x;
  const sumY = oldY + y;
  state.count = count;
  state.sumX = sumX;
  state.sumY = sumY;
  if (before > 0) {
    const differenceX = x * count - sumX;
    const differenceY = y * count - sumY;
    const scale = 1 / (count * before);
    state.squaresX += differenceX * differenceX * scale;
    state.squaresY += differenceY * differenceY * scale;
    state.products += differenceX * differenceY * scale;
    checkPair(state, oldX, oldY, x, y);
  } else {
    if (x - x !== 0) state.squaresX = state.products = NaN;
    if (y - y !== 0) state.squaresY = state.products = NaN;
  }
  return state;
}

function checkPair(state: PairMoments, oldX: number, oldY: number, x: number, y: number): void {
  const wideX = isInfinite(state.sumX) || isInfinite(state.squaresX);
  const wideY = isInfinite(state.sumY) || isInfinite(state.squaresY);
  const wide = isInfinite(state.products);
  if (!wideX && !wideY && !wide) return;
  const plainX = !isInfinite(oldX) && !isInfinite(x);
  const plainY = !isInfinite(oldY) && !isInfinite(y);
  if ((wideX && plainX) || (wideY && plainY) || (wide && plainX && plainY)) floatOverflow();
  if (isInfinite(state.squaresX)) state.squaresX = NaN;
  if (isInfinite(state.squaresY)) state.squaresY = NaN;
  if (wide) state.products = NaN;
}
