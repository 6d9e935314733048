/**
 * A DDL statement with its event triggers (manual, chapter 40). In a world without event triggers this costs one lookup in a map.
 *
 *   ddl_command_start ─► the statement, step by step ─► table_rewrite ─► sql_drop ─► ddl_command_end
 */
import { RetryStatement } from '../../../locks/lock-wait.ts';
import type { DefinitionEvent, EventTriggerObject } from '../../../worlds/definition.ts';
import type { Statement } from '../../ast/statement.ts';
import type { DefinitionLog } from '../../schema/definition-log.ts';
import type { Schema } from '../../schema/schema.ts';
import type { EventTriggerFacts } from '../../types/environment.ts';
import type { Value } from '../../types/value.ts';
import type { Steps } from '../plpgsql/steps.ts';
import type { StatementResult } from '../results.ts';
import type { SqlSession } from '../sql-session.ts';
import type { Transaction, TransactionMark } from '../transaction.ts';
import { callEventTrigger } from './call-event-trigger.ts';
import { commandRows } from './defined-commands.ts';
import { definitionTag } from './definition-tag.ts';
import { droppedRows } from './dropped-objects.ts';
import { type Rewrite, rewritesOf } from './table-rewrites.ts';

/** The effects of one call of `define`. */
export interface DefinitionStep {
  readonly command: string;
  readonly log: DefinitionLog;
  readonly before: Schema;
  readonly after: Schema;
}

export class DefinitionWatch implements EventTriggerFacts {
  readonly session: SqlSession;
  readonly statement: Statement;
  readonly tag: string;
  readonly steps: DefinitionStep[] = [];
  /** The object whose definition the statement repeats unchanged. */
  subject: number | null = null;
  rewrite: Rewrite | null = null;
  readonly #around: DefinitionWatch | null;
  readonly #transaction: Transaction;
  readonly #mark: TransactionMark;
  /** The statement's changes are recorded because a trigger fires after it. */
  readonly #follows: boolean;
  #firing: DefinitionEvent | null = null;
  #commands: Value[][] | null = null;
  #dropped: Value[][] | null = null;

  constructor(session: SqlSession, statement: Statement, tag: string, transaction: Transaction) {
    this.session = session;
    this.statement = statement;
    this.tag = tag;
    this.#transaction = transaction;
    this.#mark = transaction.mark();
    this.#around = session.definitionWatch;
    this.#follows = enabled(session).some(({ event }) => event !== 'ddl_command_start');
  }

  begin(): void {
    if (this.#follows) this.session.definitionWatch = this;
    this.#fire('ddl_command_start');
  }

  /** Whether the current definitions belong to the statement. */
  get follows(): boolean {
    return this.#firing === null;
  }

  end(): void {
    if (!this.#follows) return;
    for (const rewrite of rewritesOf(this)) {
      this.rewrite = rewrite;
      this.#fire('table_rewrite');
    }
    this.rewrite = null;
    this.#dropped = this.steps.some(({ log }) => log.dropped.length > 0 || log.put.length > 0 || log.removed.length > 0) ? droppedRows(this) : [];
    if (this.#dropped.length > 0) this.#fire('sql_drop');
    this.#fire('ddl_command_end');
  }

  close(): void {
    this.session.definitionWatch = this.#around;
  }

  /** A statement that is retried fires all of its event triggers again. */
  failed(error: unknown): void {
    if (error instanceof RetryStatement && this.session.transaction === this.#transaction) this.#transaction.backTo(this.#mark);
  }

  commands(): Value[][] {
    return (this.#commands ??= this.#firing === 'ddl_command_start' ? null : commandRows(this)) ?? [];
  }

  dropped(): Value[][] | null {
    return this.#firing === 'sql_drop' ? this.#dropped : null;
  }

  #fire(event: DefinitionEvent): void {
    const { session, tag } = this;
    const list = enabled(session).filter((each) => each.event === event && (each.tags?.includes(tag) ?? true));
    if (list.length === 0) return;
    this.#firing = event;
    this.#commands = null;
    try {
      for (const { number: own, function: number } of list) {
        const fn = session.schema().functions.get(number);
        if (fn !== undefined) session.code.inside(own, () => callEventTrigger(session, fn, event, tag));
      }
    } finally {
      this.#firing = null;
    }
  }
}

/** Triggers enabled under session_replication_role, by name. */
function enabled(session: SqlSession): EventTriggerObject[] {
  const replica = session.settings.get('session_replication_role') === 'replica';
  return [...session.schema().eventTriggers.values()]
    .filter(({ fires }) => fires === 'always' || fires === (replica ? 'replica' : undefined))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** null if nothing fires. */
function watch(session: SqlSession, statement: Statement): DefinitionWatch | null {
  const transaction = session.startStatement();
  if (session.schema().eventTriggers.size === 0 || transaction.world === null) return null;
  const tag = definitionTag(statement);
  if (tag === null) return null;
  session.writable(tag);
  return new DefinitionWatch(session, statement, tag, transaction);
}

/** Runs the statement with its event triggers. */
export function* firingAround(session: SqlSession, statement: Statement, run: () => Steps<StatementResult>): Steps<StatementResult> {
  const own = watch(session, statement);
  if (own === null) return yield* run();
  try {
    own.begin();
    const result = yield* run();
    own.end();
    return { ...result, notices: [...session.notices] };
  } catch (error) {
    own.failed(error);
    throw error;
  } finally {
    own.close();
  }
}
