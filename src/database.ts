/// <reference types="node" preserve="true" />
/// <reference lib="esnext.disposable" preserve="true" />
/**
 * The composition root and the embedding API.
 *
 *     import { open } from 'svc-database';
 *     const db = await open('./data');
 *     await db.fork({ name: 'draft' });
 *     await db.put({ branch: 'draft', table: 'users', id: 'ann', record: { city: 'Oslo' } });
 *     console.log(await db.diff({ branch: 'draft' }));
 *     await db.merge({ branch: 'draft' });
 *     await db.close();
 *
 * `await using db = await open('./data')` closes it automatically. The HTTP server is built on this API. docs/reference/embedding.md has all of it. Every call may reject with a `SvcError` (code, message, hint).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pastProjections, projections, type Projections } from '../projections/index.ts';
import { worldRootIn } from '../projections/worlds/registry.ts';
import { type Clock, systemClock } from './base/clock.ts';
import { SvcError } from './base/errors/svc-error.ts';
import type { AllCommands, DirectCommands, VerifyReply } from './commands/contract.ts';
import { checkedCommandsOf, commandsOf as commandsFor, directCommands, resultColumns } from './operations/commands.ts';
import type { Services } from './operations/services.ts';
import { ExpiryWorker } from './commands/keep.ts';
import { basesIn } from './log/base-file.ts';
import { CacheRenewal } from './locks/cache-renewal.ts';
import { openLog } from './projection/open-log.ts';
import { backUp } from './projection/backup.ts';
import { Engine } from './projection/engine.ts';
import { PastFold } from './projection/past-fold.ts';
import { REPLAY_BYTES_MAX, TRIM_BYTES_MIN } from './projection/retention.ts';
import { Cipher } from './storage/cipher.ts';
import { DiskCeiling } from './storage/disk-ceiling.ts';
import type { FileSystem } from './storage/file-system.ts';
import { admitKey, keyFromEnvironment, parseKey } from './storage/folder-key.ts';
import { lockFolder } from './storage/folder-lock.ts';
import { freeBytes, nodeFileSystem } from './storage/node-file-system.ts';
import { openPageStoreOrTemporary } from './storage/open-page-store.ts';
import type { PageStore } from './storage/page-store.ts';
import { probeSpace } from './storage/probe-space.ts';
import { TemporaryPageStore } from './storage/temporary-page-store.ts';
import { SealedPageStore } from './storage/sealed-page-store.ts';
import { NewFolder, refuseForeign } from './storage/own-folder.ts';
import { Watermark } from './storage/watermark.ts';
import { refuseUnfinished } from './storage/unfinished-backup.ts';
import { RELEASE } from './release.ts';
import { AgentDirectory } from './session/agent-directory.ts';
import { authorize } from './session/authorize.ts';
import type { Logins } from './session/authenticate.ts';
import { rolePrincipal, WireLogins } from './session/logins.ts';
import { OWNER, type Principal } from './session/principal.ts';
import type { ServerIdentity } from './session/server-identity.ts';
import type { SqlSession } from './sql/session/sql-session.ts';
import { memorySizeFrom } from './base/memory-size.ts';
import { STATEMENT_BYTES_STANDARD } from './sql/exec/process-memory.ts';
import { type SqlService, sqlOver } from './sql/session/sql-service.ts';
import { TYPE_LOOKUP, TYPED_TABLES } from './sql/session/typed-tables.ts';
import { searchOver } from './search/search.ts';
import { Metrics } from './http/metrics.ts';
import { watchedWorlds, worldValues } from './http/watched-worlds.ts';
import { AttachedPostgres } from './attach/attached-postgres.ts';
import { addressOf } from './attach/source-address.ts';
import { alterAgent } from './commands/agents.ts';
import { governanceOver } from './governance/commands.ts';
import { GovernedMerges, waitingMerges } from './governance/guard.ts';
import { Context } from './worlds/context.ts';
import { Simulations } from './simulation/simulation.ts';
import { Moments } from './worlds/moments.ts';
import { Past } from './worlds/past.ts';
import { UndoLog } from './worlds/undo-log.ts';
import { WorldHooks } from './worlds/world-hooks.ts';
import { type Ceilings, NO_CEILINGS, parseCeilings } from './worlds/system-settings.ts';

export { SvcError } from './base/errors/svc-error.ts';
export { ExactNumber, exactJsonText, parseExactJson } from './base/exact-json.ts';
export type * from './commands/contract.ts';

export interface Progress {
  phase: string;
  done: number;
  total: number;
}

export interface OpenOptions {
  /** Called periodically during a long recovery. */
  onProgress?: (progress: Progress) => void;
  /** Cache for decoded pages; default SVC_CACHE_MB or 256 MB. */
  cacheBytes?: number;
  /** Bytes of changed pages that start a checkpoint; default a quarter of the cache. */
  dirtyBytes?: number;
  /** Bytes of log that start a checkpoint; default 1 MiB. */
  checkpointLogBytes?: number;
  /** Rest between checkpoints by log growth, in multiples of the last one's duration; default 3. */
  checkpointRest?: number;
  /** Longest time between checkpoints of a database in use; default 30 s. */
  checkpointMs?: number;
  /** `rocksdb`, `leveldb`, or `auto`: RocksDB where its binding loads. */
  pageStore?: 'auto' | 'rocksdb' | 'leveldb';
  /** How far back time travel, undo and history reach; default one hour. */
  historyRetentionMs?: number;
  /** After a failed write: interval of repair attempts; default 0.5 s. */
  repairMs?: number;
  /** Ceiling of the folder's size: over it, writes that grow it are refused (53100); default SVC_MAX_DISK_BYTES, or none. */
  maxDiskBytes?: number;
  /** Upper bounds of settings; default the file named by SVC_LIMITS, or none. */
  ceilings?: Ceilings;
  /** Interval of the expiry of worlds; default 30 s. */
  expiryMs?: number;
  /**
   * 64 hex digits: encrypts a new folder, or opens an encrypted one. null: no key. Default SVC_KEY or the file named by
   * SVC_KEY_FILE. 28000 if it is missing or not needed, 28P01 if it is wrong.
   */
  key?: string | null;
  /** Open the folder although the log has lost acknowledged events. Damaged files are set aside in `log/`. Without it such a folder is refused (XX001). */
  acceptLoss?: boolean;
  /** Connection string of the Postgres of which tables are attached; default SVC_ATTACH_URL, the variable that SVC_ATTACH_URL_ENV names, DATABASE_URL, or PGHOST and its kind. */
  attachUrl?: string;
  /** Name of a variable that holds it. */
  attachUrlEnv?: string;
  /** Receives messages about the folder: damage, cuts, dropped and rebuilt caches. */
  onNotice?: (message: string) => void;
  /** Called for failures of background work. */
  onBackgroundError?: (error: unknown) => void;
  /** For tests and simulations. */
  clock?: Clock;
  fs?: FileSystem;
  openStore?: () => Promise<PageStore>;
  segmentSizeBytes?: number;
  /** Minimum bytes of log worth a trim. */
  trimBytes?: number;
}

