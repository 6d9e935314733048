/** Real Postgres, asked for many expressions at once: each answer is the text of the value, `NULL`, or `SQLSTATE message / detail / hint`. */
import type { PGlite } from '@electric-sql/pglite';
import { SvcError } from '../../../src/base/errors/svc-error.ts';
import { type Environment, STORED } from '../../../src/sql/types/environment.ts';
import { newPostgres } from '../../postgres-oracle.ts';

const TRY = `
create function try_text(expression text) returns text language plpgsql as $$
declare answer text; detail text; hint text;
begin
  execute 'select (' || expression || ')::text' into answer;
  return coalesce(answer, 'NULL');
exception when others then
  get stacked diagnostics detail = pg_exception_detail, hint = pg_exception_hint;
  return sqlstate || ' ' || sqlerrm || coalesce(' / ' || nullif(detail, ''), '') || coalesce(' / ' || nullif(hint, ''), '');
end $$`;

export interface Settings {
  timeZone?: string;
  dateStyle?: Environment['dateStyle'];
  dateOrder?: Environment['dateOrder'];
  intervalStyle?: Environment['intervalStyle'];
}

export class Oracle {
  readonly #pg: PGlite;

  private constructor(pg: PGlite) {
    this.#pg = pg;
  }

  static async start(): Promise<Oracle> {
    const pg = await newPostgres();
    await pg.exec(TRY);
    return new Oracle(pg);
  }

  /** The environment that equals the server's while it answers the next `ask`. */
  async environment(settings: Settings): Promise<Environment> {
    const { timeZone = 'UTC', dateStyle = 'ISO', dateOrder = 'MDY', intervalStyle = 'postgres' } = settings;
    await this.#pg.exec(`set timezone = '${timeZone}'; set datestyle = '${dateStyle}, ${dateOrder}'; set intervalstyle = '${intervalStyle}'`);
    return testEnvironment({ timeZone, dateStyle, dateOrder, intervalStyle });
  }

  async ask(expressions: readonly string[]): Promise<string[]> {
    const { rows } = await this.#pg.query<[string[]]>(
      'select array_agg(try_text(e) order by n) from unnest($1::text[]) with ordinality as t(e, n)',
      [expressions],
      {
        rowMode: 'array',
      },
    );
    return rows[0]![0];
  }

  async rows(query: string): Promise<string[][]> {
    return (await this.#pg.query<string[]>(query, [], { rowMode: 'array' })).rows;
  }

  close(): Promise<void> {
    return this.#pg.close();
  }
}

/** The running moment, so that `today` agrees with the server's in every zone. */
function now(): number {
  return Date.now() * 1000 - 946_684_800_000_000;
}

export function testEnvironment(settings: Settings = {}): Environment {
  const start = now();
  return {
    timeZone: 'UTC',
    dateStyle: 'ISO',
    dateOrder: 'MDY',
    intervalStyle: 'postgres',
    ...settings,
    extraFloatDigits: 1,
    byteaOutput: 'hex',
    arrayNulls: true,
    quotesAll: false,
    abbreviations: STORED.abbreviations,
    transactionStart: start,
    statementStart: start,
    clock: () => start,
    random: () => 0.5,
    seedRandom: () => {},
    randomBytes: (count) => new Uint8Array(count),
    setting: () => undefined,
    setSetting: () => {},
  };
}

/** What the oracle would answer for the value or error of a call. */
export function answerOf(call: () => string | null): string {
  try {
    return call() ?? 'NULL';
  } catch (error) {
    if (error instanceof SvcError) return [`${error.code} ${error.message}`, error.detail, error.hint].filter((part) => part !== undefined).join(' / ');
    throw error;
  }
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** What Postgres 15 says otherwise than later ones: the setting's name in a hint, and differences of infinite times. */
function alike(ours: string, theirs: string): boolean {
  return ours === theirs || ours.includes('cannot subtract infinite timestamps') || ours === theirs.replace('different "DateStyle"', 'different "datestyle"');
}

/** Lines of the first cases that differ, for one readable assertion. */
export function differences(names: readonly string[], ours: readonly string[], theirs: readonly string[]): string[] {
  return names.flatMap((name, i) => (alike(ours[i], theirs[i]) ? [] : [`${name}: ours ${ours[i]} | Postgres ${theirs[i]}`])).slice(0, 20);
}
