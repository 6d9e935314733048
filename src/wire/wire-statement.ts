/**
 * A statement that Parse made: its text parsed once, its parameters' types, and the plan, kept for as long as schema
 * and settings stay the same. It stands among the session's prepared statements, so that EXECUTE and DEALLOCATE find it.
 */
import { SvcError } from '../base/errors/svc-error.ts';
import type { ParsedStatement } from '../sql/parse/parse.ts';
import type { Schema } from '../sql/schema/schema.ts';
import { columnsOfUtility } from '../sql/session/describe.ts';
import { isQuery, type Prepared, type QueryStatement } from '../sql/session/prepare.ts';
import type { ResultColumn } from '../sql/session/results.ts';
import type { PreparedStatement, SqlSession } from '../sql/session/sql-session.ts';
import type { SqlType } from '../sql/types/type.ts';
import { ALL_TEXT, type Formats, type ValueWriter, valueWriters } from './row-format.ts';

export class WireStatement implements PreparedStatement {
  readonly name: string;
  readonly text: string;
  readonly at = 0;
  /** null: the text is empty. */
  readonly parsed: ParsedStatement | null;
  /** Given and inferred. */
  readonly types: readonly SqlType[];
  readonly query: QueryStatement | null;
  #prepared: Prepared | null = null;
  #schema: Schema | null = null;
  #settings = -1;
  #reader = '';
  /** As a client was told: a plan that gives others is refused. */
  #told: readonly ResultColumn[] | null = null;
  #formats: Formats = ALL_TEXT;
  #writers: ValueWriter[] | null = null;

  /** `fixed`: there are no other parameters than those given. */
  constructor(session: SqlSession, name: string, text: string, parsed: ParsedStatement | null, given: readonly (SqlType | null)[], fixed = false) {
    this.name = name;
    this.text = text;
    this.parsed = parsed;
    this.query = parsed !== null && isQuery(parsed) ? parsed : null;
    if (this.query === null) this.types = given.map((type) => type ?? session.host.registry.type('text'));
    else {
      const prepared = session.prepare(this.query, given, fixed);
      this.types = prepared.parameters;
      this.#keep(session, prepared);
    }
  }

  get statement(): ParsedStatement {
    return this.parsed!;
  }

  /** The plan; 0A000 where its columns are no longer those that the client was told of. */
  plan(session: SqlSession): Prepared {
    const schema = session.schema();
    if (this.#prepared !== null && this.#schema === schema && this.#settings === session.settings.version && this.#reader === session.authority.planKey(schema))
      return this.#prepared;
    const prepared = session.prepare(this.query!, this.types);
    if (prepared !== this.#prepared && this.#told !== null && !sameColumns(prepared.columns, this.#told)) {
      throw new SvcError('0A000', 'cached plan must not change result type');
    }
    this.#keep(session, prepared);
    return prepared;
  }

  #keep(session: SqlSession, prepared: Prepared): void {
    this.#prepared = prepared.lasting ? prepared : null;
    this.#schema = session.schema();
    this.#settings = session.settings.version;
    this.#reader = session.authority.planKey(this.#schema);
    if (this.#told === null || !sameColumns(prepared.columns, this.#told)) this.#writers = null;
    this.#told = prepared.columns;
  }

  get columns(): readonly ResultColumn[] {
    return this.#told ?? [];
  }

  /** The columns of its rows; null where it gives none. */
  describe(session: SqlSession): readonly ResultColumn[] | null {
    if (this.parsed === null) return null;
    if (this.query === null) return columnsOfUtility(session, this.parsed);
    const { columns, writes } = this.plan(session);
    return writes !== null && columns.length === 0 ? null : columns;
  }

  /** How rows are written; the same ones again for the same formats. */
  writers(columns: readonly ResultColumn[], formats: Formats): ValueWriter[] {
    if (this.#writers !== null && formats.length === this.#formats.length && formats.every((format, i) => format === this.#formats[i])) return this.#writers;
    this.#formats = formats;
    return (this.#writers = valueWriters(columns, formats));
  }
}

function sameColumns(a: readonly ResultColumn[], b: readonly ResultColumn[]): boolean {
  return a === b || (a.length === b.length && a.every(({ type, typmod }, i) => type.oid === b[i].type.oid && typmod === b[i].typmod));
}
