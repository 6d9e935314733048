/** How many files and sockets the process may have open; Node has raised it to the most that the system allows already. */
import { readFileSync } from 'node:fs';

/** The log, the page store, spill files, standard streams: what is kept free beside connections. */
const RESERVED = 256;

/** null where the system does not tell. */
export function openFileLimit(): number | null {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? [];
    return limit === undefined ? null : Number(limit);
  } catch {
    return null;
  }
}

/** Connections to each of `ports` that the limit holds, at most `wanted`. */
export function connectionsWithin(limit: number | null, wanted: number, ports: number): number {
  return limit === null ? wanted : Math.max(1, Math.min(wanted, Math.floor(Math.max(limit - RESERVED, limit / 4) / ports)));
}
