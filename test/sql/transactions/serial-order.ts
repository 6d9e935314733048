/** Whether the replies of sessions are those of their committed transactions, run sequentially in some order. */
import { rows, type WireClient } from '../../wire/wire-client.ts';
import { replyText, type Scenario } from './play.ts';

interface Statement {
  readonly sql: string;
  reply: string;
}

/** Statements of each transaction that was committed, from the log of a play. */
export function committedTransactions(log: readonly string[]): Statement[][] {
  const committed: Statement[][] = [];
  const sessions = new Map<string, { open: Statement[] | null; last: Statement | null }>();
  const finish = (name: string): void => {
    const session = sessions.get(name)!;
    const { last, open } = session;
    if (last === null || last.reply === 'waits') return;
    session.last = null;
    const failed = /^[0-9A-Z]{5} /.test(last.reply);
    if (last.sql === 'BEGIN') session.open = [];
    else if (last.sql === 'COMMIT' || last.sql === 'ROLLBACK') {
      if (open !== null && last.reply === 'COMMIT' && open.every(({ reply }) => !/^[0-9A-Z]{5} /.test(reply))) committed.push(open);
      session.open = null;
    } else if (open !== null) open.push(last);
    else if (!failed && !last.sql.startsWith('SET ')) committed.push([last]);
  };
  for (const line of log) {
    const parts = /^(\w) (.*) → (.*)$/s.exec(line);
    if (parts === null) continue;
    const [, name, sql, reply] = parts;
    const session = sessions.get(name) ?? { open: null, last: null };
    sessions.set(name, session);
    if (sql === 'resumes') session.last!.reply = reply;
    else session.last = { sql, reply };
    finish(name);
  }
  return committed;
}

/** The first order in which they return the same and leave the same; null if there is none. */
export async function serialOrder(client: WireClient, { setup, final }: Scenario, log: readonly string[]): Promise<number[] | null> {
  const transactions = committedTransactions(log);
  const left = log.at(-1)!.slice('final '.length);
  for (const order of permutations(transactions.map((_, i) => i))) {
    await client.query(setup);
    if (
      (await isReproduced(
        client,
        order.map((i) => transactions[i]),
      )) &&
      JSON.stringify(rows(await client.query(final))) === left
    )
      return order;
  }
  return null;
}

async function isReproduced(client: WireClient, transactions: readonly Statement[][]): Promise<boolean> {
  for (const statements of transactions) {
    await client.query('BEGIN');
    for (const { sql, reply } of statements) {
      if (replyText(await client.query(sql)) === reply) continue;
      await client.query('ROLLBACK');
      return false;
    }
    if (replyText(await client.query('COMMIT')) !== 'COMMIT') return false;
  }
  return true;
}

function* permutations(items: readonly number[]): Generator<number[]> {
  if (items.length === 0) yield [];
  for (const [i, first] of items.entries()) for (const rest of permutations(items.toSpliced(i, 1))) yield [first, ...rest];
}
