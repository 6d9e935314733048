/** A failed assertion is a bug of ours, never a user's: whoever catches one must stop before the log is harmed. */
export class AssertionError extends Error {
  constructor(message: string) {
    super(`assertion failed: ${message}`);
    this.name = 'AssertionError';
  }
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}

/** In a hot loop, behind a test: `assert` would make its message each time. */
export function violated(message: string): never {
  throw new AssertionError(message);
}

export function unreachable(value: never): never {
  violated(`unreachable value ${JSON.stringify(value)}`);
}
