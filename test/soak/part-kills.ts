/** The server is killed 200 times (SVC_SOAK_KILLS) while it is written to, and as many times in the middle of one kind of work after another. */
import { killKinds } from './kill-kinds.ts';
import { killLoop } from './kill-loop.ts';

export async function soak(say: (text: string) => void): Promise<void> {
  const main = new URL('../../bin/svc.js', import.meta.url).pathname;
  const rounds = Number(process.env['SVC_SOAK_KILLS'] ?? 200);
  const { acknowledged, flagged, slowestOpenMs } = await killLoop(main, rounds, say);
  say(`${rounds} rounds, ${acknowledged} acknowledged writes, none lost; ${flagged} branches flagged; slowest start ${Math.round(slowestOpenMs)} ms`);
  for (const { kind, kills, acknowledged: answered, done } of await killKinds(main, rounds, () => {}))
    say(`${kind}: ${kills} kills, whole after ${done} of them, acknowledged ${answered}`);
}
