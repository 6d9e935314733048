/** CREATE and ALTER SUBSCRIPTION. */
import type * as pg from '@pgsql/types';
import type { AlterSubscription, CreateSubscription } from '../ast/define.ts';
import { lowerOptions } from './lower-option.ts';
import { type Lowering, strings } from './lowering.ts';

export function lowerCreateSubscription(cx: Lowering, raw: pg.CreateSubscriptionStmt): CreateSubscription {
  return {
    type: 'createSubscription',
    name: raw.subname ?? '',
    connection: raw.conninfo ?? '',
    publications: strings(raw.publication),
    options: lowerOptions(cx, raw.options),
    at: cx.statementAt,
  };
}

const ACTIONS = {
  ALTER_SUBSCRIPTION_OPTIONS: 'options',
  ALTER_SUBSCRIPTION_CONNECTION: 'connection',
  ALTER_SUBSCRIPTION_SET_PUBLICATION: 'set',
  ALTER_SUBSCRIPTION_ADD_PUBLICATION: 'add',
  ALTER_SUBSCRIPTION_DROP_PUBLICATION: 'drop',
  ALTER_SUBSCRIPTION_REFRESH: 'refresh',
  ALTER_SUBSCRIPTION_ENABLED: 'enabled',
  ALTER_SUBSCRIPTION_SKIP: 'skip',
} as const;

export function lowerAlterSubscription(cx: Lowering, raw: pg.AlterSubscriptionStmt): AlterSubscription {
  return {
    type: 'alterSubscription',
    name: raw.subname ?? '',
    action: ACTIONS[raw.kind ?? 'ALTER_SUBSCRIPTION_OPTIONS'],
    connection: raw.conninfo ?? null,
    publications: strings(raw.publication),
    options: lowerOptions(cx, raw.options),
    at: cx.statementAt,
  };
}
