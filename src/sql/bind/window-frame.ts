/** OVER (…): named windows, their extension, frames. */
import type { FrameBound, Select, Window } from '../ast/query.ts';
import { startOf, writtenStartOf } from '../ast/start-of.ts';
import type { Bound, BoundSort } from '../plan/bound.ts';
import type { BoundFrame, BoundFrameEdge } from '../plan/logical.ts';
import type { SqlType } from '../types/type.ts';
import { type Binder, fail } from './binder.ts';
import { collatedKey } from './collated.ts';
import { bindExpression } from './expression.ts';
import { bindOperator, groupingEquality } from './operator.ts';
import type { Scope } from './scope.ts';
import { anyIn, sameExpression } from './walk.ts';
import { bindSortKeys } from './sort.ts';

export interface BoundWindow {
  readonly order: number;
  readonly written: Window | string;
  readonly partitionBy: readonly Bound[];
  readonly orderBy: readonly BoundSort[];
  readonly frame: BoundFrame;
}

/** The definition of a window by name or inline, with the parts of the window it extends. */
function definition(scope: Scope, over: Window | string, at: number): Window {
  if (typeof over === 'string') {
    const named = scope.windowDefinitions.get(over);
    if (named === undefined) fail('42704', `window "${over}" does not exist`, at);
    return definition(scope, named, at);
  }
  if (over.base === null) return over;
  const plain = over.partitionBy.length === 0 && over.orderBy.length === 0 && over.frame === null;
  const named = scope.windowDefinitions.get(over.base);
  if (named === undefined) fail('42704', `window "${over.base}" does not exist`, at);
  const base = definition(scope, named, at);
  if (over.partitionBy.length > 0) fail('42P20', `cannot override PARTITION BY clause of window "${over.base}"`, at);
  if (over.orderBy.length > 0 && base.orderBy.length > 0) fail('42P20', `cannot override ORDER BY clause of window "${over.base}"`, at);
  if (base.frame !== null)
    fail('42P20', `cannot copy window "${over.base}" because it has a frame clause`, at, plain ? { hint: 'Omit the parentheses in this OVER clause.' } : {});
  return { ...over, base: null, partitionBy: base.partitionBy, orderBy: base.orderBy.length > 0 ? base.orderBy : over.orderBy };
}

/** Unused windows are checked all the same. */
export function bindUnusedWindows(binder: Binder, query: Select, scope: Scope): void {
  for (const { name, at } of query.windows) if (!scope.level.windows.some(({ written }) => written === name)) bindWindow(binder, name, scope, at);
}

export function bindWindow(binder: Binder, over: Window | string, scope: Scope, at: number): BoundWindow {
  const window = definition(scope, over, at);
  const saved = scope.within;
  scope.within = 'window definitions';
  const partitionBy = window.partitionBy.map((each) => {
    const value = binder.coercion.resolveUnknown(bindExpression(binder, each, scope), each.at);
    groupingEquality(binder, value.type, writtenStartOf(each));
    const folding = binder.collations?.folding(binder.collations.of(each), value.type) ?? null;
    return folding === null ? value : collatedKey(binder, value, folding);
  });
  // A repeated key has no effect on the order.
  const orderBy = bindSortKeys(binder, window.orderBy, scope).filter((key, i, all) => all.findIndex((other) => sameExpression(other.value, key.value)) === i);
  const frame = bindFrame(binder, window, orderBy, scope, at);
  scope.within = saved;
  const order = typeof over === 'string' ? [...scope.windowDefinitions.keys()].indexOf(over) : scope.windowDefinitions.size + scope.level.windows.length;
  return { order, written: over, partitionBy, orderBy, frame };
}

