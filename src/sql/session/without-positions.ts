/** Binds a text with error positions suppressed, since it is not the text of the statement. */
import type { SessionEnvironment } from './environment.ts';

export function withoutPositions<T>(env: SessionEnvironment, run: () => T): T {
  const before = env.positionsSuppressed;
  env.positionsSuppressed = true;
  try {
    return run();
  } finally {
    env.positionsSuppressed = before;
  }
}
