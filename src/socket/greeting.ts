/** The first line of a connection: the wanted entrance and principal. The answer is a line too: `{"ok":true}` or an error. */
import { SvcError } from '../base/errors/svc-error.ts';
import type { SqlState } from '../base/errors/sqlstate.ts';

export interface Greeting {
  /**
   * `mcp`: MCP messages follow, one per line. `operations`: `{id, op, input}` lines, answered by `{id, result}` or `{id,
   * error}`, see running-calls.ts. `shell`: the same with an SQL session.
   */
  entrance: 'mcp' | 'operations' | 'shell';
  as: { kind: 'owner' } | { kind: 'safe' } | { kind: 'agent'; name: string } | { kind: 'role'; name: string };
  /** For `mcp`: masked columns are read unmasked. */
  unmask?: boolean;
  /** A world that must exist. */
  branch?: string;
}

export interface WireError {
  message: string;
  code: string;
  detail?: string;
  hint?: string;
  position?: number;
  status?: number;
  data?: Record<string, unknown>;
}

export function toWire(error: unknown): WireError {
  if (!(error instanceof SvcError)) return { message: (error as Error).message, code: 'XX000' };
  const { message, code, detail, hint, position, status, data } = error;
  return {
    message,
    code,
    status,
    ...(detail === undefined ? {} : { detail }),
    ...(hint === undefined ? {} : { hint }),
    ...(position === undefined ? {} : { position }),
    ...(data === undefined ? {} : { data }),
  };
}

export function fromWire({ message, code, detail, hint, position, status, data }: WireError): SvcError {
  return new SvcError(code as SqlState, message, { detail, hint, position, status, data });
}
