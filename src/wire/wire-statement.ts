/**
 * A statement created by Parse: parsed text, parameter types, and the plan, cached as long as schema and settings are
 * unchanged. It is stored with the session's prepared statements, so that EXECUTE and DEALLOCATE find it.
 */
import { SvcError } from '../base/errors/svc-error.ts';
import type { ParsedStatement } from '../sql/parse/parse.ts';
import type { Schema } from '../sql/schema/schema.ts';
import { columnsOfUtility } from '../sql/session/describe.ts';
import { isQuery, type Prepared, type QueryStatement } from '../sql/session/prepare.ts';
import type { ResultColumn } from '../sql/session/results.ts';
import type { PreparedStatement, SqlSession } from '../sql/session/sql-session.ts';
import type { SqlType } from '../sql/types/type.ts';
import type { MessageWriter } from './message-writer.ts';
import { ALL_TEXT, type Formats, type ValueWriter, valueWriters, writeRowDescription } from './row-format.ts';

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
  /** As described to the client: a plan with other columns is refused. */
  #columnsSent: readonly ResultColumn[] | null = null;
  #formats: Formats = ALL_TEXT;
  #writers: ValueWriter[] | null = null;

  /** For a simple query: each execution describes its columns again. */
  readonly #simple: boolean;
  /** The creator ensures that the plan is valid. */
  readonly #planned: Prepared | null;

  /** `simple`: sent as a simple query, without further parameters. `planned`: its plan. */
  constructor(
    session: SqlSession,
    name: string,
    text: string,
    parsed: ParsedStatement | null,
    given: readonly (SqlType | null)[],
    simple = false,
    planned: Prepared | null = null,
  ) {
    this.#simple = simple;
    this.#planned = planned;
    this.name = name;
    this.text = text;
    this.parsed = parsed;
    this.query = parsed !== null && isQuery(parsed) ? parsed : null;
    if (this.query === null) {
      const inner = innerQuery(parsed);
      if (inner === null) this.types = given.map((type) => type ?? session.host.registry.type('text'));
      else {
        session.startStatement();
        this.types = session.prepare(inner, given, simple).parameters;
      }
    } else {
      const prepared = planned ?? session.prepare(this.query, given, simple);
      // A parameter number that is skipped has no type.
      if (prepared.undetermined !== null && !simple) throw new SvcError('42P18', `could not determine data type of parameter $${prepared.undetermined}`);
      this.types = prepared.parameters;
      this.#keep(session, prepared);
    }
  }

  get statement(): ParsedStatement {
    return this.parsed!;
  }

  /** The plan; 0A000 if its columns differ from those described to the client. */
  plan(session: SqlSession): Prepared {
    if (this.#planned !== null) return this.#planned;
    const schema = session.schema();
    if (this.#prepared !== null && this.#schema === schema && this.#settings === session.settings.version && this.#reader === session.readerKey(schema))
      return this.#prepared;
    const prepared = session.prepare(this.query!, this.types, this.#simple);
    if (!this.#simple && prepared !== this.#prepared && this.#columnsSent !== null && !sameColumns(prepared.columns, this.#columnsSent)) {
      throw new SvcError('0A000', 'cached plan must not change result type');
    }
    this.#keep(session, prepared);
    return prepared;
  }

  #keep(session: SqlSession, prepared: Prepared): void {
    this.#prepared = prepared.lasting ? prepared : null;
    this.#schema = session.schema();
    this.#settings = session.settings.version;
    this.#reader = session.readerKey(this.#schema);
    if (this.#columnsSent === null || !sameColumns(prepared.columns, this.#columnsSent)) this.#writers = null;
    if (prepared.columns !== this.#columnsSent) this.#description = null;
    this.#columnsSent = prepared.columns;
    this.failure = prepared.failure;
  }

  /** An error found by planning with constants: raised before the first row. */
  failure: SvcError | null = null;

  get columns(): readonly ResultColumn[] {
    return this.#columnsSent ?? [];
  }

  /** The columns of its rows; null if it returns none. */
  describe(session: SqlSession): readonly ResultColumn[] | null {
    if (this.parsed === null) return null;
    if (this.query === null) return columnsOfUtility(session, this.parsed);
    const { columns, writes } = this.plan(session);
    return writes !== null && columns.length === 0 ? null : columns;
  }

  /** RowDescription of columns from `describe`. */
  writeDescription(out: MessageWriter, columns: readonly ResultColumn[], formats: Formats): void {
    if (this.#description === null || columns !== this.#described || !sameFormats(formats, this.#describedIn)) {
      const at = out.length;
      writeRowDescription(out, columns, formats);
      this.#description = Buffer.from(out.view().subarray(at));
      this.#described = columns;
      this.#describedIn = formats;
    } else out.bytes(this.#description);
  }
  #description: Buffer | null = null;
  #described: readonly ResultColumn[] | null = null;
  #describedIn: Formats = ALL_TEXT;

  /** Writers of the rows; cached by formats. */
  writers(columns: readonly ResultColumn[], formats: Formats): ValueWriter[] {
    if (this.#writers !== null && sameFormats(formats, this.#formats)) return this.#writers;
    this.#formats = formats;
    return (this.#writers = valueWriters(columns, formats));
  }
}

function sameFormats(a: Formats, b: Formats): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** The query inside a utility statement, whose parameters the statement takes. */
function innerQuery(statement: ParsedStatement | null): QueryStatement | null {
  if (statement?.type === 'declareCursor') return statement.query;
  return statement?.type === 'explain' && isQuery(statement.statement) ? statement.statement : null;
}

function sameColumns(a: readonly ResultColumn[], b: readonly ResultColumn[]): boolean {
  return a === b || (a.length === b.length && a.every(({ type, typmod }, i) => type.oid === b[i].type.oid && typmod === b[i].typmod));
}
