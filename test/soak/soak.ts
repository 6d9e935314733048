/**
 * `npm run soak [-- rounds [damages]]`: twenty agents for ten minutes (SVC_SOAK_SECONDS), compared with a ledger of what was acknowledged to
 * them; then the server is killed 200 times (or so many rounds) while it is written to; then so many cuts and flips (1,000 each) of a folder's files.
 * SVC_SOAK_ROWS, SVC_SOAK_RETENTION: rows, seconds of history.
 */
import { soakAgents } from './agents-soak.ts';
import { damageRun, tableText } from './damage.ts';
import { killLoop } from './kill-loop.ts';

const file = (path: string): string => new URL(path, import.meta.url).pathname;
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const main = file('../../bin/svc.js');
const seconds = Number(process.env['SVC_SOAK_SECONDS'] ?? 600);
const rounds = Number(process.argv[2] ?? Math.round(seconds / 3));
const damages = Number(process.argv[3] ?? 1000);

if (seconds > 0) {
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
}
if (rounds > 0) {
  const killed = await killLoop(main, rounds, say);
  say(
    `${killed.rounds} rounds, ${killed.acknowledged} acknowledged writes, none lost; ${killed.flagged} branches flagged; slowest start ${Math.round(killed.slowestOpenMs)} ms`,
  );
}
if (damages > 0) {
  const seed = Number(process.env['SVC_DAMAGE_SEED'] ?? 1);
  const plain = await damageRun(seed, damages / 2, {}, say);
  say(`plain, ${plain.done} damages, seed ${seed}\n${tableText(plain.table)}`);
  const sealed = await damageRun(seed + 1, damages / 2, { key: '42'.repeat(32) }, say);
  say(`encrypted, ${sealed.done} damages, seed ${seed + 1}\n${tableText(sealed.table)}`);
  const silent = [...plain.silent, ...sealed.silent];
  for (const each of silent) say(`SILENT ${each}`);
  for (const each of [...plain.unhealed, ...sealed.unhealed]) say(`not healed: ${each}`);
  if (silent.length > 0) process.exitCode = 1;
}
