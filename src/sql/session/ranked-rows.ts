/** Ranked search for statements: in the state that the statement reads, with the transaction's own changes. */
import { childRoot } from '../../tree/directory.ts';
import type { Node } from '../../tree/node.ts';
import { readCatalog } from '../../worlds/catalog.ts';
import type { FoundRows } from '../../worlds/search.ts';
import type { WordSearch } from '../exec/context.ts';
import type { SqlTable } from '../schema/table.ts';
import type { SqlSession } from './sql-session.ts';

/** `directory`: of the state that is searched, once nothing changes its nodes in place any more. */
export function* rankedRows(
  session: SqlSession,
  table: SqlTable,
  { text, limit, without, visible }: WordSearch,
  directory: () => Node,
): Generator<void, FoundRows> {
  const { context, search } = session.host;
  // Segments are compared with this state later.
  session.hold();
  session.transaction?.seal();
  const root = directory();
  const { pager } = context.engine;
  const catalog = readCatalog(pager, root);
  const found = catalog.byNumber.get(table.number);
  if (found === undefined) return { rows: [], total: 0 };
  const state = { pager, rows: childRoot(pager, root, table.number), table: found, catalog, hold: (of: Node) => context.engine.hold(of) };
  return yield* search.byText(state, text, { take: limit, skip: 0, matches: null, visible, without });
}
