/**
 * Rows of pg_depend for functions, operators, aggregates, casts and row types: their dependencies, and their callers. Calls in
 * expressions are recognised by name, so each overload counts; dumps only need all of them to come first.
 */
import type { FunctionObject, RoutineReference } from '../../worlds/definition.ts';
import { routinesOf, rowArrayOid, rowTypeOid } from '../../worlds/definition.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { parse } from '../parse/parse.ts';
import { EXTENSION_TYPES } from '../schema/extension-types.ts';
import { FIRST_OWN_OID } from '../schema/oids.ts';
import type { Schema } from '../schema/schema.ts';
import { CLASS, rewriteOid } from './fixed-oids.ts';
import { ruleUseRows } from './rule-rows.ts';
import type { Row } from './made-relation.ts';

type Add = (catalog: number, oid: number, refCatalog: number, ref: number, type: string) => void;

export function routineDependencyRows(schema: Schema): Row[] {
  const rows: Row[] = [];
  const add: Add = (catalog, oid, refCatalog, ref, type) => rows.push([catalog, oid, 0, refCatalog, ref, 0, type]);
  const onType = (catalog: number, oid: number, type: number): void => {
    if (type >= FIRST_OWN_OID || (EXTENSION_TYPES.has(type) && schema.extensions.size > 0)) add(catalog, oid, CLASS.pg_type, type, 'n');
  };
  const onRoutine = (catalog: number, oid: number, reference: RoutineReference | null): void => {
    if (reference !== null && 'own' in reference) add(catalog, oid, CLASS.pg_proc, reference.own, 'n');
  };
  for (const { number } of [...schema.tables.values(), ...schema.views.values()]) {
    add(CLASS.pg_type, rowTypeOid(number), CLASS.pg_class, number, 'i');
    add(CLASS.pg_type, rowArrayOid(number), CLASS.pg_type, rowTypeOid(number), 'i');
  }
  for (const { object } of schema.functions.values()) {
    const { number, args, returns, aggregate } = object;
    for (const type of new Set([...args.map(({ type: each }) => each), returns])) onType(CLASS.pg_proc, number, type);
    if (aggregate !== undefined) {
      onType(CLASS.pg_proc, number, aggregate.state);
      for (const routine of new Set(routinesOf(aggregate))) onRoutine(CLASS.pg_proc, number, routine);
    }
    for (const text of textsOf(object)) for (const used of routinesIn(schema, text)) if (used !== number) add(CLASS.pg_proc, number, CLASS.pg_proc, used, 'n');
  }
  for (const { object } of schema.operators.values()) {
    for (const type of new Set([object.left, object.right, object.returns])) onType(CLASS.pg_operator, object.number, type);
    onRoutine(CLASS.pg_operator, object.number, object.routine);
  }
  for (const { object } of schema.casts.values()) {
    for (const type of [object.from, object.to]) onType(CLASS.pg_cast, object.number, type);
    onRoutine(CLASS.pg_cast, object.number, object.routine);
  }
  if (schema.functions.size > 0) callerRows(schema, add);
  return rows;
}

/** Defaults, generated columns, checks, indexes and domains that call user-defined functions. */
function callerRows(schema: Schema, add: Add): void {
  const on = (catalog: number, oid: number, text: string | null): void => {
    if (text !== null && text.includes('(')) for (const used of routinesIn(schema, text)) add(catalog, oid, CLASS.pg_proc, used, 'n');
  };
  for (const table of schema.tables.values()) {
    for (const { number, default: text, generated } of table.columns) on(CLASS.pg_attrdef, number, text ?? generated);
    for (const { number, condition } of table.checks) on(CLASS.pg_constraint, number, condition);
    for (const { number, columns, where } of table.indexes) {
      for (const { expression } of columns) on(CLASS.pg_class, number, expression ?? null);
      on(CLASS.pg_class, number, where);
    }
  }
  for (const { object } of schema.types.values()) {
    if (object.what === 'domain') for (const { number, condition } of object.checks) on(CLASS.pg_constraint, number, condition);
  }
}

/** Parts in SQL rather than text: defaults of arguments, and a body that is parsed at creation. */
function textsOf({ args, body, form, uses }: FunctionObject): string[] {
  return [...args.flatMap(({ default: text }) => (text === null ? [] : [`SELECT ${text}`])), ...(form === 'text' || uses !== undefined ? [] : [body])];
}

const known = new WeakMap<Schema, Map<string, readonly number[]>>();

/** User-defined functions whose names a statement or an expression calls. */
function routinesIn(schema: Schema, text: string): readonly number[] {
  let texts = known.get(schema);
  if (texts === undefined) known.set(schema, (texts = new Map()));
  let found = texts.get(text);
  if (found === undefined) texts.set(text, (found = [...calledIn(schema, text)]));
  return found;
}

function calledIn(schema: Schema, text: string): Set<number> {
  const out = new Set<number>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (node === null || typeof node !== 'object') return;
    const { type, name } = node as { type?: unknown; name?: unknown };
    if (type === 'call' && Array.isArray(name)) {
      const places = name.length > 1 ? [name[name.length - 2] as string] : [...schema.schemas.keys()];
      for (const place of places) for (const { object } of schema.functionsNamed(place, name[name.length - 1] as string)) out.add(object.number);
    }
    Object.values(node).forEach(visit);
  };
  try {
    visit(parse(/^\s*(?:select|insert|update|delete|with|values)\b/i.test(text) ? text : `SELECT ${text}`));
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
  }
  return out;
}

/** Dependencies of views and materialized views, each with its catalog. */
export function ruleDependencyRows(schema: Schema): Row[] {
  const rows: Row[] = ruleUseRows(schema);
  const keys = new Set([...schema.tables.values()].flatMap((table) => schema.primaryKeyNumber(table) ?? []));
  for (const object of schema.catalog.objects.values()) {
    const uses = object.what === 'view' ? object.uses : object.what === 'relation' ? object.query?.uses : undefined;
    if (uses === undefined || !('number' in object)) continue;
    rows.push([CLASS.pg_rewrite, rewriteOid(object.number), 0, CLASS.pg_class, object.number, 0, 'i']);
    for (const { object: used, columns } of uses) {
      const other = schema.functions.has(used) ? CLASS.pg_proc : schema.types.has(used) ? CLASS.pg_type : keys.has(used) ? CLASS.pg_constraint : null;
      const catalog = other ?? CLASS.pg_class;
      const table = schema.tables.get(used);
      const attnums = columns.flatMap((column) => table?.columns.find(({ number }) => number === column)?.attnum ?? []);
      for (const attnum of attnums.length === 0 ? [0] : attnums) rows.push([CLASS.pg_rewrite, rewriteOid(object.number), 0, catalog, used, attnum, 'n']);
    }
  }
  return rows;
}
