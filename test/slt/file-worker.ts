/**
 * A worker thread that owns one target and runs files.
 *
 * Before each record it writes the record's index and the time into shared memory, so that the main thread can name a
 * statement that never returns and terminate the thread: a timer in this thread would not run while the engine computes.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { openTarget } from './open-target.ts';
import { type FileResult, runSlt } from './run-slt.ts';
import { readSlt } from './slt-files.ts';

export interface WorkerStart {
  target: string;
  /** [record index + 1, or 0 between files; seconds since the epoch modulo 2^31, in quarters]. */
  heartbeat: SharedArrayBuffer;
}

export interface FileJob {
  path: string;
  skip: ReadonlySet<number>;
  hung: ReadonlySet<number>;
  onlyLine: number | undefined;
}

export interface FileDone {
  path: string;
  result: FileResult;
  elapsedMs: number;
}

/** Quarter seconds fit an Int32 for years. */
export function heartbeatNow(): number {
  return Math.floor(Date.now() / 250) % 0x7fffffff;
}

if (parentPort !== null) {
  const port = parentPort;
  const start = workerData as WorkerStart;
  const beat = new Int32Array(start.heartbeat);
  const target = await openTarget(start.target);
  port.on('message', (job: FileJob | null) => {
    void (async () => {
      if (job === null) {
        await target.close();
        port.close();
        return;
      }
      const begin = performance.now();
      const onRecord = (index: number): void => {
        Atomics.store(beat, 1, heartbeatNow());
        Atomics.store(beat, 0, index + 1);
      };
      onRecord(-1);
      const result = await runSlt(readSlt(job.path), target, { skip: job.skip, hung: job.hung, onRecord, onlyLine: job.onlyLine });
      Atomics.store(beat, 0, 0);
      port.postMessage({ path: job.path, result, elapsedMs: performance.now() - begin } satisfies FileDone);
    })();
  });
  port.postMessage('ready');
}
