/** Ranked search for statements: in the state that the statement reads, with the transaction's own changes. */
import type { Key } from '../../tree/datum.ts';
import { childRoot } from '../../tree/directory.ts';
import type { Node } from '../../tree/node.ts';
import { leaves } from '../../tree/read.ts';
import { readCatalog } from '../../worlds/catalog.ts';
import type { FoundRow, FoundRows, SearchedState, SearchedTable } from '../../worlds/search.ts';
import type { DistanceSearch, WordSearch } from '../exec/context.ts';
import { keyInMember, memberOf } from '../schema/hierarchy.ts';
import type { SqlTable } from '../schema/table.ts';
import type { SqlSession } from './sql-session.ts';
import { HNSW_BEAM } from './vector-settings.ts';

/** `directory`: of a part of the searched table, once nothing changes its nodes in place any more. */
export function* rankedRows(
  session: SqlSession,
  table: SqlTable,
  { text, limit, without, visible }: WordSearch,
  directory: (table: number) => Node,
): Generator<void, FoundRows> {
  const members = membersOf(table);
  const states = members.flatMap((member) => stateOf(session, member, () => directory(member.number)) ?? []);
  if (states.length === 0 || states.length < members.length) return { rows: [], total: 0 };
  const [{ pager, catalog, hold }] = states;
  const parts = states.map((state) => ({ table: state.table, rows: state.rows }));
  const searched: SearchedTable = { pager, catalog, hold, table: catalog.byNumber.get(table.number)!, parts };
  const seen = visible === null ? null : table.whole === undefined ? [visible] : seenByMember(members, visible);
  return yield* session.host.search.byText(searched, text, { take: limit, skip: 0, matches: null, visible: seen, without });
}

/** The tables that store the rows. */
export function membersOf(table: SqlTable): readonly SqlTable[] {
  return table.whole === undefined ? [table] : table.whole.members.map((member) => member.table);
}

/** Keys of rows of a table with descendants, by the table that stores each. */
function seenByMember(members: readonly SqlTable[], keys: ReadonlySet<Key>): readonly ReadonlySet<Key>[] {
  const seen = new Map(members.map(({ number }) => [number, new Set<Key>()]));
  for (const key of keys) seen.get(memberOf(key as string))!.add(keyInMember(key as string));
  return [...seen.values()];
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
    yield Array.from({ length: leaf.count - start }, (_, i) => ({ part: 0, key: leaf.key(start + i), leaf, at: start + i, score: NaN }));
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
