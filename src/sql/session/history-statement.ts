/** SHOW HISTORY: of a world, or of one row of it. The last column names the event that the page before or after begins with. */
import type { HistoryEvent, HistoryInput, WorldName } from '../../commands/contract.ts';
import { idOf, parseRowKey } from '../../worlds/keys.ts';
import type { ShowHistory } from '../ast/world.ts';
import { type ColumnKind, table } from './result-table.ts';
import type { StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

interface Title {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly of: (event: HistoryEvent) => unknown;
}

/** By name and id, since another world may have the name by now. */
function shown(world: WorldName | undefined): string | null {
  return world === undefined ? null : `${world.name} (${world.id})`;
}

const WORLD_TITLES: readonly Title[] = [
  { name: 'at', kind: 'timestamptz', of: ({ at }) => at },
  { name: 'world', kind: 'text', of: ({ world }) => world },
  { name: 'event', kind: 'text', of: ({ event }) => event },
  { name: 'rows', kind: 'int8', of: ({ rows }) => rows },
  { name: 'branch', kind: 'text', of: ({ branch }) => shown(branch) },
  { name: 'into', kind: 'text', of: ({ into }) => shown(into) },
  { name: 'by', kind: 'text', of: ({ by }) => by ?? null },
  { name: 'id', kind: 'text', of: ({ id }) => id },
  { name: 'onto', kind: 'text', of: ({ onto }) => shown(onto) },
  { name: 'undoes', kind: 'text', of: ({ undoes }) => undoes ?? null },
  { name: 'approval', kind: 'jsonb', of: ({ approval }) => approval ?? null },
];

const DEFINITIONS: Title = { name: 'definitions', kind: 'jsonb', of: ({ definitions }) => definitions ?? [] };

const ROW_TITLES: readonly Title[] = [
  { name: 'at', kind: 'timestamptz', of: ({ at }) => at },
  { name: 'world', kind: 'text', of: ({ world }) => world },
  { name: 'event', kind: 'text', of: ({ event }) => event },
  { name: 'change', kind: 'text', of: ({ change }) => change },
  { name: 'before', kind: 'jsonb', of: ({ before }) => before },
  { name: 'after', kind: 'jsonb', of: ({ after }) => after },
  { name: 'columns', kind: 'jsonb', of: ({ columns }) => columns },
  { name: 'by', kind: 'text', of: ({ by }) => by ?? null },
  { name: 'branch', kind: 'text', of: ({ branch }) => shown(branch) },
  { name: 'into', kind: 'text', of: ({ into }) => shown(into) },
  { name: 'id', kind: 'text', of: ({ id }) => id },
  { name: 'via', kind: 'text', of: ({ via }) => via ?? null },
  { name: 'onto', kind: 'text', of: ({ onto }) => shown(onto) },
  { name: 'undoes', kind: 'text', of: ({ undoes }) => undoes ?? null },
  { name: 'approval', kind: 'jsonb', of: ({ approval }) => approval ?? null },
];

function titlesOf({ row, definitions }: ShowHistory): readonly Title[] {
  if (row !== null) return ROW_TITLES;
  return definitions ? [...WORLD_TITLES, DEFINITIONS] : WORLD_TITLES;
}

export function historyColumns(statement: ShowHistory): readonly (readonly [string, ColumnKind])[] {
  return titlesOf(statement).map(({ name, kind }) => [name, kind]);
}

export async function showHistory(session: SqlSession, statement: ShowHistory): Promise<StatementResult> {
  session.settle('SHOW HISTORY');
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
  const titles = titlesOf(statement);
  return table(
    session,
    'SHOW',
    historyColumns(statement),
    events.map((event) => titles.map(({ of }) => of(event))),
  );
}

/** The id in the form of operations: for several key columns the texts stay escaped. */
function rowNamed(session: SqlSession, branch: string, key: string): { table: string; id: string } {
  const { table: name } = parseRowKey(key, true);
  const { catalog } = session.host.context.readEver(branch);
  return { table: name, id: idOf(key, catalog.tables.get(name), true) };
}
