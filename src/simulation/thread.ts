/** A simulation thread: takes worlds of a run until none are left, then waits for the next run. */
import { parentPort } from 'node:worker_threads';
import { setImmediate as turn } from 'node:timers/promises';
import { SvcError } from '../base/errors/svc-error.ts';
import { Pager } from '../tree/pager.ts';
import { RemotePages } from './remote-pages.ts';
import { type Outcome, Sandbox, Stopped } from './sandbox.ts';
import { type Begin, type FromThread, NEXT, STOP, TAKEN_AT_ONCE } from './thread-messages.ts';

/** Minimum interval for sending results, unless they reach the size below. */
const SEND_MS = 20;
const SEND_BYTES = 1 << 20;

const port = parentPort!;

port.on('message', (message: Begin) => {
  simulate(message)
    .catch((error: unknown) => send(failure(error)))
    .finally(() => message.pages.close());
});

async function simulate({ job, root, cacheBytes, pages, bell, shared, end, keep }: Begin): Promise<void> {
  const pager = new Pager(new RemotePages(pages, bell), cacheBytes, 2 ** 50);
  const stopped = (): boolean => Atomics.load(shared, STOP) !== 0;
  const sandbox = new Sandbox(pager, pager.load(root), job, stopped);
  send({ type: 'ready' });
  let batch = new Batch();
  try {
    for (;;) {
      const from = Atomics.add(shared, NEXT, TAKEN_AT_ONCE);
      if (from >= end) break;
      for (let index = from; index < Math.min(end, from + TAKEN_AT_ONCE); index++) {
        if (stopped()) throw new Stopped();
        batch.add(index, await sandbox.run(index, keep));
      }
      if (!batch.due) continue;
      send(batch.message());
      batch = new Batch();
      // Nodes of dropped worlds count as dirty but are never written.
      pager.dirtyBytes = 0;
      await turn();
    }
    if (batch.count > 0) send(batch.message());
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  }
  send({ type: 'over' });
}

class Batch {
  readonly #begunMs = performance.now();
  readonly #indexes: number[] = [];
  readonly #scores: number[] = [];
  readonly #errors: (string | null)[] = [];
  readonly #rows: number[] = [];
  readonly #ends: number[] = [];
  readonly #changes: Uint8Array[] = [];
  #bytes = 0;

  get count(): number {
    return this.#indexes.length;
  }

  get due(): boolean {
    return this.#bytes > SEND_BYTES || performance.now() - this.#begunMs > SEND_MS;
  }

  add(index: number, { score, error, rows, changes }: Outcome): void {
    this.#indexes.push(index);
    this.#scores.push(score ?? NaN);
    this.#errors.push(error);
    this.#rows.push(rows);
    if (changes !== null) {
      this.#changes.push(changes);
      this.#bytes += changes.length;
    }
    this.#ends.push(this.#bytes);
  }

  message(): FromThread {
    const bytes = new Uint8Array(this.#bytes);
    let at = 0;
    for (const each of this.#changes) {
      bytes.set(each, at);
      at += each.length;
    }
    return { type: 'ran', indexes: this.#indexes, scores: this.#scores, errors: this.#errors, rows: this.#rows, ends: this.#ends, bytes };
  }
}

function failure(error: unknown): FromThread {
  if (error instanceof SvcError) {
    const { code, message, detail, hint, position } = error;
    return { type: 'failed', error: { code, message, detail, hint, position } };
  }
  return { type: 'failed', error: { code: 'XX000', message: `a simulation failed: ${(error as Error)?.stack ?? String(error)}` } };
}

function send(message: FromThread): void {
  if (message.type === 'ran') port.postMessage(message, [message.bytes.buffer as ArrayBuffer]);
  else port.postMessage(message);
}
