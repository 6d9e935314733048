/** Column references: `c`, `t.c`, `s.t.c`, whole rows, and stars. */
import type { ColumnReference, Expression } from '../ast/expression.ts';
import type { Bound } from '../plan/bound.ts';
import { columnsOf, recordType } from '../types/record-type.ts';
import { noteRead } from './access.ts';
import { type Binder, fail, failNowhere, type Recording } from './binder.ts';
import { aliasHint, columnHint, isEntry } from './column-hint.ts';
import { bindExpression } from './expression.ts';
import { fieldCall } from './function.ts';
import { bindParameter } from './parameter.ts';
import { systemField } from './system-columns.ts';
import type { Namespace, Relation, RelationColumn, Scope } from './scope.ts';

export function bindColumn(binder: Binder, reference: ColumnReference, scope: Scope): Bound {
  const { parts, at } = reference;
  if (parts.length === 1) {
    const [name] = parts;
    const variable = binder.argumentNames?.numbers.get(name);
    const conflict = variable === undefined ? undefined : binder.argumentNames?.conflict;
    if (conflict === 'variable') return bindParameter(binder, variable!, at);
    for (let level: Scope | null = scope; level !== null; level = level.parent) {
      const found = unqualified(binder, reference, namespaces(level), name, at);
      if (found === null) continue;
      if (binder.depth === 0 && binder.recording !== null) noteRelation(binder.recording, reference, found, scope, level);
      if (conflict === 'error') {
        fail('42702', `column reference "${name}" is ambiguous`, at, { detail: 'It could refer to either a PL/pgSQL variable or a table column.' });
      }
      return found;
    }
    for (let level: Scope | null = scope; level !== null; level = level.parent) {
      const relation = relationIn(namespaces(level), null, name);
      if (relation !== null) return wholeRow(binder, relation);
    }
    if (variable !== undefined) return bindParameter(binder, variable, at);
    fail('42703', `column "${name}" does not exist`, at, columnHint(scope, null, name));
  }
  if (parts.length > 4) fail('42601', `improper qualified name (too many dotted names): ${parts.join('.')}`, at);
  const name = parts[parts.length - 1];
  const table = parts[parts.length - 2];
  const schema = parts.length > 2 ? parts[parts.length - 3] : null;
  for (let level: Scope | null = scope; level !== null; level = level.parent) {
    const relation = relationIn(namespaces(level), schema, table);
    if (relation === null) continue;
    if (relation.closed === true) refuseLateral(table, at);
    const own = relation.columns.find((each) => each.name === name);
    const column = own ?? relation.system.find((each) => each.name === name);
    const call = column === undefined ? fieldCall(binder, name, wholeRow(binder, relation), at) : null;
    if (call !== null) return call;
    if (column === undefined) fail('42703', `column ${table}.${name} does not exist`, at, columnHint(scope, table, name));
    if (relation.columns.filter((each) => each.name === name).length > 1) fail('42702', `column reference "${name}" is ambiguous`, at);
    noteRead(column.access);
    if (binder.depth === 0) binder.recording?.references.set(reference, column);
    return own === undefined ? systemValue(binder, relation, column) : column.value;
  }
  const argument = schema === null && binder.argumentNames?.owner === table ? binder.argumentNames.numbers.get(name) : undefined;
  if (argument !== undefined) return bindParameter(binder, argument, at);
  const labelled = schema === null ? binder.argumentNames?.labels?.get(table)?.get(name) : undefined;
  if (labelled !== undefined) return bindParameter(binder, labelled, at);
  const field = fieldOfArgument(binder, schema, table, name, at);
  if (field !== null) return field;
  return noRelation(scope, schema, table, at);
}

/**
 * Records the relation of an unqualified column. A stored text contains the qualified name: columns that are added to other
 * relations later must not change its meaning.
 */
function noteRelation(recording: Recording, reference: ColumnReference, value: Bound, scope: Scope, home: Scope): void {
  const [name] = reference.parts;
  const all = namespaces(home).flatMap(({ relations }) => relations);
  const relation = all.find(({ columns }) => columns.some((each) => each.name === name && each.value === value));
  // A column without a name cannot be referenced.
  if (relation === undefined || relation.alias.startsWith('*') || relation.columns.filter((each) => each.name === name).length > 1) return;
  for (let level: Scope | null = scope; level !== null; level = level.parent) {
    const first = relationIn(namespaces(level), null, relation.alias);
    if (first === null) continue;
    if (first === relation) recording.qualified.set(reference, [relation.alias, name]);
    return;
  }
}

