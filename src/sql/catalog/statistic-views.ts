/** Views of pg_catalog over a world's relations: pg_tables, pg_indexes, pg_stat_… and similar. */
import type { Value } from '../types/value.ts';
import { queryOf } from './definition-texts.ts';
import type { Row } from './made-relation.ts';
import { ownerName } from './rights-rows.ts';
import type { Schema } from '../schema/schema.ts';
import type { SqlTable } from '../schema/table.ts';
import type { RowSource } from './system-catalog.ts';

export function tableViewRows(source: RowSource): Row[] {
  const { schema, objects, seen, owner } = source;
  const system = [...seen.system()].filter(({ kind }) => kind === 'r').map((each): Row => [each.schema, each.name, owner, null, true, false, false, false]);
  const own = [...seen.tables()]
    .filter(({ materialized, foreign }) => materialized === null && foreign === undefined)
    .map((table): Row => {
      const triggers = schema.triggers(table.number).length > 0 || table.foreignKeys.length > 0 || schema.referencing(table.number).length > 0;
      return [
        table.schema,
        table.name,
        ownerName(source, table.number),
        null,
        objects.indexesOf(table.number).length > 0,
        false,
        triggers,
        schema.security(table.number)?.enabled === true,
      ];
    });
  return [...own, ...system];
}

export function viewViewRows(source: RowSource): Row[] {
  const { seen, texts, owner } = source;
  return [
    ...Array.from(seen.views(), (view): Row => [view.schema, view.name, ownerName(source, view.number), texts.view(view, false)]),
    ...[...seen.system()].filter(({ kind }) => kind === 'v').map((each): Row => [each.schema, each.name, owner, null]),
  ];
}

export function materializedViewRows({ seen, texts, objects, owner }: RowSource): Row[] {
  return [...seen.tables()].flatMap((table): Row[] =>
    table.materialized === null
      ? []
      : [[table.schema, table.name, owner, null, objects.indexesOf(table.number).length > 0, table.materialized.populated, texts.view(queryOf(table), false)]],
  );
}

export function indexViewRows({ seen, texts }: RowSource): Row[] {
  const rows: Row[] = [];
  for (const relation of seen.relations()) {
    if (relation.kind !== 'i') continue;
    const { index } = relation;
    rows.push([relation.schema, index.table.name, index.name, null, texts.index(index, 0, false, () => '')]);
  }
  return rows;
}

export function sequenceViewRows(source: RowSource): Row[] {
  const { schema, session } = source;
  return [...schema.sequences.values()].map((each) => [
    each.schema,
    each.name,
    ownerName(source, each.number),
    each.type.oid,
    each.start,
    each.min,
    each.max,
    each.increment,
    each.cycle,
    each.cache,
    session.lastValue?.(each.number) ?? null,
  ]);
}

const zeros = (count: number): Value[] => new Array<Value>(count).fill(0);

/** Tables in usage statistics. Nothing is counted: worlds keep no such statistics. */
function counted({ tables }: Schema): SqlTable[] {
  return [...tables.values()].filter(({ foreign }) => foreign === undefined);
}

export function tableStatRows({ schema, session }: RowSource): Row[] {
  return counted(schema).map(({ number, schema: own, name }) => {
    const live = Math.max(0, session.rowEstimate?.(number) ?? 0);
    return [number, own, name, ...zeros(8), live, 0, 0, 0, null, null, null, null, ...zeros(4)];
  });
}

export function tableTransactionRows({ schema }: RowSource): Row[] {
  return counted(schema).map(({ number, schema: own, name }) => [number, own, name, ...zeros(8)]);
}

export function tableBlockRows({ schema }: RowSource): Row[] {
  return counted(schema).map(({ number, schema: own, name }) => [number, own, name, ...zeros(8)]);
}

export function indexStatRows({ objects }: RowSource): Row[] {
  return indexRows(objects, 3);
}

export function indexBlockRows({ objects }: RowSource): Row[] {
  return indexRows(objects, 2);
}

function indexRows(objects: RowSource['objects'], counters: number): Row[] {
  const rows: Row[] = [];
  for (const relation of objects.byOid.values()) {
    if (relation.kind === 'i')
      rows.push([relation.index.table.number, relation.oid, relation.schema, relation.index.table.name, relation.name, ...zeros(counters)]);
  }
  return rows;
}

export function sequenceBlockRows({ schema }: RowSource): Row[] {
  return [...schema.sequences.values()].map(({ number, schema: own, name }) => [number, own, name, 0, 0]);
}
