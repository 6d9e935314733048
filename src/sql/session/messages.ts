/**
 * Messages of a statement (manual, 43.9.1 and 20.8): sent at once if the entrance can, otherwise collected until the end of the
 * statement. A retried statement does not repeat messages: they are counted, and those already sent are skipped.
 */
import type { Notice } from './results.ts';

/** Levels of `client_min_messages`, in order. INFO is always sent. */
const LEVELS: readonly string[] = ['debug5', 'debug4', 'debug3', 'debug2', 'debug1', 'log', 'notice', 'warning', 'error'];
const OTHER_NAMES: Readonly<Record<string, string>> = { debug: 'debug2', info: 'log' };

const RANKS: Readonly<Record<Notice['severity'], number>> = {
  // RAISE's DEBUG is the last of the five.
  DEBUG: LEVELS.indexOf('debug1'),
  LOG: LEVELS.indexOf('log'),
  NOTICE: LEVELS.indexOf('notice'),
  WARNING: LEVELS.indexOf('warning'),
  INFO: LEVELS.length,
};

export function isSent(severity: Notice['severity'], least: string): boolean {
  return RANKS[severity] >= LEVELS.indexOf(OTHER_NAMES[least] ?? least);
}

export interface MessageSink {
  /** Sends one; false if it cannot be sent now. */
  send(notice: Notice): boolean;
  /** Until the client has taken what waits for it; null where little does. */
  readonly backpressure: Promise<void> | null;
}

export class Messages {
  sink: MessageSink | null = null;
  /** Messages raised since the statement's beginning. */
  #raised = 0;
  /** Messages that were sent. */
  #sent = 0;

  /** Messages with positions in the statement's text, which is bound more than once. */
  readonly #placed = new Set<string>();

  /** A new statement begins. */
  begin(): void {
    this.#placed.clear();
    this.#raised = 0;
    this.#sent = 0;
  }

  /** The start of a part that may be retried. */
  get mark(): number {
    return this.#raised;
  }

  /** The part is retried from there. */
  backTo(mark: number): void {
    this.#raised = mark;
  }

  /** False if the caller has to keep it. */
  send(notice: Notice): boolean {
    if (notice.position !== undefined) {
      const said = `${notice.position} ${notice.message}`;
      if (this.#placed.has(said)) return true;
      this.#placed.add(said);
      return this.sink !== null && this.sink.send(notice);
    }
    if (this.#raised++ < this.#sent) return true;
    this.#sent++;
    return this.sink !== null && this.sink.send(notice);
  }
}
