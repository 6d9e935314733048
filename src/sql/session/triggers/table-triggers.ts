/**
 * The triggers of a table, prepared for statements: by timing and event, ordered by name, with functions resolved and conditions
 * compiled. Built once per schema version and value of session_replication_role.
 */
import { mentions } from '../../../worlds/merge/definition-names.ts';
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { TriggerEvent, TriggerObject } from '../../../worlds/definition.ts';
import { Binder } from '../../bind/binder.ts';
import { bindExpression } from '../../bind/expression.ts';
import { Compilation } from '../../exec/compilation.ts';
import type { Run } from '../../exec/run.ts';
import type { Schema, UserFunction } from '../../schema/schema.ts';
import type { SqlTable } from '../../schema/table.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import { execContext } from '../exec-context.ts';
import { parseExpressionText } from '../names.ts';
import type { SqlSession } from '../sql-session.ts';
import { builtInTrigger, type BuiltInTrigger } from './built-in-triggers.ts';
import { TransitionTable } from './transition-tables.ts';
import { whenScope } from './when-scope.ts';

/** The table or view with the triggers. */
export interface Triggered {
  readonly number: number;
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: SqlType; readonly typmod: number }[];
  readonly rowType: SqlType;
  readonly types: readonly SqlType[];
}

export interface ReadyTrigger {
  readonly object: TriggerObject;
  readonly on: Triggered;
  readonly fn: UserFunction | BuiltInTrigger;
  /** Indexes of the columns of UPDATE OF; null: any. */
  readonly watches: ReadonlySet<number> | null;
  readonly when: When | null;
  readonly oldTable: TransitionTable | null;
  readonly newTable: TransitionTable | null;
}

/** `run` is created for a statement. */
export interface When {
  run(session: SqlSession): Run;
  holds(run: Run, old: readonly Value[] | null, row: readonly Value[] | null): boolean;
}

type Lists = Readonly<Record<TriggerEvent, readonly ReadyTrigger[]>>;

export interface TableTriggers {
  readonly on: Triggered;
  readonly beforeStatement: Lists;
  readonly beforeRow: Lists;
  readonly insteadOf: Lists;
  readonly afterRow: Lists;
  readonly afterStatement: Lists;
  /** Whether a trigger has a transition table for an event. */
  readonly captures: Readonly<Record<TriggerEvent, { readonly old: boolean; readonly new: boolean }>>;
  /** A BEFORE trigger may change any column, so all generated columns are recomputed. */
  readonly computesAll: boolean;
  /** Generated columns, by index, with their expressions. */
  readonly generated: readonly { readonly column: number; readonly text: string }[];
}

const EVENTS: readonly TriggerEvent[] = ['insert', 'update', 'delete', 'truncate'];

const made = new WeakMap<Schema, Map<string, TableTriggers | null>>();

/** null if the table has no enabled triggers. */
export function tableTriggers(session: SqlSession, schema: Schema, number: number): TableTriggers | null {
  if (schema.triggers(number).length === 0) return null;
  const role = session.settings.get('session_replication_role') ?? 'origin';
  let byKey = made.get(schema);
  if (byKey === undefined) made.set(schema, (byKey = new Map()));
  const key = `${role} ${number}`;
  let found = byKey.get(key);
  if (found === undefined) byKey.set(key, (found = make(session, schema, number, role)));
  return found;
}

export function firesIn(role: string, { fires }: TriggerObject): boolean {
  if (fires === 'always') return true;
  return role === 'replica' ? fires === 'replica' : fires === undefined;
}

