/** pg_trigger, and triggers in information_schema. */
import type { TriggerEvent, TriggerObject } from '../../worlds/definition.ts';
import { quoteLiteral } from '../functions/text/quoting.ts';
import type { Schema } from '../schema/schema.ts';
import { triggerText } from '../schema/trigger-text.ts';
import { quoteIdentifier, quoteNames } from '../../base/quote-identifier.ts';
import { vector } from './catalog-types.ts';
import type { DefinitionTexts } from './definition-texts.ts';
import { CLASS } from './fixed-oids.ts';
import type { Row } from './made-relation.ts';
import type { RowSource } from './system-catalog.ts';

const EVENT_BITS: Readonly<Record<TriggerEvent, number>> = { insert: 4, delete: 8, update: 16, truncate: 32 };
const TIMING_BITS: Readonly<Record<TriggerObject['timing'], number>> = { before: 2, after: 0, 'instead of': 64 };
const MODES = { always: 'A', replica: 'R', never: 'D' } as const;
const EVENTS: readonly TriggerEvent[] = ['insert', 'delete', 'update', 'truncate'];

function typeBits({ row, timing, events }: TriggerObject): number {
  return (row ? 1 : 0) + TIMING_BITS[timing] + events.reduce((bits, event) => bits + EVENT_BITS[event], 0);
}

function* all(schema: Schema): Iterable<TriggerObject> {
  for (const [, triggers] of schema.triggered) yield* triggers;
}

/** A column's attnum and name, by its number in the trigger. */
function columnOf(schema: Schema, { table }: TriggerObject, number: number): { readonly attnum: number; readonly name: string } | null {
  const column = schema.tables.get(table)?.columns.find((each) => each.number === number);
  if (column !== undefined) return column;
  const own = schema.views.get(table)?.columns[number - 1];
  return own === undefined ? null : { attnum: number, name: own.name };
}

function relationOf(schema: Schema, number: number): { readonly schema: string; readonly name: string } | null {
  return schema.tables.get(number) ?? schema.views.get(number) ?? null;
}

/** The displayed condition over OLD and NEW. */
function conditionText(schema: Schema, texts: DefinitionTexts, { when, table }: TriggerObject, pretty: boolean): string | null {
  const on = relationOf(schema, table);
  if (when === null || on === null) return null;
  const from = quoteNames([on.schema, on.name]);
  let text = texts.condition(`SELECT ${when} FROM ${from} old, ${from} new`, pretty);
  // Whole rows were expanded.
  const columns = (schema.tables.get(table) ?? schema.views.get(table))!.columns.map((column) => quoteIdentifier(column.name));
  for (const row of ['old', 'new']) text = text.replaceAll(`ROW(${columns.map((name) => `${row}.${name}`).join(', ')})`, `${row}.*`);
  return text;
}

type FunctionOid = (name: string) => number;

function functionOid(trigger: TriggerObject, systemOid: FunctionOid): number {
  return 'own' in trigger.function ? trigger.function.own : systemOid(trigger.function.name);
}

export function triggerRows({ schema, trees, functions }: RowSource): Row[] {
  const systemOid: FunctionOid = (name) => functions.byName.get(name)?.[0]?.oid ?? 0;
  return [...all(schema)].map((trigger) => {
    const { number, table, parent, name, fires, constraint, args, columns, oldTable, newTable } = trigger;
    const attnums = columns.flatMap((column) => columnOf(schema, trigger, column)?.attnum ?? []);
    // prettier-ignore
    return [
      number, table, parent ?? 0, name, functionOid(trigger, systemOid), typeBits(trigger), fires === undefined ? 'O' : MODES[fires], false,
      constraint?.from ?? 0, 0, constraint === undefined ? 0 : number, constraint?.deferrable ?? false, constraint?.initiallyDeferred ?? false,
      args.length, vector(attnums), argumentBytes(args), conditionText(schema, trees, trigger, false), oldTable, newTable,
    ];
  });
}

/** Each followed by a zero byte. */
function argumentBytes(args: readonly string[]): string {
  return Buffer.from(args.map((arg) => `${arg}\0`).join(''), 'utf8').toString('latin1');
}

/** Constraint triggers among the constraints. */
export function triggerConstraintRows({ schema, objects }: RowSource): Row[] {
  const rows: Row[] = [];
  for (const { number, table, name, constraint, parent } of all(schema)) {
    const on = schema.tables.get(table);
    if (constraint === undefined || on === undefined) continue;
    // prettier-ignore
    rows.push([
      number, name, objects.namespaceOid(on.schema)!, 't', constraint.deferrable, constraint.initiallyDeferred, true, table, 0, 0, parent ?? 0, 0, ' ', ' ', ' ', true, 0, true,
      null, null, null, null, null, null, null, null,
    ]);
  }
  return rows;
}

