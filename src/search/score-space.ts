/** Memory for the scores of a block of rows, which later searches use again: the collector would run every few searches. All zeros. */
export interface ScoreSpace {
  /** By row of the block. */
  readonly scores: Float64Array;
  /** How many phrases each row has. */
  readonly has: Uint16Array;
  /** Rows of the block with scores, where they are few. */
  readonly rows: Uint16Array;
  readonly listed: Float64Array;
}

const spare: ScoreSpace[] = [];
const SPARE_MAX = 4;

export function takeSpace(rows: number): ScoreSpace {
  return spare.pop() ?? { scores: new Float64Array(rows), has: new Uint16Array(rows), rows: new Uint16Array(rows), listed: new Float64Array(rows) };
}

export function giveBack(space: ScoreSpace): void {
  if (spare.length < SPARE_MAX) spare.push(space);
}
