/** Window functions that read other rows: lag, lead, first_value, last_value, nth_value. Manual, section 9.22. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { Value } from '../../types/value.ts';
import type { Call, FunctionModule, WindowFunction, WindowView } from '../define.ts';

/** The value `direction` × offset rows on; these two use the partition, not the frame. */
function shifted(view: WindowView, call: Call, direction: 1 | -1): Value {
  const given = call.argTypes.length;
  const offset = given > 1 ? (view.arg(1, view.row) as number | null) : 1;
  if (offset === null) return null;
  const at = view.row + direction * offset;
  if (at >= 0 && at < view.count) return view.arg(0, at);
  return given > 2 ? view.arg(2, view.row) : null;
}

function firstValue(view: WindowView): Value {
  for (let at = view.frameStart; at < view.frameEnd; at++) if (view.inFrame(at)) return view.arg(0, at);
  return null;
}

function lastValue(view: WindowView): Value {
  for (let at = view.frameEnd - 1; at >= view.frameStart; at--) if (view.inFrame(at)) return view.arg(0, at);
  return null;
}

function nthValue(view: WindowView): Value {
  let left = view.arg(1, view.row) as number | null;
  if (left === null) return null;
  if (left <= 0) throw new SvcError('22016', 'argument of nth_value must be greater than zero');
  if (left > view.frameEnd - view.frameStart) return null;
  for (let at = view.frameStart; at < view.frameEnd; at++) if (view.inFrame(at) && --left === 0) return view.arg(0, at);
  return null;
}

function shift(name: 'lag' | 'lead', direction: 1 | -1): WindowFunction[] {
  const where = direction === 1 ? 'after' : 'before';
  const impl = (view: WindowView, call: Call): Value => shifted(view, call, direction);
  const common = { kind: 'window', name, needs: 'rows', impl } as const;
  return [
    { ...common, args: ['anyelement'], returns: 'anyelement', doc: `The value in the row ${where} this one, null where there is none.` },
    { ...common, args: ['anyelement', 'int4'], returns: 'anyelement', doc: `The value n rows ${where} this one, null where there is none.` },
    {
      ...common,
      args: ['anycompatible', 'int4', 'anycompatible'],
      returns: 'anycompatible',
      doc: `The value n rows ${where} this one, the default where there is no such row.`,
    },
  ];
}

export const WINDOW_VALUE: FunctionModule = {
  functions: [
    ...shift('lag', -1),
    ...shift('lead', 1),
    {
      kind: 'window',
      needs: 'frame',
      name: 'first_value',
      args: ['anyelement'],
      returns: 'anyelement',
      doc: 'The value in the first row of the frame.',
      impl: firstValue,
    },
    {
      kind: 'window',
      needs: 'frame',
      name: 'last_value',
      args: ['anyelement'],
      returns: 'anyelement',
      doc: 'The value in the last row of the frame.',
      impl: lastValue,
    },
    {
      kind: 'window',
      needs: 'frame',
      name: 'nth_value',
      args: ['anyelement', 'int4'],
      returns: 'anyelement',
      doc: 'The value in the n-th row of the frame, null where it is shorter.',
      impl: nthValue,
    },
  ],
};
