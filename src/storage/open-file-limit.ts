/** Limit of open files and sockets of the process; Node has already raised it to the system's maximum. */
import { readFileSync } from 'node:fs';

/** Descriptors kept free for the log, the page store, spill files and standard streams. */
const RESERVED = 256;

/** null if unknown. */
export function openFileLimit(): number | null {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? [];
    return limit === undefined ? null : Number(limit);
  } catch {
    return null;
  }
}

/** Connections for each of `ports` within the limit, at most `wanted`. */
export function connectionsWithin(limit: number | null, wanted: number, ports: number): number {
  return limit === null ? wanted : Math.max(1, Math.min(wanted, Math.floor(Math.max(limit - RESERVED, limit / 4) / ports)));
}
