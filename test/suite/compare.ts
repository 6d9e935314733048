/**
 * Runs one random sequence on two databases and compares every reply and every refusal, then all contents:
 * each world now, each world at moments of its past, histories and diffs. Ids and times may differ.
 */
import { SvcError } from '../../src/base/errors/svc-error.ts';
import type { Commands } from '../../src/commands/contract.ts';
import type { Open, Opened } from './open.ts';
import { Random } from './random.ts';
import { CommandGenerator, type RandomCommand, TABLES } from './random-commands.ts';

export interface CompareOptions {
  /** Called before each step; a reopened database (after a crash, say) replaces the previous one. */
  onStep?: (step: number, a: Opened, b: Opened) => Promise<{ a?: Opened; b?: Opened } | void>;
  /** Compare all contents every n steps; default 50. */
  contentsEvery?: number;
  /** Replies that are not compared, because a difference in them is known. */
  except?: (command: RandomCommand) => boolean;
}

export interface Comparison {
  /** How often each command was accepted and refused, to see that a sequence was interesting. */
  outcomes: { [command: string]: { ok: number; refused: { [code: string]: number } } };
}

/** Throws at the first difference; the message holds all it takes to run it again. */
export async function compare(openA: Open, openB: Open, seed: number, steps: number, options: CompareOptions = {}): Promise<Comparison> {
  let [a, b] = [await openA(), await openB()];
  const outcomes: Comparison['outcomes'] = {};
  const recent: RandomCommand[] = [];
  /** The two log heads at each marked moment. */
  const marks: { a: number; b: number }[] = [];
  try {
    const random = new Random(seed);
    const generator = new CommandGenerator(a.commands, random, a.head !== undefined && b.head !== undefined);
    for (let step = 0; step < steps; step++) {
      const opened = await options.onStep?.(step, a, b);
      if (opened !== undefined && (opened.a ?? opened.b) !== undefined) {
        a = opened.a ?? a;
        b = opened.b ?? b;
        generator.use(a.commands);
        await confirmAll(a.commands);
        await confirmAll(b.commands);
      }
      if (random.chance(0.7)) for (const { clock } of [a, b]) clock.step();
      const command = await generator.next(a.clock.iso(), (mark) => (marks[mark] = { a: a.head!(), b: b.head!() }));
      recent.push(command);
      if (recent.length > 12) recent.shift();
      const [fromA, fromB] = await answers(command);
      if (options.except?.(command) !== true && !isOfGone(command, fromA, fromB))
        expectSame(fromA, fromB, `${command.name} ${JSON.stringify(command.input)}`, { seed, step, recent });
      const outcome = (outcomes[command.name] ??= { ok: 0, refused: {} });
      const code = (fromA as { refused?: string }).refused;
      if (code === undefined) outcome.ok++;
      else outcome.refused[code] = (outcome.refused[code] ?? 0) + 1;
      if ((step + 1) % (options.contentsEvery ?? 50) === 0 || step === steps - 1) {
        const moments = Array.from({ length: Math.min(6, generator.moments.length) }, () => random.of(generator.moments));
        const worlds = await worldNames(a.commands);
        for (const look of looks(worlds, moments)) {
          const [lookA, lookB] = await answers(look);
          expectSame(lookA, lookB, `contents: ${look.name} ${JSON.stringify(look.input)}`, { seed, step, recent });
        }
      }
    }
    return { outcomes };
  } finally {
    await a.close();
    await b.close();
  }

  async function answers(command: RandomCommand): Promise<[unknown, unknown]> {
    return [
      await answer(
        a.commands,
        atMarks(command, (mark) => marks[mark].a),
      ),
      await answer(
        b.commands,
        atMarks(command, (mark) => marks[mark].b),
      ),
    ];
  }
}

