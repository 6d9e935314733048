/**
 * The limit on row width: as in Postgres, lists of results, of subqueries and of ROW have at most 1664 entries. Written entries are
 * counted before they are bound, which takes long for many, and again after star expansion.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { LIMITS } from '../../base/limits.ts';

/** 54011. `at`: the start of the list. */
export function refuseWideList(count: number, at: number): void {
  if (count > LIMITS.targetListMax) throw tooWide(`target lists can have at most ${LIMITS.targetListMax} entries`, at);
}

export function refuseWideRow(count: number, at: number): void {
  if (count > LIMITS.targetListMax) throw tooWide(`ROW expressions can have at most ${LIMITS.targetListMax} entries`, at);
}

export function refuseWideFunctions(count: number, at: number): void {
  if (count > LIMITS.targetListMax) throw tooWide(`functions in FROM can return at most ${LIMITS.targetListMax} columns`, at);
}

export function refuseWideDefinitions(count: number, at: number): void {
  if (count > LIMITS.tableColumnsMax) throw tooWide(`column definition lists can have at most ${LIMITS.tableColumnsMax} entries`, at);
}

function tooWide(message: string, at: number): SvcError {
  return new SvcError('54011', message, { position: at + 1, hint: 'Ask for fewer columns, or gather them in an array or a JSON object.' });
}
