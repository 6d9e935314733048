/**
 * What a ranked search reads in a table: its texts, or the columns of its bm25 index with their weights, and the text search
 * configuration that reads their words. The index holds nothing else: segments are made by searches (src/search).
 */
import { optionParts } from '../../base/option-text.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { LANGUAGE_CONFIGURATIONS, SIMPLE } from '../types/search-names.ts';
import type { SqlType } from '../types/type.ts';
import { factsOf } from './facts.ts';
import { OID } from './oids.ts';
import type { Schema } from './schema.ts';
import type { Index, SqlColumn, SqlTable } from './table.ts';

export interface SearchedField {
  readonly column: SqlColumn;
  /** A word in it counts as often as this. */
  readonly weight: number;
}

export interface SearchedFields {
  readonly fields: readonly SearchedField[];
  /** Name of a built-in text search configuration. */
  readonly configuration: string;
}

export const STANDARD_CONFIGURATION = 'english';
/** Weights are whole, so that frequencies stay exact. */
const WEIGHT_MAX = 100;
const TEXT_TYPES: ReadonlySet<number> = new Set([OID.text, OID.varchar, OID.bpchar, OID.citext]);

export function isSearchedText(type: SqlType): boolean {
  return TEXT_TYPES.has((type.domain?.root ?? type).oid);
}

/** Of several bm25 indexes, which a merge may bring together, the oldest counts. */
export function bm25Index(table: SqlTable): Index | null {
  const all = table.indexes.filter(({ method }) => method === 'bm25');
  return all.length === 0 ? null : all.reduce((oldest, each) => (each.number < oldest.number ? each : oldest));
}

export function searchedFields(schema: Schema, table: SqlTable): SearchedFields {
  const index = bm25Index(table);
  if (index === null) {
    // A document's id is its key, no field.
    const fields = table.document ? table.columns.slice(1) : table.columns;
    return {
      fields: fields.filter(({ type }) => isSearchedText(type) || (table.document && type.oid === OID.jsonb)).map((column) => ({ column, weight: 1 })),
      configuration: STANDARD_CONFIGURATION,
    };
  }
  const options = new Map((factsOf(schema, index.number)?.options ?? []).map((option) => optionParts(option)));
  const weights = weightsIn(options.get('weights') ?? '');
  return {
    fields: index.columns.map(({ column }, i) => ({ column: table.columns[column!], weight: weights[i] ?? 1 })),
    configuration: options.get('config') ?? STANDARD_CONFIGURATION,
  };
}

/** 42704 if there is no built-in configuration of the name. */
export function checkConfiguration(name: string): void {
  const names = [SIMPLE.name, ...LANGUAGE_CONFIGURATIONS.map((each) => each.name)];
  if (names.includes(name)) return;
  throw new SvcError('42704', `text search configuration "${name}" does not exist`, {
    hint: `A bm25 index takes a built-in configuration: ${names.toSorted().join(', ')}.`,
  });
}

/** One weight for each column of the index: `2,1`. 22023 */
export function weightsIn(text: string): number[] {
  if (text.trim() === '') return [];
  return text.split(',').map((each) => {
    const weight = Number(each.trim());
    if (each.trim() !== '' && Number.isInteger(weight) && weight >= 1 && weight <= WEIGHT_MAX) return weight;
    throw new SvcError('22023', `invalid value for option "weights": ${text}`, {
      detail: `A weight is a whole number from 1 to ${WEIGHT_MAX}, one for each column in the order of the index: "2,1".`,
    });
  });
}

interface Bm25Spec {
  readonly columns: readonly { readonly column: string | null }[];
  readonly where: string | null;
}

/** 0A000 for what a bm25 index cannot have, 42710 for a second one of the table, 42701 for a column that is there twice. */
export function refuseBm25(table: SqlTable, { columns, where }: Bm25Spec): void {
  const cannot = (what: string): SvcError => new SvcError('0A000', `access method "bm25" does not support ${what}`);
  if (columns.some(({ column }) => column === null)) throw cannot('expressions');
  if (where !== null) throw cannot('partial indexes');
  const known = bm25Index(table);
  if (known !== null) {
    throw new SvcError('42710', `table "${table.name}" has a bm25 index already: "${known.name}"`, {
      hint: 'A bm25 index says what ranked search reads in the table; drop that one first.',
    });
  }
  columns.forEach(({ column }, i) => {
    if (columns.findIndex((each) => each.column === column) < i) throw new SvcError('42701', `column "${column}" appears twice in the bm25 index`);
  });
}

/** 22023 if the index has weights, but not one for each column. */
export function checkWeights(schema: Schema, index: Index): void {
  const written = (factsOf(schema, index.number)?.options ?? []).map((option) => optionParts(option)).find(([name]) => name === 'weights');
  const weights = weightsIn(written?.[1] ?? '');
  if (weights.length === 0 || weights.length === index.columns.length) return;
  throw new SvcError('22023', `bm25 index "${index.name}" has ${index.columns.length} columns, but "weights" has ${weights.length}: ${written?.[1]}`, {
    hint: 'Give one weight for each column, in the order of the index.',
  });
}

/** Whether the world has a bm25 index at all. */
export function hasBm25({ catalog }: Schema): boolean {
  for (const { method } of catalog.indexes.values()) if (method === 'bm25') return true;
  return false;
}
