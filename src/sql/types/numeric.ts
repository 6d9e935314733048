/**
 * An exact decimal: `coefficient` × 10^-`scale`, with the display scale that Postgres keeps (1.50 has scale 2).
 * NaN and ±Infinity have the JS number of that name as coefficient and scale 0.
 */
import type { Whole } from './value.ts';

export class Numeric {
  readonly coefficient: Whole;
  readonly scale: number;

  constructor(coefficient: Whole, scale: number) {
    this.coefficient = coefficient;
    this.scale = scale;
  }
}
