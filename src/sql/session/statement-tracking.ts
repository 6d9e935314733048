/** Times the statements of one session for pg_stat_statements. Times include planning and the writing of rows to the client. */
import type { Statement } from '../ast/statement.ts';
import type { ParsedStatement } from '../parse/parse.ts';
import { databaseOid } from './databases.ts';
import { type NormalisedQuery, normalisedQuery } from './normalised-query.ts';
import { isQuery } from './prepare.ts';
import type { SqlSession } from './sql-session.ts';

/** The extension that turns it on, in its world. */
export const TRACKING = 'pg_stat_statements';

/** Normalised texts of a session. */
const TEXTS_MAX = 500;

export class StatementTracking {
  readonly #session: SqlSession;
  readonly #texts = new Map<string, NormalisedQuery>();
  #statement: ParsedStatement | null = null;
  #startedAt = 0;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  begin(statement: ParsedStatement | null): void {
    this.#statement = statement;
    this.#startedAt = performance.now();
  }

  /** It failed: it is not counted. */
  abandon(): void {
    this.#statement = null;
  }

  /** `tag`: its command tag, which ends with the number of rows. */
  end(tag: string): void {
    const statement = this.#statement;
    if (statement === null) return;
    this.#statement = null;
    const { host, authority, worldToChange } = this.#session;
    if (worldToChange === null) return;
    const query = this.#query(statement);
    if (query === null) return;
    const rows = /\d+$/.exec(tag);
    const elapsedMs = performance.now() - this.#startedAt;
    host.statistics.record(authority.role, databaseOid(worldToChange.number), query, elapsedMs, rows === null ? 0 : Number(rows[0]));
  }

  /** null: it is not counted. What EXECUTE runs counts as its PREPARE. */
  #query(statement: ParsedStatement): NormalisedQuery | null {
    const { isMultiStatement, text, prepared } = this.#session;
    if (statement.type === 'prepare' || statement.type === 'deallocate') return null;
    if (statement.type === 'execute') {
      const found = prepared.get(statement.name);
      return found === undefined ? null : this.#normalised(found.text, 0, found.text.length, found.statement);
    }
    if (isMultiStatement) return this.#normalised(text, statement.range.start, statement.range.end, statement);
    return this.#normalised(text, 0, text.length, null);
  }

  /** `statement` null: the text is it, and is parsed if need be, as a generic statement has parameters where the text has constants. */
  #normalised(text: string, start: number, end: number, statement: Statement | null): NormalisedQuery {
    const own = text.slice(start, end);
    let known = this.#texts.get(own);
    if (known === undefined) {
      const [first] = statement === null ? this.#session.parse(text) : [];
      const range = first?.range ?? { start, end };
      const parsed = statement ?? first;
      known = normalisedQuery(text, range.start, range.end, parsed, isQuery(parsed));
      if (this.#texts.size >= TEXTS_MAX) this.#texts.clear();
      this.#texts.set(own, known);
    }
    return known;
  }
}
