/** A failed assertion is an internal bug, never a user error: code that catches one must stop before the log is harmed. */
export class AssertionError extends Error {
  constructor(message: string) {
    super(`assertion failed: ${message}`);
    this.name = 'AssertionError';
  }
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}

/** For hot loops, behind a condition: `assert` would build its message each time. */
export function violated(message: string): never {
  throw new AssertionError(message);
}

export function unreachable(value: never): never {
  violated(`unreachable value ${JSON.stringify(value)}`);
}
