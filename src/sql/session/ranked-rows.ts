/** Ranked search for statements: in the state that the statement reads, with the transaction's own changes. */
import { childRoot } from '../../tree/directory.ts';
import type { Node } from '../../tree/node.ts';
import { leaves } from '../../tree/read.ts';
import { readCatalog } from '../../worlds/catalog.ts';
import type { FoundRow, FoundRows, SearchedState } from '../../worlds/search.ts';
import type { DistanceSearch, WordSearch } from '../exec/context.ts';
import type { SqlTable } from '../schema/table.ts';
import type { SqlSession } from './sql-session.ts';
import { HNSW_BEAM } from './vector-settings.ts';

/** `directory`: of the state that is searched, once nothing changes its nodes in place any more. */
export function* rankedRows(
  session: SqlSession,
  table: SqlTable,
  { text, limit, without, visible }: WordSearch,
  directory: () => Node,
): Generator<void, FoundRows> {
  const state = stateOf(session, table, directory);
  if (state === null) return { rows: [], total: 0 };
  return yield* session.host.search.byText(state, text, { take: limit, skip: 0, matches: null, visible, without });
}

export function* nearestRows(
  session: SqlSession,
  table: SqlTable,
  { column, metric, vector, approximate, ...limits }: DistanceSearch,
  directory: () => Node,
): Generator<readonly FoundRow[] | void, void> {
  const state = stateOf(session, table, directory);
  if (state === null || state.rows === null) return;
  if (vector !== null) return yield* session.host.search.nearest(state, column, metric, vector, { ...limits, beam: approximate ? beamOf(session) : null });
  for (const { leaf, start } of leaves(state.pager, state.rows, null)) {
    yield Array.from({ length: leaf.count - start }, (_, i) => ({ key: leaf.key(start + i), leaf, at: start + i, score: NaN }));
  }
}

/** pgvector's default is automatic. */
function beamOf({ settings }: SqlSession): number {
  const given = settings.get('hnsw.ef_search');
  return given === undefined || given === HNSW_BEAM ? 0 : Number(given);
}

function stateOf(session: SqlSession, table: SqlTable, directory: () => Node): SearchedState | null {
  const { context } = session.host;
  // Segments are compared with this state later.
  session.hold();
  session.transaction?.seal();
  const root = directory();
  const { pager } = context.engine;
  const catalog = readCatalog(pager, root);
  const found = catalog.byNumber.get(table.number);
  if (found === undefined) return null;
  return { pager, rows: childRoot(pager, root, table.number), table: found, catalog, hold: (of: Node) => context.engine.hold(of) };
}
