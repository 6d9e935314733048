/** Whether what sessions were told could have come of their committed transactions one after the other, in some order. */
import { rows, type WireClient } from '../../wire/wire-client.ts';
import { type Scenario, told } from './play.ts';

interface Statement {
  readonly sql: string;
  told: string;
}

/** Statements of each transaction that was committed, from the log of a play. */
export function committedTransactions(log: readonly string[]): Statement[][] {
  const committed: Statement[][] = [];
  const sessions = new Map<string, { open: Statement[] | null; last: Statement | null }>();
  const finish = (name: string): void => {
    const session = sessions.get(name)!;
    const { last, open } = session;
    if (last === null || last.told === 'waits') return;
    session.last = null;
    const failed = /^[0-9A-Z]{5} /.test(last.told);
    if (last.sql === 'BEGIN') session.open = [];
    else if (last.sql === 'COMMIT' || last.sql === 'ROLLBACK') {
      if (open !== null && last.told === 'COMMIT' && open.every(({ told: reply }) => !/^[0-9A-Z]{5} /.test(reply))) committed.push(open);
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
    if (sql === 'goes on') session.last!.told = reply;
    else session.last = { sql, told: reply };
    finish(name);
  }
  return committed;
}

/** The first order in which they are told the same and leave the same; null where there is none. */
export async function serialOrder(client: WireClient, { setup, final }: Scenario, log: readonly string[]): Promise<number[] | null> {
  const transactions = committedTransactions(log);
  const left = log.at(-1)!.slice('final '.length);
  for (const order of permutations(transactions.map((_, i) => i))) {
    await client.query(setup);
    if (
      (await isSent(
        client,
        order.map((i) => transactions[i]),
      )) &&
      JSON.stringify(rows(await client.query(final))) === left
    )
      return order;
  }
  return null;
}

async function isSent(client: WireClient, transactions: readonly Statement[][]): Promise<boolean> {
  for (const statements of transactions) {
    await client.query('BEGIN');
    for (const { sql, told: reply } of statements) {
      if (told(await client.query(sql)) === reply) continue;
      await client.query('ROLLBACK');
      return false;
    }
    if (told(await client.query('COMMIT')) !== 'COMMIT') return false;
  }
  return true;
}

function* permutations(items: readonly number[]): Generator<number[]> {
  if (items.length === 0) yield [];
  for (const [i, first] of items.entries()) for (const rest of permutations(items.toSpliced(i, 1))) yield [first, ...rest];
}
