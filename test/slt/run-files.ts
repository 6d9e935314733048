/** Hands files to worker threads, ends a thread whose statement takes too long, and runs its file again without that statement. */
import { Worker } from 'node:worker_threads';
import { type FileDone, type FileJob, heartbeatNow, type WorkerStart } from './file-worker.ts';
import type { FileResult } from './run-slt.ts';

export interface FilesOptions {
  target: string;
  jobs: number;
  timeoutMs: number;
  skipOf: (path: string) => ReadonlySet<number>;
  onlyLine: number | undefined;
  onFile: (path: string, result: FileResult, elapsedMs: number) => void;
}

/** A file whose threads keep dying is abandoned after this many attempts. */
const ATTEMPTS_MAX = 25;

export async function runFiles(paths: readonly string[], options: FilesOptions): Promise<void> {
  const queue = [...paths];
  await Promise.all(Array.from({ length: Math.min(options.jobs, paths.length) }, () => drain(queue, options)));
}

async function drain(queue: string[], options: FilesOptions): Promise<void> {
  let thread: Thread | null = null;
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const hung = new Set<number>();
    const reasons: string[] = [];
    for (;;) {
      thread ??= await Thread.open(options.target);
      const done = await thread.run({ path, skip: options.skipOf(path), hung, onlyLine: options.onlyLine }, options.timeoutMs);
      if ('result' in done) {
        options.onFile(path, done.result, done.elapsedMs);
        break;
      }
      thread = null;
      reasons.push(done.reason);
      if (done.record < 0 || hung.has(done.record) || hung.size >= ATTEMPTS_MAX) {
        const got = reasons.join('\n');
        const failure = { line: 1, sql: '', expected: 'the file runs to its end', got, group: `file abandoned: ${done.reason.split('\n')[0]}` };
        options.onFile(path, { passed: 0, failed: 1, skipped: 0, failures: [failure], otherMessages: [] }, 0);
        break;
      }
      hung.add(done.record);
    }
  }
  await thread?.close();
}

interface Stuck {
  /** Index of the record, or -1 where none had begun. */
  record: number;
  reason: string;
}

class Thread {
  readonly #worker: Worker;
  readonly #beat: Int32Array;

  private constructor(worker: Worker, beat: Int32Array) {
    this.#worker = worker;
    this.#beat = beat;
  }

  static async open(target: string): Promise<Thread> {
    const heartbeat = new SharedArrayBuffer(8);
    const worker = new Worker(new URL('./file-worker.js', import.meta.url), { workerData: { target, heartbeat } satisfies WorkerStart });
    await new Promise((resolve, reject) => {
      worker.once('message', () => {
        worker.off('error', reject);
        resolve(null);
      });
      worker.once('error', reject);
    });
    // Between files a thread that dies is noticed by the next file.
    worker.on('error', () => undefined);
    return new Thread(worker, new Int32Array(heartbeat));
  }

  run(job: FileJob, timeoutMs: number): Promise<FileDone | Stuck> {
    return new Promise((resolve) => {
      const finish = (done: FileDone | Stuck): void => {
        clearInterval(watch);
        this.#worker.off('message', finish).off('error', died).off('exit', ended);
        resolve(done);
      };
      const died = (cause: unknown): void => stuck(`thread died: ${cause instanceof Error ? cause.message : String(cause)}`);
      const ended = (code: number): void => stuck(`thread ended with ${code}`);
      const stuck = (reason: string): void => finish({ record: Atomics.load(this.#beat, 0) - 1, reason });
      const watch = setInterval(() => {
        const record = Atomics.load(this.#beat, 0);
        if (record === 0 || (heartbeatNow() - Atomics.load(this.#beat, 1)) * 250 < timeoutMs) return;
        stuck('no answer in time');
        void this.#worker.terminate();
      }, 250);
      this.#worker.on('message', finish).on('error', died).on('exit', ended);
      this.#worker.postMessage(job);
    });
  }

  async close(): Promise<void> {
    // A target that does not close must not hold the report.
    const timer = setTimeout(() => void this.#worker.terminate(), 3_000);
    await new Promise((resolve) => {
      this.#worker.once('exit', resolve);
      this.#worker.postMessage(null);
    });
    clearTimeout(timer);
  }
}
