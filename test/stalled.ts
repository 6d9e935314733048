/**
 * Ends a run that makes no progress. A test that never yields cannot be timed out by its own process: if no test has ended
 * for a while, this names the running files and where their processes are, and the run fails. The same applies at a total
 * limit, when each test waits for its timeout. Only in CI, where no person watches.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Longer than any test takes on a machine of half the usual speed. */
const STILL_MS = 8 * 60_000;
const RUN_MS = 50 * 60_000;
const LOOK_MS = 10_000;
/** Node's debugger attaches to a busy process, stops it and prints its stack; commands are timed. */
const WHERE = '(sleep 4; echo pause; sleep 3; echo bt; sleep 3; echo .exit) | timeout 20 "$0" inspect -p "$1" 2>&1';

export class Stalled implements Reporter {
  readonly #running = new Set<string>();
  readonly #begunMs = performance.now();
  #lastMs = this.#begunMs;
  #timer: NodeJS.Timeout | null = null;

  onTestRunStart(): void {
    if (process.env['CI'] === 'true') this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  onTestModuleStart(module: TestModule): void {
    this.#running.add(module.relativeModuleId);
  }

  onTestModuleEnd(module: TestModule): void {
    this.#running.delete(module.relativeModuleId);
    this.#lastMs = performance.now();
  }

  onTestCaseResult(): void {
    this.#lastMs = performance.now();
  }

  onTestRunEnd(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  #look(): void {
    const still = performance.now() - this.#lastMs;
    const run = performance.now() - this.#begunMs;
    if (still < STILL_MS && run < RUN_MS) return;
    console.error(`\nThe run ends here: no test has ended for ${Math.round(still / 60_000)} min, ${Math.round(run / 60_000)} min after it began.`);
    console.error(`Files still running: ${[...this.#running].join(', ') || 'none'}`);
    for (const pid of workers()) {
      console.error(`\nProcess ${pid}:\n${spawnSync('sh', ['-c', WHERE, process.execPath, String(pid)], { encoding: 'utf8' }).stdout}`);
      // The debugger's port is free for the next one.
      process.kill(pid, 'SIGKILL');
    }
    process.exit(1);
  }
}

/** Processes of Node that this one began. */
function workers(): number[] {
  const found: number[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      // The parent is the second field after the name in parentheses.
      const parent = /\) \S (\d+) /.exec(readFileSync(`/proc/${name}/stat`, 'latin1'))?.[1];
      if (Number(parent) === process.pid && readFileSync(`/proc/${name}/cmdline`, 'latin1').startsWith(process.execPath)) found.push(Number(name));
    } catch {
      // Gone meanwhile.
    }
  }
  return found;
}
