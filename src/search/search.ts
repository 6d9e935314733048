/** Search over one database: segments of texts and of vectors, and the sources that read them. */
import type { Search, SearchedState } from '../worlds/search.ts';
import { headline } from '../sql/functions/search/headline.ts';
import { schemaOf } from '../sql/schema/schema.ts';
import { searchedFields } from '../sql/schema/searched-fields.ts';
import type { SqlTable } from '../sql/schema/table.ts';
import type { TypeLookup } from '../sql/schema/type-lookup.ts';
import { TsQuery, type TsNode, tsPair, tsWord } from '../sql/types/tsquery-tree.ts';
import { nearestRows } from './nearest.ts';
import { NearbyVectors } from './nearby-vectors.ts';
import { clausesOf } from './query-text.ts';
import { Segments } from './segments.ts';
import { type SegmentPlace, StoredSegments } from './stored-segments.ts';
import { searchText } from './text-search.ts';
import { buildSegment, type TextSegment } from './text-segment.ts';
import { type RowTerms, TextSource } from './text-source.ts';
import { searchVectors, type VectorSearch } from './vector-search.ts';
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
  const sqlTable = ({ catalog, table }: SearchedState): SqlTable => schemaOf(catalog, lookup).tableNumbered(table.number)!;
  const textSource = (state: SearchedState, without: ReadonlySet<number> = NONE): TextSource => {
    const table = sqlTable(state);
    return new TextSource(table, searchedFields(schemaOf(state.catalog, lookup), table), without);
  };
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
    store: () => texts.storeNow(),
    byText: (state, text, limits) => searchText(texts, state, textSource(state, limits.without), text, limits),
    byVector: (state, column, vector, limits) => searchVectors(vectors, state, new VectorSource(sqlTable(state), column, vector.length), vector, limits),
    nearest: (state, column, metric, vector, limits) =>
      nearestRows(vectors, state, new VectorSource(sqlTable(state), column, vector.length), metric, vector, limits, (more) => (distances += more)),
    hasVector: (state, column, dimensions) => {
      const source = new VectorSource(sqlTable(state), column, dimensions);
      return (leaf, at) => source.vector(leaf, at) !== null;
    },
    snippets: (state, text, { leaf, at }, without) => {
      const source = textSource(state, without);
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
