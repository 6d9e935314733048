/** A client of its own thread that asks `SELECT 1` over and over beside others, so that its own waiting is all that it measures. */
import { parentPort, Worker, workerData } from 'node:worker_threads';
import pg from 'pg';

export interface Waited {
  count: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

const EVERY_MS = 5;

/** `script`: this file as it was built. */
export function askBeside(script: string, port: number): { end(): Promise<Waited> } {
  const worker = new Worker(script, { workerData: { port } });
  let failure: unknown = null;
  worker.on('error', (error) => (failure = error));
  return {
    end: () =>
      new Promise((resolve, reject) => {
        if (failure !== null) return reject(failure as Error);
        worker.once('message', (waited: Waited) => resolve(waited));
        worker.once('error', reject);
        worker.postMessage('end');
      }),
  };
}

async function ask(port: number): Promise<void> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'svc', database: 'main' });
  let ended = false;
  // The server is killed under it.
  client.on('error', () => {});
  parentPort!.once('message', () => (ended = true));
  const waits: number[] = [];
  try {
    await client.connect();
    while (!ended) {
      const begun = performance.now();
      await client.query('SELECT 1');
      waits.push(performance.now() - begun);
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
    await client.end();
  } catch {
    // What was measured until then counts.
  }
  waits.sort((a, b) => a - b);
  const at = (share: number): number => Math.round((waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0) * 10) / 10;
  parentPort!.postMessage({ count: waits.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) } satisfies Waited);
  process.exit(0);
}

if (parentPort !== null && workerData !== null && typeof (workerData as { port?: unknown }).port === 'number') void ask((workerData as { port: number }).port);