function refuseLateral(table: string, at: number): never {
  return fail('42P10', `invalid reference to FROM-clause entry for table "${table}"`, at, {
    detail: 'The combining JOIN type must be INNER or LEFT for a LATERAL reference.',
  });
}

/** 42P01, with a hint: a table under an alias, or one that is not visible here. */
function noRelation(scope: Scope, schema: string | null, table: string, at: number): never {
  const alias = aliasHint(scope, schema, table);
  const hint =
    alias !== null
      ? `Perhaps you meant to reference the table alias "${alias}".`
      : isEntry(scope, table)
        ? `There is an entry for table "${table}", but it cannot be referenced from this part of the query.`
        : null;
  if (hint !== null) fail('42P01', `invalid reference to FROM-clause entry for table "${table}"`, at, { hint });
  return fail('42P01', `missing FROM-clause entry for table "${table}"`, at);
}

/** `argument` and `function.argument` of a function. */
function argumentOf(binder: Binder, owner: string | null, argument: string, at: number): Bound | null {
  const known = binder.argumentNames;
  if (known === null) return null;
  const names = owner === null || owner === known.owner ? known.numbers : known.labels?.get(owner);
  const number = names?.get(argument);
  return number === undefined ? null : bindParameter(binder, number, at);
}

/** `argument.field` and `function.argument.field` of a row argument. */
function fieldOfArgument(binder: Binder, owner: string | null, argument: string, name: string, at: number): Bound | null {
  const arg = argumentOf(binder, owner, argument, at);
  if (arg === null) return null;
  const columns = columnsOf(arg.type);
  if (columns === null) return null;
  const index = columns.findIndex((column) => column.name === name);
  if (index >= 0) return { kind: 'field', arg, index, type: columns[index].type, typmod: columns[index].typmod };
  // Rows in PL/pgSQL variables keep their system columns.
  const held = binder.argumentNames?.conflict !== undefined;
  const system = held ? systemField(binder, arg, name) : null;
  if (system === null && held) failNowhere('42703', `record "${argument}" has no field "${name}"`);
  if (system === null) fail('42703', `column "${name}" not found in data type ${arg.type.title}`, at);
  return system;
}

function namespaces(scope: Scope): readonly Namespace[] {
  return scope.lateral.length === 0 ? [scope.namespace] : [scope.namespace, ...scope.lateral];
}

function unqualified(binder: Binder, reference: ColumnReference, spaces: readonly Namespace[], name: string, at: number): Bound | null {
  let found: RelationColumn | null = null;
  for (const space of spaces) {
    for (const column of space.columns) {
      if (column.name !== name) continue;
      if (found !== null && found.value !== column.value) fail('42702', `column reference "${name}" is ambiguous`, at);
      found = column;
    }
  }
  if (found !== null) {
    const { value, closed } = found;
    if (closed === true)
      refuseLateral(spaces.flatMap(({ relations }) => relations).find(({ columns }) => columns.some((each) => each.value === value))?.alias ?? name, at);
    noteRead(found.access);
    if (binder.depth === 0) binder.recording?.references.set(reference, found);
    return found.value;
  }
  for (const space of spaces) {
    const named = space.relations.filter(({ byName }) => byName !== true);
    const matches = named.flatMap((relation) => relation.system.filter((each) => each.name === name).map((each) => ({ relation, each })));
    if (matches.length > 1) fail('42702', `column reference "${name}" is ambiguous`, at);
    if (matches.length === 1) return systemValue(binder, matches[0].relation, matches[0].each);
  }
  return null;
}

export function relationIn(spaces: readonly Namespace[], schema: string | null, name: string): Relation | null {
  for (const { relations } of spaces) {
    for (const relation of relations) {
      if (relation.alias === name && (schema === null || relation.schema === schema)) return relation;
    }
  }
  return null;
}

/** A relation's row as one value; a function's single plain column is that value itself. */
export function wholeRow(binder: Binder, relation: Relation): Bound {
  if (relation.scalar === true) return relation.columns[0].value;
  for (const { access } of relation.columns) noteRead(access);
  const row = rowOf(
    relation.columns.map(({ value }) => value),
    relation.columns.map(({ name }) => name),
  );
  const number = relation.table?.number ?? relation.oid;
  const own = number === undefined ? null : (binder.names.rowType?.(number) ?? null);
  // An alias may rename columns for this query.
  const named = own !== null && columnsOf(own)?.length === relation.columns.length && columnsOf(own)!.every(({ name }, i) => name === relation.columns[i].name);
  return unlessMissing(binder, relation, named ? ({ ...row, type: own } as Bound) : row);
}

/** Such columns are constants of their relation, and null if an outer join has no row of it. */
function systemValue(binder: Binder, relation: Relation, { value }: RelationColumn): Bound {
  return unlessMissing(binder, relation, value);
}

