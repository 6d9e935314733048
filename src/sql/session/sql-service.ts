/** SQL over a database: sessions for connections, and the `sql` operation, each call of which is a session of its own. */
import type { AllCommands, Row, SqlInput, SqlReply } from '../../commands/contract.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { OWNER, type Principal } from '../../session/principal.ts';
import type { Node } from '../../tree/node.ts';
import type { Catalog } from '../../worlds/catalog.ts';
import type { World } from '../../worlds/world.ts';
import { parse } from '../parse/parse.ts';
import type { Context, Reading } from '../../worlds/context.ts';
import { LIBRARY } from '../library/library.ts';
import { SequenceAllocator } from '../schema/sequence-values.ts';
import { Backends } from './backends.ts';
import { Channels } from './channels.ts';
import { StatementStatistics } from './statement-statistics.ts';
import { LastChanges } from '../../worlds/last-changes.ts';
import { TransactionNumbers } from './transaction-numbers.ts';
import { WorldActivity } from './world-activity.ts';
import { temporaryFile } from './temporary-file.ts';
import { ExportedSnapshots } from './exported-snapshots.ts';
import type { SqlHost, StatementTotals } from './host.ts';
import { Durations } from '../../base/durations.ts';
import { TextCache } from '../../base/text-cache.ts';
import { callThatWrites } from './calls-that-write.ts';
import { isRows } from './prepare.ts';
import { rowObjects } from './row-objects.ts';
import { runsCallsOf } from './calls-without-session.ts';
import { SqlSession } from './sql-session.ts';
import { TYPE_LOOKUP } from './typed-tables.ts';

export interface SqlService {
  readonly totals: StatementTotals;
  readonly times: Durations;
  /** Number of connected sessions. */
  readonly sessions: number;
  sql(input: SqlInput, principal: Principal): Promise<SqlReply>;
  session(branch: string, principal: Principal): SqlSession;
  /** At most `limit` rows of one SELECT over a candidate state. 57014 past the timeout, or on cancel. */
  look(
    state: { readonly world: World; readonly root: Node; readonly catalog: Catalog },
    query: string,
    timeoutMs: number,
    limit: number,
    signal?: AbortSignal,
    masked?: boolean,
  ): Promise<Row[]>;
  /** 42601 if the text is not one SELECT, 25006 if it would write, and errors of binding. */
  tryLook(query: string, masked?: boolean): Promise<void>;
  /** The search path of such queries. */
  checkPath(): readonly string[];
}

export interface SqlServiceOptions {
  readonly resultColumns: SqlHost['resultColumns'];
  readonly search: SqlHost['search'];
  readonly workMemBytes: number;
  /** The memory limit of a statement; absent: a quarter of the heap. */
  readonly statementBytes?: number;
  /** Temporary files are encrypted, as the folder is. */
  readonly sealed?: boolean;
  metrics(): Promise<readonly { readonly name: string; readonly value: number }[]>;
}

const STATEMENTS_KEPT = 4096;
/** Total characters: a plan takes some 200 bytes per character of its text. */
const STATEMENTS_LENGTH_MAX = 400_000;

