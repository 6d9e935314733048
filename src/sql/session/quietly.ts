/** Binds what is not the text that runs: nobody is told of places in it. */
import type { SessionEnvironment } from './environment.ts';

export function quietly<T>(env: SessionEnvironment, run: () => T): T {
  const { quiet } = env;
  env.quiet = true;
  try {
    return run();
  } finally {
    env.quiet = quiet;
  }
}