function unlessMissing(binder: Binder, relation: Relation, value: Bound): Bound {
  if (relation.optional !== true || relation.columns.length === 0) return value;
  const row = rowOf(
    relation.columns.map((column) => column.value),
    relation.columns.map(({ name }) => name),
  );
  // Detected by its columns: an existing row rarely has only nulls.
  const missing: Bound = { kind: 'isNull', type: binder.type('bool'), typmod: -1, arg: row, negated: false };
  const none: Bound = { kind: 'constant', type: value.type, typmod: -1, value: null };
  return { kind: 'case', type: value.type, typmod: -1, branches: [{ when: missing, then: none }], otherwise: value };
}

/** A row value, whose type has the column names. */
export function rowOf(fields: readonly Bound[], names: readonly string[] | null): Bound {
  const columns = fields.map(({ type, typmod }, i) => ({ name: names?.[i] ?? `f${i + 1}`, type, typmod }));
  return { kind: 'row', type: recordType(columns), typmod: -1, fields, names };
}

/** The columns of `*` or `t.*`; fields of a row argument are resolved like a table's columns. */
export function starColumns(binder: Binder, reference: ColumnReference, scope: Scope): readonly RelationColumn[] {
  const { parts, at } = reference;
  if (parts.length === 0) {
    if (scope.namespace.relations.length === 0 && scope.namespace.columns.length === 0) fail('42601', 'SELECT * with no tables specified is not valid', at);
    return allRead(scope.namespace.columns);
  }
  const table = parts[parts.length - 1];
  const schema = parts.length > 1 ? parts[parts.length - 2] : null;
  for (let level: Scope | null = scope; level !== null; level = level.parent) {
    const relation = relationIn(namespaces(level), schema, table);
    if (relation !== null) return allRead(relation.columns);
  }
  const arg = argumentOf(binder, schema, table, at);
  if (arg === null) return noRelation(scope, schema, table, at);
  const fields = columnsOf(arg.type);
  if (fields === null) fail('42809', `type ${arg.type.title} is not composite`, at);
  return fields.map(({ name, type, typmod }, index) => ({ name, value: { kind: 'field', arg, index, type, typmod } }));
}

export function hasStars(list: readonly Expression[]): boolean {
  for (const each of list) if (each.type === 'fieldStar' || (each.type === 'column' && each.star)) return true;
  return false;
}

/** A list of values with `t.*` and `(row).*` expanded. */
export function spreadStars(binder: Binder, list: readonly Expression[], scope: Scope): readonly Expression[] {
  if (!hasStars(list)) return list;
  return list.flatMap((each): readonly Expression[] => {
    const { at } = each;
    if (each.type === 'fieldStar') return fieldsOfRow(binder, each.arg, scope).map(({ name }) => ({ type: 'field', arg: each.arg, name, at }));
    if (each.type !== 'column' || !each.star || each.parts.length === 0) return [each];
    return starColumns(binder, each, scope).map(({ name }) => ({ type: 'column', parts: [...each.parts, name], star: false, at }));
  });
}

/** The fields of `(row).*`. */
export function fieldsOfRow(binder: Binder, arg: Expression, scope: Scope): readonly RelationColumn[] {
  const row = bindExpression(binder, arg, scope);
  if (row.kind === 'row') return row.fields.map((value, i) => ({ name: row.names?.[i] ?? `f${i + 1}`, value }));
  const fields = columnsOf(row.type);
  if (fields === null) fail('42809', `type ${row.type.title} is not composite`, arg.at);
  return fields.map(({ name, type, typmod }, index) => ({ name, value: { kind: 'field', arg: row, index, type, typmod } }));
}

/** `t.*` where one value is expected: the row of `t`. */
export function starRow(binder: Binder, reference: ColumnReference, scope: Scope): Bound {
  const columns = starColumns(binder, reference, scope);
  const { parts } = reference;
  for (let level: Scope | null = scope; level !== null && parts.length > 0; level = level.parent) {
    const relation = relationIn(namespaces(level), parts.length > 1 ? parts[parts.length - 2] : null, parts[parts.length - 1]);
    if (relation !== null) return wholeRow(binder, relation);
  }
  const arg = parts.length === 0 ? null : argumentOf(binder, parts.length > 1 ? parts[parts.length - 2] : null, parts[parts.length - 1], reference.at);
  if (arg !== null) return arg;
  return rowOf(
    columns.map(({ value }) => value),
    columns.map(({ name }) => name),
  );
}

function allRead(columns: readonly RelationColumn[]): readonly RelationColumn[] {
  for (const { access } of columns) noteRead(access);
  return columns;
}
