/**
 * The functions of a user-defined range type in pg_proc: a range of two bounds, with and without their inclusiveness, and a
 * multirange of nothing, of one range and of many. Calls find them through the type; here are only their rows.
 */
import type { FunctionObject, RangeObject } from '../../worlds/definition.ts';
import type { Schema, UserFunction } from '../schema/schema.ts';
import { OID } from '../schema/oids.ts';
import { rangeCastOid, rangeFunctionOid } from './fixed-oids.ts';

export interface RangeConstructor extends UserFunction {
  /** Oid of the type that it belongs to. */
  readonly of: number;
}

interface Shape {
  /** Its C name. */
  readonly body: string;
  readonly of: 'range' | 'multirange';
  readonly args: (range: RangeObject) => number[];
  readonly variadic?: boolean;
}

const SHAPES: readonly Shape[] = [
  { body: 'range_constructor2', of: 'range', args: ({ subtype }) => [subtype, subtype] },
  { body: 'range_constructor3', of: 'range', args: ({ subtype }) => [subtype, subtype, OID.text] },
  { body: 'multirange_constructor0', of: 'multirange', args: () => [] },
  { body: 'multirange_constructor1', of: 'multirange', args: ({ number }) => [number] },
  { body: 'multirange_constructor2', of: 'multirange', args: ({ array }) => [array], variadic: true },
];

const known = new WeakMap<Schema, readonly RangeConstructor[]>();

export function rangeConstructors(schema: Schema): readonly RangeConstructor[] {
  let out = known.get(schema);
  if (out === undefined) {
    const ranges = [...schema.types.values()].flatMap(({ object }) => (object.what === 'range' ? [object] : []));
    known.set(schema, (out = ranges.flatMap((range) => SHAPES.map((shape, i) => constructorOf(schema, range, shape, i)))));
  }
  return out;
}

/** Casts of ranges to their multiranges. */
export function rangeCasts(schema: Schema): { readonly oid: number; readonly from: number; readonly to: number; readonly routine: number }[] {
  return rangeConstructors(schema).flatMap(({ object, inputs, variadic }) =>
    inputs.length === 1 && !variadic ? [{ oid: rangeCastOid(inputs[0].type.oid), from: inputs[0].type.oid, to: object.returns, routine: object.number }] : [],
  );
}

function constructorOf(schema: Schema, range: RangeObject, { body, of, args, variadic = false }: Shape, place: number): RangeConstructor {
  const types = args(range);
  const own = of === 'range' ? range.number : range.multirange;
  const object: FunctionObject = {
    what: 'function',
    number: rangeFunctionOid(range.number, place),
    schema: range.schema,
    name: of === 'range' ? range.name : range.multirangeName,
    procedure: false,
    args: types.map((type) => ({ name: null, mode: variadic ? 'variadic' : 'in', type, default: null })),
    returns: own,
    set: false,
    columns: null,
    body,
    form: 'text',
    volatility: 'immutable',
    strict: of === 'multirange',
    parallel: 'safe',
    language: 'internal',
  };
  const inputs = types.map((type) => ({ name: null, type: schema.typeByOid(type)!, default: null }));
  return { object, inputs, variadic, returns: schema.typeByOid(own)!, columns: null, of: own };
}
