/**
 * What an expression over parameters alone runs in. Most ask for nothing but those and the environment; what else there is
 * is made when it is asked for, since functions compute thousands of them.
 */
import type { ExecContext } from '../exec/context.ts';
import type { Environment } from '../types/environment.ts';
import type { Value } from '../types/value.ts';
import { execContext } from './exec-context.ts';
import type { SqlSession } from './sql-session.ts';

export class ScalarContext implements ExecContext {
  readonly env: Environment;
  readonly params: readonly Value[];
  readonly #session: SqlSession;
  #made: ExecContext | null = null;

  constructor(session: SqlSession, params: readonly Value[]) {
    this.#session = session;
    this.env = session.env;
    this.params = params;
  }

  get #full(): ExecContext {
    return (this.#made ??= execContext(this.#session, this.params, null));
  }
  get pager(): ExecContext['pager'] {
    return this.#full.pager;
  }
  get row(): ExecContext['row'] {
    return this.#full.row;
  }
  get keys(): ExecContext['keys'] {
    return this.#full.keys;
  }
  get workMemBytes(): number {
    return this.#full.workMemBytes;
  }
  get spill(): ExecContext['spill'] {
    return this.#full.spill;
  }
  get reads(): ExecContext['reads'] {
    return this.#full.reads;
  }
  get heldBytesMax(): number {
    const held = this.#session.maxMemoryMb;
    return held === 0 ? Infinity : held * 1_048_576;
  }

  directory(table: number): ReturnType<ExecContext['directory']> {
    return this.#full.directory(table);
  }
  rootAt(asOf: Parameters<ExecContext['rootAt']>[0]): ReturnType<ExecContext['rootAt']> {
    return this.#full.rootAt(asOf);
  }
  writer(...given: Parameters<ExecContext['writer']>): ReturnType<ExecContext['writer']> {
    return this.#full.writer(...given);
  }
  environmentValue(call: Parameters<ExecContext['environmentValue']>[0]): Value {
    return this.#full.environmentValue(call);
  }
  lockRow(...given: Parameters<ExecContext['lockRow']>): boolean {
    return this.#full.lockRow(...given);
  }
  checkCancel(): void {
    this.#session.checkCancel();
  }
}
