/** The new state of a merge policy, merge check or reader; `value` null: dropped. Applies to the whole database. */
import { jsonEvent } from '../define-event.ts';
import type { Meta } from '../meta.ts';

export interface PolicyChanged {
  type: 'policyChanged';
  kind: 'policy' | 'check' | 'reader';
  name: string;
  value: Meta | null;
}

export const policyChanged = jsonEvent<PolicyChanged>('policyChanged', 30);
