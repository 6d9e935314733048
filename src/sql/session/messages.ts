/**
 * Messages of a statement (manual, 43.9.1 and 20.8) on their way to the client: as they come where the entrance takes them
 * so, gathered for the end of the statement where it does not. What runs again after a wait says nothing twice: messages
 * are counted, and those that the client has had already are left out.
 */
import type { Notice } from './results.ts';

/** `client_min_messages` in its order. INFO comes always. */
const LEVELS: readonly string[] = ['debug5', 'debug4', 'debug3', 'debug2', 'debug1', 'log', 'notice', 'warning', 'error'];
const OTHER_NAMES: Readonly<Record<string, string>> = { debug: 'debug2', info: 'log' };

const RANKS: Readonly<Record<Notice['severity'], number>> = {
  // RAISE's is the last of the five.
  DEBUG: LEVELS.indexOf('debug1'),
  LOG: LEVELS.indexOf('log'),
  NOTICE: LEVELS.indexOf('notice'),
  WARNING: LEVELS.indexOf('warning'),
  INFO: LEVELS.length,
};

export function isTold(severity: Notice['severity'], least: string): boolean {
  return RANKS[severity] >= LEVELS.indexOf(OTHER_NAMES[least] ?? least);
}

export interface MessageSink {
  /** Sends one; false where it cannot right now. */
  send(notice: Notice): boolean;
  /** Until the client has taken what waits for it; null where little does. */
  readonly crowded: Promise<void> | null;
}

export class Messages {
  sink: MessageSink | null = null;
  /** How many the statement has raised, from its beginning. */
  #raised = 0;
  /** How many of them the client has. */
  #sent = 0;

  /** What was said of places in the statement's text, which is bound more than once. */
  readonly #placed = new Set<string>();

  /** A statement begins that has said nothing. */
  begin(): void {
    this.#placed.clear();
    this.#raised = 0;
    this.#sent = 0;
  }

  /** Where a part begins that may run again. */
  get mark(): number {
    return this.#raised;
  }

  /** It runs again from there. */
  backTo(mark: number): void {
    this.#raised = mark;
  }

  /** False where whoever called has to keep it. */
  tell(notice: Notice): boolean {
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