function bindFrame(binder: Binder, window: Window, orderBy: readonly BoundSort[], scope: Scope, at: number): BoundFrame {
  const { frame } = window;
  if (frame === null) return { mode: 'range', start: { type: 'unboundedPreceding' }, end: { type: 'currentRow' }, exclude: 'noOthers', inRange: null };
  const end = frame.end ?? { type: 'currentRow' as const };
  if (frame.start.type === 'unboundedFollowing') fail('42P20', 'frame start cannot be UNBOUNDED FOLLOWING', at);
  if (end.type === 'unboundedPreceding') fail('42P20', 'frame end cannot be UNBOUNDED PRECEDING', at);
  if (frame.start.type === 'following' && end.type === 'preceding') fail('42P20', 'frame starting from following row cannot have preceding rows', at);
  if (frame.start.type === 'following' && end.type === 'currentRow') fail('42P20', 'frame starting from following row cannot end with current row', at);
  if (frame.start.type === 'currentRow' && end.type === 'preceding') fail('42P20', 'frame starting from current row cannot have preceding rows', at);
  if (frame.mode === 'groups' && orderBy.length === 0) fail('42P20', 'GROUPS mode requires an ORDER BY clause', at);
  const clause = frame.mode.toUpperCase() as 'ROWS';
  const { within } = scope;
  scope.within = `window ${clause}`;
  const offsetOf = (bound: FrameBound): Offset | null => {
    if (!('offset' in bound)) return null;
    return { value: bindExpression(binder, bound.offset, scope), at: startOf(bound.offset) };
  };
  const given = [offsetOf(frame.start), offsetOf(end)] as const;
  scope.within = within;
  const offsets = given.filter((each) => each !== null);
  let inRange: BoundFrame['inRange'] = null;
  let offsetType = binder.type('int8');
  if (frame.mode === 'range' && offsets.length > 0) {
    if (orderBy.length !== 1) fail('42P20', 'RANGE with offset PRECEDING/FOLLOWING requires exactly one ORDER BY column', at);
    const type = orderBy[0].value.type;
    const types = offsets.map((each) => rangeOffsetType(binder, type, each));
    offsetType = types.reduce((wide, each) => (each.length > wide.length ? each : wide));
    const column = (id: number): Bound => ({ kind: 'column', id, type, typmod: -1 });
    const value = binder.id();
    const base = binder.id();
    const offset = binder.id();
    const distance: Bound = { kind: 'column', id: offset, type: offsetType, typmod: -1 };
    inRange = {
      value,
      base,
      offset,
      minus: binder.coercion.coerce(bindOperator(binder, { schema: null, name: '-' }, column(base), distance, at), type, -1, 'explicit', at),
      plus: binder.coercion.coerce(bindOperator(binder, { schema: null, name: '+' }, column(base), distance, at), type, -1, 'explicit', at),
    };
  }
  const edge = (bound: FrameBound, offset: Offset | null): BoundFrameEdge => {
    if (!('offset' in bound) || offset === null) return bound as BoundFrameEdge & { type: 'currentRow' };
    const { value, at: place } = offset;
    const coerced = binder.coercion.tryCoerce(value, offsetType, -1, 'assignment', place);
    if (coerced === null) fail('42804', `argument of ${clause} must be type ${offsetType.title}, not type ${binder.coercion.typeOf(value).title}`, place);
    if (anyIn(value, (each) => each.kind === 'column')) fail('42P10', `argument of ${clause} must not contain variables`, place);
    return { type: bound.type, offset: coerced };
  };
  return { mode: frame.mode, start: edge(frame.start, given[0]), end: edge(end, given[1]), exclude: frame.exclude, inRange };
}

/** The offset type of `in_range` for keys of the type. */
function rangeOffsetType(binder: Binder, key: SqlType, { value, at }: Offset): SqlType {
  const offers = RANGE_OFFSETS.get(key.name);
  const what = `RANGE with offset PRECEDING/FOLLOWING is not supported for column type ${key.title}`;
  if (offers === undefined) fail('0A000', what, at);
  const given = binder.coercion.typeOf(value);
  const fitting = offers.map((name) => binder.type(name)).filter((type) => binder.coercion.path(given, type, 'implicit') !== null);
  const preferred = given.name === 'unknown' ? key : given;
  const exact = fitting.find((type) => type === preferred);
  if (exact !== undefined) return exact;
  if (fitting.length === 0) fail('0A000', `${what} and offset type ${given.title}`, at, { hint: 'Cast the offset value to an appropriate type.' });
  if (fitting.length > 1) {
    fail('0A000', `RANGE with offset PRECEDING/FOLLOWING has multiple interpretations for column type ${key.title} and offset type ${given.title}`, at, {
      hint: 'Cast the offset value to the exact intended type.',
    });
  }
  return fitting[0];
}

const RANGE_OFFSETS: ReadonlyMap<string, readonly string[]> = new Map([
  ['int2', ['int8', 'int4', 'int2']],
  ['int4', ['int8', 'int4', 'int2']],
  ['int8', ['int8']],
  ['float4', ['float8']],
  ['float8', ['float8']],
  ['numeric', ['numeric']],
  ['date', ['interval']],
  ['time', ['interval']],
  ['timetz', ['interval']],
  ['timestamp', ['interval']],
  ['timestamptz', ['interval']],
  ['interval', ['interval']],
]);

interface Offset {
  readonly value: Bound;
  readonly at: number;
}
