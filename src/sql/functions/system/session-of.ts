/** The session of a call: system functions need one. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { System } from '../../types/environment.ts';
import type { Call } from '../define.ts';

export function systemOf({ env }: Call): System {
  if (env.system === undefined) throw new SvcError('0A000', 'system functions need a session');
  return env.system;
}
