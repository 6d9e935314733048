/**
 * `npm run soak`: twenty agents for ten minutes (SVC_SOAK_SECONDS), compared with a ledger of what was acknowledged to them; then the
 * server is killed 200 times (or `-- rounds`) while it is written to. SVC_SOAK_ROWS, SVC_SOAK_RETENTION: rows, seconds of history.
 */
import { soakAgents } from './agents-soak.ts';
import { killLoop } from './kill-loop.ts';

const file = (path: string): string => new URL(path, import.meta.url).pathname;
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const main = file('../../bin/svc.js');
const seconds = Number(process.env['SVC_SOAK_SECONDS'] ?? 600);

const report = await soakAgents(
  {
    paths: { main, probe: file('loop-lag.js'), beside: file('beside.js') },
    seconds,
    agents: 20,
    rows: Number(process.env['SVC_SOAK_ROWS'] ?? 250_000),
    retentionSeconds: Number(process.env['SVC_SOAK_RETENTION'] ?? 120),
    cacheMb: Number(process.env['SVC_CACHE_MB'] ?? 256),
    quietSeconds: Math.min(60, seconds),
  },
  say,
);
say(
  [
    `${report.operations} operations, ${report.perSecond}/s, ${report.cpuMsPerOperation} ms of processor time each; ${report.acknowledgedMerges} merges acknowledged, none lost`,
    `SELECT 1 beside them: p50 ${report.beside.p50Ms} ms, p99 ${report.beside.p99Ms} ms, max ${report.beside.maxMs} ms (${report.beside.count})`,
    `loop lag: p50 ${report.lag.p50Ms} ms, p99 ${report.lag.p99Ms} ms, max ${report.lag.maxMs} ms`,
    `resident: ${report.residentStartMb} MB at start, ${report.residentPeakMb} MB at most, ${report.residentAfterMb} MB after a quiet while`,
    `disk / (live + retained): ${report.diskRatioPeak} at most, ${report.diskRatioAfter} afterwards`,
    `open after kill -9: ${report.openAfterKillMs} ms; restored backup: ${report.openBackupMs} ms`,
    ...report.refused.map((text) => `refused: ${text}`),
  ].join('\n'),
);
const rounds = Number(process.argv[2] ?? Math.round(seconds / 3));
if (rounds > 0) {
  const killed = await killLoop(main, rounds, say);
  say(
    `${killed.rounds} rounds, ${killed.acknowledged} acknowledged writes, none lost; ${killed.flagged} branches flagged; slowest start ${Math.round(killed.slowestOpenMs)} ms`,
  );
}
