/** Flags of V8 that our own processes set while they run; V8 binds its code cache to all flags. */
import { setFlagsFromString } from 'node:v8';

const set: { readonly flag: string; readonly standard: string }[] = [];

/** `standard` sets what V8 has otherwise. */
export function setFlag(flag: string, standard: string): void {
  setFlagsFromString(flag);
  set.push({ flag, standard });
}

/** Runs `work` with V8's standard instead of the flags that were set here: those of the next process when it starts. */
export function withFirstFlags<Result>(work: () => Result): Result {
  for (const { standard } of set) setFlagsFromString(standard);
  try {
    return work();
  } finally {
    for (const { flag } of set) setFlagsFromString(flag);
  }
}

/**
 * For a process that runs one command: WebAssembly is optimized later. V8 begins when some 1.8 million bytes of code have run, which
 * the grammar's largest function passes with its first statement: 0.1 s of a core for a process that parses no other.
 */
export function optimizeWebAssemblyLater(): void {
  setFlag('--wasm-tiering-budget=100000000', '--wasm-tiering-budget=1800000');
}
