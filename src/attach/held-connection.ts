/** A transaction of Postgres that outlives an attempt of a merge, with its locks. */
import type { HeldRows } from '../worlds/external.ts';
import type { SourceConnection } from './source-connection.ts';

export class HeldConnection implements HeldRows {
  #connection: SourceConnection | null;

  constructor(connection: SourceConnection) {
    this.#connection = connection;
  }

  take(): SourceConnection | null {
    const connection = this.#connection;
    this.#connection = null;
    return connection;
  }

  /** The transaction ends with its connection. */
  async release(): Promise<void> {
    await this.take()?.close();
  }
}
