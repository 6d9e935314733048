/** Conflicts of a merge or rebase, in the words of the tools for models. */
import { conflictLines } from '../../base/errors/conflict-lines.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { resolutionHint, type ResolutionWords } from '../../base/resolution-hint.ts';
import type { Conflict } from '../schemas.ts';

const RESOLUTION: ResolutionWords = {
  sides: 'resolve (ours or theirs)',
  columns: 'by_columns: true',
  single: 'rows for single ones',
  leaveOut: 'rows: {"table/id": "ours"}',
  together: 'only_tables',
};

export function conflictRefusal(look: string): (error: unknown) => unknown {
  return (error) => {
    const lines = conflictLines(error);
    if (lines === null) return error;
    const { message, data } = error as SvcError;
    return new SvcError('SV409', `${message}\n${lines.map((line) => `- ${line}`).join('\n')}`, {
      hint: `${look} ${resolutionHint(data!['conflicts'] as Conflict[], RESOLUTION)}`,
    });
  };
}