export interface Database extends DirectCommands {
  readonly folder: string;
  /** Of the database's own user. */
  readonly commands: AllCommands;
  /** An SQL session, for statements that belong together: `query` runs them, BEGIN and COMMIT included. Close it after use, or declare it with `await using`. */
  session(options?: { branch?: string; principal?: Principal }): SqlSession;
  /** Logins of the SQL port. */
  logins(identity: ServerIdentity): Logins;
  /** A role that has proven its password elsewhere. 28P01 if there is none, 28000 if it may not log in. */
  roleNamed(name: string): Principal;
  /** 3D000 if there is no such world or moment. */
  mustExist(branch: string): void;
  /** The commands for the principal, as entrances call them: these have checked the input. */
  commandsOf(principal: Principal): AllCommands;
  /** Tables of an external Postgres: attaching, refreshing and detaching them. */
  readonly postgres: Pick<AttachedPostgres, 'attach' | 'refresh' | 'detach'>;
  /** Agents as principals. */
  readonly directory: AgentDirectory;
  /** Metrics of `GET /metrics` and SHOW METRICS. */
  readonly metrics: Metrics;
  /** Gauges by name. */
  stats(): Record<string, number>;
  /** Called once if the database fails internally; it then refuses everything. */
  onFailure(listener: (error: SvcError) => void): () => void;
  /** Called with the error when writes begin to be refused because the disk fails or is full, and with null once they are accepted again. */
  onOutage(listener: (error: SvcError | null) => void): () => void;
  /** Makes all pages durable now, and runs due maintenance. 53100 or 58030 during an outage. */
  flush(): Promise<void>;
  /** Discards expired worlds; runs automatically every 30 s. */
  expire(): Promise<number>;
  close(): Promise<void>;
  /** `await using db = await open(folder)`. */
  [Symbol.asyncDispose](): Promise<void>;
  /** Closes, and removes the folder again if opening created it and nothing was written: for a command that is refused. */
  abandon(): Promise<void>;
}

