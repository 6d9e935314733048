/** Texts of large values with parts: arrays of one dimension and multiranges. They are built in time slices; concatenating them at the end is one copy. */
import { delimiterOf } from '../types/array-type.ts';
import { ArrayValue } from '../types/array-value.ts';
import { MultirangeValue } from '../types/range-value.ts';
import type { Environment } from '../types/environment.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { YIELD, type Yield } from './batch.ts';
import type { Run } from './run.ts';

/** Shorter ones take some 5 ms. */
const PARTS_MIN = 20_000;
const PARTS_STEP = 512;

/** Whether values of the type may have this many parts. */
export function mayHaveParts(type: SqlType): boolean {
  return type.element !== null || type.name.endsWith('multirange');
}

export function hasManyParts(value: Value): boolean {
  if (value instanceof ArrayValue) return value.elements.length >= PARTS_MIN && value.lengths.length === 1 && value.lowers[0] === 1;
  return value instanceof MultirangeValue && value.ranges.length >= PARTS_MIN;
}

/** The text of such a value, as `format` of its type gives it. */
export function* formatLong(run: Run, type: SqlType, value: Value): Generator<Yield, string> {
  const texts: string[] = [];
  for (const part of value instanceof ArrayValue ? arrayParts(value, type, run.context.env) : rangeParts(value as MultirangeValue, type, run.context.env)) {
    texts.push(part);
    if (run.late()) yield YIELD;
  }
  return texts.join('');
}

/** One dimension with lower bound 1: no prefix before the brace. */
export function* arrayParts({ elements }: ArrayValue, type: SqlType, env: Environment): Generator<string> {
  const delimiter = delimiterOf(type.element!);
  for (let from = 0; from < elements.length; from += PARTS_STEP) {
    const text = type.format(new ArrayValue(elements.slice(from, from + PARTS_STEP)), env);
    yield (from === 0 ? '{' : delimiter) + text.slice(1, -1);
  }
  yield '}';
}

function* rangeParts({ ranges }: MultirangeValue, type: SqlType, env: Environment): Generator<string> {
  for (let from = 0; from < ranges.length; from += PARTS_STEP) {
    const text = type.format(new MultirangeValue(ranges.slice(from, from + PARTS_STEP)), env);
    yield (from === 0 ? '{' : ',') + text.slice(1, -1);
  }
  yield '}';
}
