/** A trigger as its CREATE TRIGGER statement (manual, CREATE TRIGGER). Names and conditions are passed in display form. */
import type { TriggerObject } from '../../worlds/definition.ts';

export interface TriggerParts {
  readonly name: string;
  /** The table or view, and for a constraint trigger the referenced table. */
  readonly on: string;
  readonly from: string | null;
  /** Columns of UPDATE OF. */
  readonly columns: readonly string[];
  readonly when: string | null;
  readonly routine: string;
  readonly args: readonly string[];
  readonly oldTable: string | null;
  readonly newTable: string | null;
}

/** Keywords of ALTER … TRIGGER and RULE for the firing mode. */
export const FIRING = { origin: 'ENABLE', always: 'ENABLE ALWAYS', replica: 'ENABLE REPLICA', never: 'DISABLE' } as const;

/** The order in which Postgres names events. */
const EVENTS = ['insert', 'delete', 'update', 'truncate'] as const;

export function triggerText({ timing, events, row, constraint }: TriggerObject, parts: TriggerParts): string {
  const list = EVENTS.filter((event) => events.includes(event)).map((event) =>
    event === 'update' && parts.columns.length > 0 ? `UPDATE OF ${parts.columns.join(', ')}` : event.toUpperCase(),
  );
  const out = [`CREATE ${constraint === undefined ? '' : 'CONSTRAINT '}TRIGGER ${parts.name} ${timing.toUpperCase()} ${list.join(' OR ')} ON ${parts.on}`];
  if (constraint !== undefined) {
    if (parts.from !== null) out.push(`FROM ${parts.from}`);
    out.push(`${constraint.deferrable ? '' : 'NOT '}DEFERRABLE INITIALLY ${constraint.initiallyDeferred ? 'DEFERRED' : 'IMMEDIATE'}`);
  }
  const tables = [parts.oldTable === null ? [] : [`OLD TABLE AS ${parts.oldTable}`], parts.newTable === null ? [] : [`NEW TABLE AS ${parts.newTable}`]].flat();
  if (tables.length > 0) out.push(`REFERENCING ${tables.join(' ')}`);
  out.push(`FOR EACH ${row ? 'ROW' : 'STATEMENT'}`);
  if (parts.when !== null) out.push(`WHEN (${parts.when})`);
  out.push(`EXECUTE FUNCTION ${parts.routine}(${parts.args.join(', ')})`);
  return out.join(' ');
}
