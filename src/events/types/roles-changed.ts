/** Roles and memberships of the whole database changed. */
import type { TreeChanges } from '../changes.ts';
import { changesEvent } from '../define-event.ts';

export interface RolesChanged {
  type: 'rolesChanged';
  changes: TreeChanges[];
}

export const rolesChanged = changesEvent<RolesChanged>('rolesChanged', 20);