function make(session: SqlSession, schema: Schema, number: number, role: string): TableTriggers | null {
  const objects = schema.triggers(number).filter((object) => firesIn(role, object));
  if (objects.length === 0) return null;
  const table = schema.tables.get(number) ?? null;
  const on = triggered(schema, number);
  const all = objects.map((object) => ready(session, schema, on, table, object));
  const lists = (timing: TriggerObject['timing'], row: boolean): Lists => {
    const of = (event: TriggerEvent): ReadyTrigger[] =>
      all.filter(({ object }) => object.timing === timing && object.row === row && object.events.includes(event));
    return { insert: of('insert'), update: of('update'), delete: of('delete'), truncate: of('truncate') };
  };
  const captures = Object.fromEntries(
    EVENTS.map((event) => {
      const own = all.filter(({ object }) => object.events.includes(event));
      return [event, { old: own.some(({ oldTable }) => oldTable !== null), new: own.some(({ newTable }) => newTable !== null) }];
    }),
  ) as TableTriggers['captures'];
  return {
    on,
    beforeStatement: lists('before', false),
    beforeRow: lists('before', true),
    insteadOf: lists('instead of', true),
    afterRow: lists('after', true),
    afterStatement: lists('after', false),
    captures,
    computesAll: schema.triggers(number).some(({ timing, row, events }) => timing === 'before' && row && events.includes('update')),
    generated: (table?.columns ?? []).flatMap(({ generated }, column) => (generated === null ? [] : [{ column, text: generated }])),
  };
}

export function triggered(schema: Schema, number: number): Triggered {
  const of = schema.tables.get(number) ?? schema.views.get(number);
  const rowType = schema.rowType(number);
  if (of === undefined || rowType === null) throw new SvcError('42P01', `relation with OID ${number} does not exist`);
  const { schema: scope, name, columns } = of;
  return { number, schema: scope, name, columns, rowType, types: columns.map(({ type }) => type) };
}

function ready(session: SqlSession, schema: Schema, on: Triggered, table: SqlTable | null, object: TriggerObject): ReadyTrigger {
  const reference = object.function;
  const fn = 'own' in reference ? schema.functions.get(reference.own) : builtInTrigger(reference.name);
  if (fn === undefined) throw new SvcError('42883', `the function of trigger "${object.name}" does not exist`);
  const watches =
    object.columns.length === 0
      ? null
      : new Set(object.columns.map((number) => (table === null ? number - 1 : table.columns.findIndex((column) => column.number === number))));
  const transition = (name: string | null): TransitionTable | null => (name === null ? null : new TransitionTable(name, on.columns));
  return {
    object,
    on,
    fn,
    watches,
    when: object.when === null ? null : condition(session, on, table, object.when),
    oldTable: transition(object.oldTable),
    newTable: transition(object.newTable),
  };
}

function condition(session: SqlSession, on: Triggered, table: SqlTable | null, text: string): When {
  const binder = new Binder(session.names(), session.host.registry, session.env, { types: [], fixed: true });
  binder.stored = true;
  const { scope, columns } = whenScope(binder, on, table);
  const expression = parseExpressionText(text);
  const bound = binder.coercion.toBoolean(bindExpression(binder, expression, scope), 'WHEN', 0);
  const compilation = new Compilation();
  const fn = compilation.scalars([bound], columns);
  const none = on.columns.map((): Value => null);
  return {
    run: (own) => compilation.newRun(execContext(own, [], null)),
    holds: (run, old, row) => fn(run, [...(old ?? none), ...(row ?? none)])[0] === true,
  };
}

const targets = new WeakMap<readonly number[], WeakMap<TableTriggers, ReadonlySet<number>>>();

/** The columns that an UPDATE sets, and the generated columns that depend on them. */
export function updatedColumns(triggers: TableTriggers, columns: readonly number[]): ReadonlySet<number> {
  let byTable = targets.get(columns);
  if (byTable === undefined) targets.set(columns, (byTable = new WeakMap()));
  let known = byTable.get(triggers);
  if (known === undefined) {
    const { generated, on } = triggers;
    const plain = columns.filter((column) => !generated.some((each) => each.column === column));
    const names = plain.map((column) => on.columns[column].name);
    const computed = generated.filter(({ text }) => triggers.computesAll || names.some((name) => mentions(text, name))).map(({ column }) => column);
    byTable.set(triggers, (known = new Set([...plain, ...computed])));
  }
  return known;
}

export function watched({ watches }: ReadyTrigger, triggers: TableTriggers, columns: readonly number[] | null): boolean {
  if (watches === null || columns === null) return true;
  const updated = updatedColumns(triggers, columns);
  for (const each of watches) if (updated.has(each)) return true;
  return false;
}
