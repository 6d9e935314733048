/** Names in a rule's action are resolved in the schema of the rule's relation, and privileges are checked for its owner. */
import { isAgentOwner } from '../../base/agent-owner.ts';
import type { RuleMark } from '../ast/write.ts';
import type { Binder } from './binder.ts';

/** Binds as part of a rule; `mark` undefined: as part of the user's statement. */
export function asStored<T>(binder: Binder, mark: RuleMark | undefined, bind: () => T): T {
  const { viewOwner, byAgent, stored, home, argumentNames } = binder;
  if (mark === undefined) {
    binder.viewOwner = null;
    binder.byAgent = false;
    binder.stored = false;
    binder.home = null;
    binder.argumentNames = binder.givenArguments;
  } else {
    binder.viewOwner = mark.owner;
    if (isAgentOwner(mark.owner)) binder.byAgent = true;
    binder.stored = true;
    binder.home = mark.home;
    binder.argumentNames = null;
  }
  try {
    return bind();
  } finally {
    binder.viewOwner = viewOwner;
    binder.byAgent = byAgent;
    binder.stored = stored;
    binder.home = home;
    binder.argumentNames = argumentNames;
  }
}
