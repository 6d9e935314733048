/** Instructions for a model when it connects: the workflow, within the session's rights. */
import { governedBy, may } from '../session/authorize.ts';
import type { Capability } from '../session/capability.ts';
import type { ModelSession } from './tool.ts';

export function instructions({ principal, safe }: ModelSession): string {
  const can = (...some: Capability[]): boolean => some.some((capability) => may(principal, capability));
  const merges = !safe && can('merge', 'merge_own');
  const forks = can('fork') && can('write_own', 'write');
  const lines = ['This is a branching database. The shared data is the world `main`; a fork is an instant private copy of a world.'];
  if (forks) {
    lines.push(
      'Work like this: call describe to see the tables; fork a branch; change the branch with put, delete or sql (pass its name as `branch`); look at diff; then ' +
        (merges
          ? 'call merge with the version that diff showed, or discard the branch. A policy may hold the merge for a person: then report the branch name and stop.'
          : 'stop and report the branch name: a person reviews and merges it. Discard what is not wanted.'),
    );
  } else if (can('write'))
    lines.push('You may change worlds that others forked (pass the name as `branch`), and fork none. Call describe first, and diff when done.');
  else if (merges)
    lines.push('You may not change rows. Look at a branch with diff and merge_preview; then call merge. A policy may hold the merge for a person.');
  else if (can('read')) lines.push('You may only read: call describe to see the tables, then find, get or sql.');
  if (!safe && (!can('write_main') || governedBy(principal) !== null)) lines.push('main cannot be changed directly.');
  if (can('read')) lines.push('Past states can be read everywhere: branch "main@-10m", or SELECT … FROM t AS OF \'-10m\'.');
  if (safe) lines.push('Safe mode: you may read everything, and change only branches that were forked in this session.');
  if (principal.sight !== 'whole') lines.push('Masked columns read masked; tables that have some are read with sql.');
  return lines.join('\n');
}
