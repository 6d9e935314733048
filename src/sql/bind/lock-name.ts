/** The names of the strengths of FOR UPDATE and similar in messages. */
import type { Locking } from '../ast/query.ts';

const LOCKS = { update: 'FOR UPDATE', noKeyUpdate: 'FOR NO KEY UPDATE', share: 'FOR SHARE', keyShare: 'FOR KEY SHARE' } as const;

export function lockName(strength: Locking['strength']): string {
  return LOCKS[strength];
}
