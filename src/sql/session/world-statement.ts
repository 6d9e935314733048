/** World statements: the same commands as the operations of the other entrances, answered as rows. */
import { parseExactJson } from '../../base/exact-json.ts';
import { conflictLines } from '../../base/errors/conflict-lines.ts';
import { countedRows } from '../../base/counted-rows.ts';
import { differenceOf, triggersOf, verdictOf } from '../../base/postgres-answer.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { quoteIdentifier } from '../../base/quote-identifier.ts';
import { resolutionHint, type ResolutionWords } from '../../base/resolution-hint.ts';
import type { AllCommands, Change, Conflict, DefinitionChange, Json, MergeInput, MergePreview, RebaseInput, Row, WorldView } from '../../commands/contract.ts';
import { readCatalog } from '../../worlds/catalog.ts';
import { withMembers } from '../../worlds/lineage.ts';
import type { ShowWorlds, WorldReference, WorldStatement } from '../ast/world.ts';
import { runGovernance } from './governance-statement.ts';
import { showHistory } from './history-statement.ts';
import { runSimulation } from './simulation-statement.ts';
import { atOf, durationOf, runAdmin } from './admin-statement.ts';
import { like } from '../functions/text/like.ts';
import { type ColumnKind, table } from './result-table.ts';
import { done, type StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';
import { answer, answerOfFields, longAnswerOfFields } from './statement-columns.ts';
import { undoneByTable } from './undone-by-table.ts';

export const METRIC_COLUMNS: readonly (readonly [string, ColumnKind])[] = [
  ['name', 'text'],
  ['value', 'float8'],
];

export async function runWorld(session: SqlSession, statement: WorldStatement): Promise<StatementResult> {
  const { commands } = session;
  switch (statement.type) {
    case 'createWorld': {
      session.preventInTransactionBlock('CREATE WORLD');
      const { world } = await commands.fork({
        name: statement.name,
        from: statement.from === null ? session.branch : reference(statement.from),
        ...(statement.meta === null ? {} : { meta: jsonObject(statement.meta.value) }),
      });
      return worlds(session, statement, 'CREATE WORLD', [world]);
    }
    case 'useWorld': {
      session.preventInTransactionBlock('USE WORLD');
      const branch = reference(statement.world);
      // Throws if the world is missing, before the session moves.
      session.host.context.read(branch);
      session.branch = branch;
      return done('USE WORLD');
    }
    case 'showWorld':
      session.preventInTransactionBlock('SHOW WORLD');
      return worlds(session, statement, 'SHOW', [await commands.world({ branch: session.branch })]);
    case 'showWorlds':
      session.preventInTransactionBlock('SHOW WORLDS');
      return longAnswerOfFields(session, statement, 'SHOW', await shownWorlds(commands, statement));
    case 'showMetrics': {
      session.preventInTransactionBlock('SHOW METRICS');
      const rows = (await session.host.metrics()).map(({ name, value }) => [name, value]);
      return table(session, 'SHOW', METRIC_COLUMNS, rows);
    }
    case 'verify': {
      session.preventInTransactionBlock('VERIFY');
      const { pages, bytes, log_records: records } = await session.controlled((control) => commands.verify(undefined, control));
      return answer(session, statement, 'VERIFY', [[pages, bytes, records]]);
    }
    case 'dropWorld': {
      session.preventInTransactionBlock('DROP WORLD');
      await commands.discard({ branch: statement.name, cascade: statement.cascade });
      return done('DROP WORLD');
    }
    case 'simulate':
    case 'replayWorld':
      return runSimulation(session, statement);
    case 'alterWorld':
      return alterWorld(session, statement);
    case 'diffWorld':
      return diffWorld(session, statement);
    case 'mergeWorld':
      return mergeWorld(session, statement);
    case 'rebaseWorld': {
      session.preventInTransactionBlock('REBASE WORLD');
      const input: RebaseInput = {
        branch: statement.name,
        ...(statement.byColumns ? { columns: true } : {}),
        ...(statement.strict ? { strict: true } : {}),
        ...(statement.resolve === null ? {} : { resolve: statement.resolve }),
        ...(statement.rows === null ? {} : { picks: jsonObject(statement.rows.value) as MergeInput['picks'] }),
        ...(statement.version === null ? {} : { version: statement.version }),
      };
      const reply = await withConflictDetail('', () => session.controlled((control) => commands.rebase(input, control)));
      return answer(session, statement, 'REBASE WORLD', [[reply.rebased, reply.version]]);
    }
    case 'restoreWorld': {
      session.preventInTransactionBlock('RESTORE WORLD');
      const { to } = statement;
      const reply = await commands.restore({ branch: statement.name, ...(to.kind === 'moment' ? { at: to.when.value } : { checkpoint: to.name }) });
      return answer(session, statement, 'RESTORE WORLD', [[reply.restored]]);
    }
    case 'createCheckpoint': {
      session.preventInTransactionBlock('CHECKPOINT');
      const reply = await commands.checkpoint({ branch: statement.world ?? session.branch, name: statement.name });
      return answer(session, statement, 'CHECKPOINT', [[reply.at]]);
    }
    case 'undoMerge': {
      session.preventInTransactionBlock('UNDO MERGE');
      const input = { branch: statement.name, skip_changed: statement.skipChanged, dry_run: statement.dryRun };
      const reply = await session.controlled((control) => commands.undo_merge(input, control));
      if (statement.dryRun) {
        const rows = undoneByTable(reply).map((row) => [...row, reply.postgres ?? null]);
        return answer(session, statement, 'UNDO MERGE', rows);
      }
      return answer(session, statement, 'UNDO MERGE', [[reply.parent, reply.at, reply.undone, reply.skipped]]);
    }
    case 'showHistory':
      return showHistory(session, statement);
    case 'showMergePolicies':
    case 'showMergeChecks':
    case 'showReviews':
    case 'showReaders':
    case 'createMergePolicy':
    case 'alterMergePolicy':
    case 'dropMergePolicy':
    case 'createMergeCheck':
    case 'dropMergeCheck':
    case 'reviewWorld':
    case 'showMergeOutcomes':
    case 'createReader':
    case 'dropReader':
    case 'notifyOnMerge':
    case 'claimOutbox':
    case 'ackOutbox':
    case 'retryOutbox':
      return runGovernance(session, statement);
    case 'createAgent':
    case 'alterAgent':
    case 'dropAgent':
    case 'showAudit':
    case 'undoAgent':
    case 'alterSystem':
    case 'backup':
      return runAdmin(session, statement);
    case 'showAgents':
      return runAdmin(session, { ...statement, type: 'showAgents' });
  }
}

export function reference({ name, when }: WorldReference): string {
  return when === null ? name : `${name}@${when}`;
}

function jsonObject(text: string): { [key: string]: Json } {
  let value: Json;
  try {
    value = parseExactJson(text) as Json;
  } catch (cause) {
    throw new SvcError('22P02', `invalid JSON: ${(cause as Error).message}`, { cause });
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new SvcError('22023', 'a JSON object is wanted here');
  return value;
}

function worlds(session: SqlSession, statement: WorldStatement, command: string, list: readonly WorldView[]): StatementResult {
  return answerOfFields(session, statement, command, list);
}

/** Worlds that are read before those with other names are filtered out. */
const PAGE_WORLDS = 1000;

async function shownWorlds(commands: AllCommands, { like: pattern, after, limit, asOf }: ShowWorlds): Promise<WorldView[]> {
  if (limit === 0) return [];
  const at = atOf({ asOf });
  let from = after === null ? at : { ...at, after };
  if (pattern === null) return (await commands.branches({ ...from, ...(limit === null ? {} : { limit }) })).branches;
  // A pattern is searched by the prefix before its first wildcard.
  const prefix = /^[^%_\\]*/.exec(pattern)![0];
  const out: WorldView[] = [];
  for (;;) {
    const { branches, next } = await commands.branches({ ...from, prefix, limit: PAGE_WORLDS });
    for (const world of branches) {
      if (like(world.name, pattern)) out.push(world);
      if (out.length === limit) return out;
    }
    if (typeof next !== 'string') return out;
    from = { ...at, after: next };
  }
}

async function alterWorld(session: SqlSession, statement: Extract<WorldStatement, { type: 'alterWorld' }>): Promise<StatementResult> {
  const { name, action } = statement;
  session.preventInTransactionBlock('ALTER WORLD');
  const { commands } = session;
  switch (action.kind) {
    case 'setMeta':
      return worlds(session, statement, 'ALTER WORLD', [await commands.set_meta({ branch: name, meta: jsonObject(action.meta.value) })]);
    case 'confirm':
      return worlds(session, statement, 'ALTER WORLD', [await commands.confirm({ branch: name })]);
    case 'pin':
    case 'unpin':
      return worlds(session, statement, 'ALTER WORLD', [await commands.keep({ branch: name, pinned: action.kind === 'pin' })]);
    case 'setTtl':
      return worlds(session, statement, 'ALTER WORLD', [await commands.keep({ branch: name, ttl: durationOf(action.ttl) })]);
    case 'resetTtl':
      return worlds(session, statement, 'ALTER WORLD', [await commands.keep({ branch: name, ttl: null })]);
  }
}

async function diffWorld(session: SqlSession, statement: Extract<WorldStatement, { type: 'diffWorld' }>): Promise<StatementResult> {
  session.preventInTransactionBlock('DIFF WORLD');
  const { commands } = session;
  const from = { branch: reference(statement.world), ...(statement.to === null ? {} : { to: reference(statement.to) }) };
  if (statement.output === 'sql') {
    const { sql } = await session.controlled((control) => commands.diff({ ...from, sql: true }, control));
    return answer(
      session,
      statement,
      'DIFF WORLD',
      (sql ?? []).map((text) => [text]),
    );
  }
  if (statement.output === 'readers') {
    const { readers } = await session.controlled((control) => commands.diff({ ...from, count: true, readers: true }, control));
    return answer(
      session,
      statement,
      'DIFF WORLD',
      (readers ?? []).map(({ table, columns, kind, reader, detail }) => [table, columns, kind, reader, detail]),
    );
  }
  if (statement.output === 'count') {
    const { tables, definitions = [] } = await session.controlled((control) => commands.diff({ ...from, count: true }, control));
    const wanted = wantedTables(session, statement, from);
    const rows: [string, number][] = Object.entries(tables ?? {}).filter(([name]) => wanted === null || wanted.has(name));
    const defined = definitions.filter(({ object }) => wanted === null || [...wanted].some((name) => concerns(object, name))).length;
    if (defined > 0) rows.push(['definition', defined]);
    return answer(session, statement, 'DIFF WORLD', rows);
  }
  const kept: Change[] = [];
  const definitions: DefinitionChange[] = [];
  let wanted: ReadonlySet<string> | null = null;
  // Reads pages until enough rows match.
  for (let after = statement.after?.value; ;) {
    const limit = statement.limit === null || statement.tables === null ? statement.limit : Math.max(statement.limit, FILTERED_PAGE);
    const page = await commands.diff({ ...from, ...(limit === null ? {} : { limit }), ...(after === undefined ? {} : { after }) });
    wanted ??= wantedTables(session, statement, from);
    definitions.push(...(page.definitions ?? []).filter(({ object }) => wanted === null || [...wanted].some((name) => concerns(object, name))));
    for (const change of page.changes ?? []) {
      if (wanted === null || wanted.has(decodeURIComponent(change.key.slice(0, change.key.indexOf('/'))))) kept.push(change);
    }
    if (limit === null || statement.tables === null || kept.length >= statement.limit! || typeof page.next !== 'string') break;
    after = page.next;
    session.checkCancel();
  }
  if (statement.limit !== null) kept.splice(statement.limit);
  const outcome = (before: Row | null, after: Row | null): string => (before === null ? 'insert' : after === null ? 'delete' : 'update');
  return answer(session, statement, 'DIFF WORLD', [
    ...definitions.map(({ object, change, before, after }) => [`definition/${object}`, change, asRow(before), asRow(after), []]),
    ...kept.map(({ key, before, after, columns }) => [key, outcome(before, after), before, after, columns]),
  ]);
}

/** The texts of a definition in place of a row's fields. */
function sides({ before, after }: DefinitionChange): { base: Row | null; ours: Row | null; theirs: Row | null; result: Row | null } {
  return { base: asRow(before), ours: asRow(before), theirs: asRow(after), result: asRow(after) };
}

function asRow(definition: string | null): Row | null {
  return definition === null ? null : { definition };
}

/** Whether the object is the table or a part of it: `table t`, `column t.v`, `constraint c on t`. */
function concerns(object: string, table: string): boolean {
  const name = table
    .split('.')
    .map((part) => quoteIdentifier(part))
    .join('.');
  return object.endsWith(` ${name}`) || object.includes(` ${name}.`);
}

/** Page size if the changes are filtered by table. */
const FILTERED_PAGE = 1000;

/** TABLES (…), with partitions and children of the named tables; null: all. */
function wantedTables(
  session: SqlSession,
  { tables }: Extract<WorldStatement, { type: 'diffWorld' }>,
  { branch, to }: { branch: string; to?: string },
): ReadonlySet<string> | null {
  if (tables === null) return null;
  const { context } = session.host;
  const { world, catalog } = context.read(branch);
  const other = to === undefined ? readCatalog(context.engine.pager, world.base) : context.read(to).catalog;
  return withMembers(tables, [catalog, other]);
}

const RESOLUTION: ResolutionWords = {
  sides: 'RESOLVE OURS or RESOLVE THEIRS',
  columns: 'BY COLUMNS',
  single: 'ROWS for single ones: ROWS \'{"table/key": "theirs"}\'',
  leaveOut: 'ROWS \'{"table/key": "ours"}\'',
  together: 'TABLES (…)',
};

/** Conflicts as DETAIL, since most clients of the wire protocol show little more of an error; `hint` in SQL. */
async function withConflictDetail<T>(ahead: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const lines = conflictLines(error);
    if (lines === null) throw error;
    const { message, data } = error as SvcError;
    const hint = `${ahead}${resolutionHint(data!['conflicts'] as unknown as Conflict[], RESOLUTION)}`;
    throw new SvcError('SV409', message, { detail: lines.join('\n'), hint, data });
  }
}

const NO_ROW = { delete: false, base: null, ours: null, theirs: null, result: null };

/** What an attached Postgres says: its verdict, summary and triggers with the key `postgres`, then rows that it has otherwise, as `ours`. */
function postgresRows(answer: NonNullable<MergePreview['postgres']>): PreviewLine[] {
  return [
    { key: 'postgres', outcome: answer.error === null ? 'accepted' : 'blocked', detail: verdictOf(answer), ...NO_ROW },
    ...answer.summary.map((each) => ({ key: 'postgres', outcome: 'summary', detail: countedRows(each), ...NO_ROW })),
    ...triggersOf(answer).map((detail) => ({ key: 'postgres', outcome: 'trigger', detail, ...NO_ROW })),
    ...answer.rows.map((row) => ({ key: row.key, outcome: 'postgres', detail: differenceOf(row), ...NO_ROW, ours: row.postgres })),
  ];
}

type PreviewLine = Omit<MergePreview['rows'][number], 'outcome'> & { outcome: string };

async function mergeWorld(session: SqlSession, statement: Extract<WorldStatement, { type: 'mergeWorld' }>): Promise<StatementResult> {
  session.preventInTransactionBlock('MERGE WORLD');
  const { commands } = session;
  const input: MergeInput = {
    branch: statement.name,
    ...(statement.into === null ? {} : { into: statement.into }),
    ...(statement.resolve === null ? {} : { resolve: statement.resolve }),
    ...(statement.byColumns ? { columns: true } : {}),
    ...(statement.strict ? { strict: true } : {}),
    ...(statement.onlyTables === null ? {} : { only_tables: statement.onlyTables }),
    ...(statement.onlyKeys === null ? {} : { only_keys: statement.onlyKeys }),
    ...(statement.rows === null ? {} : { picks: jsonObject(statement.rows.value) as MergeInput['picks'] }),
    ...(statement.version === null ? {} : { version: statement.version }),
    ...(statement.target === null ? {} : { target: statement.target }),
    ...(statement.confirm ? { confirm: true } : {}),
    ...(statement.confirmDeletes === null ? {} : { confirm_deletes: statement.confirmDeletes }),
  };
  if (statement.dryRun) {
    const preview = await session.controlled((control) => commands.preview(input, control));
    // Definitions are not rows; they come first, conflicting ones before the others.
    const shown = new Set(preview.rows.map(({ key }) => key));
    const definitions = preview.conflicts.filter(({ key }) => !shown.has(key));
    const rows = [
      ...preview.blocked.map(({ rule, message }) => ({ key: `rule/${rule}`, outcome: 'blocked', detail: message, ...NO_ROW })),
      ...definitions.map(({ key, base, ours, theirs, explanation }) => ({
        key,
        outcome: 'conflict',
        detail: explanation,
        delete: false,
        base,
        ours,
        theirs,
        result: null,
      })),
      ...(preview.definitions ?? []).map((each) => ({
        key: `definition/${each.object}`,
        outcome: each.change,
        detail: each.statement,
        delete: each.change === 'drop',
        ...sides(each),
      })),
      ...preview.rows,
      ...(preview.postgres === undefined ? [] : postgresRows(preview.postgres)),
    ];
    return answer(
      session,
      statement,
      'MERGE WORLD',
      rows.map((row) => [row.key, row.outcome, row.detail, row.delete, row.base, row.ours, row.theirs, row.result]),
    );
  }
  const reply = await withConflictDetail(`Look with MERGE WORLD ${quoteIdentifier(statement.name)} DRY RUN. `, () =>
    session.controlled((control) => commands.merge({ ...input, dry_run: false }, control)),
  );
  if (reply.converged !== undefined) {
    session.notice('00000', `${reply.converged} row${reply.converged === 1 ? '' : 's'} had come out alike on both sides`, 'NOTICE', {
      hint: 'DRY RUN lists them as converged; STRICT makes them conflicts.',
    });
  }
  return answer(session, statement, 'MERGE WORLD', [[reply.merged, reply.version ?? null]]);
}
