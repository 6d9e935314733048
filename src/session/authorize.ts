/** The one place where rights are checked, whatever the entrance. 42501 for what the principal may not do. */
import { unreachable } from '../base/assert.ts';
import type { Capability } from './capability.ts';
import type { Session } from './session.ts';

export function authorize(session: Session, _operation: string, _capability: Capability): void {
  switch (session.principal.kind) {
    case 'owner':
      return;
    default:
      unreachable(session.principal.kind);
  }
}
