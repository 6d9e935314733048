/**
 * Twenty agents for a while, and what must hold afterwards.
 *
 *   load ─► agents beside SELECT 1, a backup in the middle ─► quiet ─► ledger ─► agents again, kill -9 ─► ledger ─► the backup, restored ─► ledger
 *
 * Figures are printed for people; only the ledger, refusals and what the caller limits fail.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAgents, type Tally } from './agents.ts';
import { askBeside, type Waited } from './beside.ts';
import { Ledger } from './ledger.ts';
import { folderBytes, type LoopLag, type Paths, Server } from './server.ts';

export interface SoakOptions {
  readonly paths: Paths & { readonly beside: string };
  readonly seconds: number;
  readonly agents: number;
  readonly rows: number;
  /** How far history reaches; disk is compared with what is live and what is retained. */
  readonly retentionSeconds: number;
  readonly cacheMb: number;
  /** How long the server is left alone before memory is read. */
  readonly quietSeconds: number;
}

export interface SoakReport {
  operations: number;
  perSecond: number;
  cpuMsPerOperation: number;
  beside: Waited;
  lag: LoopLag;
  residentStartMb: number;
  residentPeakMb: number;
  residentAfterMb: number;
  /** Log and page cache over live rows and the retained part of the log, highest and at the end. */
  diskRatioPeak: number;
  diskRatioAfter: number;
  acknowledgedMerges: number;
  openAfterKillMs: number;
  openBackupMs: number;
  refused: string[];
}

const MB = 1024 * 1024;
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const round = (n: number): number => Math.round(n * 10) / 10;

