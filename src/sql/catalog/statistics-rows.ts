/** pg_statistic_ext, the names in pg_stats_ext, and pg_get_statisticsobjdef. */
import type { ExtendedStatisticsObject } from '../../worlds/definition.ts';
import { quoteIdentifier, quoteNames } from '../../base/quote-identifier.ts';
import type { Schema } from '../schema/schema.ts';
import { ArrayValue } from '../types/array-value.ts';
import { vector } from './catalog-types.ts';
import type { DefinitionTexts } from './definition-texts.ts';
import type { Row } from './made-relation.ts';

const KINDS: readonly (readonly [letter: string, word: string])[] = [
  ['d', 'ndistinct'],
  ['f', 'dependencies'],
  ['m', 'mcv'],
];

function attnums(schema: Schema, { table, columns }: ExtendedStatisticsObject): number[] {
  const own = schema.tables.get(table);
  return columns.flatMap((number) => own?.columns.find((column) => column.number === number)?.attnum ?? []);
}

export function statisticsRows({ schema, texts }: { readonly schema: Schema; readonly texts: DefinitionTexts }): Row[] {
  return [...schema.extendedStatistics.values()].map((object): Row => {
    const { number, table, name, kinds, target, expressions } = object;
    const own = schema.tables.get(table)!;
    const shown = expressions.map((sql) => texts.expression(own, sql)).join(', ');
    // prettier-ignore
    return [
      number, table, name, schema.schemas.get(object.schema) ?? 0, schema.ownerOf(number), target, vector(attnums(schema, object)),
      new ArrayValue([...kinds]), expressions.length === 0 ? null : shown,
    ];
  });
}

/** A call is bare, anything else parenthesised. */
function bracketed(text: string): string {
  return /^[\w".]+\(.*\)$/.test(text) ? text : text.startsWith('(') ? text : `(${text})`;
}

export function statisticsElements(schema: Schema, texts: DefinitionTexts, object: ExtendedStatisticsObject): string[] {
  const table = schema.tables.get(object.table)!;
  const names = object.columns.flatMap((number) => table.columns.find((column) => column.number === number)?.name ?? []);
  return [...names.map(quoteIdentifier), ...object.expressions.map((sql) => bracketed(texts.expression(table, sql, true)))];
}

export function statisticsDefinition(schema: Schema, texts: DefinitionTexts, object: ExtendedStatisticsObject, relation: string): string {
  const { kinds, columns, expressions } = object;
  const all = KINDS.every(([letter]) => kinds.includes(letter)) || (columns.length === 0 && expressions.length === 1);
  const words = KINDS.filter(([letter]) => kinds.includes(letter)).map(([, word]) => word);
  const listed = all ? '' : ` (${words.join(', ')})`;
  return `CREATE STATISTICS ${quoteNames([object.schema, object.name])}${listed} ON ${statisticsElements(schema, texts, object).join(', ')} FROM ${relation}`;
}
