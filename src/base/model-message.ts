/** A JSON-RPC message of MCP from its text: the arguments of a call keep their numbers as they were written, everything else is plain JSON. */
import { exactInput } from './exact-json.ts';

interface Called {
  readonly params?: { arguments?: unknown };
}

export function parseMessage(text: string): unknown {
  const message = JSON.parse(text) as Called | null;
  const exact = argumentsOf(message) === undefined ? null : exactInput(text);
  if (exact !== null) message!.params!.arguments = argumentsOf(exact as Called);
  return message;
}

function argumentsOf(message: Called | null): unknown {
  const params = typeof message === 'object' ? message?.params : undefined;
  return typeof params === 'object' && params !== null ? params.arguments : undefined;
}
