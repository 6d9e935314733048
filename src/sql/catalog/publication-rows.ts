/** pg_publication, pg_publication_rel, pg_publication_namespace, and the rows of pg_publication_tables. */
import type { PublicationObject, PublicationTableObject } from '../../worlds/definition.ts';
import { isTemporarySchema } from '../../worlds/definition.ts';
import { factsOf } from '../schema/facts.ts';
import { partitionedAbove } from '../schema/hierarchy.ts';
import { isPartitioned } from '../schema/partitions.ts';
import type { Schema } from '../schema/schema.ts';
import type { SqlTable } from '../schema/table.ts';
import { ArrayValue } from '../types/array-value.ts';
import { vector } from './catalog-types.ts';
import type { Row } from './made-relation.ts';
import type { RowSource } from './system-catalog.ts';

export function publicationRows({ schema }: RowSource): Row[] {
  return [...schema.publications.values()].map((each): Row => [
    each.number,
    each.name,
    schema.ownerOf(each.number),
    each.allTables,
    each.insert,
    each.update,
    each.delete,
    each.truncate,
    each.viaRoot,
  ]);
}

function attnums({ columns }: SqlTable, numbers: readonly number[]): number[] {
  return numbers.flatMap((number) => columns.find((column) => column.number === number)?.attnum ?? []);
}

export function publicationTableRows({ schema, trees }: RowSource): Row[] {
  return [...schema.plain.of('publication table').values()].map(({ number, publication, table, columns, where }): Row => {
    const own = schema.tables.get(table)!;
    return [number, publication, table, where === null ? null : trees.expression(own, where), columns === null ? null : vector(attnums(own, columns))];
  });
}

export function publicationSchemaRows({ schema }: RowSource): Row[] {
  return [...schema.plain.of('publication schema').values()].map(({ number, publication, namespace }): Row => [number, publication, namespace]);
}

export interface Publication {
  readonly table: SqlTable;
  /** Attnums of the published columns; null: all. */
  readonly attnums: readonly number[] | null;
  /** SQL text. */
  readonly where: string | null;
}

/** A permanent, logged table of the world. */
export function isPublishable(schema: Schema, table: SqlTable): boolean {
  return table.materialized === null && table.foreign === undefined && !isTemporarySchema(table.schema) && factsOf(schema, table.number)?.unlogged !== true;
}

/** The tables of a publication: partitions themselves, or their root. */
export function publishedTables(schema: Schema, publication: PublicationObject): Publication[] {
  const { number, allTables, viaRoot } = publication;
  const members = new Map<number, PublicationTableObject>();
  for (const each of schema.plain.of('publication table').values()) if (each.publication === number) members.set(each.table, each);
  const schemas = new Set<number>();
  for (const each of schema.plain.of('publication schema').values()) if (each.publication === number) schemas.add(each.namespace);
  const inSchema = ({ schema: name }: SqlTable): boolean => schemas.has(schema.schemas.get(name) ?? 0);
  const named = (table: SqlTable): boolean => isPublishable(schema, table) && (allTables || members.has(table.number) || inSchema(table));
  const tables = [...schema.tables.values()].filter((table) => {
    const above = partitionedAbove(schema, table).some(named);
    return viaRoot ? named(table) && !above : !isPartitioned(table) && (named(table) || (isPublishable(schema, table) && above));
  });
  return tables.map((table) => {
    const member = allTables || inSchema(table) ? undefined : members.get(table.number);
    return { table, attnums: member?.columns == null ? null : attnums(table, member.columns), where: member?.where ?? null };
  });
}

export function publicationTableViewRows({ schema, texts }: RowSource): Row[] {
  return [...schema.publications.values()].flatMap((publication) =>
    publishedTables(schema, publication).map(({ table, attnums: only, where }): Row => {
      const columns = table.columns.filter(({ attnum }) => only === null || only.includes(attnum)).sort((a, b) => a.attnum - b.attnum);
      const names = new ArrayValue(columns.map(({ name }) => name));
      return [publication.name, table.schema, table.name, names, where === null ? null : texts.expression(table, where)];
    }),
  );
}
