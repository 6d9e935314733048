/** What every suite runs on: a fresh database of any kind, and helpers to inspect it. */
import { expect } from 'vitest';
import { SvcError } from '../../src/base/errors/svc-error.ts';
import type { SqlState } from '../../src/base/errors/sqlstate.ts';
import type { Commands, Row } from '../../src/commands/contract.ts';
import type { SteppedClock } from './stepped-clock.ts';

export interface Opened {
  commands: Commands;
  clock: SteppedClock;
  /** Sequence of the newest event, where moments are to be named by it. */
  head?(): number;
  close(): Promise<void>;
}

/** A new, empty database. */
export type Open = () => Promise<Opened>;

/** `<table>/<id>` to record; ids in a state need no escaping. */
export type State = { [key: string]: Row };

export function splitKey(key: string): { table: string; id: string } {
  const slash = key.indexOf('/');
  return { table: key.slice(0, slash), id: key.slice(slash + 1) };
}

/** Runs `use` on a new database and closes it in any case. */
export async function using<T>(open: Open, use: (commands: Commands, clock: SteppedClock) => Promise<T>): Promise<T> {
  const opened = await open();
  try {
    return await use(opened.commands, opened.clock);
  } finally {
    await opened.close();
  }
}

/**
 * The naive model has rows alone: it does not know which names a world has definitions of. So where both are compared, a table or field that
 * is unknown has no rows in `find`. The refusals are tested at the entrances.
 */
export function withoutNames<T extends Commands>(commands: T): T {
  const find: Commands['find'] = async (...args) => {
    try {
      return await commands.find(...args);
    } catch (error) {
      if (error instanceof SvcError && (error.code === '42P01' || error.code === '42703')) return { total: 0, hits: [], next_offset: null };
      throw error;
    }
  };
  return new Proxy(commands, {
    get: (own, name) => {
      if (name === 'find') return find;
      const value: unknown = Reflect.get(own, name, own);
      return typeof value === 'function' ? (value as () => unknown).bind(own) : value;
    },
  });
}

/** All rows of the tables in one state of a world. */
export async function stateOf(commands: Commands, branch: string, tables: readonly string[]): Promise<State> {
  const state: State = {};
  for (const table of new Set(tables)) {
    const { hits } = await commands.find({ branch, table, limit: 10_000 });
    for (const { id, row } of hits) state[`${table}/${id}`] = row;
  }
  return state;
}

export function tablesIn(...states: State[]): string[] {
  return states.flatMap((state) => Object.keys(state).map((key) => splitKey(key).table));
}

/** Makes the world's rows `to`, which now are `from`, in one batch. */
export async function write(commands: Commands, branch: string, from: State, to: State): Promise<void> {
  const rows = [
    ...Object.keys(from)
      .filter((key) => !Object.hasOwn(to, key))
      .map((key) => ({ ...splitKey(key), record: null })),
    ...Object.entries(to).map(([key, record]) => ({ ...splitKey(key), record })),
  ];
  await commands.batch({ branch, rows });
}

/** The error of a call that must be refused. */
export async function refusal(call: Promise<unknown>): Promise<SvcError> {
  const error = await call.then(
    (reply) => expect.fail(`was not refused: ${JSON.stringify(reply)}`),
    (cause: unknown) => cause,
  );
  if (!(error instanceof SvcError)) throw error;
  return error;
}

export async function refused(code: SqlState, call: Promise<unknown>): Promise<SvcError> {
  const error = await refusal(call);
  expect(error.code).toBe(code);
  return error;
}
