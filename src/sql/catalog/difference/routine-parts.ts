/** Functions, procedures, aggregates, operators and casts. */
import { quoteNames, quoteString } from '../../../base/quote-identifier.ts';
import type { FunctionObject, RoutineReference } from '../../../worlds/definition.ts';
import { nameOf } from '../../schema/qualified-name.ts';
import { keyOf } from '../../schema/drop-target.ts';
import { functionsOfTypes } from './type-parts.ts';
import { type Changes, Part, PLACE, renamed, type Side } from './part.ts';

export function routineParts(side: Side, other: Side): Part[] {
  return [...functionParts(side, other), ...operatorParts(side), ...castParts(side)];
}

/** A function's name in statements. */
export function routineName({ schema, names }: Side, reference: RoutineReference): string {
  if ('name' in reference) return reference.name;
  return names.functionName(reference.own) ?? schema.functions.get(reference.own)?.object.name ?? '?';
}

function functionParts(side: Side, other: Side): Part[] {
  const { schema, names } = side;
  const types = functionsOfTypes(schema);
  return [...schema.functions.values()].map(({ object }): Part => {
    const type = types.get(object.number);
    const { number, aggregate, procedure } = object;
    const word = aggregate !== undefined ? 'AGGREGATE' : procedure ? 'PROCEDURE' : 'FUNCTION';
    const args = names.functionArguments(number, true) ?? '';
    const signature = `${nameOf(object)}(${args === '' && aggregate !== undefined ? '*' : args})`;
    const make = (): string => (aggregate === undefined ? `${names.functionDefinition(number)!.trim()};` : aggregateText(side, object, signature));
    return new Part({
      target: { kind: 'function', number },
      number,
      place: PLACE.shapes,
      owner: type === undefined ? null : keyOf({ kind: 'type', number: type }),
      title: `function ${signature}`,
      called: `${word} ${signature}`,
      text: () => ({ body: make(), make: type === undefined ? [make().replace(/^CREATE OR REPLACE /, 'CREATE ')] : [] }),
      drop: type === undefined ? `DROP ${word} ${signature};` : '',
      change: (): Changes | null => {
        const old = other.schema.functions.get(number)!.object;
        const shape = ({ args: all, returns, set, columns, procedure: isProcedure }: FunctionObject): string =>
          JSON.stringify([all.map(({ name, mode, type }) => [name, mode, type]), returns, set, columns, isProcedure]);
        if (aggregate !== undefined || shape(old) !== shape(object)) return null;
        const ahead = renamed(`ALTER ${word}`, old, object, `(${args})`);
        const isSame = JSON.stringify({ ...old, name: '', schema: '' }) === JSON.stringify({ ...object, name: '', schema: '' });
        return { ahead: isSame ? ahead : [...ahead, make()], behind: [] };
      },
    });
  });
}

