/** OVER (…): named windows, their extension, frames. */
import type { Expression } from '../ast/expression.ts';
import type { FrameBound, Window } from '../ast/query.ts';
import { startOf, writtenStartOf } from '../ast/start-of.ts';
import type { Bound, BoundSort } from '../plan/bound.ts';
import type { BoundFrame, BoundFrameEdge } from '../plan/logical.ts';
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

/** The definition behind a name or written in place, with what it takes over from the window it extends. */
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

export function bindWindow(binder: Binder, over: Window | string, scope: Scope, at: number): BoundWindow {
  const window = definition(scope, over, at);
  const saved = scope.within;
  scope.within = 'window definitions';
  const partitionBy = window.partitionBy.map((each) => {
    const value = binder.coercion.settle(bindExpression(binder, each, scope), each.at);
    groupingEquality(binder, value.type, writtenStartOf(each));
    const folding = binder.collations?.folding(binder.collations.of(each), value.type) ?? null;
    return folding === null ? value : collatedKey(binder, value, folding);
  });
  // A key that comes again orders nothing.
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
  const offsets = [frame.start, end].filter((edge) => 'offset' in edge);
  let inRange: BoundFrame['inRange'] = null;
  let offsetType = binder.type('int8');
  if (frame.mode === 'range' && offsets.length > 0) {
    if (orderBy.length !== 1) fail('42P20', 'RANGE with offset PRECEDING/FOLLOWING requires exactly one ORDER BY column', at);
    const type = orderBy[0].value.type;
    const [written] = offsets as { offset: Expression }[];
    offsetType = rangeOffsetType(binder, type.name, type.title, startOf(written.offset));
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
  const edge = (bound: FrameBound): BoundFrameEdge => {
    if (!('offset' in bound)) return bound;
    const value = bindExpression(binder, bound.offset, scope);
    if (anyIn(value, (each) => each.kind === 'column')) fail('42P10', `argument of ${frame.mode.toUpperCase()} must not contain variables`, bound.offset.at);
    const coerced = binder.coercion.tryCoerce(value, offsetType, -1, 'implicit', bound.offset.at);
    if (coerced === null)
      fail(
        '42804',
        `argument of ${frame.mode.toUpperCase()} must be type ${offsetType.title}, not type ${binder.coercion.typeOf(value).title}`,
        bound.offset.at,
      );
    return { type: bound.type, offset: coerced };
  };
  return { mode: frame.mode, start: edge(frame.start), end: edge(end), exclude: frame.exclude, inRange };
}

function rangeOffsetType(binder: Binder, name: string, title: string, at: number): import('../types/type.ts').SqlType {
  switch (name) {
    case 'int2':
    case 'int4':
    case 'int8':
      return binder.type(name);
    case 'float4':
    case 'float8':
      return binder.type('float8');
    case 'numeric':
      return binder.type('numeric');
    case 'date':
    case 'time':
    case 'timetz':
    case 'timestamp':
    case 'timestamptz':
    case 'interval':
      return binder.type('interval');
    default:
      return fail('0A000', `RANGE with offset PRECEDING/FOLLOWING is not supported for column type ${title}`, at);
  }
}
