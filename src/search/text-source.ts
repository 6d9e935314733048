/** The searched texts of a table's rows: columns of text, and fields of documents that hold a text in some rows and other values in others. */
import { KIND } from '../tree/datum.ts';
import type { Leaf } from '../tree/node.ts';
import { CONFIGURATIONS, type Configuration } from '../sql/functions/search/configurations.ts';
import { lexemeSteps } from '../sql/functions/search/vectors.ts';
import { passingCell } from '../sql/schema/row-reader.ts';
import type { SearchedField, SearchedFields } from '../sql/schema/searched-fields.ts';
import type { SqlColumn, SqlTable } from '../sql/schema/table.ts';
import type { RowSource } from './row-source.ts';

/** What is counted in a row. */
export interface RowTerms {
  /** Lexemes in all texts, stop words left out. One in a field of weight 2 counts as two, here and below. */
  readonly length: number;
  /** Lexeme → how often it occurs. */
  readonly counts: ReadonlyMap<string, number>;
}

/** What a source reads, in plain values. */
export interface TextShape {
  readonly configuration: string;
  readonly document: boolean;
  /** Numbers and weights of columns, and what rows have that are older than the column: forks may give two columns the same number. */
  readonly fields: readonly (readonly [column: number, weight: number, missing: string | null])[];
  /** Numbers of the table's columns, searched or not. */
  readonly present: readonly number[];
}

export const NO_TERMS: RowTerms = { length: 0, counts: new Map() };

/** Places of a lexeme in a text, from 1. */
export type Places = ReadonlyMap<string, ReadonlySet<number>>;

export class TextSource implements RowSource<RowTerms> {
  readonly nothing = NO_TERMS;
  readonly configuration: Configuration;
  readonly fields: readonly SearchedField[];
  readonly shape: TextShape;
  readonly #document: boolean;

  /** `without`: numbers of columns that are not read. */
  constructor(table: SqlTable, { fields, configuration }: SearchedFields) {
    this.configuration = CONFIGURATIONS.find(({ name }) => name === configuration)!;
    this.#document = table.document;
    this.fields = fields;
    this.shape = {
      configuration,
      document: table.document,
      fields: this.fields.map(({ column, weight }) => [column.number, weight, column.missing as string | null]),
      present: table.columns.map(({ number }) => number),
    };
  }

  /** It reads the same columns, and others only that were added since, in which a row that has not changed has nothing. */
  continues(earlier: RowSource<RowTerms>): boolean {
    return earlier instanceof TextSource && this.continuesShape(earlier.shape);
  }

  continuesShape({ configuration, document, fields, present }: TextShape): boolean {
    if (this.shape.configuration !== configuration || this.#document !== document) return false;
    const own = new Map(this.fields.map((field) => [field.column.number, field]));
    const isOwn = ([number, weight, missing]: TextShape['fields'][number]): boolean => {
      const field = own.get(number);
      return field !== undefined && field.weight === weight && field.column.missing === missing && own.delete(number);
    };
    if (!fields.every(isOwn)) return false;
    return [...own.values()].every(({ column: { number, missing } }) => missing === null && !present.includes(number));
  }

  equals(other: RowSource<RowTerms>): boolean {
    return this.continues(other) && (other as TextSource).fields.length === this.fields.length;
  }

  /** The text of a column in a row; null if it holds none. */
  text(column: SqlColumn, leaf: Leaf, at: number): string | null {
    if (!this.#document) return passingCell(column, leaf, at) as string | null;
    // A field's column may have become wider than a leaf that was written before.
    const cells = leaf.col(column.number);
    if (cells === null || (cells.kind !== KIND.TEXT && cells.kind !== KIND.JSON)) return null;
    const value = cells.passing(at);
    if (typeof value !== 'string') return null;
    if (cells.kind === KIND.TEXT) return value;
    return value.startsWith('"') ? (JSON.parse(value) as string) : null;
  }

  *read(leaf: Leaf, at: number): Generator<void, RowTerms> {
    const counts = new Map<string, number>();
    let length = 0;
    for (const { column, weight } of this.fields) {
      const text = this.text(column, leaf, at);
      if (text === null) continue;
      yield* lexemeSteps(this.configuration, text, 0, (lexeme) => {
        length += weight;
        counts.set(lexeme, (counts.get(lexeme) ?? 0) + weight);
      });
    }
    return length === 0 ? NO_TERMS : { length, counts };
  }

  /** Places of the lexemes in each text of a row. */
  *places(leaf: Leaf, at: number): Generator<void, readonly { readonly weight: number; readonly places: Places }[]> {
    const all: { weight: number; places: Places }[] = [];
    for (const { column, weight } of this.fields) {
      const text = this.text(column, leaf, at);
      if (text === null) continue;
      const places = new Map<string, Set<number>>();
      yield* lexemeSteps(this.configuration, text, 0, (lexeme, place) => {
        const known = places.get(lexeme);
        if (known === undefined) places.set(lexeme, new Set([place]));
        else known.add(place);
      });
      all.push({ weight, places });
    }
    return all;
  }

  /** Whether two versions of a row have the same texts. */
  isSame(a: Leaf, ai: number, b: Leaf, bi: number): boolean {
    return this.fields.every(({ column }) => this.text(column, a, ai) === this.text(column, b, bi));
  }
}
