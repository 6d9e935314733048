/**
 * The relations from which rows of system relations are computed: all, or only those of a lookup. Each definition invalidates all
 * rows of a version, and a lookup of one relation after each definition (migrations, test suites) computes only the rows of that
 * one.
 */
import type { View, Sequence } from '../schema/schema.ts';
import type { SqlTable } from '../schema/table.ts';
import type { Value } from '../types/value.ts';
import type { RelationDefinition } from './relation-definitions.ts';
import type { WorldObjects, WorldRelation } from './world-objects.ts';

export interface RelationsSeen {
  tables(): Iterable<SqlTable>;
  views(): Iterable<View>;
  sequences(): Iterable<Sequence>;
  /** The world's, including indexes and composite types. */
  relations(): Iterable<WorldRelation>;
  /** The system relations. */
  system(): Iterable<RelationDefinition>;
}

type Definitions = ReadonlyMap<string, RelationDefinition>;

/** As in LibraryCatalog. */
interface SystemDefinitions {
  readonly definitions: Definitions;
  readonly definitionsByOid: ReadonlyMap<number, RelationDefinition>;
}

export class AllRelations implements RelationsSeen {
  readonly #objects: WorldObjects;
  readonly #definitions: Definitions;

  constructor(objects: WorldObjects, definitions: Definitions) {
    this.#objects = objects;
    this.#definitions = definitions;
  }

  tables(): Iterable<SqlTable> {
    return this.#objects.schema.tables.values();
  }

  views(): Iterable<View> {
    return this.#objects.schema.views.values();
  }

  sequences(): Iterable<Sequence> {
    return this.#objects.schema.sequences.values();
  }

  relations(): Iterable<WorldRelation> {
    return this.#objects.byOid.values();
  }

  system(): Iterable<RelationDefinition> {
    return this.#definitions.values();
  }
}

/** Those of a lookup. */
export class SomeRelations implements RelationsSeen {
  readonly #relations: readonly WorldRelation[];
  readonly #system: readonly RelationDefinition[];

  constructor(relations: readonly WorldRelation[], system: readonly RelationDefinition[]) {
    this.#relations = relations;
    this.#system = system;
  }

  *tables(): Iterable<SqlTable> {
    for (const each of this.#relations) if (each.kind === 'r') yield each.table;
  }

  *views(): Iterable<View> {
    for (const each of this.#relations) if (each.kind === 'v') yield each.view;
  }

  *sequences(): Iterable<Sequence> {
    for (const each of this.#relations) if (each.kind === 'S') yield each.sequence;
  }

  relations(): Iterable<WorldRelation> {
    return this.#relations;
  }

  system(): Iterable<RelationDefinition> {
    return this.#system;
  }
}

/** How a column's value determines the relations of its rows. `table`: including the rows of its indexes. */
export type Determines = 'oid' | 'name' | 'table oid' | 'table name';

/**
 * Columns by `schema.relation`. All rows with a value there must come from the relations that it determines: not so for foreign keys
 * that reference a table, for example.
 */
const DETERMINES: Readonly<Record<string, Readonly<Record<string, Determines>>>> = {
  'pg_catalog.pg_class': { oid: 'oid', relname: 'name' },
  'pg_catalog.pg_attribute': { attrelid: 'oid' },
  'pg_catalog.pg_attrdef': { adrelid: 'oid' },
  'pg_catalog.pg_index': { indexrelid: 'oid', indrelid: 'table oid' },
  'pg_catalog.pg_constraint': { conrelid: 'oid' },
  'pg_catalog.pg_sequence': { seqrelid: 'oid' },
  'pg_catalog.pg_tables': { tablename: 'name' },
  'pg_catalog.pg_views': { viewname: 'name' },
  'pg_catalog.pg_matviews': { matviewname: 'name' },
  'pg_catalog.pg_indexes': { tablename: 'table name', indexname: 'name' },
  'information_schema.columns': { table_name: 'name' },
  'information_schema.tables': { table_name: 'name' },
  'information_schema.views': { table_name: 'name' },
  'information_schema.table_constraints': { table_name: 'name' },
  'information_schema.key_column_usage': { table_name: 'name' },
  'information_schema.element_types': { object_name: 'name' },
};

/** null if the column does not determine relations. */
export function determinedBy(relation: string, column: string): Determines | null {
  return (Object.hasOwn(DETERMINES, relation) && DETERMINES[relation][column]) || null;
}

export function relationsDetermined(how: Determines, value: Value, objects: WorldObjects, { definitions, definitionsByOid }: SystemDefinitions): SomeRelations {
  if (how === 'oid' || how === 'table oid') {
    const own = objects.at(value as number);
    const system = definitionsByOid.get(value as number);
    return new SomeRelations(own === undefined ? [] : how === 'oid' ? [own] : objects.indexEntriesOf(own.oid), system === undefined ? [] : [system]);
  }
  const named = objects.named(value as string);
  const system = ['pg_catalog', 'information_schema'].flatMap((schema) => definitions.get(`${schema}.${value as string}`) ?? []);
  return new SomeRelations(how === 'name' ? named : named.flatMap(({ oid }) => objects.indexEntriesOf(oid)), system);
}
