/** Objects of a world that have owners and privileges, by name or by number. */
import { FIRST_OWN_OID } from '../schema/oids.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { type FunctionObject, routineWord } from '../../worlds/definition.ts';
import type { ObjectName } from '../ast/define.ts';
import type { AclKind } from '../schema/acl.ts';
import { functionSignature } from '../schema/functions.ts';
import { WORLD_OBJECT } from '../schema/privileges.ts';
import type { Schema } from '../schema/schema.ts';
import { ownedWord } from '../schema/table.ts';
import type { SqlSession } from './sql-session.ts';
import { relationNamed } from './define.ts';

export interface OwnedObject {
  readonly number: number;
  /** Operators have an owner, but no privileges. */
  readonly acl: AclKind;
  /** `table`, `foreign table`, `view`, `sequence`, `schema`, `type`, `function`, `procedure`, `aggregate`, `operator`, `operator class`, `operator family`, `collation`, `statistics object`, `publication`, `subscription`, `event trigger`, `foreign-data wrapper`, `foreign server`, `extension`, `database`. */
  readonly kind: string;
  readonly schema: string | null;
  readonly name: string;
  /** Attnums by name. */
  readonly columns: readonly { readonly name: string; readonly attnum: number }[];
  /** Distinguishes it from others of its name: `f(integer)`. */
  readonly signature?: string;
}

export function* ownedObjects(schema: Schema): Iterable<OwnedObject> {
  for (const [name, number] of schema.schemas) yield { number, acl: 'n', kind: 'schema', schema: null, name, columns: [] };
  for (const table of schema.tables.values()) {
    const { number, schema: own, name, columns } = table;
    yield { number, acl: 'r', kind: ownedWord(table), schema: own, name, columns };
  }
  for (const { number, schema: own, name, columns } of schema.views.values()) {
    yield { number, acl: 'r', kind: 'view', schema: own, name, columns: columns.map((column, i) => ({ name: column.name, attnum: i + 1 })) };
  }
  for (const { number, schema: own, name } of schema.sequences.values()) yield { number, acl: 'S', kind: 'sequence', schema: own, name, columns: [] };
  for (const { number, schema: own, name } of schema.types.values()) yield { number, acl: 'T', kind: 'type', schema: own, name, columns: [] };
  for (const { object } of schema.functions.values()) yield routineObject(schema, object);
  for (const { object } of schema.operators.values()) {
    yield { number: object.number, acl: 'f', kind: 'operator', schema: object.schema, name: object.name, columns: [] };
  }
  for (const { number, schema: own, name } of schema.collations.values()) yield { number, acl: 'f', kind: 'collation', schema: own, name, columns: [] };
  for (const { number, schema: own, name } of schema.conversions.values()) yield { number, acl: 'f', kind: 'conversion', schema: own, name, columns: [] };
  const { plain } = schema;
  const scoped = [schema.searchDictionaries, schema.searchConfigurations, plain.of('operator family'), plain.of('operator class')] as const;
  for (const object of scoped.flatMap((each) => [...each.values()])) {
    yield { number: object.number, acl: 'f', kind: object.what, schema: object.schema, name: object.name, columns: [] };
  }
  for (const { number, name } of schema.publications.values()) yield { number, acl: 'f', kind: 'publication', schema: null, name, columns: [] };
  for (const { number, schema: own, name } of schema.extendedStatistics.values()) {
    yield { number, acl: 'f', kind: 'statistics object', schema: own, name, columns: [] };
  }
  for (const { number, name } of schema.plain.of('subscription').values()) yield { number, acl: 'f', kind: 'subscription', schema: null, name, columns: [] };
  for (const { number, name } of schema.eventTriggers.values()) yield { number, acl: 'f', kind: 'event trigger', schema: null, name, columns: [] };
  for (const { number, name } of schema.extensions.values()) yield { number, acl: 'f', kind: 'extension', schema: null, name, columns: [] };
  for (const { number, name } of schema.wrappers.values()) yield { number, acl: 'F', kind: 'foreign-data wrapper', schema: null, name, columns: [] };
  for (const { number, name } of schema.servers.values()) yield { number, acl: 'V', kind: 'foreign server', schema: null, name, columns: [] };
}

export function routineObject(schema: Schema, object: FunctionObject): OwnedObject {
  const { number, schema: own, name } = object;
  return { number, acl: 'f', kind: routineWord(object), schema: own, name, columns: [], signature: functionSignature(schema, object) };
}

export function objectNumbered(schema: Schema, number: number): OwnedObject | null {
  for (const object of ownedObjects(schema)) if (object.number === number) return object;
  return number === WORLD_OBJECT ? { number, acl: 'd', kind: 'database', schema: null, name: 'database', columns: [] } : null;
}

/** A table, view or sequence. */
export function relationObject(session: SqlSession, { name }: ObjectName, at: number): OwnedObject {
  const last = name[name.length - 1];
  const system = session.names().relation(name.length > 1 ? name[name.length - 2] : null, last, true);
  if (system?.kind === 'virtual' && system.relation.oid < FIRST_OWN_OID) {
    const { oid, columns } = system.relation;
    return {
      number: oid,
      acl: 'r',
      kind: 'table',
      schema: system.relation.schema,
      name: last,
      columns: columns.map((column, i) => ({ name: column.name, attnum: i + 1 })),
    };
  }
  const found = relationNamed(session, { catalog: null, schema: name.length > 1 ? name[name.length - 2] : null, name: last, at });
  switch (found.kind) {
    case 'table':
      return { number: found.table.number, acl: 'r', kind: ownedWord(found.table), schema: found.table.schema, name: last, columns: found.table.columns };
    case 'view': {
      const columns = found.view.columns.map((column, i) => ({ name: column.name, attnum: i + 1 }));
      return { number: found.view.number, acl: 'r', kind: 'view', schema: found.view.schema, name: last, columns };
    }
    case 'sequence':
      return { number: found.sequence.number, acl: 'S', kind: 'sequence', schema: found.sequence.schema, name: last, columns: [] };
    case 'index':
      throw new SvcError('42809', `"${last}" is an index`);
  }
}

export function schemaObject(session: SqlSession, name: string): OwnedObject {
  const number = session.schema().schemas.get(name) ?? (name === 'pg_catalog' ? 11 : name === 'information_schema' ? 13207 : undefined);
  if (number === undefined) throw new SvcError('3F000', `schema "${name}" does not exist`);
  return { number, acl: 'n', kind: 'schema', schema: null, name, columns: [] };
}
