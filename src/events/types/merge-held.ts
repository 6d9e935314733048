/** A merge of the envelope's world at this version is held for review. `input` is the merge's input. */
import type { WorldNumber } from '../../base/brands.ts';
import { jsonEvent } from '../define-event.ts';
import type { Meta } from '../meta.ts';

export interface MergeHeld {
  type: 'mergeHeld';
  into: WorldNumber;
  version: number;
  policy: string;
  input: Meta;
  reasons: Meta[];
}

export const mergeHeld = jsonEvent<MergeHeld>('mergeHeld', 31);
