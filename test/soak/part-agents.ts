/** Twenty agents for ten minutes (SVC_SOAK_SECONDS) over SVC_SOAK_ROWS rows, compared with a ledger of what was acknowledged to them. */
import { soakAgents } from './agents-soak.ts';

const file = (path: string): string => new URL(path, import.meta.url).pathname;

export async function soak(say: (text: string) => void): Promise<void> {
  const seconds = Number(process.env['SVC_SOAK_SECONDS'] ?? 600);
  const report = await soakAgents(
    {
      paths: { main: file('../../bin/svc.js'), probe: file('loop-lag.js'), beside: file('beside.js') },
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
}
