/** The conflicts of a merge or rebase as lines, for entrances with textual errors. */
import { bounded } from '../bounded-text.ts';
import { SvcError } from './svc-error.ts';

const LINES_MAX = 10;
const LINE_CHARACTERS_MAX = 500;

/** Null if the error has no conflicts. Masked values have been removed before. */
export function conflictLines(error: unknown): string[] | null {
  if (!(error instanceof SvcError) || error.code !== 'SV409') return null;
  const conflicts = (error.data?.['conflicts'] ?? []) as readonly { readonly key: string; readonly explanation: string }[];
  const lines = conflicts
    .slice(0, LINES_MAX)
    .map(({ key, explanation }) => bounded(explanation.includes(key) ? explanation : `${key}: ${explanation}`, LINE_CHARACTERS_MAX));
  return conflicts.length > LINES_MAX ? [...lines, `… and ${conflicts.length - LINES_MAX} more`] : lines;
}
