/** How deep functions and triggers may call one another. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { LIMITS } from '../../base/limits.ts';
import type { SqlSession } from './sql-session.ts';

/** One call further in: whoever calls counts `functionDepth` down again. 54001. */
export function goDeeper(session: SqlSession): void {
  if (session.functionDepth >= LIMITS.functionDepthMax) {
    throw new SvcError('54001', 'stack depth limit exceeded', { hint: `Functions and triggers may call one another ${LIMITS.functionDepthMax} deep.` });
  }
  session.functionDepth++;
}
