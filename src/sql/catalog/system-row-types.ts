/** Row types of system relations: `pg_class`, `pg_catalog.pg_roles`, `information_schema.tables`. */
import { rowArrayOid, rowTypeOid } from '../../worlds/definition.ts';
import type { Registry } from '../functions/registry.ts';
import { recordType } from '../types/record-type.ts';
import type { SqlType } from '../types/type.ts';
import { relationDefinitions, type RelationDefinition } from './relation-definitions.ts';

const made = new WeakMap<RelationDefinition, SqlType>();
const byRelation = new WeakMap<Registry, ReadonlyMap<number, RelationDefinition>>();

/** By the relation's oid; null if there is no such system relation. */
export function systemRowType(registry: Registry, relation: number): SqlType | null {
  let known = byRelation.get(registry);
  if (known === undefined) {
    known = new Map([...relationDefinitions(registry).values()].map((each) => [each.oid, each]));
    byRelation.set(registry, known);
  }
  const definition = known.get(relation);
  return definition === undefined ? null : typeOf(definition);
}

/** By name. */
export function systemRowTypeNamed(registry: Registry, schema: string, name: string): SqlType | null {
  const definition = relationDefinitions(registry).get(`${schema}.${name}`);
  return definition === undefined ? null : typeOf(definition);
}

function typeOf(definition: RelationDefinition): SqlType {
  let type = made.get(definition);
  if (type === undefined) {
    const { oid, schema, name, columns } = definition;
    type = recordType(
      columns.map((column, i) => ({ name: column.name, type: column.type, typmod: -1, attnum: i + 1 })),
      { oid: rowTypeOid(oid), arrayOid: rowArrayOid(oid), name, title: schema === 'pg_catalog' ? name : `${schema}.${name}` },
    );
    made.set(definition, type);
  }
  return type;
}
