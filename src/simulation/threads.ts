/** Pool of simulation threads. A thread takes some tenths of a second to start, so it is kept for a while; an idle one does not keep the process alive. */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { SvcError } from '../base/errors/svc-error.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { PageSource } from './page-source.ts';
import type { PageAnswer, PageRequest } from './remote-pages.ts';
import type { Job } from './sandbox.ts';
import { type Begin, type FromThread, NEXT, type Ran, SHARED_WORDS, STOP, TAKEN_AT_ONCE } from './thread-messages.ts';

/** How long an idle thread is kept. */
const IDLE_MS = 60_000;
/** A thread that does not stop within this time is terminated. */
const STOP_MS = 2000;

export const THREADS_MAX = 256;

export interface Run {
  readonly job: Job;
  readonly root: Node;
  readonly first: number;
  readonly end: number;
  readonly keep: boolean;
  /** 0: one per core. */
  readonly threads: number;
  readonly signal?: AbortSignal;
  /** The first thread has planned the texts: worlds run. */
  onReady(): void;
  onRan(ran: Ran): void;
}

export class Threads {
  readonly #pager: Pager;
  readonly #cacheBytes: number;
  readonly #idle: { readonly worker: Worker; readonly timer: NodeJS.Timeout }[] = [];
  readonly #busy = new Set<Worker>();
  #closed = false;

  /** `cacheBytes`: limit of the decoded pages of a thread, and of the shared pages of a run. */
  constructor(pager: Pager, cacheBytes: number) {
    this.#pager = pager;
    this.#cacheBytes = cacheBytes;
  }

  /** Runs all worlds. Rejects with the error that ends the whole run, after all threads have stopped. */
  async run(run: Run): Promise<void> {
    const shared = new Int32Array(new SharedArrayBuffer(4 * SHARED_WORDS));
    shared[NEXT] = run.first;
    const count = Math.min(run.threads === 0 ? availableParallelism() : run.threads, Math.ceil((run.end - run.first) / TAKEN_AT_ONCE));
    const pages = new PageSource(this.#pager, this.#cacheBytes);
    let begun = false;
    const ready = (): void => {
      if (!begun) run.onReady();
      begun = true;
    };
    const stop = (): void => void Atomics.store(shared, STOP, 1);
    const { signal } = run;
    if (signal?.aborted === true) throw signal.reason;
    signal?.addEventListener('abort', stop);
    try {
      const ends = await Promise.allSettled(
        Array.from({ length: count }, () =>
          this.#one(run, pages, shared, ready).catch((error: unknown) => {
            stop();
            throw error;
          }),
        ),
      );
      signal?.throwIfAborted();
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  /** One thread's part of a run. */
  #one(run: Run, pages: PageSource, shared: Int32Array, ready: () => void): Promise<void> {
    const worker = this.#take();
    const { port1, port2 } = new MessageChannel();
    const bell = new Int32Array(new SharedArrayBuffer(4));
    answerPages(port1, pages, bell);
    return new Promise<void>((resolve, reject) => {
      let late: NodeJS.Timeout | null = null;
      const given = (): void => {
        late = setTimeout(() => void worker.terminate(), STOP_MS);
        late.unref();
      };
      const end = (error: unknown, alive: boolean): void => {
        // Only these listeners: the worker has some of its own.
        worker.off('message', heard).off('error', failed).off('exit', ended);
        run.signal?.removeEventListener('abort', given);
        if (late !== null) clearTimeout(late);
        port1.close();
        this.#give(worker, alive);
        if (error === null) resolve();
        else reject(error);
      };
      const heard = (message: FromThread): void => {
        switch (message.type) {
          case 'ready':
            return ready();
          case 'ran':
            try {
              return run.onRan(message);
            } catch (error) {
              void worker.terminate();
              return end(error, false);
            }
          case 'over':
            return end(null, true);
          case 'failed': {
            const { code, message: text, ...parts } = message.error;
            return end(new SvcError(code, text, parts), true);
          }
        }
      };
      const failed = (error: NodeJS.ErrnoException): void => end(faultOf(error), false);
      const ended = (): void => end(new SvcError('57014', 'the simulation was stopped'), false);
      worker.on('message', heard).on('error', failed).on('exit', ended);
      run.signal?.addEventListener('abort', given);
      const { job, first, end: last, keep } = run;
      const begin: Begin = { type: 'begin', job, root: pages.idOf(run.root), cacheBytes: this.#cacheBytes, pages: port2, bell, shared, first, end: last, keep };
      worker.postMessage(begin, [port2]);
    });
  }

  #take(): Worker {
    if (this.#closed) throw new SvcError('57P01', 'the database is closed');
    const waiting = this.#idle.pop();
    let worker: Worker;
    if (waiting === undefined) worker = new Worker(entry(), { name: 'svc simulation', execArgv: [] });
    else {
      clearTimeout(waiting.timer);
      ({ worker } = waiting);
      worker.off('error', ignore);
      worker.ref();
    }
    this.#busy.add(worker);
    return worker;
  }

  #give(worker: Worker, alive: boolean): void {
    this.#busy.delete(worker);
    if (!alive || this.#closed || this.#idle.length >= availableParallelism()) {
      // Later errors are ignored.
      worker.on('error', ignore);
      void worker.terminate();
      return;
    }
    worker.on('error', ignore);
    worker.unref();
    const timer = setTimeout(() => {
      this.#idle.splice(
        this.#idle.findIndex((each) => each.worker === worker),
        1,
      );
      void worker.terminate();
    }, IDLE_MS);
    timer.unref();
    this.#idle.push({ worker, timer });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const all = [...this.#busy, ...this.#idle.map(({ worker }) => worker)];
    for (const { timer } of this.#idle) clearTimeout(timer);
    this.#idle.length = 0;
    await Promise.all(all.map((worker) => worker.terminate()));
  }
}

function ignore(): void {}

function answerPages(port: MessagePort, source: PageSource, bell: Int32Array): void {
  port.on('message', ({ ids }: PageRequest) => {
    let pages: PageAnswer['pages'];
    try {
      pages = source.pages(ids);
    } catch {
      // The thread reports which page is missing.
      pages = ids.map(() => undefined);
    }
    port.postMessage({ pages } satisfies PageAnswer);
    Atomics.add(bell, 0, 1);
    Atomics.notify(bell, 0);
  });
  port.unref();
}

/** A thread that runs out of memory ends alone. */
function faultOf(error: NodeJS.ErrnoException): SvcError {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new SvcError('53200', 'a thread of the simulation ran out of memory', { hint: 'Let the script read and change fewer rows.', cause: error });
  return new SvcError('XX000', `a thread of the simulation failed: ${error.message}`, { cause: error });
}

/** Threads run the build, even if this file is run from source. */
function entry(): URL {
  const built = new URL('./thread.js', import.meta.url);
  return existsSync(fileURLToPath(built)) ? built : new URL('../../dist/src/simulation/thread.js', import.meta.url);
}
