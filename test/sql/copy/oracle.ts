/** Real Postgres as the oracle of COPY: what it reads, what it writes, and its errors with their places. */
import type { PGlite } from '@electric-sql/pglite';
import { SvcError } from '../../../src/base/errors/svc-error.ts';
import { newPostgres } from '../../postgres-oracle.ts';

export class CopyOracle {
  readonly #pg: PGlite;

  private constructor(pg: PGlite) {
    this.#pg = pg;
  }

  static async start(): Promise<CopyOracle> {
    return new CopyOracle(await newPostgres());
  }

  async run(sql: string): Promise<void> {
    await this.#pg.exec(sql);
  }

  /** Rows of `table` after COPY FROM of the bytes, as JSON; or the error. */
  async read(table: string, options: string, bytes: Uint8Array): Promise<string> {
    try {
      await this.#pg.exec(`truncate ${table}`);
      await this.#pg.query(`copy ${table} from '/dev/blob' ${options}`, [], { blob: new Blob([Uint8Array.from(bytes)]) });
      return JSON.stringify((await this.#pg.query(`select * from ${table}`, [], { rowMode: 'array' })).rows);
    } catch (error) {
      return described(error);
    }
  }

  async write(source: string, options: string): Promise<Uint8Array> {
    const { blob } = await this.#pg.query(`copy ${source} to '/dev/blob' ${options}`);
    return new Uint8Array(await blob!.arrayBuffer());
  }

  /** '' where a statement runs. */
  async attempt(sql: string): Promise<string> {
    try {
      await this.#pg.query(sql, [], { blob: new Blob([]) });
      return '';
    } catch (error) {
      return described(error);
    }
  }

  async rows(sql: string, parameters: unknown[] = []): Promise<unknown[][]> {
    return (await this.#pg.query<unknown[]>(sql, parameters, { rowMode: 'array' })).rows;
  }

  close(): Promise<void> {
    return this.#pg.close();
  }
}

/** An error of either side in one line. */
export function described(error: unknown): string {
  if (error instanceof SvcError) {
    const where = error.data?.['where'];
    return line([error.code, error.message, error.detail, error.hint, where, error.position]);
  }
  const raised = error as Record<string, string | undefined>;
  return line([raised['code'], raised['message'], raised['detail'], raised['hint'], raised['where'], raised['position']]);
}

function line(parts: unknown[]): string {
  return parts.map((part) => part ?? '').join(' | ');
}
