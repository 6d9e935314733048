/**
 * What a recording of one minor release of Postgres has in common with the answers of another. Minor releases fix bugs,
 * report another version, and may add settings or functions, so that a recording holds for all of them except in rows: rows
 * are compared without what is listed here, and remaining differences fail only at the recorded release.
 */
import type { Reply, Row } from './trace.ts';

/** `PostgreSQL 15.18 (Debian 15.18-0+deb12u1) on x86_64-pc-linux-gnu, compiled by …`: packager, machine and compiler do not matter either. */
const VERSION = /^PostgreSQL (\d+)[.\d]* .*$/;
/** Options of columns that 15.19 and later keep for themselves, alone or in a list. */
const OWN_OPTIONS = /(?:, ?)?\bpg_attver=\d+/g;

function sharedCell(cell: string | null): string | null {
  if (cell === null) return null;
  const shared = cell.replace(VERSION, 'PostgreSQL $1').replaceAll(OWN_OPTIONS, '');
  // array_to_string of no options is NULL, and an array without elements has none.
  return shared === cell ? cell : shared === '' || shared === '{}' ? null : shared.replace('{,', '{');
}

/** Rows in their order again, as cells have changed. */
export function sharedByMinors(reply: Reply): Reply {
  if ('error' in reply) return reply;
  return reply.map(({ columns, rows }) => {
    if (typeof rows === 'number') return { columns, rows };
    const shared = rows.map((row): Row => row.map(sharedCell));
    return { columns, rows: shared.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) };
  });
}

/** `15.18` of `15.18 (Debian 15.18-0+deb12u1)`. */
export const releaseOf = (serverVersion: string): string => serverVersion.split(' ')[0];
