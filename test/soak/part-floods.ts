/** Floods a server with messages in random order from 300 seeds (SVC_SOAK_FLOODS), with `SELECT 1` next to them. */
import { FloodedServer, Prober, randomPieces, READERS, sendFlood } from './floods.ts';

export async function soak(say: (text: string) => void): Promise<void> {
  const floods = Number(process.env['SVC_SOAK_FLOODS'] ?? 300);
  const server = await FloodedServer.start(new URL('../../bin/svc.js', import.meta.url).pathname);
  try {
    const prober = await Prober.start(server);
    // Four at once, one of each kind of reader.
    for (let seed = 1; seed <= floods; seed += READERS.length) {
      await Promise.all(READERS.map((reader, i) => sendFlood(server.port, randomPieces(seed + i), reader, { replies: Infinity, forMs: 2000 })));
      if (!server.alive) throw new Error(`the server ended under the floods of seeds ${seed} to ${seed + READERS.length - 1}`);
    }
    const { longestMs, mostBytes, answers } = await prober.stop();
    say(`${floods} floods, ${answers} answers beside them, the slowest after ${Math.round(longestMs)} ms, ${Math.round(mostBytes / 2 ** 20)} MB at most`);
  } finally {
    await server.stop();
  }
}