/** The command with one database's own sequences for its marks. */
function atMarks(command: RandomCommand, sequenceOf: (mark: number) => number): RandomCommand {
  return JSON.parse(JSON.stringify(command).replaceAll(/#mark(\d+)/g, (_, mark) => `#${sequenceOf(Number(mark))}`)) as RandomCommand;
}

async function worldNames(commands: Commands): Promise<string[]> {
  return (await commands.branches()).branches.map(({ name }) => name).sort();
}

/** A crash flags worlds, which the other database knows nothing of. */
async function confirmAll(commands: Commands): Promise<void> {
  for (const branch of await worldNames(commands)) await commands.confirm({ branch });
}

function looks(open: readonly string[], moments: readonly string[]): RandomCommand[] {
  const out: RandomCommand[] = [{ name: 'branches', input: {} }];
  for (const branch of ['main', 'w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7', 'w8']) {
    out.push({ name: 'history', input: { branch, limit: 1000 } });
    const states = [...(open.includes(branch) ? [branch] : []), ...moments.map((at) => `${branch}@${at}`)];
    for (const state of states) for (const table of TABLES) out.push({ name: 'find', input: { branch: state, table, limit: 1000 } });
    if (open.includes(branch) && branch !== 'main') {
      out.push({ name: 'diff', input: { branch } });
      out.push({ name: 'diff', input: { branch, to: 'main', count: true } });
      out.push({ name: 'preview', input: { branch } });
    }
  }
  return out;
}

async function answer(commands: Commands, { name, input }: RandomCommand): Promise<unknown> {
  try {
    const call = commands[name] as (given: unknown) => Promise<unknown>;
    return normal(await call.call(commands, input));
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const { conflicts, changed } = error.data ?? {};
    return { refused: error.code, conflicts: normal(conflicts), changed: Array.isArray(changed) ? [...(changed as string[])].sort() : undefined };
  }
}

/** The reply without ids, times and free text; lists without a guaranteed order are sorted. */
function normal(reply: unknown): unknown {
  if (reply === null || typeof reply !== 'object') return reply;
  if (Array.isArray(reply)) return reply.map(normal);
  const { ...out } = reply as { [field: string]: unknown };
  if ('depth' in out && 'created' in out) {
    for (const field of ['id', 'created', 'active', 'flagged']) delete out[field];
    out.checkpoints = (out.checkpoints as { name: string }[]).map(({ name }) => name);
    return out;
  }
  if ('explanation' in out) delete out.explanation;
  // The model has rows alone: definitions, and worlds' ids, have tests of their own.
  delete out.definitions;
  if ('event' in out && 'world' in out) for (const field of ['id', 'branch', 'into', 'onto', 'undoes', 'by', 'approval']) delete out[field];
  if ('outcome' in out && 'detail' in out) delete out.detail;
  if ('undone' in out || ('event' in out && 'world' in out) || (out.ok === true && Object.keys(out).length === 2)) delete out.at;
  if (Array.isArray(out.events)) for (const field of ['next', 'since']) delete out[field];
  if (Array.isArray(out.events)) out.events = (out.events as { event: string }[]).filter(({ event }) => event !== 'confirm');
  if (Array.isArray(out.sql))
    out.sql = (out.sql as string[]).map((statement) => statement.split(' ')[0]).filter((word) => /^(INSERT|UPDATE|DELETE)$/.test(word));
  if (Array.isArray(out.branches)) out.branches = [...(out.branches as { name: string }[])].sort((x, y) => (x.name < y.name ? -1 : 1));
  if (Array.isArray(out.discarded)) out.discarded = [...(out.discarded as string[])].sort();
  // A row's own fields are left alone: nothing below a record is normalised.
  const rows = new Set(['row', 'before', 'after', 'base', 'ours', 'theirs', 'result', 'meta']);
  return Object.fromEntries(Object.entries(out).map(([field, value]) => [field, rows.has(field) ? value : normal(value)]));
}

function text(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([x], [y]) => (x < y ? -1 : x > y ? 1 : 0)))
      : each,
  );
}

/** The engine reports ended worlds, which the model forgets. */
function isOfGone({ name }: RandomCommand, model: unknown, engine: unknown): boolean {
  return (name === 'world' || name === 'diff') && (model as { refused?: string }).refused === '3D000' && (engine as { refused?: string }).refused === undefined;
}

function expectSame(a: unknown, b: unknown, what: string, { seed, step, recent }: { seed: number; step: number; recent: RandomCommand[] }): void {
  if (text(a) === text(b)) return;
  const before = recent.map(({ name, input }) => `  ${name} ${JSON.stringify(input)}`).join('\n');
  throw new Error(`seed ${seed}, step ${step}: the two differ at ${what}\nA: ${text(a)}\nB: ${text(b)}\nafter\n${before}`);
}
