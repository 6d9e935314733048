/** Binds a text with error positions suppressed, since it is not the text of the statement. */
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
