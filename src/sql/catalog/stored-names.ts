/** Name resolution for definitions stored as text: without a session, `public` first, then any schema with the name. */
import type { Expression } from '../ast/expression.ts';
import type { Query } from '../ast/query.ts';
import type { NamedRelation, Names } from '../bind/binder.ts';
import { parse } from '../parse/parse.ts';
import type { VirtualRelation } from '../plan/logical.ts';
import type { Schema } from '../schema/schema.ts';
import type { SqlTable } from '../schema/table.ts';
import type { SqlType } from '../types/type.ts';
import type { Registry } from '../functions/registry.ts';
import type { SqlCast, SqlFunction, SqlOperator } from '../functions/define.ts';
import { extensionSchemaOf } from '../schema/extension-types.ts';
import { ownCast, ownFunctions, ownOperators, schemaOfRoutine } from './own-routines.ts';
import { systemSchemaOf } from './extension-relations.ts';
import { relationDefinitions } from './relation-definitions.ts';
import { systemRowType, systemRowTypeNamed } from './system-row-types.ts';
import { SvcError } from '../../base/errors/svc-error.ts';

export function parseStoredQuery(text: string): Query {
  const [statement] = parse(text);
  if (statement?.type === 'select' || statement?.type === 'values' || statement?.type === 'setOperation') return statement;
  throw new SvcError('XX000', 'a stored query does not parse as one');
}

/** A comma-separated text, as pg_index has expressions. */
export function parseStoredExpressions(text: string): Expression[] {
  const query = parseStoredQuery(`SELECT ${text}`);
  if (query.type !== 'select') throw new SvcError('XX000', 'a stored expression does not parse as one');
  return query.items.map(({ value }) => value);
}

export function parseStoredExpression(text: string): Expression {
  const list = parseStoredExpressions(text);
  if (list.length !== 1) throw new SvcError('XX000', 'a stored expression does not parse as one');
  return list[0];
}

export class StoredNames implements Names {
  readonly #schema: Schema;

  readonly #registry: Registry;

  constructor(schema: Schema, registry: Registry) {
    this.#registry = registry;
    this.#schema = schema;
  }

  get #path(): readonly string[] {
    return [...this.#schema.schemas.keys()];
  }

  relation(schema: string | null, name: string): NamedRelation | null {
    for (const each of schema === null ? this.#path : [schema]) {
      const place = systemSchemaOf(this.#schema, each, name);
      const inSystem = place === null ? null : this.#systemRelation(place, name);
      if (inSystem !== null) return { kind: 'virtual', relation: { ...inSystem, schema: each } };
      const found = this.#schema.relation(each, name);
      if (found?.kind === 'table') return { kind: 'table', table: found.table };
      if (found?.kind === 'view') {
        return {
          kind: 'view',
          owner: this.#schema.authorOf(found.view.number),
          number: found.view.number,
          schema: each,
          name,
          query: parseStoredQuery(found.view.sql),
          columns: found.view.columns.map((column) => column.name),
        };
      }
    }
    const system = schema === null || schema === 'pg_catalog' || schema === 'information_schema' ? this.#systemRelation(schema ?? 'pg_catalog', name) : null;
    return system === null ? null : { kind: 'virtual', relation: system };
  }

  /** A system relation for its names and types: nothing bound here is run. */
  #systemRelation(schema: string, name: string): VirtualRelation | null {
    const found = relationDefinitions(this.#registry).get(`${schema}.${name}`);
    return found === undefined ? null : { ...found, rows: () => [], find: () => [] };
  }

  hasSchema(name: string): boolean {
    return name === 'pg_catalog' || name === 'information_schema' || this.#schema.schemas.has(name);
  }

  hasCollation(): boolean {
    return true;
  }

  userType(schema: string | null, name: string): SqlType | null {
    for (const each of schema === null ? this.#path : [schema]) {
      const type = this.#schema.typeByName(each, name);
      if (type !== null) return type;
    }
    return schema === null || schema === 'pg_catalog' || schema === 'information_schema'
      ? systemRowTypeNamed(this.#registry, schema ?? 'pg_catalog', name)
      : null;
  }

  /** A type of an extension, by the extension's schema. */
  extensionType(schema: string | null, name: string): SqlType | null {
    const type = schema === null ? undefined : this.#registry.findType(name);
    return type !== undefined && extensionSchemaOf(this.#schema, type.oid) === schema ? type : null;
  }

  /** For a user-defined or extension type; null for others. */
  schemaOfType(oid: number): string | null {
    return this.#schema.types.get(oid)?.schema ?? extensionSchemaOf(this.#schema, oid);
  }

  functions(schema: string | null, name: string): readonly SqlFunction[] {
    return ownFunctions(this.#schema, schema === null ? this.#path : [schema], name);
  }

  operators(schema: string | null, name: string): readonly SqlOperator[] {
    return ownOperators(this.#schema, schema === null ? this.#path : [schema], name);
  }

  userCast(from: SqlType, to: SqlType): SqlCast | null {
    return ownCast(this.#schema, from, to);
  }

  /** The schema of an unqualified function, unless there is a built-in one of the name. */
  schemaOfFunction(name: string): string | null {
    const builtIn = this.#registry.functions(name);
    const [first] = builtIn.length > 0 ? builtIn.filter(({ extension }) => extension !== undefined) : this.functions(null, name);
    return first === undefined ? null : this.schemaOfRoutine(first);
  }

  schemaOfOperator(name: string): string | null {
    if (this.#registry.operators(name).length > 0) return null;
    const [first] = this.operators(null, name);
    return first === undefined ? null : this.schemaOfRoutine(first);
  }

  schemaOfRoutine(routine: SqlFunction | SqlOperator): string | null {
    return schemaOfRoutine(this.#schema, routine);
  }

  asTable(relation: number): SqlTable | null {
    const view = this.#schema.views.get(relation);
    return view === undefined ? (this.#schema.tables.get(relation) ?? null) : this.#schema.asTable(view);
  }

  rowType(table: number): SqlType | null {
    return this.#schema.rowType(table) ?? systemRowType(this.#registry, table);
  }

  typeByOid(oid: number): SqlType | undefined {
    return this.#schema.typeByOid(oid) ?? undefined;
  }

  at(): Names {
    return this;
  }

  defaultText(table: SqlTable, column: number): string | null {
    return table.columns[column].default;
  }

  parseExpression(text: string): Expression {
    return parseStoredExpression(text);
  }
}