export async function soakAgents(options: SoakOptions, say: (text: string) => void): Promise<SoakReport> {
  const home = mkdtempSync(join(tmpdir(), 'svc-soak-'));
  const folder = join(home, 'data');
  const env = { SVC_CACHE_MB: String(options.cacheMb) };
  const work = { agents: options.agents, rows: options.rows, changedMax: 200 };
  const ledger = new Ledger();
  let server: Server | null = null;
  try {
    server = await Server.start(options.paths, folder, env);
    const residentStartMb = round(server.residentBytes / MB);
    await load(server, options);
    // What the live rows take: a backup of them alone is not to be had, so the cache as it is written once.
    const liveBytes = server.diskBytes.cache + server.diskBytes.log;
    say(`${options.rows} rows loaded: ${round(liveBytes / MB)} MB`);
    const tally: Tally = { operations: 0, merges: 0, discards: 0, refused: [] };
    const running = server;
    const grown: { at: number; bytes: number }[] = [];
    let residentPeak = 0;
    let diskRatioPeak = 0;
    let diskRatioAfter = 0;
    let writtenBytes = 0;
    let logBefore = await logBytes(running);
    const look = async (): Promise<void> => {
      residentPeak = Math.max(residentPeak, running.residentBytes);
      const log = await logBytes(running);
      if (log > logBefore) writtenBytes += log - logBefore;
      logBefore = log;
      const now = performance.now();
      grown.push({ at: now, bytes: writtenBytes });
      const horizon = grown.findLast(({ at }) => at <= now - options.retentionSeconds * 1000)?.bytes ?? 0;
      const { log: logDisk, cache } = running.diskBytes;
      diskRatioAfter = (logDisk + cache) / (liveBytes + writtenBytes - horizon);
      diskRatioPeak = Math.max(diskRatioPeak, diskRatioAfter);
    };
    await running.lag();
    const beside = askBeside(options.paths.beside, running.pgPort);
    const cpuBefore = running.cpuMs;
    const begun = performance.now();
    const endsAt = begun + options.seconds * 1000;
    const done = runAgents(running, work, ledger, tally, () => performance.now() > endsAt);
    const backup = join(home, 'backup');
    let least: Map<number, number> | null = null;
    let most: Ledger['faults'] | null = null;
    let said = 0;
    while (performance.now() < endsAt) {
      await sleep(500);
      await look();
      if (least === null && performance.now() - begun > options.seconds * 500) {
        least = ledger.snapshot();
        await running.must('backup', { to: backup });
        most = ledger.faults.bind(ledger);
      }
      const passed = Math.floor((performance.now() - begun) / 30_000);
      if (passed > said) {
        said = passed;
        const { log, cache } = running.diskBytes;
        say(
          `  ${passed * 30} s: ${tally.operations} operations, ${round(running.residentBytes / MB)} MB resident, log ${round(log / MB)} MB, cache ${round(cache / MB)} MB, ${round(diskRatioAfter)} × (live + retained)`,
        );
      }
    }
    await done;
    const tookMs = performance.now() - begun;
    const cpuMs = running.cpuMs - cpuBefore;
    const lag = await running.lag();
    const waited = await beside.end();
    let faults = ledger.faults(await rowsOf(running));
    if (faults.length > 0) throw new Error(`after the run: ${faults.slice(0, 5).join('; ')} (${faults.length} in all)`);
    for (let second = 0; second < options.quietSeconds; second++) {
      await sleep(1000);
      await look();
    }
    const residentAfterMb = round(running.residentBytes / MB);

    const second: Tally = { operations: 0, merges: 0, discards: 0, refused: [] };
    const more = runAgents(running, work, ledger, second, () => false);
    await sleep(Math.min(10_000, options.seconds * 100));
    await running.stop('SIGKILL');
    await more;
    server = await Server.start(options.paths, folder, env);
    const openAfterKillMs = Math.round(server.openMs);
    const found = await rowsOf(server);
    faults = ledger.faults(found);
    if (faults.length > 0) throw new Error(`after kill -9: ${faults.slice(0, 5).join('; ')} (${faults.length} in all)`);
    await server.stop('SIGTERM');

    server = await Server.start(options.paths, backup, env);
    const openBackupMs = Math.round(server.openMs);
    faults = most!(await rowsOf(server), least!);
    if (faults.length > 0) throw new Error(`the restored backup: ${faults.slice(0, 5).join('; ')} (${faults.length} in all)`);
    say(`the restored backup holds ${round(folderBytes(backup) / MB)} MB`);
    await server.stop('SIGTERM');
    server = null;
    return {
      operations: tally.operations,
      perSecond: Math.round((tally.operations * 1000) / tookMs),
      cpuMsPerOperation: Math.round((cpuMs * 100) / tally.operations) / 100,
      beside: waited,
      lag,
      residentStartMb,
      residentPeakMb: round(residentPeak / MB),
      residentAfterMb,
      diskRatioPeak: Math.round(diskRatioPeak * 100) / 100,
      diskRatioAfter: Math.round(diskRatioAfter * 100) / 100,
      acknowledgedMerges: ledger.acknowledgedMerges,
      openAfterKillMs,
      openBackupMs,
      refused: [...tally.refused, ...second.refused],
    };
  } finally {
    server?.child.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  }
}

async function load(server: Server, { rows, retentionSeconds }: SoakOptions): Promise<void> {
  await server.must('sql', { sql: `ALTER SYSTEM SET history_retention = '${retentionSeconds} s'` });
  await server.must('sql', {
    sql: 'CREATE TABLE stock (id int PRIMARY KEY, v int NOT NULL, name text NOT NULL, note text); CREATE INDEX stock_v ON stock (v)',
  });
  const step = 50_000;
  for (let from = 0; from < rows; from += step) {
    await server.must('sql', {
      sql: `INSERT INTO stock SELECT i, 0, 'product number ' || i, 'nobody' FROM generate_series(${from}, ${Math.min(rows, from + step) - 1}) i`,
    });
  }
  await server.must('sql', { sql: 'CHECKPOINT' });
}

async function logBytes(server: Server): Promise<number> {
  const { results } = (await server.must('sql', { sql: 'SHOW METRICS' })) as { results: { rows: Record<string, unknown>[] }[] };
  const row = results[0].rows.find((each) => Object.values(each).some((cell) => typeof cell === 'string' && cell.endsWith('log_bytes')));
  return Number(Object.values(row ?? {}).find((cell) => typeof cell !== 'string' || /^[\d.]+$/.test(cell)));
}

async function rowsOf(server: Server): Promise<Map<number, number>> {
  const { results } = (await server.must('sql', { sql: 'SELECT id, v FROM stock' })) as { results: { rows: { id: number; v: number }[] }[] };
  return new Map(results[0].rows.map(({ id, v }) => [id, v]));
}
