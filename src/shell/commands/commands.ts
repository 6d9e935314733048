/** All commands: those with their own arguments, and every other operation of the table by its name. */
import { resolve } from 'node:path';
import { countedRows } from '../../base/counted-rows.ts';
import { differenceOf, triggersOf, verdictOf } from '../../base/postgres-answer.ts';
import { setField } from '../../base/json.ts';
import { exactJsonText, parseInputJson } from '../../base/exact-json.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type {
  AuditReply,
  DiffReply,
  FindReply,
  ForkInput,
  HistoryReply,
  Json,
  MergePreview,
  MergeReply,
  ReviewView,
  RunControl,
  WorldView,
  UndoMergeReply,
} from '../../commands/contract.ts';
import type { AnyOperation } from '../../operations/define-operation.ts';
import { operationByName, OPERATIONS } from '../../operations/table.ts';
import { jsonCell, visible } from '../text/cell.ts';
import { definitionLines, summaryLines, summaryText } from '../text/change-lines.ts';
import { rowText } from '../text/error-text.ts';
import { countLine, tableLines } from '../text/table.ts';
import { ago, shortTime } from '../text/time-text.ts';
import { worldTree } from '../text/world-tree.ts';
import { ChangeSource } from '../view/change-source.ts';
import { ReviewsView } from '../view/review-view.ts';
import { verdictText } from '../text/review-text.ts';
import { type SimulationReply, simulationLines, SimulationView } from '../view/simulation-view.ts';
import { Command, type CommandShape, type Input } from './command.ts';
import { describe } from './describe.ts';
import { fieldsOf } from './fields.ts';
import { helpLines } from './help.ts';
import { historyLines } from './history-lines.ts';
import { PSQL_COMMANDS } from './psql-commands.ts';
import { listLines, replyLines } from './reply-lines.ts';
import type { Stage } from './stage.ts';
import { UsageError } from './usage-error.ts';

const BEST_SHOWN = 20;

async function call<Reply>(stage: Stage, operation: AnyOperation, input: Input): Promise<Reply> {
  const options = { unit: operation.name === 'simulate' ? 'worlds' : '', stops: operation.long === true };
  return stage.busy(operation.name, (control) => stage.link.call(operation.name, input, control), options) as Promise<Reply>;
}

const hereAsBranch = (input: Input, { place }: Stage): void => void (input['branch'] ??= place.branch);

/** `history items/7`: a row in place of a world, since names of worlds have no `/`. */
function rowAsked(input: Input): void {
  const row = input['branch'];
  if (typeof row !== 'string' || input['table'] !== undefined || !row.includes('/')) return;
  const slash = row.indexOf('/');
  const raw = row.slice(slash + 1);
  try {
    // Texts of several key columns stay escaped between their commas.
    Object.assign(input, { branch: undefined, table: decodeURIComponent(row.slice(0, slash)), id: raw.includes(',') ? raw : decodeURIComponent(raw) });
  } catch {
    throw new UsageError(`"${row}" is not a row's key`, 'Write table/id, with , / % and blanks in the id percent-escaped.');
  }
}

/** The named operation; nothing if this release does not have it. */
function on(name: string, shape: (operation: AnyOperation) => Omit<CommandShape, 'operation'>): CommandShape[] {
  const operation = operationByName(name);
  return operation === undefined ? [] : [{ ...shape(operation), operation }];
}

/** `on`, `off`, or toggles. */
function switched(before: boolean, word: string): boolean {
  return word === '' ? !before : /^(on|true|yes|1)$/i.test(word);
}

function done(stage: Stage, text: string): Promise<void> {
  return stage.print([text]);
}

