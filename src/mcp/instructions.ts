/** What a model is told when it connects: the way to work, as far as this session may go. */
import { may } from '../session/authorize.ts';
import type { ModelSession } from './tool.ts';

export function instructions({ principal, safe }: ModelSession): string {
  const merges = !safe && (may(principal, 'merge') || may(principal, 'merge_own'));
  const lines = [
    'This is a branching database. The shared data is the world `main`; a fork is an instant private copy of a world.',
    'Work like this: call describe to see the tables; fork a branch; change the branch with put, delete or sql (pass its name as `branch`); look at diff; then ' +
      (merges
        ? 'call merge with the version that diff showed, or discard the branch. A policy may hold the merge for a person: then report the branch name and stop.'
        : 'stop and report the branch name: a person looks at it and merges it. Discard what is not wanted.'),
    'Past states can be read everywhere: branch "main@-10m", or SELECT … FROM t AS OF \'-10m\'.',
  ];
  if (safe) lines.push('Safe mode: you may read everything, and change only branches that were forked in this session.');
  return lines.join('\n');
}
