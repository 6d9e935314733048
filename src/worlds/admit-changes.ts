/**
 * The last look at changes of rows before they are committed to a world, whoever makes them and through whatever
 * entrance: what protects `main`, and what quotas count.
 */
import type { TreeChanges } from '../events/changes.ts';
import type { Principal } from '../session/principal.ts';
import type { Context } from './context.ts';
import type { World } from './world.ts';

/** `merge`: the changes are those of a merge. */
export function admitChanges(_context: Context, _by: Principal, _world: World, _changes: readonly TreeChanges[], _how: 'write' | 'merge' = 'write'): void {}
