/** Search over one database: segments of texts and of vectors, and the sources that read them. */
import type { Search, SearchedTable } from '../worlds/search.ts';
import { headline } from '../sql/functions/search/headline.ts';
import { type Schema, schemaOf } from '../sql/schema/schema.ts';
import { searchedFields } from '../sql/schema/searched-fields.ts';
import type { TypeLookup } from '../sql/schema/type-lookup.ts';
import type { SqlTable } from '../sql/schema/table.ts';
import { TsQuery, type TsNode, tsPair, tsWord } from '../sql/types/tsquery-tree.ts';
import { nearestRows } from './nearest.ts';
import { NearbyVectors } from './nearby-vectors.ts';
import { clausesOf } from './query-text.ts';
import { Segments } from './segments.ts';
import { type SegmentPlace, StoredSegments } from './stored-segments.ts';
import { fieldsBelow, orderOfRows, type RowOrder, statesOf, tablesOf } from './table-parts.ts';
import { searchText, type TextPart } from './text-search.ts';
import { buildSegment, type TextSegment } from './text-segment.ts';
import { type RowTerms, TextSource } from './text-source.ts';
import { searchVectors, type VectorPart, type VectorSearch } from './vector-search.ts';
import { buildVectors, type VectorSegment } from './vector-segment.ts';
import { type RowVector, VectorSource } from './vector-source.ts';

export interface SearchOptions {
  /** Of the segments of texts, and as much again of the segments of vectors. */
  readonly cacheBytes: number;
  readonly lookup: TypeLookup;
  /** Vectors are found by lists where there are many. Otherwise all are compared: the same rows at any time. */
  readonly approximate: boolean;
  /** Where segments of texts are stored; null: they end with the process. */
  readonly place: SegmentPlace | null;
}

/** Characters of a text in which its snippet is looked for: it is made in one turn. */
const SNIPPET_OF = 65_536;
const START = '**';
const STOP = '**';
const NONE: ReadonlySet<number> = new Set();

export function searchOver({ cacheBytes, lookup, approximate, place }: SearchOptions): Search {
  const stored = place === null ? null : new StoredSegments(place, cacheBytes);
  const texts = new Segments<RowTerms, TextSegment>(cacheBytes, (pager, tree, source) => buildSegment(pager, tree, source as TextSource), stored);
  const nearby = approximate ? new NearbyVectors() : null;
  const segments = new Segments<RowVector, VectorSegment>(cacheBytes, (pager, tree, source) => buildVectors(pager, tree, source as VectorSource, approximate));
  const vectors: VectorSearch = { segments, nearby };
  const schemaIn = ({ catalog }: Pick<SearchedTable, 'catalog'>): Schema => schemaOf(catalog, lookup);
  const textSource = (searched: SearchedTable, without: ReadonlySet<number> = NONE): ((table: SqlTable) => TextSource) => {
    const schema = schemaIn(searched);
    const top = schema.tableNumbered(searched.table.number)!;
    const read = searchedFields(schema, top);
    const fields = { ...read, fields: read.fields.filter(({ column }) => !without.has(column.number)) };
    return (table) => new TextSource(table, fieldsBelow(fields, top, table));
  };
  const textParts = (searched: SearchedTable, without?: ReadonlySet<number>): TextPart[] => {
    const states = statesOf(searched);
    const sourceOf = textSource(searched, without);
    return tablesOf(searched, schemaIn(searched)).map((table, i) => ({ state: states[i], source: sourceOf(table) }));
  };
  const vectorParts = (searched: SearchedTable, column: string, dimensions: number): VectorPart[] => {
    const schema = schemaIn(searched);
    const states = statesOf(searched);
    const sourceOf = (table: SqlTable): VectorSource => new VectorSource(table, column, dimensions);
    // The column is checked without partitions as well.
    if (states.length === 0) sourceOf(schema.tableNumbered(searched.table.number)!);
    return tablesOf(searched, schema).map((table, i) => ({ state: states[i], source: sourceOf(table) }));
  };
  const isBefore = (searched: SearchedTable): RowOrder => orderOfRows(tablesOf(searched, schemaIn(searched)));
  let distances = 0;
  return {
    get vectorLists() {
      return nearby?.built ?? 0;
    },
    get distances() {
      return distances;
    },
    forget: () => {
      texts.forgetStates();
      segments.forgetStates();
    },
    get segmentsRead() {
      return stored?.read ?? 0;
    },
    close: async () => {
      nearby?.close();
      await stored?.close();
    },
    unwritten: () => texts.unwritten(),
    store: () => texts.store(),
    storeNow: () => texts.storeNow(),
    byText: (table, text, limits) => searchText(texts, textParts(table, limits.without), text, limits, isBefore(table)),
    byVector: (table, column, vector, limits) => searchVectors(vectors, vectorParts(table, column, vector.length), vector, limits, isBefore(table)),
    nearest: (state, column, metric, vector, limits) => {
      const table = schemaIn(state).tableNumbered(state.table.number)!;
      // Of the column's own dimensions: a vector of others is refused by the segment that serves all.
      const source = new VectorSource(table, column, table.columns.find(({ name }) => name === column)!.typmod);
      return nearestRows(vectors, state, source, metric, vector, limits, (more) => (distances += more));
    },
    hasVector: (table, column, dimensions) => {
      const parts = vectorParts(table, column, dimensions);
      return (leaf, at, part) => parts[part].source.vector(leaf, at) !== null;
    },
    isBefore,
    snippets: (table, text, { part, leaf, at }, without) => {
      const source = textSource(table, without)(schemaIn(table).tableNumbered(table.parts[part].table.number)!);
      const query = markedBy(source, text);
      const out: Record<string, string> = {};
      if (query === null) return out;
      for (const { column } of source.fields) {
        const value = source.text(column, leaf, at);
        if (value === null) continue;
        const part = headline(source.configuration, value.slice(0, SNIPPET_OF), query, `StartSel="${START}", StopSel="${STOP}"`);
        if (part.includes(START)) out[column.name] = part;
      }
      return out;
    },
  };
}

/** Any word of the text. */
function markedBy(source: TextSource, text: string): TsQuery | null {
  const words = clausesOf(source.configuration, text).flatMap((clause): TsNode[] => {
    if (clause.kind === 'word') return [tsWord(clause.lexeme)];
    if (clause.kind === 'prefix') return [tsWord(clause.prefix, 0, true)];
    return clause.words.map(({ lexeme }) => tsWord(lexeme));
  });
  return words.length === 0 ? null : new TsQuery(words.reduce((left, right) => tsPair('or', left, right)));
}
