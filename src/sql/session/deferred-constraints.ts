/** Deferred constraints: SET CONSTRAINTS, and the checks at commit. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { SetConstraints } from '../ast/session.ts';
import type { Deferred } from '../schema/foreign-keys.ts';
import { checkDeferred, type StatementParts } from '../schema/statement-writes.ts';
import type { IndexObject } from '../../worlds/definition.ts';
import type { RowToLock } from '../../worlds/typed-tables.ts';
import type { SqlTable } from '../schema/table.ts';
import type { SqlSession } from './sql-session.ts';
import type { Transaction } from './transaction.ts';
import { type DeferredTriggers, fireDeferred } from './triggers/deferred-triggers.ts';

/** Modes set by SET CONSTRAINTS, by constraint number, and the pending checks. */
export interface Waiting {
  readonly deferredNow: ReadonlySet<number>;
  readonly immediateNow: ReadonlySet<number>;
  readonly items: readonly Deferred[];
  readonly triggers: DeferredTriggers;
}

export const NOTHING_WAITS: Waiting = { deferredNow: new Set(), immediateNow: new Set(), items: [], triggers: [] };

/** 23503 if a row still has no referenced row, 23505 if a key is still duplicate. Gives the rows that must stay. */
export function checkWaiting(transaction: Transaction, parts: StatementParts): readonly RowToLock[] {
  return checkDeferred(parts, transaction.waiting.items);
}

export function setConstraints(session: SqlSession, { names, deferred }: SetConstraints): void {
  const transaction = session.startStatement();
  const schema = session.schema();
  const chosen: { readonly number: number; readonly deferrable: boolean }[] = [];
  const constraintsOf = (table: SqlTable): IndexObject[] =>
    table.indexes.flatMap(({ number, constraint }) => (constraint === null ? [] : [schema.catalog.indexes.get(number)!]));
  const triggersOf = ({ number }: SqlTable): { number: number; name: string; deferrable: boolean }[] =>
    schema
      .triggers(number)
      .flatMap((each) => (each.constraint === undefined ? [] : [{ number: each.number, name: each.name, deferrable: each.constraint.deferrable }]));
  if (names.length === 0) {
    for (const table of schema.tables.values()) {
      for (const key of [...table.foreignKeys, ...constraintsOf(table), ...triggersOf(table)]) if (key.deferrable) chosen.push(key);
    }
  }
  for (const { schema: written, name } of names) {
    if (written !== null && !session.names().hasSchema(written)) throw new SvcError('3F000', `schema "${written}" does not exist`);
    const path = written === null ? session.searchPath() : [written];
    const found = path
      .map((each) => [...schema.tables.values()].filter((table) => table.schema === each))
      .map((tables) => ({
        keys: tables.flatMap((table) => [
          ...table.foreignKeys.filter((key) => key.name === name),
          ...constraintsOf(table).filter(({ constraint }) => constraint === name),
          ...triggersOf(table).filter((trigger) => trigger.name === name),
        ]),
        others: tables.some((table) => table.primaryKey === name),
      }))
      .find(({ keys, others }) => keys.length > 0 || others);
    if (found === undefined) throw new SvcError('42704', `constraint "${name}" does not exist`);
    if (found.keys.length === 0 || found.keys.some((key) => !key.deferrable)) throw new SvcError('42809', `constraint "${name}" is not deferrable`);
    chosen.push(...found.keys);
  }
  const deferredNow = new Set(transaction.waiting.deferredNow);
  const immediateNow = new Set(transaction.waiting.immediateNow);
  for (const { number } of chosen) {
    (deferred ? deferredNow : immediateNow).add(number);
    (deferred ? immediateNow : deferredNow).delete(number);
  }
  const { items, triggers } = transaction.waiting;
  if (deferred) {
    transaction.waiting = { deferredNow, immediateNow, items, triggers };
    return;
  }
  const now = items.filter(({ key }) => immediateNow.has(key));
  session.locks.claim(transaction, [], checkDeferred(session.partsOf(transaction), now));
  transaction.waiting = { deferredNow, immediateNow, items: items.filter((item) => !now.includes(item)), triggers };
  fireDeferred(session, (trigger) => immediateNow.has(trigger));
}
