/** `npm run soak [-- rounds]`: kills the server that many times (200) while it is written to. */
import { killLoop } from './kill-loop.ts';

const rounds = Number(process.argv[2] ?? 200);
const report = await killLoop(new URL('../../bin/svc.js', import.meta.url).pathname, rounds, (text) => process.stdout.write(`${text}\n`));
process.stdout.write(
  `${report.rounds} rounds, ${report.acknowledged} acknowledged writes, none lost; ${report.flagged} branches flagged; slowest start ${Math.round(report.slowestOpenMs)} ms\n`,
);