/** Opens a folder, creating it if it is new. 55006 if another process has it open, 55000 if it holds other files, XX001 if its log is damaged. */
export async function open(folder: string, options: OpenOptions = {}): Promise<Database> {
  const fs = options.fs ?? nodeFileSystem;
  const isReal = options.fs === undefined;
  const made = isReal ? NewFolder.before(folder) : null;
  const unlock = lock(fs, folder, isReal, made);
  /** What has been opened when opening fails. */
  const halfOpen: { close(): Promise<void> }[] = [];
  try {
    const cacheBytes = options.cacheBytes ?? cacheFromEnvironment();
    refuseUnfinished(fs, folder);
    const logFolder = join(folder, 'log');
    const key = await admitKey(fs, folder, options.key === undefined ? keyFromEnvironment() : options.key === null ? null : parseKey(options.key, '`key`'));
    const cipher = key === null ? null : new Cipher(key, 'log');
    const say = options.onNotice ?? ((): void => {});
    const plainStore = await (options.openStore ?? (() => openPageStoreOrTemporary(join(folder, 'cache'), options.pageStore, say)))();
    halfOpen.push(plainStore);
    const store = key === null ? plainStore : new SealedPageStore(plainStore, new Cipher(key, 'page'));
    const hooks = new WorldHooks();
    const { log, lost, turn } = await openLog({
      fs,
      folder,
      cipher,
      segmentSizeBytes: options.segmentSizeBytes,
      store,
      acceptLoss: options.acceptLoss ?? false,
      say,
      others: () => hooks.locks.holders,
      // The ceiling measures the log, so it is made after it; the log calls this after a write, never while it is opened.
      overCeiling: () => ceiling.passed,
    });
    halfOpen.unshift(log);
    const watermark = new Watermark(fs, folder, log.folderId, turn, say);
    const ceiling = new DiskCeiling(fs, folder, options.maxDiskBytes ?? diskFromEnvironment(), () => log.sizeBytes);
    log.onDurable((sequence) => watermark.note(sequence));
    const undo = new UndoLog(store);
    const bases = basesIn(fs, logFolder, cipher);
    const engine = await Engine.open<Projections>(
      {
        log,
        store,
        clock: options.clock ?? systemClock,
        hooks,
        cacheBytes,
        dirtyBytes: options.dirtyBytes ?? cacheBytes / 4,
        // Past states are read from the nearest super-root on either side.
        checkpointLogBytes: options.checkpointLogBytes ?? 2 * REPLAY_BYTES_MAX,
        checkpointRest: options.checkpointRest ?? 3,
        checkpointMs: options.checkpointMs ?? 30_000,
        onProgress: options.onProgress,
        historyRetentionMicros: (options.historyRetentionMs ?? 3_600_000) * 1000,
        trimBytes: options.trimBytes ?? TRIM_BYTES_MIN,
        bases,
        undo,
        ensureSpace: () => ceiling.check(),
        overCeiling: () => ceiling.passed,
        probe: () => probeSpace(fs, logFolder),
        repairMs: options.repairMs ?? 500,
        rerun: () => new CacheRenewal(),
        say,
        onDurable: (sequence) => watermark.rise(sequence),
        lost,
        isTemporaryStore: plainStore instanceof TemporaryPageStore,
      },
      projections,
      { release: RELEASE, hasMain: ({ worlds }) => worlds.count > 0 },
    );
    watermark.note(log.durable);
    watermark.rise(log.durable);
    const moments = new Moments();
    const past = new Past({
      pager: engine.pager,
      log,
      undo,
      superRoots: engine.superRoots,
      worldsSlot: projections.worlds.slot,
      rootIn: worldRootIn,
      dropped: (root) => moments.drop(root),
    });
    const context = new Context({
      engine,
      hooks,
      past,
      pastFold: new PastFold({ log, pager: engine.pager, bases, superRoots: engine.superRoots, kinds: pastProjections }),
      moments,
      typed: TYPED_TABLES,
      ceilings: options.ceilings ?? ceilingsFromEnvironment(),
      retentionMs: options.historyRetentionMs,
    });
    engine.historyRetentionMicros = context.system.historyRetentionMs * 1000;
    const expiry = new ExpiryWorker(context, options.onBackgroundError);
    expiry.start(options.expiryMs);
    const watched = watchedWorlds(process.env['SVC_METRICS_WORLDS']);
    let metrics: Metrics | null = null;
    const metricsNow = (): Metrics =>
      (metrics ??= new Metrics({
        stats: () => ({ ...stats(), ...sql.totals, conflicts }),
        durations: {
          log_sync_seconds: log.syncTimes,
          commit_seconds: log.commitTimes,
          statement_seconds: sql.times,
          checkpoint_seconds: engine.checkpointTimes.times,
        },
        worlds: () => worldValues(engine.state.worlds, watched),
        build: { version: RELEASE, node: process.versions.node, page_store: store.kind },
      }));
    // Pages in memory are gone with the process, and so is what a stored segment differs from.
    const isStored = isReal && !(plainStore instanceof TemporaryPageStore);
    const search = searchOver({
      cacheBytes: cacheBytes / 2,
      lookup: TYPE_LOOKUP,
      approximate: true,
      place: isStored
        ? {
            fs,
            path: join(folder, 'search'),
            cipher: key === null ? null : new Cipher(key, 'segment'),
            release: RELEASE,
            pager: engine.pager,
            hold: (directory) => engine.hold(directory),
            coveredPages: () => engine.superRoots.at(-1)?.nextPage ?? 0,
            isFull: () => ceiling.passed,
            freeBytes: () => freeBytes(folder),
          }
        : null,
    });
    engine.onForget(() => search.forget());
    if (isStored) {
      engine.wants(
        () => search.unwritten(),
        () => search.store(),
      );
    }
    const sql: SqlService = sqlOver(context, (principal) => commandsOf(principal), {
      workMemBytes: workMemFromEnvironment(),
      statementBytes: statementMemoryFromEnvironment(),
      sealed: key !== null,
      resultColumns,
      search,
      metrics: () => metricsNow().rows(),
    });
    const policyOfAgent = (name: string): string | null | undefined => engine.state.agents.byName(name)?.policy;
    const merges = new GovernedMerges({
      context,
      policyOfAgent,
      runCheck: (state, query, timeoutMs, limit, signal, masked) => sql.look(state, query, timeoutMs, limit, signal, masked),
      checkPath: () => sql.checkPath(),
    });
    const simulations = new Simulations({
      context,
      guard: merges,
      workMemBytes: workMemFromEnvironment(),
      sealed: key !== null,
      cacheBytes: Math.max(16 << 20, cacheBytes / 4),
    });
    await simulations.open();
    // Wrong settings are an error of the open, not of a later merge.
    const address = (): string | null => addressOf(given(options), process.env);
    address();
    const external = new AttachedPostgres({ context, hooks, address, session: (branch, by) => sql.session(branch, by), onNotice: say });
    context.external = external;
    await external.open();
    const services: Services = {
      context,
      guard: merges,
      search,
      simulations,
      external,
      governance: governanceOver({
        context,
        guard: merges,
        policyOfAgent,
        agentsUnder: (policy) => engine.state.agents.list().flatMap((agent) => (agent.policy === policy ? [agent.name] : [])),
        putUnder: async (name, policy, by) => void (await alterAgent(context, { name, policy }, by)),
        tryCheck: (query, masked) => sql.tryLook(query, masked),
      }),
      sql: (input, by) => sql.sql(input, by),
      verify: async (by, { signal, onProgress }): Promise<VerifyReply> => {
        authorize(by, { what: 'admin', as: 'verify the database' });
        const { records } = await log.verify((done, total) => {
          signal?.throwIfAborted();
          onProgress?.(done, total);
        });
        const { pages, bytes } = await engine.verifyPages(signal);
        return { pages, bytes, log_records: records };
      },
      backup: async ({ to }, by, control) => {
        authorize(by, { what: 'admin', as: 'back up the database' });
        engine.check();
        const { files, bytes } = await backUp(
          { fs, folder, log, cipher, segmentSizeBytes: options.segmentSizeBytes, hold: () => engine.pauseMaintenance(), lastAt: () => engine.lastAt },
          to,
          control,
        );
        return { files, bytes };
      },
      isClosed: () => closed,
      onConflict: () => conflicts++,
    };
    const agents = new AgentDirectory(() => engine.state.agents);
    let closed = false;
    const opened = log.head;
    let conflicts = 0;
    const direct = directCommands(services);
    const bound = new WeakMap<Principal, AllCommands>();
    const commandsOf = (principal: Principal): AllCommands => {
      let own = bound.get(principal);
      if (own === undefined) bound.set(principal, (own = commandsFor(services, principal)));
      return own;
    };
    const stats = (): Record<string, number> => ({
      worlds: engine.state.worlds.count,
      agents: engine.state.agents.count,
      held_merges: waitingMerges(engine.state),
      sql_sessions: sql.sessions,
      log_bytes: log.sizeBytes,
      log_sequence: log.head,
      log_unsynced_events: log.head - log.durable,
      disk_bytes: ceiling.bytes,
      max_disk_bytes: ceiling.maxBytes,
      cache_bytes: engine.pager.cachedBytes,
      cache_pages: engine.pager.cachedPages,
      dirty_bytes: engine.pager.dirtyBytes,
      page_reads: engine.pager.reads,
      checkpoints: engine.counts.checkpoints,
      last_checkpoint_timestamp_seconds: engine.checkpointTimes.endedAt / 1000,
      super_roots: engine.superRoots.length,
      pages_collected: engine.counts.collected,
      vector_lists_built: search.vectorLists,
      vector_distances: search.distances,
      text_segments_read: search.segmentsRead,
      history_start: engine.historyStart.sequence,
      replayed_events: engine.counts.replayed,
      outages: engine.outage.count,
      clock_behind_ms: engine.clockBehindMs,
      writable: engine.failure === null && engine.outage.error === null ? 1 : 0,
    });
    return {
      ...direct,
      folder,
      session: ({ branch = 'main', principal = OWNER } = {}) => sql.session(branch, principal),
      commands: checkedCommandsOf(services, OWNER),
      logins: (identity) => new WireLogins(identity, () => engine.state.roles.current, log.folderId),
      roleNamed: (name) => rolePrincipal(name, () => engine.state.roles.current),
      commandsOf,
      postgres: external,
      directory: agents,
      mustExist: (branch) => void context.read(branch),
      expire: () => expiry.run(),
      get metrics() {
        return metricsNow();
      },
      stats,
      onFailure: (listener) => engine.onFailure(listener),
      onOutage: (listener) => engine.onOutage(listener),
      flush: async () => {
        await engine.checkpoint();
        engine.check();
        await engine.runMaintenance();
      },
      abandon: async () => {
        const isUntouched = made !== null && log.head === opened;
        await close();
        if (isUntouched) made.remove();
      },
      close,
      [Symbol.asyncDispose]: close,
    };
    async function close(): Promise<void> {
      if (closed) return;
      closed = true;
      await search.close();
      await expiry.stop();
      await external.close();
      await simulations.close();
      context.reads.close();
      await engine
        .close()
        .then(() => search.storeNow())
        .finally(() => watermark.close())
        .finally(unlock);
    }
  } catch (error) {
    for (const each of halfOpen) await each.close().catch(() => {});
    unlock();
    made?.remove();
    throw error;
  }
}

