/**
 * The error of a merge or rebase that ended in conflicts: what was in conflict, and what settles it. Rows and definitions that both sides
 * changed are settled by a decision for one side. Rows that together break a constraint are not: one of them has to change, or stay behind.
 */
import { SvcError } from '../base/errors/svc-error.ts';
import { isDefinitionKey } from '../worlds/merge/definition-names.ts';
import type { Conflict } from './contract.ts';

export function conflictError(branch: string, target: string, conflicts: readonly Conflict[]): SvcError {
  return new SvcError('SV409', `${conflictWords(branch, target, conflicts)}; nothing was merged`, {
    hint: settlingHint(conflicts, {
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

/** How an entrance says each way to settle a conflict. */
export interface SettlingWords {
  readonly sides: string;
  readonly columns: string;
  readonly single: string;
  readonly leaveOut: string;
  readonly together: string;
}

export function settlingHint(conflicts: readonly Conflict[], words: SettlingWords): string {
  const out: string[] = [];
  const isDecided = ({ code }: Conflict): boolean => code === undefined;
  if (conflicts.some(isDecided)) out.push(`Merge again with ${words.sides}, with ${words.columns} to compare column by column, or with ${words.single}.`);
  if (conflicts.some((each) => !isDecided(each))) {
    out.push(
      `A decision for one side does not settle a broken constraint: change or delete one of its rows in either world, or leave the branch's row out with ${words.leaveOut}.`,
    );
  }
  if (conflicts.some(({ code }) => code === '23503'))
    out.push(`A foreign key also holds once the rows that it points at are merged along (${words.together}).`);
  return out.join(' ');
}
