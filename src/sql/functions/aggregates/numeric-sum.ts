/**
 * Sums of exact numbers and of their squares, for sum, avg, variance and stddev. Sums are whole numbers at one scale, the greatest
 * so far. The number of values per scale is kept, because a result shows the greatest scale of those in a moving frame; while all
 * have one scale, their count suffices.
 */
import {
  INFINITY,
  NAN,
  NEGATIVE_INFINITY,
  Numeric,
  ZERO,
  compare,
  div,
  divideAt,
  isSpecial,
  mul,
  quotientScale,
  scaleUp,
  sub,
  withScale,
} from '../../types/numeric.ts';
import { sqrtAt } from '../../types/numeric-analysis.ts';
import type { Whole } from '../../types/value.ts';
import { addWhole, mulWhole, subWhole } from '../../types/whole.ts';

export class NumericSum {
  /** Values that are neither NaN nor infinite. */
  finite = 0;
  sum: Whole = 0;
  /** At twice the scale. */
  squares: Whole = 0;
  scale = 0;
  scales: Map<number, number> | null = null;
  nans = 0;
  ups = 0;
  downs = 0;
  readonly squared: boolean;

  constructor(squared: boolean) {
    this.squared = squared;
  }

  get count(): number {
    return this.finite + this.nans + this.ups + this.downs;
  }
}

function tally(state: NumericSum, value: Numeric, change: number): void {
  if (value.coefficient === Infinity) state.ups += change;
  else if (value.coefficient === -Infinity) state.downs += change;
  else state.nans += change;
}

/** The coefficient of a value at the state's scale, which is raised if necessary. */
function align(state: NumericSum, value: Numeric): Whole {
  if (value.scale < state.scale) return scaleUp(value.coefficient, state.scale - value.scale);
  const places = value.scale - state.scale;
  state.sum = scaleUp(state.sum, places);
  state.squares = scaleUp(state.squares, 2 * places);
  state.scale = value.scale;
  return value.coefficient;
}

function noteScale(state: NumericSum, scale: number, change: number): void {
  state.scales ??= new Map([[state.scale, state.finite]]);
  state.scales.set(scale, (state.scales.get(scale) ?? 0) + change);
}

export function addNumeric(state: NumericSum, value: Numeric): NumericSum {
  if (isSpecial(value)) {
    tally(state, value, 1);
    return state;
  }
  let coefficient = value.coefficient;
  if (state.finite === 0 && state.scales === null) {
    if (value.scale !== state.scale) coefficient = align(state, value);
    if (value.scale !== state.scale) noteScale(state, value.scale, 1);
  } else if (value.scale !== state.scale || state.scales !== null) {
    noteScale(state, value.scale, 1);
    if (value.scale !== state.scale) coefficient = align(state, value);
  }
  state.finite++;
  state.sum = addWhole(state.sum, coefficient);
  if (state.squared) state.squares = addWhole(state.squares, mulWhole(coefficient, coefficient));
  return state;
}

export function removeNumeric(state: NumericSum, value: Numeric): NumericSum {
  if (isSpecial(value)) {
    tally(state, value, -1);
    return state;
  }
  if (state.scales !== null) noteScale(state, value.scale, -1);
  const coefficient = value.scale === state.scale ? value.coefficient : align(state, value);
  state.finite--;
  state.sum = subWhole(state.sum, coefficient);
  if (state.squared) state.squares = subWhole(state.squares, mulWhole(coefficient, coefficient));
  return state;
}

/** For integers, which have scale 0 and no NaN. */
export function addInteger(state: NumericSum, value: Whole): NumericSum {
  state.finite++;
  state.sum = addWhole(state.sum, value);
  if (state.squared) state.squares = addWhole(state.squares, mulWhole(value, value));
  return state;
}

export function removeInteger(state: NumericSum, value: Whole): NumericSum {
  state.finite--;
  state.sum = subWhole(state.sum, value);
  if (state.squared) state.squares = subWhole(state.squares, mulWhole(value, value));
  return state;
}

function shownScale(state: NumericSum): number {
  if (state.scales === null) return state.scale;
  let greatest = 0;
  for (const [scale, count] of state.scales) if (count > 0 && scale > greatest) greatest = scale;
  return greatest;
}

function special(state: NumericSum): Numeric | undefined {
  if (state.nans > 0 || (state.ups > 0 && state.downs > 0)) return NAN;
  return state.ups > 0 ? INFINITY : state.downs > 0 ? NEGATIVE_INFINITY : undefined;
}

function finiteSum(state: NumericSum): Numeric {
  return withScale(new Numeric(state.sum, state.scale), shownScale(state));
}

export function sumOf(state: NumericSum): Numeric | null {
  return state.count === 0 ? null : (special(state) ?? finiteSum(state));
}

export function averageOf(state: NumericSum): Numeric | null {
  return state.count === 0 ? null : (special(state) ?? div(finiteSum(state), new Numeric(state.finite, 0)));
}

/** (N·Σx² - (Σx)²) / (N·(N-1)), or / N² for the population; its root for a deviation. */
export function deviationOf(state: NumericSum, sample: boolean, root: boolean): Numeric | null {
  const { count } = state;
  if (count < (sample ? 2 : 1)) return null;
  if (special(state) !== undefined) return NAN;
  const scale = shownScale(state);
  const sum = finiteSum(state);
  const squares = withScale(new Numeric(state.squares, 2 * state.scale), 2 * scale);
  const rows = new Numeric(count, 0);
  const numerator = sub(mul(rows, squares), mul(sum, sum));
  if (compare(numerator, ZERO) <= 0) return ZERO;
  const denominator = mul(rows, sample ? new Numeric(count - 1, 0) : rows);
  const places = quotientScale(numerator, denominator);
  const variance = divideAt(numerator, denominator, places);
  return root ? sqrtAt(variance, places) : variance;
}
