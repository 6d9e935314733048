/** A reviewer's verdict on a held merge, in words. */
import type { ReviewView } from '../../commands/contract.ts';
import { visible } from './cell.ts';

/** Whether a rejection ended its wait: it stays in the list until the world changes or is gone. */
export function isDecided({ verdict, changed_since }: Pick<ReviewView, 'verdict' | 'changed_since'>): boolean {
  return verdict === 'reject' && !changed_since;
}

export function verdictText(verdict: NonNullable<ReviewView['verdict']>, reason: string | null): string {
  return `${verdict === 'reject' ? 'rejected' : 'passed on'}${reason === null ? '' : `: ${visible(reason)}`}`;
}
