/** The conflicts of a merge or rebase as lines of an error, for entrances whose errors are texts. */
import { bounded } from '../bounded-text.ts';
import { SvcError } from './svc-error.ts';

const LINES_MAX = 10;
const LINE_CHARACTERS_MAX = 500;

/** Null where the error tells of no conflicts. What the principal may not see was taken out of them before. */
export function conflictLines(error: unknown): string[] | null {
  if (!(error instanceof SvcError) || error.code !== 'SV409') return null;
  const conflicts = (error.data?.['conflicts'] ?? []) as readonly { readonly key: string; readonly explanation: string }[];
  const lines = conflicts
    .slice(0, LINES_MAX)
    .map(({ key, explanation }) => bounded(explanation.includes(key) ? explanation : `${key}: ${explanation}`, LINE_CHARACTERS_MAX));
  return conflicts.length > LINES_MAX ? [...lines, `… and ${conflicts.length - LINES_MAX} more`] : lines;
}
