/** CREATE SUBSCRIPTION: catalog-only; nothing is ever received. */
import { namedNumberName, pad } from './keys.ts';
import { type Kind, ownNumber } from './kind.ts';

export interface SubscriptionObject {
  what: 'subscription';
  number: number;
  name: string;
  /** A libpq connection string; may contain a password. */
  connection: string;
  publications: string[];
  /** null: none. */
  slot: string | null;
  enabled: boolean;
  binary: boolean;
  streaming: boolean;
  twoPhase: boolean;
  disableOnError: boolean;
  /** Of the setting synchronous_commit. */
  commit: string;
  /** pg_lsn as text; `0/0`: none is skipped. */
  skip: string;
}

export const SUBSCRIPTION: Kind<SubscriptionObject> = {
  key: ({ number }) => `uq${pad(number)}`,
  numberName: ({ name }) => namedNumberName('subscription', '', name),
  numbers: ownNumber,
  references: () => [],
  address: ({ number }) => ({ kind: 'subscription', number }),
  words: ({ name }) => `subscription ${name}`,
  path: ({ name }) => `subscription:${name}`,
  scopedName: ({ name }) => `subscription\0${name}`,
};
