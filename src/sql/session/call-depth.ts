/** The limit of nesting of functions and triggers. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { LIMITS } from '../../base/limits.ts';
import type { SqlSession } from './sql-session.ts';

/** Enters a call of code that the object's author or owner wrote. The caller ends it with `comeBack`. 54001. */
export function goDeeper(session: SqlSession, object: number): void {
  if (session.functionDepth >= LIMITS.functionDepthMax) {
    throw new SvcError('54001', 'stack depth limit exceeded', { hint: `Functions and triggers may call one another ${LIMITS.functionDepthMax} deep.` });
  }
  session.functionDepth++;
  session.code.enter(session.schema().authorOf(object));
}

export function comeBack(session: SqlSession): void {
  session.functionDepth--;
  session.code.leave();
}