const SHAPES: readonly CommandShape[] = [
  ...on('fork', (operation) => ({
    name: 'fork',
    positional: ['name', 'from'],
    words: { from: 'from' },
    sql: /\smeta\s+'|^world\b/i,
    examples: ['fork draft', 'fork earlier main@-10m', `fork recount --meta '{"intent": "count again"}'`],
    fill: (input, { place }) => void (input['from'] ??= place.branch),
    async run(input, stage) {
      const { world } = await call<{ world: WorldView }>(stage, operation, input);
      await done(
        stage,
        `${stage.style.green('forked')} ${visible(world.name)} from ${visible((input as unknown as ForkInput).from!)}. ${stage.style.dim(`use ${visible(world.name)} works in it.`)}`,
      );
    },
  })),
  {
    name: 'use',
    aliases: ['\\c'],
    summary: 'Works in another world; `name@when` reads its past.',
    positional: ['world'],
    fields: [
      { name: 'world', required: true, description: 'World by name or id, or `name@when`.', form: 'text', flag: false, choices: [], read: (text) => text },
    ],
    sql: /^world\b/i,
    examples: ['use draft', 'use main@-10m', 'use main'],
    run: (input, stage) => stage.use(String(input['world'])),
  },
  ...on('branches', (operation) => ({
    name: 'worlds',
    aliases: ['branches', '\\l'],
    summary: 'Worlds as a tree; * is where you are.',
    positional: ['prefix'],
    examples: ['worlds', 'worlds draft', 'worlds --limit 100 --after draft'],
    async run(input, stage) {
      const { branches, next } = await call<{ branches: WorldView[]; next?: string | null }>(stage, operation, input);
      await stage.print(worldTree(branches, stage.place.branch, stage.nowMs(), stage.style, stage.width));
      if (typeof next === 'string') await stage.print([stage.style.dim(`… more: --after ${next}`)]);
    },
  })),
  ...on('world', (operation) => ({
    name: 'world',
    positional: ['branch'],
    fill: hereAsBranch,
    run: async (input, stage) => stage.print(replyLines(await call(stage, operation, input), stage.style, stage.width)),
  })),
  ...on('diff', (operation) => ({
    name: 'diff',
    positional: ['branch', 'to'],
    words: { to: 'to' },
    sql: /^world\b/i,
    examples: ['diff', 'diff draft', 'diff main@-1h main', 'diff draft --sql', 'diff draft --count'],
    fill: hereAsBranch,
    run: (input, stage) => runDiff(operation, input, stage),
  })),
  ...on('merge', (operation) => ({
    name: 'merge',
    positional: ['branch'],
    words: { into: 'into' },
    sql: /^(into|world|only)\b/i,
    examples: [
      'merge draft',
      'merge draft --dry-run',
      'merge draft --resolve theirs',
      'merge draft items/7=theirs items/8=ours',
      'merge draft --only-tables items',
    ],
    pair: pickOf,
    run: (input, stage) => runMerge(operation, input, stage),
  })),
  ...on('rebase', (operation) => ({
    name: 'rebase',
    positional: ['branch'],
    sql: /^world\b/i,
    pair: pickOf,
    fill: hereAsBranch,
    async run(input, stage) {
      const { rebased, version } = await call<{ rebased: number; version: number }>(stage, operation, input);
      await done(stage, `rebased: ${rebased} changed rows stand on the parent as it is now (version ${version})`);
    },
  })),
  ...on('discard', (operation) => ({
    name: 'discard',
    positional: ['branch'],
    sql: /^(all|temp|temporary|plans|sequences)\b/i,
    examples: ['discard draft', 'discard draft --cascade'],
    async run(input, stage) {
      const { discarded = [String(input['branch'])] } = await call<{ discarded?: string[] }>(stage, operation, input);
      await done(stage, `discarded ${discarded.map(visible).join(', ')}`);
    },
  })),
  ...on('reviews', (operation) => ({
    name: 'reviews',
    summary: 'Merges that wait for a person: look at them, approve, reject.',
    run: (input, stage) => runReviews(operation, input, stage, null),
  })),
  ...on('review', (operation) => ({
    name: 'review',
    positional: ['branch', 'verdict', 'reason…'],
    sql: /^world\b/i,
    fields: fieldsOf(operation.input).map((field) => ({ ...field, required: field.name === 'branch' })),
    examples: ['review recount', 'review recount approve', 'review recount reject the counts are of last year'],
    async run(input, stage) {
      const reviews = operationByName('reviews');
      if (input['verdict'] === undefined && reviews !== undefined) {
        await runReviews(reviews, {}, stage, String(input['branch']));
        return;
      }
      if (input['verdict'] === undefined) throw new UsageError('review wants verdict');
      const { merged } = await call<{ merged?: number }>(stage, operation, input);
      const verdict = String(input['verdict']);
      await done(
        stage,
        verdict === 'approve'
          ? `approved ${visible(String(input['branch']))}: ${rowCount(merged ?? 0)} merged`
          : `${verdict === 'pass' ? 'passed' : 'rejected'} ${visible(String(input['branch']))}`,
      );
    },
  })),
  ...on('history', (operation) => ({
    name: 'history',
    positional: ['branch', 'limit'],
    words: { of: 'branch', limit: 'limit', table: 'table', id: 'id', before: 'before', after: 'after' },
    examples: ['history', 'history draft', 'history main --limit 10', "history main --before '#4711'", 'history items/7', 'history draft table items id 7'],
    fill: (input, stage) => {
      rowAsked(input);
      hereAsBranch(input, stage);
    },
    run: async (input, stage) => stage.print(historyLines(await call<HistoryReply>(stage, operation, input), input['table'] !== undefined, stage)),
  })),
  ...on('audit', (operation) => ({
    name: 'audit',
    positional: ['agent', 'limit'],
    words: { of: 'agent', limit: 'limit' },
    async run(input, stage) {
      const { events, next } = await call<AuditReply>(stage, operation, input);
      const rows = events.map(({ at, agent, world, action, rows: count }) => [shortTime(at), agent, world, action, count === 0 ? '' : String(count)]);
      await stage.print([
        ...tableLines([{ name: 'at (UTC)' }, { name: 'agent' }, { name: 'world' }, { name: 'action' }, { name: 'rows', right: true }], rows, {
          width: stage.width,
          style: stage.style,
          expanded: false,
        }),
        countLine(rows.length, false),
        ...(next === null ? [] : [stage.style.dim(`… more: --before '${next}'`)]),
      ]);
    },
  })),
  ...on('undo_merge', (operation) => ({
    name: 'undo',
    aliases: ['undo_merge'],
    positional: ['branch'],
    sql: /^(merge|agent)\b/i,
    examples: ['undo draft', 'undo draft --skip-changed', 'undo draft --dry-run'],
    async run(input, stage) {
      const { parent, undone, skipped, keys, postgres } = await call<UndoMergeReply>(stage, operation, input);
      const external = postgres === undefined ? '' : ['', ...postgresLines(postgres, stage.style)].join('\n');
      await done(
        stage,
        `${keys === undefined ? 'undone' : 'would be undone'}: ${rowCount(undone)} of ${visible(parent)} put back${skipped === 0 ? '' : `, ${skipped} left as they are`}${external}`,
      );
    },
  })),
  ...on('restore', (operation) => ({
    name: 'restore',
    positional: ['at'],
    words: { to: 'at', checkpoint: 'checkpoint', on: 'branch' },
    sql: /^world\b/i,
    examples: ['restore -10m', 'restore 2026-01-31T12:00:00Z', 'restore checkpoint before-cleanup', 'restore -1h --branch draft'],
    fill: hereAsBranch,
    async run(input, stage) {
      if (input['at'] === undefined && input['checkpoint'] === undefined)
        throw new UsageError('restore wants a moment or a checkpoint', 'restore -10m   or   restore checkpoint NAME');
      const { restored } = await call<{ restored: number }>(stage, operation, input);
      await done(stage, `restored ${visible(String(input['branch']))}: ${rowCount(restored)} changed`);
    },
  })),
  ...on('checkpoint', (operation) => ({
    name: 'checkpoint',
    positional: ['name'],
    words: { on: 'branch' },
    sql: /^\S+\s+on\s+world\b|^;/i,
    examples: ['checkpoint before-cleanup'],
    fill: hereAsBranch,
    async run(input, stage) {
      const { at } = await call<{ at: string }>(stage, operation, input);
      await done(stage, `checkpoint ${visible(String(input['name']))} of ${visible(String(input['branch']))} at ${shortTime(at)}`);
    },
  })),
  {
    name: 'describe',
    aliases: ['\\d', '\\dt'],
    summary: 'Tables of the world, or columns, keys and indexes of one.',
    positional: ['table'],
    fields: [
      { name: 'table', required: false, description: 'Table; `schema.table` outside `public`.', form: 'text', flag: false, choices: [], read: (text) => text },
    ],
    examples: ['describe', 'describe items'],
    run: (input, stage) => describe(input, stage),
  },
  ...on('find', (operation) => ({
    name: 'find',
    positional: ['table', 'text'],
    examples: ['find users', 'find users city=Oslo', `find items "red lamp"`, 'find users --limit 5 --offset 5'],
    pair: whereOf,
    fill: hereAsBranch,
    async run(input, stage) {
      const { total, hits, next_offset, hint } = await call<FindReply>(stage, operation, input);
      const scored = input['text'] !== undefined || input['vector'] !== undefined;
      const rows = hits.map(({ id, score, row }) => ({ id, ...(scored ? { score } : {}), ...row }));
      const lines = rows.length === 0 ? [] : listLines(rows as Record<string, Json>[], stage.style, stage.width).slice(0, -1);
      await stage.print([...lines, `(${hits.length} of ${total} rows)${next_offset === null ? '' : stage.style.dim(`  --offset ${next_offset} for more`)}`]);
      if (hint !== undefined) await stage.print([stage.style.dim(hint)]);
    },
  })),
  ...on('get', (operation) => ({
    name: 'get',
    positional: ['table', 'id'],
    fill: hereAsBranch,
    async run(input, stage) {
      const { row } = await call<{ row: Record<string, Json> }>(stage, operation, input);
      await stage.print(
        tableLines(
          [{ name: 'f' }, { name: 'v' }],
          Object.entries(row).map(([name, value]) => [name, value === null ? null : jsonCell(value)]),
          { width: stage.width, style: stage.style, expanded: false },
        ).slice(2),
      );
    },
  })),
  ...on('put', (operation) => ({
    name: 'put',
    positional: ['table', 'id', 'record'],
    examples: [`put users ann '{"city": "Oslo"}'`],
    fill: hereAsBranch,
    run: generic(operation),
  })),
  ...on('delete', (operation) => ({ name: 'delete', positional: ['table', 'id'], sql: /^from\b/i, fill: hereAsBranch, run: generic(operation) })),
  ...on('backup', (operation) => ({
    name: 'backup',
    positional: ['to'],
    words: { to: 'to' },
    sql: /^to\s+['$]/i,
    examples: ['backup /backups/monday'],
    // The process that has the folder open writes the copy, and may have another working directory.
    fill: (input) => void (typeof input['to'] === 'string' && input['to'] !== '' && (input['to'] = resolve(input['to']))),
    run: generic(operation),
  })),
  ...on('simulate', (operation) => ({
    name: 'simulate',
    positional: ['worlds', 'prefix'],
    words: { as: 'prefix', script: 'script', score: 'score', from: 'from', keep: 'keep' },
    sql: /^\d+\s+worlds\b/i,
    run: (input, stage) => runSimulation(operation, input, stage),
  })),
  ...on('replay', (operation) => ({
    name: 'replay',
    positional: ['world', 'as'],
    words: { as: 'as' },
    sql: /^world\b/i,
    async run(input, stage) {
      const reply = await call<Record<string, Json>>(stage, operation, input);
      const verdict = reply['identical'] === true ? stage.style.green('identical') : stage.style.yellow('differs');
      await stage.print([`${visible(String(reply['world']))}: ${verdict}`, ...replyLines(reply, stage.style, stage.width)]);
    },
  })),
  {
    name: 'help',
    aliases: ['\\?', '?'],
    summary: 'What there is, or all about one command.',
    positional: ['command'],
    fields: [{ name: 'command', required: false, description: 'A command.', form: 'text', flag: false, choices: [], read: (text) => text }],
    run: async (input, stage) => stage.print(helpLines(COMMANDS, input['command'] as string | undefined, stage.style, stage.width ?? 80)),
  },
  {
    name: 'expanded',
    aliases: ['\\x'],
    summary: 'Rows as blocks, one field a line, or as tables again.',
    raw: true,
    async run({ text }, stage) {
      stage.expanded = switched(stage.expanded, text as string);
      await done(stage, `Rows are ${stage.expanded ? 'blocks of fields' : 'tables, where they fit'}.`);
    },
  },
  {
    name: 'timing',
    aliases: ['\\timing'],
    summary: 'Each statement says how long it took, or no longer.',
    raw: true,
    async run({ text }, stage) {
      stage.timing = switched(stage.timing, text as string);
      await done(stage, `Timing is ${stage.timing ? 'on' : 'off'}.`);
    },
  },
  ...PSQL_COMMANDS,
  { name: 'exit', aliases: ['quit', '\\q'], summary: 'Leaves the shell.', run: async (_input, stage) => stage.leave() },
];

/** Also aliases of others (`branches`), ROLLBACK of a transaction, and `sql`, which needs no command. */
const NOT_BY_NAME = new Set(['rollback', 'sql']);

function allCommands(): Command[] {
  const known = new Set(SHAPES.map(({ operation }) => operation));
  const others = OPERATIONS.filter((operation) => !known.has(operation) && !NOT_BY_NAME.has(operation.name)).map((operation): CommandShape => {
    const fields = fieldsOf(operation.input);
    const branch = fields.some(({ name, required }) => name === 'branch' && !required);
    return {
      name: operation.name,
      operation,
      positional: fields.filter(({ required }) => required).map(({ name }) => name),
      ...(branch ? { fill: hereAsBranch } : {}),
      run: generic(operation),
    };
  });
  return [...SHAPES, ...others].map((shape) => new Command(shape));
}

export const COMMANDS: readonly Command[] = allCommands();

// --- longer actions

function generic(operation: AnyOperation): CommandShape['run'] {
  return async (input, stage) => stage.print(replyLines(await call(stage, operation, input), stage.style, stage.width));
}

function rowCount(count: number): string {
  return `${count} row${count === 1 ? '' : 's'}`;
}

function pickOf(input: Input, name: string, value: string): boolean {
  if (!name.includes('/')) return false;
  const picks = (input['picks'] ??= {}) as Record<string, unknown>;
  if (value === 'ours' || value === 'theirs') setField(picks, name, value);
  else if (value === 'null') setField(picks, name, null);
  else {
    try {
      setField(picks, name, parseInputJson(value));
    } catch {
      throw new UsageError(`${name} ends as ours, theirs, null or a row of JSON, not "${value}"`);
    }
  }
  return true;
}

function whereOf(input: Input, name: string, value: string): boolean {
  const where = (input['where'] ??= {}) as Record<string, unknown>;
  let read: unknown;
  try {
    read = parseInputJson(value);
  } catch {
    read = value;
  }
  setField(where, name, read);
  return true;
}

async function runDiff(operation: AnyOperation, input: Input, stage: Stage): Promise<void> {
  const title = `${String(input['branch'])}${input['to'] === undefined ? '' : ` → ${String(input['to'])}`}`;
  if (input['sql'] === true) {
    const { sql = [] } = await call<DiffReply>(stage, operation, input);
    await stage.print(
      sql.length === 0 ? [stage.style.dim('nothing changes')] : sql.map((statement) => (statement.endsWith(';') ? statement : `${statement};`)),
    );
    return;
  }
  if (input['count'] === true || input['readers'] === true || input['limit'] !== undefined || input['after'] !== undefined) {
    const reply = await call<DiffReply>(stage, operation, input);
    const lines = [`${stage.style.bold(visible(title))}  ${reply.summary === undefined ? '' : summaryText(reply.summary)}`];
    if (reply.summary !== undefined) lines.push(...summaryLines(reply.summary, stage.style, stage.width));
    if (reply.definitions !== undefined) lines.push(...definitionLines(reply.definitions, stage.style, stage.width));
    if (reply.changes !== undefined)
      lines.push(
        ...reply.changes.flatMap((change) => [
          `${change.before === null ? '+' : change.after === null ? '-' : '~'} ${visible(change.key)}  ${rowText(change.after ?? change.before)}`,
        ]),
      );
    if (typeof reply.next === 'string') lines.push(stage.style.dim(`--after ${reply.next} for more`));
    if (reply.readers !== undefined)
      lines.push(stage.style.bold('readers of the changes'), ...listLines(reply.readers as unknown as Record<string, Json>[], stage.style, stage.width));
    await stage.print(lines);
    return;
  }
  const { deletes, ...rest } = input;
  const diff = (given: Record<string, unknown>, control?: RunControl): Promise<DiffReply> =>
    stage.link.call(operation.name, given, control) as Promise<DiffReply>;
  const source = await stage.busy('diff', (control) => ChangeSource.open(diff, rest, stage.style, deletes as boolean | undefined, control));
  await stage.page(source, source.summary(visible(title), stage.width), `diff ${visible(title)}`);
}

async function runMerge(operation: AnyOperation, input: Input, stage: Stage): Promise<void> {
  const branch = visible(String(input['branch']));
  if (input['dry_run'] === true) {
    await stage.print(previewLines(branch, await call<MergePreview>(stage, operation, input), stage));
    return;
  }
  const merge = (given: Input): Promise<MergeReply> => call(stage, operation, given);
  let reply: MergeReply;
  try {
    reply = await merge(input);
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const asked = error.data?.['confirm_deletes'] as { deletes: number; policy: string } | undefined;
    if (asked !== undefined && input['confirm_deletes'] === undefined && stage.interactive) {
      const given = await stage.ask(`Policy ${asked.policy} asks how many rows the merge deletes (diff ${branch} shows them):`);
      if (given === null) throw error;
      reply = await merge({ ...input, confirm_deletes: Number(given) });
    } else if (error.data?.['conflicts'] !== undefined && error.hint === undefined) {
      throw new SvcError(error.code, error.message, {
        detail: error.detail,
        data: error.data,
        status: error.status,
        hint: `merge ${branch} --resolve ours|theirs, --columns, or single rows: merge ${branch} TABLE/ID=ours TABLE/ID=theirs`,
      });
    } else throw error;
  }
  const { merged, converged, version } = reply;
  await done(
    stage,
    `${stage.style.green('merged')} ${branch}: ${rowCount(merged)}${converged === undefined ? '' : ` (${converged} more had converged)`}${version === undefined ? '' : `; it stays, at version ${version}`}`,
  );
}

function previewLines(branch: string, preview: MergePreview, { style, width }: Stage): string[] {
  const { summary, conflicts, blocked, rows, confirm_deletes, version, target, definitions = [] } = preview;
  return [
    `${style.bold(`merging ${branch} would change`)}  ${summaryText(summary)}`,
    ...summaryLines(summary, style, width),
    ...definitionLines(definitions, style, width),
    ...(blocked.length === 0 ? [] : [style.red('checks that it breaks:'), ...blocked.map(({ message }) => `  • ${visible(message)}`)]),
    ...(conflicts.length === 0
      ? []
      : [style.yellow(`${conflicts.length} in conflict:`), ...conflicts.map(({ key, explanation }) => `  ${visible(key)}  ${visible(explanation)}`)]),
    ...(confirm_deletes === undefined
      ? []
      : [style.yellow(`policy ${confirm_deletes.policy} asks for the number of deletes: --confirm-deletes ${confirm_deletes.deletes}`)]),
    ...rows.map(({ key, outcome, result, ours }) => {
      const line = `${outcome === 'delete' ? '-' : outcome === 'insert' ? '+' : outcome === 'conflict' ? '!' : outcome === 'converged' ? '=' : '~'} ${visible(key)}  ${rowText(result ?? ours)}`;
      return outcome === 'delete' ? style.red(line) : outcome === 'insert' ? style.green(line) : outcome === 'conflict' ? style.yellow(line) : line;
    }),
    ...(preview.postgres === undefined ? [] : postgresLines(preview.postgres, style)),
    style.dim(`version ${version}, target ${target}`),
  ];
}

/** What an attached Postgres says of the merge. */
function postgresLines(answer: NonNullable<MergePreview['postgres']>, style: Stage['style']): string[] {
  const verdict = visible(verdictOf(answer));
  return [
    answer.error === null ? style.green(verdict) : style.red(verdict),
    ...[...answer.summary.map(countedRows), ...triggersOf(answer)].map((line) => `  ${visible(line)}`),
    ...answer.rows.map((row) => style.yellow(`! ${visible(row.key)}  ${differenceOf(row)}${row.postgres === null ? '' : `  ${rowText(row.postgres)}`}`)),
  ];
}

async function runReviews(operation: AnyOperation, input: Input, stage: Stage, wanted: string | null): Promise<void> {
  const { reviews } = await call<{ reviews: ReviewView[] }>(stage, operation, input);
  const { link } = stage;
  if (wanted !== null && !reviews.some(({ world }) => world === wanted)) {
    throw new SvcError('55000', `no merge of "${wanted}" waits for a person`, { hint: 'reviews lists those that do.' });
  }
  if (!stage.interactive || reviews.length === 0) {
    if (reviews.length === 0) await stage.print(['No merge waits for a person.']);
    else await stage.print(reviews.filter(({ world }) => wanted === null || world === wanted).flatMap((review) => reviewLines(review, stage)));
    return;
  }
  const decided = await stage.show(
    new ReviewsView(
      reviews,
      {
        reviews: async () => ((await link.call(operation.name, {})) as { reviews: ReviewView[] }).reviews,
        preview: (branch) => link.call('merge', { branch, dry_run: true }) as Promise<MergePreview>,
        intent: async (branch) => {
          const { intent } = ((await link.call('world', { branch })) as WorldView).meta;
          return typeof intent === 'string' ? intent : null;
        },
        diff: (given) => link.call('diff', given) as Promise<DiffReply>,
        review: (given) => link.call('review', given) as Promise<{ merged?: number }>,
        merge: (given) => link.call('merge', given) as Promise<{ merged?: number }>,
        nowMs: () => stage.nowMs(),
      },
      stage.style,
      wanted,
    ),
  );
  if (decided.length > 0) await stage.print(decided);
}

function reviewLines(
  { world, owner, policy, asked, reasons, scope, changes, effects, definitions = [], conflicts, verdict, reason }: ReviewView,
  { style, width, nowMs }: Stage,
): string[] {
  return [
    `${style.bold(visible(world))}  by ${visible(owner ?? 'a person')}, policy ${visible(policy)}, asked ${ago(asked, nowMs())}`,
    ...reasons.map(({ message }) => `  • ${visible(message)}`),
    ...(scope === null ? [] : [`  scope: ${visible(exactJsonText(scope))}`]),
    ...summaryLines(changes, style, width).map((line) => `  ${line}`),
    ...definitionLines(definitions, style, width).map((line) => `  ${line}`),
    ...(conflicts === undefined ? [] : [style.yellow(`  ${conflicts} in conflict`)]),
    ...(effects.length === 0 ? [] : [`  effects: ${effects.map(({ channel, count }) => `${visible(channel)} × ${count}`).join(', ')}`]),
    ...(verdict === null ? [] : [style.yellow(`  ${verdictText(verdict, reason)}`)]),
    style.dim(`  review ${visible(world)} approve | reject REASON | pass`),
  ];
}

/** Shows the best worlds and a histogram of scores; at a terminal, also diffs between worlds. */
async function runSimulation(operation: AnyOperation, input: Input, stage: Stage): Promise<void> {
  const reply = await call<SimulationReply>(stage, operation, input);
  await stage.print(simulationLines(reply, stage.style, stage.width, BEST_SHOWN));
  if (!stage.interactive || !reply.worlds.some(({ kept }) => kept)) return;
  const diff = operationByName('diff');
  let chosen = 0;
  for (;;) {
    const view = new SimulationView(reply, stage.style, chosen);
    const choice = await stage.show(view);
    if (choice === null || diff === undefined) return;
    chosen = view.chosen;
    await runDiff(diff, { ...choice }, stage);
  }
}
