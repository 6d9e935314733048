/** User-defined operator classes and families, in pg_opclass, pg_opfamily, pg_amop, pg_amproc and pg_depend. */
import { type FamilyFunctionObject, type FamilyOperatorObject, ownRoutine } from '../../worlds/definition.ts';
import { FIRST_OWN_OID } from '../schema/oids.ts';
import type { Schema } from '../schema/schema.ts';
import { operatorKey } from './facts.ts';
import { CLASS } from './fixed-oids.ts';
import type { FunctionCatalog } from './function-catalog.ts';
import type { Row } from './made-relation.ts';
import { methodOid, type OperatorCatalog } from './operator-catalog.ts';
import { groupNumbered } from './operator-groups.ts';
import { routineOid } from './user-operator-rows.ts';

export function ownFamilyRows(schema: Schema): Row[] {
  return [...schema.plain.of('operator family').values()].map(({ number, method, name, schema: within }) => [
    number,
    methodOid(method),
    name,
    schema.schemas.get(within) ?? 0,
    schema.ownerOf(number),
  ]);
}

export function ownClassRows(schema: Schema): Row[] {
  return [...schema.plain.of('operator class').values()].map(({ number, method, name, schema: within, family, type, standard, key }) => [
    number,
    methodOid(method),
    name,
    schema.schemas.get(within) ?? 0,
    schema.ownerOf(number),
    family,
    type,
    standard,
    key,
  ]);
}

function familyMethod(schema: Schema, family: number): string {
  return groupNumbered(schema, 'operator family', family)?.method ?? '';
}

/** Oid of the operator; 0 if there is no such built-in one any more. */
export function memberOperator({ operator, left, right }: FamilyOperatorObject, operators: OperatorCatalog): number {
  return ownRoutine(operator) ?? ('name' in operator ? (operators.byKey.get(operatorKey(operator.name, left, right))?.oid ?? 0) : 0);
}

export function memberFunction(schema: Schema, { routine, args }: FamilyFunctionObject, functions: FunctionCatalog): number {
  return routineOid(
    functions,
    routine,
    args.map((oid) => schema.typeByOid(oid)),
  );
}

export function ownFamilyOperatorRows(schema: Schema, operators: OperatorCatalog): Row[] {
  return [...schema.plain.of('family operator').values()].map((object): Row => {
    const { number, family, left, right, place, sort } = object;
    const method = methodOid(familyMethod(schema, family));
    return [number, family, left, right, place, sort === 0 ? 's' : 'o', memberOperator(object, operators), method, sort];
  });
}

export function ownFamilyFunctionRows(schema: Schema, functions: FunctionCatalog): Row[] {
  return [...schema.plain.of('family function').values()].map((object): Row => {
    const { number, family, left, right, place } = object;
    return [number, family, left, right, place, memberFunction(schema, object, functions)];
  });
}

/** Their dependencies on user-defined objects; those on built-in ones are omitted. */
export function operatorClassDependencyRows(schema: Schema): Row[] {
  const rows: Row[] = [];
  const add = (catalog: number, oid: number, refCatalog: number, ref: number | null, type: string): void => {
    if (ref !== null && ref >= FIRST_OWN_OID) rows.push([catalog, oid, 0, refCatalog, ref, 0, type]);
  };
  const within = (catalog: number, oid: number, name: string): void => {
    const number = schema.schemas.get(name);
    if (number !== undefined) rows.push([catalog, oid, 0, CLASS.pg_namespace, number, 0, 'n']);
  };
  const { plain } = schema;
  for (const { number, schema: name } of plain.of('operator family').values()) within(CLASS.pg_opfamily, number, name);
  for (const { number, schema: name, family, type, key } of plain.of('operator class').values()) {
    within(CLASS.pg_opclass, number, name);
    add(CLASS.pg_opclass, number, CLASS.pg_opfamily, family, 'a');
    for (const each of new Set([type, key])) add(CLASS.pg_opclass, number, CLASS.pg_type, each, 'n');
  }
  const member = (catalog: number, number: number, of: { readonly class: number; readonly family: number }): 'n' | 'a' => {
    if (of.class === 0) add(catalog, number, CLASS.pg_opfamily, of.family, 'a');
    else add(catalog, number, CLASS.pg_opclass, of.class, 'i');
    return of.class === 0 ? 'a' : 'n';
  };
  for (const each of plain.of('family operator').values()) {
    const type = member(CLASS.pg_amop, each.number, each);
    add(CLASS.pg_amop, each.number, CLASS.pg_operator, ownRoutine(each.operator), type);
    add(CLASS.pg_amop, each.number, CLASS.pg_opfamily, each.sort, type);
  }
  for (const each of plain.of('family function').values()) {
    const type = member(CLASS.pg_amproc, each.number, each);
    add(CLASS.pg_amproc, each.number, CLASS.pg_proc, ownRoutine(each.routine), type);
  }
  for (const { index } of schema.indexes.values()) {
    for (const { ownClass } of index.columns) add(CLASS.pg_class, index.number, CLASS.pg_opclass, ownClass ?? null, 'n');
  }
  return rows;
}
