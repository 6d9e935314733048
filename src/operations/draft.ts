/** A draft of a rule only reads. */
import type { RunControl } from '../commands/run-control.ts';
import type { Effect } from './define-operation.ts';

export function draftReads(_input: unknown, { draft }: RunControl): Effect {
  return draft === true ? 'read' : 'write';
}