function lock(fs: FileSystem, folder: string, isReal: boolean, made: NewFolder | null): () => void {
  try {
    refuseForeign(fs, folder);
    fs.makeFolder(folder);
    return isReal ? lockFolder(folder) : (): void => {};
  } catch (error) {
    // Another process may be creating it.
    if (!(error instanceof SvcError) || error.code !== '55006') made?.remove();
    throw error;
  }
}

function given({ attachUrl, attachUrlEnv }: OpenOptions): { url?: string; urlEnv?: string } {
  return { ...(attachUrl === undefined ? {} : { url: attachUrl }), ...(attachUrlEnv === undefined ? {} : { urlEnv: attachUrlEnv }) };
}

function ceilingsFromEnvironment(): Ceilings {
  const path = process.env['SVC_LIMITS'];
  if (path === undefined || path === '') return NO_CEILINGS;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new SvcError('22023', `SVC_LIMITS names "${path}", which cannot be read: ${(cause as Error).message}`, { cause });
  }
  return parseCeilings(text);
}

function workMemFromEnvironment(): number {
  return memorySizeFrom('SVC_WORK_MEM', process.env['SVC_WORK_MEM'], 256 * 1024 * 1024, 1);
}

function statementMemoryFromEnvironment(): number {
  return memorySizeFrom('SVC_STATEMENT_MEMORY', process.env['SVC_STATEMENT_MEMORY'], STATEMENT_BYTES_STANDARD, 8);
}

function cacheFromEnvironment(): number {
  return memorySizeFrom('SVC_CACHE_MB', process.env['SVC_CACHE_MB'], 256 * 1024 * 1024, 8);
}

function diskFromEnvironment(): number {
  const text = process.env['SVC_MAX_DISK_BYTES'];
  if (text === undefined || text === '') return Infinity;
  const bytes = Number(text);
  if (!Number.isSafeInteger(bytes) || bytes <= 0) throw new SvcError('22023', `SVC_MAX_DISK_BYTES is "${text}"; it must be a number of bytes above 0`);
  return bytes;
}
