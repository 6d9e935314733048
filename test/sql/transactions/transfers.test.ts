/**
 * Random transfers between accounts by many sessions at once, at every level, with rollbacks, savepoints and connections
 * that break off in the middle. Money is neither made nor lost, and every transfer that was acknowledged is in the book.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve, type Served } from '../../wire/open-server.ts';
import { errorOf, type Message, rows, WireClient } from '../../wire/wire-client.ts';

const ACCOUNTS = 8;
const START = 1000;

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(async () => {
  expect(served.faults).toEqual([]);
  await served.close();
});

function mulberry(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

class Refused extends Error {
  readonly code: string;

  constructor({ C: code, M: message }: Record<string, string>) {
    super(`${code} ${message}`);
    this.code = code;
  }
}

async function ask(client: WireClient, sql: string): Promise<Message[]> {
  const reply = await client.query(sql);
  if (reply.some(({ type }) => type === 'E')) throw new Refused(errorOf(reply));
  return reply;
}

const number = (reply: Message[]): number => Number(rows(reply)[0][0]);

interface Tally {
  done: number;
  /** Of single statements and blocks under READ COMMITTED: only a deadlock may refuse them. */
  refused: Map<string, number>;
}

/** One transfer; true where it was committed. */
async function transfer(client: WireClient, random: () => number, id: number, level: string): Promise<boolean> {
  const pick = (): number => 1 + Math.floor(random() * ACCOUNTS);
  const from = pick();
  const to = pick();
  const sum = 1 + Math.floor(random() * 20);
  const way = random();
  if (way < 0.2 && from !== to) {
    await ask(
      client,
      `WITH paid AS (UPDATE account SET v = v + CASE id WHEN ${from} THEN ${-sum} ELSE ${sum} END WHERE id IN (${from}, ${to})) INSERT INTO book VALUES (${id}, ${from}, ${to}, ${sum})`,
    );
    return true;
  }
  await ask(client, `BEGIN ISOLATION LEVEL ${level}`);
  if (way < 0.5) {
    // As clients do: read, then write what was read.
    const lock = level === 'READ COMMITTED' ? ' FOR UPDATE' : '';
    const first = number(await ask(client, `SELECT v FROM account WHERE id = ${from}${lock}`));
    await ask(client, `UPDATE account SET v = ${first - sum} WHERE id = ${from}`);
    const second = number(await ask(client, `SELECT v FROM account WHERE id = ${to}${lock}`));
    await ask(client, `UPDATE account SET v = ${second + sum} WHERE id = ${to}`);
  } else {
    await ask(client, `UPDATE account SET v = v - ${sum} WHERE id = ${from}`);
    if (random() < 0.3) {
      await ask(client, 'SAVEPOINT s');
      await ask(client, `UPDATE account SET v = v - 100000 WHERE id = ${pick()}`);
      await ask(client, 'ROLLBACK TO s');
    }
    await ask(client, `UPDATE account SET v = v + ${sum} WHERE id = ${to}`);
  }
  await ask(client, `INSERT INTO book VALUES (${id}, ${from}, ${to}, ${sum})`);
  const end = random();
  if (end < 0.1) {
    await ask(client, 'ROLLBACK');
    return false;
  }
  if (end < 0.15) {
    client.quit();
    return false;
  }
  await ask(client, 'COMMIT');
  return true;
}

for (const level of ['READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE']) {
  for (const seed of [1, 2]) {
    test(`transfers under ${level}, seed ${seed}`, async () => {
      const setup = await WireClient.login(served.port);
      await ask(setup, 'DROP TABLE IF EXISTS account, book');
      await ask(setup, 'CREATE TABLE account (id int PRIMARY KEY, v int); CREATE TABLE book (id int PRIMARY KEY, a int, b int, v int)');
      await ask(setup, `INSERT INTO account SELECT g, ${START} FROM generate_series(1, ${ACCOUNTS}) g`);
      const tally: Tally = { done: 0, refused: new Map() };
      const known = new Set<number>();
      let sums = 0;
      const worker = async (n: number): Promise<void> => {
        const random = mulberry(seed * 1000 + n);
        let client = await WireClient.login(served.port);
        for (let i = 0; i < 25; i++) {
          const id = n * 1000 + i;
          if (client.closed || client.socket.destroyed) client = await WireClient.login(served.port);
          try {
            if (await transfer(client, random, id, level)) {
              tally.done++;
              known.add(id);
            }
          } catch (error) {
            if (!(error instanceof Refused)) throw error;
            tally.refused.set(error.code, (tally.refused.get(error.code) ?? 0) + 1);
            await client.query('ROLLBACK');
          }
        }
        client.quit();
      };
      const watcher = async (): Promise<void> => {
        const client = await WireClient.login(served.port);
        for (let i = 0; i < 40; i++) {
          // Each statement sees one state, and in each the sum is the same.
          expect(number(await ask(client, 'SELECT sum(v) FROM account'))).toBe(ACCOUNTS * START);
          sums++;
        }
        client.quit();
      };
      await Promise.all([...Array.from({ length: 6 }, (_, n) => worker(n + 1)), watcher()]);
      expect(sums).toBe(40);
      expect(tally.done).toBeGreaterThan(20);
      for (const code of tally.refused.keys()) expect(level === 'READ COMMITTED' ? ['40P01'] : ['40P01', '40001']).toContain(code);
      const booked = new Set(rows(await ask(setup, 'SELECT id FROM book')).map(([id]) => Number(id)));
      expect(booked).toEqual(known);
      const expected = rows(
        await ask(
          setup,
          `SELECT id, ${START} - coalesce((SELECT sum(v) FROM book WHERE a = account.id), 0) + coalesce((SELECT sum(v) FROM book WHERE b = account.id), 0) FROM account ORDER BY id`,
        ),
      );
      expect(rows(await ask(setup, 'SELECT id, v FROM account ORDER BY id'))).toEqual(expected);
      expect(number(await ask(setup, 'SELECT count(*) FROM pg_locks WHERE NOT granted'))).toBe(0);
      setup.quit();
    });
  }
}
