/**
 * Plays steps of several sessions against a server of the wire protocol and logs the replies and which
 * sessions waited. Whether a session waits is read from pg_locks, so no step depends on how fast a machine is.
 */
import { errorOf, frame, type Message, rows, tags, WireClient } from '../../wire/wire-client.ts';

export interface Scenario {
  readonly name: string;
  readonly setup: string;
  /** `a BEGIN`: the session, then what it sends, left out where it still waits. `BEGIN` begins a block of the level that is played. */
  readonly steps: readonly string[];
  readonly final: string;
  /** Levels that it is played at; all three where left out. */
  readonly levels?: readonly Level[];
}

export type Level = 'READ COMMITTED' | 'REPEATABLE READ' | 'SERIALIZABLE';
export const LEVELS: readonly Level[] = ['READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE'];

interface Player {
  readonly client: WireClient;
  readonly pid: string;
  waiting: Promise<Message[]> | null;
}

export async function play(port: number, database: string, { setup, steps, final }: Scenario, level: Level): Promise<string[]> {
  const players = new Map<string, Player>();
  const monitor = await WireClient.login(port, { database });
  const log: string[] = [];
  try {
    for (const statement of setup.split(';')) if (statement.trim() !== '') await done(monitor.query(statement));
    for (const step of steps) {
      const [name] = step.split(' ', 1);
      const sql = step.slice(name.length + 1).replace(/^BEGIN$/, `BEGIN ISOLATION LEVEL ${level}`);
      let player = players.get(name);
      if (player === undefined) {
        const client = await WireClient.login(port, { database });
        const pid = rows(await client.query('SELECT pg_backend_pid()'))[0][0]!;
        players.set(name, (player = { client, pid, waiting: null }));
      }
      if (player.waiting !== null) continue;
      if (sql === '<gone>') {
        player.client.quit();
        players.delete(name);
        log.push(`${name} <gone>`);
        await awaitReplies(monitor, players, log);
        continue;
      }
      player.client.send(frame('Q', sql));
      player.waiting = player.client.until('Z');
      player.waiting.catch(() => {});
      const reply = await look(monitor, player);
      log.push(`${name} ${step.slice(name.length + 1)} → ${reply ?? 'waits'}`);
      await awaitReplies(monitor, players, log, name);
    }
    log.push(`final ${JSON.stringify(rows(await monitor.query(final)))}`);
    return log;
  } finally {
    for (const { client } of players.values()) client.quit();
    monitor.quit();
  }
}

async function done(reply: Promise<Message[]>): Promise<void> {
  const messages = await reply;
  if (messages.some(({ type }) => type === 'E')) throw new Error(JSON.stringify(errorOf(messages)));
}

/** Logs the replies of players that no longer wait, in the order of their names. */
async function awaitReplies(monitor: WireClient, players: Map<string, Player>, log: string[], but = ''): Promise<void> {
  for (let again = true; again;) {
    again = false;
    for (const [name, player] of [...players].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (player.waiting === null || name === but) continue;
      const reply = await look(monitor, player);
      if (reply === null) continue;
      log.push(`${name} resumes → ${reply}`);
      again = true;
    }
  }
}

/** The reply that the player received, or null while it waits. */
async function look(monitor: WireClient, player: Player): Promise<string | null> {
  let messages: Message[] | null = null;
  const reply = player.waiting!.then((all) => (messages = all));
  let waits = 0;
  for (;;) {
    await Promise.race([reply, new Promise((resolve) => setTimeout(resolve, 15))]);
    if (messages !== null) {
      player.waiting = null;
      return replyText(messages);
    }
    const locks = await monitor.query(`SELECT 1 FROM pg_locks WHERE NOT granted AND pid = ${player.pid}`);
    // Twice: a deadlock is found out a moment after the wait has begun.
    waits = rows(locks).length > 0 ? waits + 1 : 0;
    if (waits >= 3) return null;
  }
}

/** A reply in one line. */
export function replyText(messages: readonly Message[]): string {
  if (messages.some(({ type }) => type === 'E')) {
    const { C: code, M: message } = errorOf(messages);
    return `${code} ${message}`;
  }
  const data = rows(messages);
  return data.length === 0 ? tags(messages).join('; ') : JSON.stringify(data);
}