export function triggerDependencyRows({ schema }: RowSource): Row[] {
  const rows: Row[] = [];
  for (const trigger of all(schema)) {
    const { number, table, columns, parent, constraint } = trigger;
    const add = (catalog: number, oid: number, column: number, type: string): void => void rows.push([CLASS.pg_trigger, number, 0, catalog, oid, column, type]);
    add(CLASS.pg_class, table, 0, parent === undefined ? 'a' : 'S');
    if ('own' in trigger.function) add(CLASS.pg_proc, trigger.function.own, 0, 'n');
    if (parent !== undefined) add(CLASS.pg_trigger, parent, 0, 'P');
    for (const column of columns) add(CLASS.pg_class, table, columnOf(schema, trigger, column)?.attnum ?? 0, 'n');
    if (constraint?.from != null) add(CLASS.pg_class, constraint.from, 0, 'a');
  }
  return rows;
}

export function triggerAt(schema: Schema, oid: number): TriggerObject | null {
  for (const trigger of all(schema)) if (trigger.number === oid) return trigger;
  return null;
}

/** pg_get_triggerdef. */
export function triggerDefinition(
  schema: Schema,
  texts: DefinitionTexts,
  trigger: TriggerObject,
  pretty: boolean,
  relationName: (oid: number) => string | null,
  functionName: (oid: number) => string | null,
): string {
  const named = (oid: number): string => {
    const found = relationOf(schema, oid);
    return pretty || found === null ? (relationName(oid) ?? '???') : quoteNames([found.schema, found.name]);
  };
  const quoted = (name: string | null): string | null => (name === null ? null : quoteIdentifier(name));
  const { table, columns, constraint, args, oldTable, newTable } = trigger;
  return triggerText(trigger, {
    name: quoteIdentifier(trigger.name),
    on: named(table),
    from: constraint?.from == null ? null : (relationName(constraint.from) ?? '???'),
    columns: columns.flatMap((column) => quoted(columnOf(schema, trigger, column)?.name ?? null) ?? []),
    when: conditionText(schema, texts, trigger, pretty),
    routine: 'name' in trigger.function ? quoteIdentifier(trigger.function.name) : (functionName(trigger.function.own) ?? '???'),
    args: args.map(quoteLiteral),
    oldTable: quoted(oldTable),
    newTable: quoted(newTable),
  });
}

/** information_schema.triggers: one row per event, numbered among those of the same timing. */
export function informationTriggerRows({ schema, database, texts, functions, session }: RowSource): Row[] {
  const rows: Row[] = [];
  const path = session.path ?? ['public'];
  const places = new Map<string, number>();
  for (const trigger of all(schema)) {
    const on = relationOf(schema, trigger.table);
    if (on === null) continue;
    const { name, row, timing, oldTable, newTable } = trigger;
    const own = 'own' in trigger.function ? schema.functions.get(trigger.function.own)?.object : undefined;
    const routine =
      own === undefined ? (functions.byName.get('name' in trigger.function ? trigger.function.name : '')?.[0]?.name ?? '') : shownRoutine(own, path);
    const condition = conditionText(schema, texts, trigger, false);
    for (const event of EVENTS) {
      if (!trigger.events.includes(event) || event === 'truncate') continue;
      const place = `${trigger.table} ${event} ${row ? 1 : 0} ${timing}`;
      const order = (places.get(place) ?? 0) + 1;
      places.set(place, order);
      // prettier-ignore
      rows.push([
        database, on.schema, name, event.toUpperCase(), database, on.schema, on.name, order, condition,
        `EXECUTE FUNCTION ${routine}(${trigger.args.map(quoteLiteral).join(', ')})`, row ? 'ROW' : 'STATEMENT', timing.toUpperCase(), oldTable, newTable, null, null, null,
      ]);
    }
  }
  return rows;
}

function shownRoutine({ schema, name }: { readonly schema: string; readonly name: string }, path: readonly string[]): string {
  return path.includes(schema) ? quoteIdentifier(name) : quoteNames([schema, name]);
}

export function triggeredColumnRows({ schema, database }: RowSource): Row[] {
  const rows: Row[] = [];
  for (const trigger of all(schema)) {
    const on = relationOf(schema, trigger.table);
    if (on === null) continue;
    for (const column of trigger.columns)
      rows.push([database, on.schema, trigger.name, database, on.schema, on.name, columnOf(schema, trigger, column)?.name ?? null]);
  }
  return rows;
}
