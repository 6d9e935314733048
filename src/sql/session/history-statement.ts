/** SHOW HISTORY: of a world, or of one row of it. The last column names the event that the page before or after begins with. */
import type { HistoryEvent, HistoryInput, WorldName } from '../../commands/contract.ts';
import { idOf, parseRowKey } from '../../worlds/keys.ts';
import type { ShowHistory } from '../ast/world.ts';
import { table } from './result-table.ts';
import type { StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';
import { columnsOfStatement } from './statement-columns.ts';

/** Worlds by name and id, since another world may have the name by now. */
function cell(event: HistoryEvent, name: string): unknown {
  const value = event[name as keyof HistoryEvent] as unknown;
  if (name === 'branch' || name === 'into' || name === 'onto') {
    const world = value as WorldName | undefined;
    return world === undefined ? null : `${world.name} (${world.id})`;
  }
  return name === 'definitions' ? (value ?? []) : (value ?? null);
}

export async function showHistory(session: SqlSession, statement: ShowHistory): Promise<StatementResult> {
  session.preventInTransactionBlock('SHOW HISTORY');
  const { world, row, limit, before, after, definitions } = statement;
  const branch =
    world !== null ? (world.when === null ? world.name : `${world.name}@${world.when}`) : row === null ? session.branch.split('@')[0] : session.branch;
  const input: HistoryInput = {
    branch,
    ...(row === null ? {} : rowNamed(session, branch, row.value)),
    ...(limit === null ? {} : { limit }),
    ...(before === null ? {} : { before }),
    ...(after === null ? {} : { after }),
    ...(definitions ? { definitions } : {}),
  };
  const { events } = await session.controlled((control) => session.commands.history(input, control));
  const columns = columnsOfStatement(session, statement)!;
  return table(
    session,
    'SHOW',
    columns,
    events.map((event) => columns.map(([name]) => cell(event, name))),
  );
}

/** The id in the form of operations: for several key columns the texts stay escaped. */
function rowNamed(session: SqlSession, branch: string, key: string): { table: string; id: string } {
  const { table: name } = parseRowKey(key);
  const { catalog } = session.host.context.readEver(branch);
  return { table: name, id: idOf(key, catalog.tables.get(name)) };
}
