/**
 * A value of a geometric type: its numbers, as Postgres stores them.
 *
 *   point x, y    lseg two points    box upper right, lower left    line A, B, C of Ax + By + C = 0
 *   circle centre, radius            path and polygon their points
 */
export class Geometry {
  readonly numbers: readonly number[];
  /** Of a path. */
  readonly closed: boolean;

  constructor(numbers: readonly number[], closed = true) {
    this.numbers = numbers;
    this.closed = closed;
  }
}
