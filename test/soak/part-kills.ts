/** The server is killed 200 times (SVC_SOAK_KILLS) while it is written to. */
import { killLoop } from './kill-loop.ts';

export async function soak(say: (text: string) => void): Promise<void> {
  const rounds = Number(process.env['SVC_SOAK_KILLS'] ?? 200);
  const { acknowledged, flagged, slowestOpenMs } = await killLoop(new URL('../../bin/svc.js', import.meta.url).pathname, rounds, say);
  say(`${rounds} rounds, ${acknowledged} acknowledged writes, none lost; ${flagged} branches flagged; slowest start ${Math.round(slowestOpenMs)} ms`);
}
