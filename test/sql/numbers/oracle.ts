/** Real Postgres as the oracle: many expressions at once, each to its text, or to its SQLSTATE and message. */
import type { PGlite } from '@electric-sql/pglite';
import { type Environment, STORED } from '../../../src/sql/types/environment.ts';
import { SvcError } from '../../../src/base/errors/svc-error.ts';
import { newPostgres } from '../../postgres-oracle.ts';

const EVALUATE = `create function evaluate(expression text) returns text language plpgsql as $$
declare result text; detail text;
begin
  execute 'select (' || expression || ')::text' into result;
  return result;
exception when others then
  get stacked diagnostics detail = pg_exception_detail;
  return 'error ' || sqlstate || ' ' || sqlerrm || case when detail <> '' then ' | ' || detail else '' end;
end $$`;

export class Oracle {
  readonly #pg: PGlite;

  private constructor(pg: PGlite) {
    this.#pg = pg;
  }

  static async start(): Promise<Oracle> {
    const pg = await newPostgres();
    await pg.exec(EVALUATE);
    return new Oracle(pg);
  }

  /** Text of each expression's value; null for SQL's null. */
  async evaluate(expressions: readonly string[]): Promise<(string | null)[]> {
    const answers: (string | null)[] = [];
    for (let start = 0; start < expressions.length; start += 2000) {
      const batch = JSON.stringify(expressions.slice(start, start + 2000));
      const { rows } = await this.#pg.query('select evaluate(e) from jsonb_array_elements_text($1::jsonb) with ordinality as t(e, n) order by n', [batch], {
        rowMode: 'array',
      });
      for (const row of rows as unknown as [string | null][]) answers.push(row[0]);
    }
    return answers;
  }

  async rows(sql: string): Promise<string[][]> {
    const { rows } = await this.#pg.query(sql, [], { rowMode: 'array' });
    return rows as unknown as string[][];
  }

  async run(sql: string): Promise<void> {
    await this.#pg.exec(sql);
  }

  close(): Promise<void> {
    return this.#pg.close();
  }
}

/** What the oracle would answer for a computation of ours. */
export function outcome(compute: () => string | null): string | null {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return `error ${error.code} ${error.message}${error.detail === undefined ? '' : ` | ${error.detail}`}`;
  }
}

/** A seeded generator: 0 ≤ x < 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function literal(text: string): string {
  return `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** An environment as a fresh session of the oracle has it. */
export const ENVIRONMENT: Environment = {
  timeZone: 'UTC',
  dateStyle: 'ISO',
  dateOrder: 'MDY',
  intervalStyle: 'postgres',
  extraFloatDigits: 1,
  byteaOutput: 'hex',
  arrayNulls: true,
  quotesAll: false,
  abbreviations: STORED.abbreviations,
  transactionStart: 0,
  statementStart: 0,
  clock: () => 0,
  random: seeded(1),
  seedRandom() {},
  randomBytes: (count) => new Uint8Array(count).map((_, index) => index),
  setting: () => undefined,
  setSetting() {},
};
