/**
 * Runs a script in simulated worlds, sequentially, in its thread. Each world is a transaction over the
 * base state that is never committed: its changes are extracted and dropped. The script is parsed, bound and planned once,
 * over the base state.
 *
 *   base root ──script with $1 = index, $2 = seed──► changes ──score──► one number
 *       ▲                                                                  │
 *       └───────────────────────────── rolled back ◄───────────────────────┘
 */
import { Durations } from '../base/durations.ts';
import { assert } from '../base/assert.ts';
import { ByteWriter } from '../base/bytes.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import type { AllCommands } from '../commands/contract.ts';
import { countRows, type TreeChanges, writeChanges } from '../events/changes.ts';
import type { Quotas } from '../events/agent.ts';
import { AgentUsage } from '../session/agent-usage.ts';
import { OWNER, type Principal } from '../session/principal.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { searchOver } from '../search/search.ts';
import { makeLibrary } from '../sql/library/library.ts';
import type { ParsedStatement } from '../sql/parse/parse.ts';
import type { Statistics } from '../sql/plan/rules/statistics.ts';
import { SequenceAllocator } from '../sql/schema/sequence-values.ts';
import { Backends } from '../sql/session/backends.ts';
import { StatementStatistics } from '../sql/session/statement-statistics.ts';
import { LastChanges } from '../worlds/last-changes.ts';
import { TransactionNumbers } from '../sql/session/transaction-numbers.ts';
import { WorldActivity } from '../sql/session/world-activity.ts';
import { Channels } from '../sql/session/channels.ts';
import { ExportedSnapshots } from '../sql/session/exported-snapshots.ts';
import { checkWaiting } from '../sql/session/deferred-constraints.ts';
import type { SqlHost } from '../sql/session/host.ts';
import type { Prepared, QueryStatement } from '../sql/session/prepare.ts';
import { SqlSession } from '../sql/session/sql-session.ts';
import { TYPE_LOOKUP } from '../sql/session/typed-tables.ts';
import { temporaryFile } from '../sql/session/temporary-file.ts';
import { TextCache } from '../base/text-cache.ts';
import type { SqlType } from '../sql/types/type.ts';
import type { Value } from '../sql/types/value.ts';
import { type BaseFacts, contextOfOneWorld, SimulatedObjects } from './one-world.ts';
import { rankStatistics } from './rank-statistics.ts';
import { scoreQuery, scriptStatements, SimulatedLibrary } from './refused.ts';
import { numberOf } from './score.ts';
import { WorldRandom, worldSeed } from './world-random.ts';

/** The principal of scripts, and its limits. */
export interface Runner {
  /** null: the database's own user, who sees masked columns; else an agent or the guest. */
  readonly name: string | null;
  /** Milliseconds per statement; 0: no limit. */
  readonly statementMs: number;
  readonly memoryMb: number;
  /** Rows that a world may change; 0: no limit. */
  readonly rowsMax: number;
}

export interface Job {
  readonly base: BaseFacts;
  readonly script: string;
  readonly score: string;
  readonly seed: number;
  readonly runner: Runner;
  readonly workMemBytes: number;
  /** Temporary files are encrypted. */
  readonly sealed: boolean;
}

export interface Outcome {
  readonly score: number | null;
  readonly error: string | null;
  /** Number of changed rows. */
  readonly rows: number;
  /** Encoded by `writeChanges`; null if not wanted, or the world failed. */
  readonly changes: Uint8Array | null;
}

const LIBRARY = makeLibrary(SimulatedLibrary);
const PARAMETERS: readonly SqlType[] = [LIBRARY.type('int4'), LIBRARY.type('int8')];

/** A session whose statements read and plan for one fixed state. */
class SimulatedSession extends SqlSession {
  #statistics: Statistics | null = null;
  /** Called between time slices. */
  stopped: () => boolean = () => false;

  override rootAt(): Node {
    throw new SvcError('0A000', 'AS OF is not supported in a simulation', { hint: 'Simulate from a past moment: from "name@when".' });
  }

  override statistics(): Statistics {
    const { context } = this.host;
    this.#statistics ??= rankStatistics(context.engine.pager, context.read(this.branch).root, this.keyCodec());
    return this.#statistics;
  }

  override checkCancel(): void {
    if (this.stopped()) throw new Stopped();
    super.checkCancel();
  }
}

/** Segments of one run. */
const SEARCH_BYTES = 16 << 20;

/** The run was cancelled. */
export class Stopped extends Error {}

interface Step {
  readonly statement: ParsedStatement;
  readonly prepared: Prepared;
}

export class Sandbox {
  readonly #job: Job;
  readonly #session: SimulatedSession;
  readonly #objects = new SimulatedObjects();
  readonly #script: readonly Step[];
  readonly #score: Step;
  readonly #out = new ByteWriter(4096);

