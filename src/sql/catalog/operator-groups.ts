/** Operator classes and families, built-in and user-defined, by name and by number. */
import { type FamilyFunctionObject, type FamilyOperatorObject, ownRoutine } from '../../worlds/definition.ts';
import type { Schema } from '../schema/schema.ts';
import { FAMILY_FUNCTIONS, FAMILY_OPERATORS } from './data/family-members.ts';
import { OPERATOR_FAMILIES } from './data/access-methods.ts';
import { fields } from './facts.ts';
import { methodName, operatorClasses } from './operator-catalog.ts';

export type GroupKind = 'operator class' | 'operator family';

export interface OperatorGroup {
  readonly number: number;
  readonly schema: string;
  readonly name: string;
  readonly method: string;
}

export interface GroupOfType extends OperatorGroup {
  readonly family: number;
  /** Oid. */
  readonly type: number;
  readonly standard: boolean;
}

const SYSTEM = 'pg_catalog';

let systemClasses: readonly GroupOfType[] | null = null;
let systemFamilies: readonly OperatorGroup[] | null = null;

export function* classesOf(schema: Schema): Iterable<GroupOfType> {
  systemClasses ??= operatorClasses().map(({ oid, method, ...own }) => ({ ...own, number: oid, schema: SYSTEM, method: methodName(method) }));
  yield* schema.plain.of('operator class').values();
  yield* systemClasses;
}

export function* familiesOf(schema: Schema): Iterable<OperatorGroup> {
  systemFamilies ??= fields(OPERATOR_FAMILIES).map(([number, method, name]) => ({
    number: Number(number),
    schema: SYSTEM,
    name,
    method: methodName(Number(method)),
  }));
  yield* schema.plain.of('operator family').values();
  yield* systemFamilies;
}

export function groupsOf(schema: Schema, kind: GroupKind): Iterable<OperatorGroup> {
  return kind === 'operator class' ? classesOf(schema) : familiesOf(schema);
}

export function groupNumbered(schema: Schema, kind: GroupKind, number: number): OperatorGroup | null {
  for (const each of groupsOf(schema, kind)) if (each.number === number) return each;
  return null;
}

/** By the given schema, otherwise the first along the path. */
export function groupNamed(schema: Schema, kind: GroupKind, method: string, name: readonly string[], path: readonly string[]): OperatorGroup | null {
  const last = name[name.length - 1];
  const all = [...groupsOf(schema, kind)].filter((each) => each.method === method && each.name === last);
  for (const within of name.length > 1 ? [name[name.length - 2]] : path) {
    const found = all.find((each) => each.schema === within);
    if (found !== undefined) return found;
  }
  return null;
}

/** The user-defined default class for the type. */
export function standardClass(schema: Schema, method: string, type: number): GroupOfType | null {
  for (const each of schema.plain.of('operator class').values()) if (each.standard && each.method === method && each.type === type) return each;
  return null;
}

export type FamilyMemberObject = FamilyOperatorObject | FamilyFunctionObject;

/** An operator or a function of a family; its number is the oid of its row. */
export interface FamilyMember {
  readonly number: number;
  readonly family: number;
  readonly place: number;
  readonly left: number;
  readonly right: number;
  /** Oid of the operator or function; null: a built-in one. */
  readonly of: number | null;
}

/** Of all families. */
function* allMembers(schema: Schema, kind: FamilyMemberObject['what']): Iterable<FamilyMember> {
  for (const each of schema.plain.of(kind).values()) yield { ...each, of: ownRoutine(each.what === 'family operator' ? each.operator : each.routine) };
  for (const row of fields(kind === 'family operator' ? FAMILY_OPERATORS : FAMILY_FUNCTIONS)) {
    const [number, family, left, right, place] = row.map(Number);
    yield { number, family, place, left, right, of: Number(row[kind === 'family operator' ? 6 : 5]) };
  }
}

export function* membersOf(schema: Schema, kind: FamilyMemberObject['what'], family: number): Iterable<FamilyMember> {
  for (const each of allMembers(schema, kind)) if (each.family === family) yield each;
}

export function memberNumbered(schema: Schema, kind: FamilyMemberObject['what'], number: number): FamilyMember | null {
  for (const each of allMembers(schema, kind)) if (each.number === number) return each;
  return null;
}
