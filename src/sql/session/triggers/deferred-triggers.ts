/** Deferred constraint triggers: they fire at commit, or when SET CONSTRAINTS makes them immediate. */
import type { TriggerEvent } from '../../../worlds/definition.ts';
import type { SqlSession } from '../sql-session.ts';
import type { Transaction } from '../transaction.ts';
import { callTrigger, type Row } from './call-trigger.ts';
import { tableTriggers } from './table-triggers.ts';

export interface DeferredTrigger {
  readonly trigger: number;
  readonly table: number;
  readonly event: TriggerEvent;
  readonly old: Row | null;
  readonly row: Row | null;
}

/** One list of calls per statement. */
export type DeferredTriggers = readonly (readonly DeferredTrigger[])[];

export function deferTriggers(transaction: Transaction, calls: readonly DeferredTrigger[]): void {
  const { waiting } = transaction;
  transaction.waiting = { ...waiting, triggers: [...waiting.triggers, calls] };
}

/** Calls the deferred triggers that `now` selects; their writes may defer more, which are called, too. */
export function fireDeferred(session: SqlSession, now: (trigger: number) => boolean = () => true): void {
  const transaction = session.begin();
  for (;;) {
    const all = transaction.waiting.triggers.flat();
    const due = all.filter(({ trigger }) => now(trigger));
    if (due.length === 0) return;
    const rest = all.filter(({ trigger }) => !now(trigger));
    transaction.waiting = { ...transaction.waiting, triggers: rest.length === 0 ? [] : [rest] };
    for (const { trigger, table, event, old, row } of due) {
      const ready = tableTriggers(session, session.schema(), table)?.afterRow[event].find(({ object }) => object.number === trigger);
      // The trigger may have been dropped since.
      if (ready !== undefined) callTrigger(session, ready, event, old, row);
      session.checkCancel();
    }
  }
}