  /** Binds and plans the texts: their errors are errors of the whole run. */
  constructor(pager: Pager, root: Node, job: Job, stopped: () => boolean) {
    this.#job = job;
    const { runner } = job;
    const context = contextOfOneWorld(pager, root, job.base, this.#objects);
    const host: SqlHost = {
      context,
      // Scripts contain no world statements.
      commandsOf: () => ({}) as AllCommands,
      resultColumns: () => [],
      registry: LIBRARY,
      lookup: TYPE_LOOKUP,
      search: searchOver({ cacheBytes: SEARCH_BYTES, lookup: TYPE_LOOKUP, approximate: false, place: null }),
      allocator: new SequenceAllocator(pager),
      workMemBytes: job.workMemBytes,
      spill: () => temporaryFile(job.sealed),
      statements: new TextCache(64, 400_000),
      dynamic: new TextCache(64, 400_000),
      shapes: new TextCache(64, 400_000),
      snapshots: new ExportedSnapshots(),
      metrics: () => Promise.resolve([]),
      totals: { statements: 0, statement_errors: 0 },
      times: new Durations(),
      numbers: new TransactionNumbers(),
      lastChanges: new LastChanges(context),
      channels: new Channels(),
      backends: new Backends(),
      activity: new WorldActivity(context),
      statistics: new StatementStatistics(),
    };
    this.#session = new SimulatedSession(host, job.base.name, principalOf(runner));
    this.#session.counted = false;
    this.#session.readsForeign = false;
    // No other session exists, so DROP needs no locks.
    this.#session.commitsThisTick = true;
    this.#session.stopped = stopped;
    if (runner.name === null && runner.statementMs > 0) this.#session.settings.start('statement_timeout', String(runner.statementMs));
    this.#script = within('script', () => scriptStatements(this.#session.parseUncached(job.script)).map((statement) => this.#prepare(statement)));
    this.#score = within('score', () => this.#prepare(scoreQuery(this.#session.parseUncached(job.score))));
    within('score', () => {
      if (this.#score.prepared.modifies) throw new SvcError('25006', 'it changes rows');
      const { length } = this.#score.prepared.columns;
      if (length !== 1) throw new SvcError('42601', `it gives ${length} columns, and must give one number`);
    });
    this.#session.rollback();
  }

  #prepare(statement: QueryStatement): Step {
    this.#session.startStatement();
    return { statement: statement as ParsedStatement, prepared: this.#session.prepare(statement, PARAMETERS, true) };
  }

  /** Runs the world with this index. `keep`: return its changes. Throws Stopped if the run is cancelled. */
  async run(index: number, keep: boolean): Promise<Outcome> {
    const session = this.#session;
    const seed = worldSeed(this.#job.seed, index);
    const params: readonly Value[] = [index, seed];
    session.env.useRandom(new WorldRandom(seed));
    session.sequences.memory.clear();
    session.host.allocator.forget(this.#job.base.number);
    this.#objects.begin();
    try {
      const transaction = session.begin();
      for (const step of this.#script) await this.#step(step, params);
      if (transaction.waiting.items.length > 0) checkWaiting(transaction, session.partsOf(transaction));
      const changes = this.#changes();
      const rows = countRows(changes);
      this.#admit(rows);
      const { rows: found } = await this.#step(this.#score, params);
      const score = numberOf(found, this.#score.prepared.columns[0].type, session.env);
      return { score, error: null, rows, changes: keep ? this.#encode(changes) : null };
    } catch (error) {
      if (!(error instanceof SvcError) || error.code === 'XX001') throw error;
      return { score: null, error: error.message, rows: 0, changes: null };
    } finally {
      session.rollback();
    }
  }

  #step({ statement, prepared }: Step, params: readonly Value[]): Promise<{ readonly rows: readonly (readonly Value[])[] }> {
    const session = this.#session;
    session.enter(statement);
    return session.execute(prepared, params);
  }

  #changes(): TreeChanges[] {
    const session = this.#session;
    const transaction = session.begin();
    const world = transaction.world!;
    const changes = transaction.dirty ? transaction.changes() : [];
    return session.sequences.changes(world, transaction.sequences, changes);
  }

  #admit(rows: number): void {
    const { rowsMax, name } = this.#job.runner;
    if (rowsMax === 0 || rows <= rowsMax) return;
    throw new SvcError('42501', `agent "${name}" may change ${rowsMax} rows of a world (max_changes), this one changes ${rows}`);
  }

  #encode(changes: readonly TreeChanges[]): Uint8Array {
    this.#out.reset();
    writeChanges(this.#out, changes);
    return this.#out.finish();
  }
}

/** Adds the text's name to its errors; positions refer to the text. */
function within<T>(text: 'script' | 'score', work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const { code, detail, hint, position } = error;
    throw new SvcError(code, `${text}: ${error.message}`, { detail, hint, position, cause: error });
  }
}

/** Within its quotas an agent may do anything in a simulated world: it owns the world. */
function principalOf({ name, statementMs, memoryMb }: Runner): Principal {
  if (name === null) return OWNER;
  const quotas: Quotas = {
    max_worlds: 0,
    max_changes: 0,
    writes_per_minute: 0,
    world_ttl: 0,
    max_query_ms: statementMs,
    max_concurrent: 0,
    max_memory_mb: memoryMb,
    max_idle_ms: 0,
  };
  assert(!name.includes(':'), 'roles do not simulate as agents');
  const state = { id: '', name, tokenHash: '', scram: '', can: ['admin'], quotas, policy: null, disabled: false, created: 0 };
  return { kind: 'agent', agent: { id: '', name, state, usage: new AgentUsage() } };
}
