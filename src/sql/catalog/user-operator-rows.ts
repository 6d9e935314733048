/** User-defined operators, casts and aggregates, in pg_operator, pg_cast and pg_aggregate. */
import type { RecordedAggregateParts, RoutineReference } from '../../worlds/definition.ts';
import type { Schema } from '../schema/schema.ts';
import type { SqlType } from '../types/type.ts';
import { rangeCasts } from './range-constructors.ts';
import type { FunctionCatalog } from './function-catalog.ts';
import type { Row } from './made-relation.ts';
import type { OperatorCatalog } from './operator-catalog.ts';

const CONTEXTS = { implicit: 'i', assignment: 'a', explicit: 'e' } as const;
const MODIFIES = { read_only: 'r', shareable: 's', read_write: 'w' } as const;
const METHODS = { binary: 'b', io: 'i', function: 'f' } as const;

/** Oid of the function; 0 for none. */
export function routineOid(functions: FunctionCatalog, reference: RoutineReference | null, types: readonly (SqlType | null)[]): number {
  if (reference === null) return 0;
  if ('own' in reference) return reference.own;
  const named = functions.byName.get(reference.name) ?? [];
  const oids = types.flatMap((type) => (type === null ? [] : [type.oid])).join();
  return (named.find(({ args }) => args.join() === oids) ?? named[0])?.oid ?? 0;
}

export function userOperatorRows(schema: Schema, operators: OperatorCatalog, functions: FunctionCatalog): Row[] {
  const own = [...schema.operators.values()];
  const other = (name: string | null, left: number, right: number): number => {
    if (name === null) return 0;
    const found = own.find(({ object }) => object.name === name && object.left === left && object.right === right);
    return found?.object.number ?? (operators.byName.get(name) ?? []).find((each) => each.left === left && each.right === right)?.oid ?? 0;
  };
  // An operator that names another as its commutator or negator is that one's as well.
  const namedBy = (side: 'commutator' | 'negator', name: string, left: number, right: number): number =>
    own.find(({ object }) => object[side] === name && object.left === left && object.right === right)?.object.number ?? 0;
  return own.map(({ object, left, right }): Row => {
    const { number, name, merges, hashes, returns, routine, commutator, negator, restrict, join } = object;
    const estimator = (called: string | undefined): number => (called === undefined ? 0 : (functions.byName.get(called)?.[0]?.oid ?? 0));
    // prettier-ignore
    return [
      number, name, schema.schemas.get(object.schema) ?? 0, schema.ownerOf(number), left === null ? 'l' : 'b', merges, hashes, object.left, object.right, returns,
      other(commutator, object.right, object.left) || namedBy('commutator', name, object.right, object.left), other(negator, object.left, object.right) || namedBy('negator', name, object.left, object.right), routineOid(functions, routine, [left, right]), estimator(restrict), estimator(join),
    ];
  });
}

export function userCastRows(schema: Schema, functions: FunctionCatalog): Row[] {
  const ofRanges = rangeCasts(schema).map(({ oid, from, to, routine }): Row => [oid, from, to, routine, 'e', 'f']);
  const own = [...schema.casts.values()].map(({ object, from }): Row => {
    const { number, to, context, method, routine } = object;
    return [number, object.from, to, routineOid(functions, routine, [from]), CONTEXTS[context], METHODS[method]];
  });
  return [...own, ...ofRanges];
}

export function userAggregateRows(schema: Schema, functions: FunctionCatalog): Row[] {
  return [...schema.functions.values()].flatMap(({ object, inputs }): Row[] => {
    const { aggregate } = object;
    if (aggregate === undefined) return [];
    const state = schema.typeByOid(aggregate.state)!;
    const { direct, hypothetical, initial, finishExtra, recorded = {} } = aggregate;
    const { combine = null, moving, sort = 0, spaceBytes = 0 } = recorded;
    const stepped = inputs.slice(direct ?? 0).map(({ type }) => type);
    const movingState = moving === undefined ? null : schema.typeByOid(moving.state)!;
    const ofMoving = (reference: RoutineReference | null | undefined, types: readonly SqlType[]): number =>
      routineOid(functions, reference ?? null, [movingState, ...types]);
    const modify = (word: NonNullable<RecordedAggregateParts['modify']> | undefined): string =>
      MODIFIES[word ?? (direct === undefined ? 'read_only' : 'read_write')];
    const kind = direct === undefined ? 'n' : hypothetical === true ? 'h' : 'o';
    const step = routineOid(functions, aggregate.step, [state, ...stepped]);
    const finish = routineOid(functions, aggregate.finish, [state]);
    // prettier-ignore
    return [[
      object.number, kind, direct ?? 0, step, finish, routineOid(functions, combine, [state, state]), 0, 0,
      ofMoving(moving?.step, stepped), ofMoving(moving?.inverse, stepped), ofMoving(moving?.finish, []),
      finishExtra, moving?.finishExtra === true, modify(recorded.modify), modify(moving?.modify), sort, aggregate.state, spaceBytes,
      moving?.state ?? 0, moving?.spaceBytes ?? 0, initial, moving?.initial ?? null,
    ]];
  });
}
