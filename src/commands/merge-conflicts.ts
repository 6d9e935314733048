/**
 * The error of a merge or rebase with conflicts: what is in conflict, and how to resolve it. Rows and definitions that both
 * sides changed are resolved by picking a side. Rows that together violate a constraint are not: one of them must be changed
 * or left out.
 */
import { SvcError } from '../base/errors/svc-error.ts';
import { resolutionHint } from '../base/resolution-hint.ts';
import { isDefinitionKey } from '../worlds/merge/definition-names.ts';
import type { Conflict } from './contract.ts';

export function conflictError(branch: string, target: string, conflicts: readonly Conflict[]): SvcError {
  return new SvcError('SV409', `${conflictWords(branch, target, conflicts)}; nothing was merged`, {
    hint: resolutionHint(conflicts, {
      sides: '`resolve` "ours" or "theirs"',
      columns: '`columns: true`',
      single: '`picks` for single ones',
      leaveOut: '`picks: {"table/id": "ours"}`',
      together: '`only_tables`',
    }),
    data: { conflicts },
  });
}

/** `2 rows changed both in "main" and in "w"`, `1 row would break a constraint`. */
function conflictWords(branch: string, target: string, conflicts: readonly Conflict[]): string {
  const keys = (wanted: (each: Conflict) => boolean): number => new Set(conflicts.filter(wanted).map(({ key }) => key)).size;
  const definitions = keys(({ key, code }) => code === undefined && isDefinitionKey(key));
  const rows = keys(({ key, code }) => code === undefined && !isDefinitionKey(key));
  const broken = keys(({ code }) => code !== undefined);
  const parts: string[] = [];
  if (rows > 0) parts.push(`${rows} row${rows === 1 ? '' : 's'} changed both in "${target}" and in "${branch}"`);
  if (definitions > 0) parts.push(`${definitions} definition${definitions === 1 ? '' : 's'} changed both in "${target}" and in "${branch}"`);
  if (broken > 0) parts.push(`${broken} row${broken === 1 ? '' : 's'} would break a constraint of the result`);
  return parts.join(', ');
}
