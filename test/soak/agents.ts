/**
 * Agents as they are meant to work: each forks main, changes 1 to 200 rows in its fork, and merges it (four of five) or discards it.
 * Rows belong to agents (`id % agents`), so no merge conflicts and every acknowledged one must be found later.
 */
import type { Ledger } from './ledger.ts';
import type { Server } from './server.ts';

export interface Work {
  readonly agents: number;
  readonly rows: number;
  readonly changedMax: number;
}

export interface Tally {
  operations: number;
  merges: number;
  discards: number;
  refused: string[];
}

/** Runs until `ended()` or the server is gone. */
export async function runAgents(server: Server, work: Work, ledger: Ledger, tally: Tally, ended: () => boolean): Promise<void> {
  await Promise.all(Array.from({ length: work.agents }, (_, agent) => runAgent(server, work, agent, ledger, tally, ended)));
}

let value = 0;

async function runAgent(server: Server, { agents, rows, changedMax }: Work, agent: number, ledger: Ledger, tally: Tally, ended: () => boolean): Promise<void> {
  for (let turn = 0; !ended(); turn++) {
    const count = Math.floor(Math.exp(Math.random() * Math.log(changedMax)));
    const ids = [...new Set(Array.from({ length: count }, () => agent + agents * Math.floor((Math.random() * rows) / agents)))];
    const now = ++value;
    const branch = `agent${agent}_${now}`;
    const merges = turn % 5 !== 4;
    try {
      const forked = await server.post('fork', { name: branch, meta: { intent: `change ${ids.length} rows`, run: String(turn) } });
      tally.operations++;
      if (forked['error'] !== undefined) throw new Refused('fork', forked);
      const changed = await server.post('sql', {
        branch,
        sql: `UPDATE stock SET v = $1, note = 'by agent ' || $2 WHERE id = ANY($3)`,
        params: [now, agent, `{${ids.join()}}`],
      });
      tally.operations++;
      if (changed['error'] !== undefined) throw new Refused('sql', changed);
      if (merges) {
        ledger.send(ids, now);
        const merged = await server.post('merge', { branch, version: changed['version'] });
        tally.operations++;
        if (merged['error'] !== undefined) {
          ledger.withdraw(ids);
          throw new Refused('merge', merged);
        }
        ledger.acknowledge(ids, now);
        tally.merges++;
      } else {
        const discarded = await server.post('discard', { branch });
        tally.operations++;
        if (discarded['error'] !== undefined) throw new Refused('discard', discarded);
        tally.discards++;
      }
    } catch (error) {
      if (error instanceof Refused) {
        if (tally.refused.length < 20) tally.refused.push(error.message);
        await new Promise((resolve) => setTimeout(resolve, 20));
      } else return;
    }
  }
}

class Refused extends Error {
  constructor(op: string, reply: Record<string, unknown>) {
    super(`${op}: ${JSON.stringify(reply['error']).slice(0, 300)}`);
  }
}