function aggregateText(side: Side, object: FunctionObject, signature: string): string {
  const { names } = side;
  const { step, state, finish, finishExtra, initial, hypothetical, recorded = {} } = object.aggregate!;
  const { combine, modify, spaceBytes, sort, moving } = recorded;
  const parts = [`SFUNC = ${routineName(side, step)}`, `STYPE = ${names.typeTitle(state, -1) ?? state}`];
  if (finish !== null) parts.push(`FINALFUNC = ${routineName(side, finish)}`);
  if (finishExtra) parts.push('FINALFUNC_EXTRA');
  if (initial !== null) parts.push(`INITCOND = ${quoteString(initial)}`);
  if (modify !== undefined) parts.push(`FINALFUNC_MODIFY = ${modify.toUpperCase()}`);
  if (spaceBytes !== undefined) parts.push(`SSPACE = ${spaceBytes}`);
  if (combine !== undefined) parts.push(`COMBINEFUNC = ${routineName(side, combine)}`);
  if (moving !== undefined) {
    parts.push(`MSFUNC = ${routineName(side, moving.step)}`, `MINVFUNC = ${routineName(side, moving.inverse)}`);
    parts.push(`MSTYPE = ${names.typeTitle(moving.state, -1) ?? moving.state}`);
    if (moving.finish !== null) parts.push(`MFINALFUNC = ${routineName(side, moving.finish)}`);
    if (moving.finishExtra === true) parts.push('MFINALFUNC_EXTRA');
    if (moving.modify !== undefined) parts.push(`MFINALFUNC_MODIFY = ${moving.modify.toUpperCase()}`);
    if (moving.spaceBytes !== undefined) parts.push(`MSSPACE = ${moving.spaceBytes}`);
    if (moving.initial !== null) parts.push(`MINITCOND = ${quoteString(moving.initial)}`);
  }
  // A signature contains the operator's types, which are the argument's.
  if (sort !== undefined) parts.push(`SORTOP = ${names.operatorSignature(sort)!.replace(/\(.*$/su, '')}`);
  if (object.parallel !== undefined) parts.push(`PARALLEL = ${object.parallel.toUpperCase()}`);
  if (hypothetical === true) parts.push('HYPOTHETICAL');
  return `CREATE AGGREGATE ${signature} (${parts.join(', ')});`;
}

function operatorParts(side: Side): Part[] {
  const { schema, names } = side;
  return [...schema.operators.values()].map(({ object }): Part => {
    const { number, left, right, routine, commutator, negator, merges, hashes, restrict, join } = object;
    const name = object.schema === 'public' ? object.name : `${quoteNames([object.schema])}.${object.name}`;
    const type = (oid: number): string => names.typeTitle(oid, -1) ?? String(oid);
    const parts = [`FUNCTION = ${routineName(side, routine)}`];
    if (left !== 0) parts.push(`LEFTARG = ${type(left)}`);
    parts.push(`RIGHTARG = ${type(right)}`);
    if (commutator !== null) parts.push(`COMMUTATOR = ${commutator}`);
    if (negator !== null) parts.push(`NEGATOR = ${negator}`);
    if (restrict !== undefined) parts.push(`RESTRICT = ${restrict}`);
    if (join !== undefined) parts.push(`JOIN = ${join}`);
    if (hashes) parts.push('HASHES');
    if (merges) parts.push('MERGES');
    const signature = `${name} (${left === 0 ? 'NONE' : type(left)}, ${type(right)})`;
    const make = `CREATE OPERATOR ${name} (${parts.join(', ')});`;
    return new Part({
      target: { kind: 'operator', number },
      number,
      place: PLACE.shapes,
      owner: null,
      title: `operator ${signature}`,
      called: `OPERATOR ${signature}`,
      text: () => ({ make: [make] }),
      drop: `DROP OPERATOR ${signature};`,
    });
  });
}

const CONTEXTS = { implicit: ' AS IMPLICIT', assignment: ' AS ASSIGNMENT', explicit: '' } as const;

function castParts(side: Side): Part[] {
  const { schema, names } = side;
  return [...schema.casts.values()].map(({ object }): Part => {
    const { number, from, to, method, routine, context } = object;
    const name = `(${names.typeTitle(from, -1) ?? from} AS ${names.typeTitle(to, -1) ?? to})`;
    const called = routine === null ? '' : 'own' in routine ? (names.procedureName(routine.own) ?? routineName(side, routine)) : routine.name;
    const how = method === 'binary' ? 'WITHOUT FUNCTION' : method === 'io' ? 'WITH INOUT' : `WITH FUNCTION ${called}`;
    const make = `CREATE CAST ${name} ${how}${CONTEXTS[context]};`;
    return new Part({
      target: { kind: 'cast', number },
      number,
      place: PLACE.shapes,
      owner: null,
      title: `cast ${name}`,
      called: `CAST ${name}`,
      text: () => ({ make: [make] }),
      drop: `DROP CAST ${name};`,
    });
  });
}
