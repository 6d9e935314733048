/** Worlds of which nothing can be decided any more. */
import { CallError } from '../api.ts';
import type { World } from '../shapes.ts';
import { ago } from './text.ts';

/** 55000 for a world that is gone or has nothing to merge into, in words for the person who came too late. */
export function refuseEnded({ name, state, ended, parent }: World): void {
  if (state !== undefined)
    throw new CallError(409, {
      code: '55000',
      message: `${name} was ${state}${ended === undefined ? '' : ` ${ago(ended)}`}: there is nothing left to decide`,
      hint: 'Its page shows what it changed, and the history of its parent who merged it.',
    });
  if (parent === null) throw new CallError(409, { code: '55000', message: `${name} has no parent to be merged into`, hint: 'Merge a fork of it.' });
}