export function sqlOver(
  context: Context,
  commandsOf: (principal: Principal) => AllCommands,
  { workMemBytes, statementBytes, sealed = false, metrics, resultColumns, search }: SqlServiceOptions,
): SqlService {
  const host: SqlHost = {
    context,
    commandsOf,
    resultColumns,
    registry: LIBRARY,
    lookup: TYPE_LOOKUP,
    search,
    allocator: new SequenceAllocator(context.engine.pager),
    workMemBytes,
    ...(statementBytes === undefined ? {} : { statementBytes }),
    spill: () => {
      context.engine.ensureSpace();
      return temporaryFile(sealed);
    },
    statements: new TextCache(STATEMENTS_KEPT, STATEMENTS_LENGTH_MAX),
    dynamic: new TextCache(STATEMENTS_KEPT, STATEMENTS_LENGTH_MAX),
    shapes: new TextCache(STATEMENTS_KEPT, STATEMENTS_LENGTH_MAX),
    channels: new Channels(),
    snapshots: new ExportedSnapshots(),
    backends: new Backends(),
    activity: new WorldActivity(context),
    statistics: new StatementStatistics(),
    metrics,
    numbers: new TransactionNumbers(),
    lastChanges: new LastChanges(context),
    totals: { statements: 0, statement_errors: 0 },
    times: new Durations(),
  };
  const session = (branch: string, principal: Principal): SqlSession => new SqlSession(host, branch, principal);
  /** A session over a candidate state, whose code reaches nothing beyond it. */
  const confined = (reading: Reading, by: Principal): { session: SqlSession; close(): void } => {
    const lent = context.lend(reading);
    const own = session(lent.branch, by);
    own.readsForeign = false;
    own.code.confined = true;
    return {
      session: own,
      close: () => {
        own.close();
        lent.release();
      },
    };
  };
  runsCallsOf(context.engine.pager, (schema) => {
    const made = confined({ ...context.read('main'), catalog: schema.catalog, past: true }, OWNER);
    made.session.counted = false;
    made.session.readsRelations = false;
    return made;
  });
  const look: SqlService['look'] = async ({ world, root, catalog }, query, timeoutMs, limit, signal, masked = false) => {
    const made = confined({ world, root, catalog, past: true, seen: world.lastWrite }, masked ? { ...OWNER, sight: 'masked' } : OWNER);
    const own = made.session;
    const stop = (): void => own.stop();
    signal?.addEventListener('abort', stop);
    if (signal?.aborted === true) stop();
    try {
      own.settings.set('statement_timeout', String(timeoutMs), false);
      const [result] = await own.run(`SELECT * FROM (\n${query}\n) AS found LIMIT ${limit}`);
      return rowObjects(result, own.env).rows;
    } finally {
      signal?.removeEventListener('abort', stop);
      made.close();
    }
  };
  return {
    totals: host.totals,
    times: host.times,
    get sessions() {
      return host.backends.count;
    },
    session,
    look,
    checkPath() {
      const own = session('main', OWNER);
      try {
        return [...own.searchPath()];
      } finally {
        own.close();
      }
    },
    async tryLook(query, masked = false) {
      const [statement, ...more] = parse(query);
      if (statement === undefined || more.length > 0 || !isRows(statement))
        throw new SvcError('42601', 'one SELECT is wanted here', { hint: 'Rows that it finds are what is wrong.' });
      const { world, root, catalog } = context.read('main');
      await look({ world, root: context.state.worlds.share(world) === root ? root : world.root, catalog }, query, 60_000, 0, undefined, masked);
      const own = session('main', OWNER);
      try {
        const what = callThatWrites(own, own.prepare(statement, [], true).access.calls);
        if (what === null) return;
        throw new SvcError('25006', `a query that changes nothing is wanted here, and this one calls ${what}`, {
          hint: 'Rows that it finds are what is wrong.',
        });
      } finally {
        own.close();
      }
    },
    async sql({ branch = 'main', sql, params, signal }, principal) {
      const own = session(branch, principal);
      own.counted = false;
      const stop = (): void => own.stop();
      signal?.addEventListener('abort', stop);
      if (signal?.aborted === true) stop();
      try {
        const results = await own.run(sql, params ?? []);
        if (own.transaction?.explicit === true)
          throw new SvcError('25001', 'the transaction is still open at the end of the call: it was rolled back, and nothing of it is kept', {
            hint: 'A call is a session of its own: send BEGIN, the statements and COMMIT in one call, or leave BEGIN out, since several statements are one transaction.',
          });
        const { world } = context.read(own.branch);
        return { results: results.map((result) => rowObjects(result, own.env)), version: world.version };
      } finally {
        signal?.removeEventListener('abort', stop);
        own.close();
      }
    },
  };
}
