/** The built-in trigger functions: manual, 9.28. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { TriggerEvent } from '../../../worlds/definition.ts';
import type { Value } from '../../types/value.ts';
import type { SqlSession } from '../sql-session.ts';
import type { ReadyTrigger } from './table-triggers.ts';

type Row = readonly Value[];

export interface BuiltInTrigger {
  readonly name: string;
  run(session: SqlSession, trigger: ReadyTrigger, event: TriggerEvent, old: Row | null, row: Row | null): Row | null;
}

function protocol(message: string): SvcError {
  return new SvcError('39P01', message);
}

const BUILT_IN: readonly BuiltInTrigger[] = [
  {
    name: 'suppress_redundant_updates_trigger',
    run(session, { object, on }, event, old, row) {
      if (event !== 'update') throw protocol('suppress_redundant_updates_trigger: must be called on update');
      if (object.timing !== 'before') throw protocol('suppress_redundant_updates_trigger: must be called before update');
      if (!object.row) throw protocol('suppress_redundant_updates_trigger: must be called for each row');
      // A generated column depends on the others, and has no new value yet.
      const columns = session.schema().tables.get(on.number)?.columns;
      return on.types.every((type, i) => (columns?.[i].generated ?? null) !== null || same(type, old![i], row![i])) ? null : row;
    },
  },
  { name: 'tsvector_update_trigger', run: (session, trigger, event, _old, row) => updateVector(session, trigger, event, row, false) },
  { name: 'tsvector_update_trigger_column', run: (session, trigger, event, _old, row) => updateVector(session, trigger, event, row, true) },
];

function same(type: ReadyTrigger['on']['types'][number], a: Value, b: Value): boolean {
  if (a === null || b === null) return a === b;
  return Object.is(a, b) || (typeof a === 'object' && type.hashKey(a) === type.hashKey(b));
}

/** tsvector_column, configuration (or the column with its name), text columns. */
function updateVector(session: SqlSession, { object, on }: ReadyTrigger, event: TriggerEvent, row: Row | null, byColumn: boolean): Row {
  if (!object.row) throw protocol('tsvector_update_trigger: must be fired for row');
  if (object.timing !== 'before') throw protocol('tsvector_update_trigger: must be fired BEFORE event');
  if (event !== 'insert' && event !== 'update') throw protocol('tsvector_update_trigger: must be fired for INSERT or UPDATE');
  const [target, configuration, ...sources] = object.args;
  if (object.args.length < 3) {
    throw protocol('tsvector_update_trigger: arguments must be tsvector_field, ts_config, text_field1, ...)');
  }
  const columnOf = (name: string, what: string): number => {
    const at = on.columns.findIndex((column) => column.name === name);
    if (at < 0) throw new SvcError('42703', `${what} "${name}" does not exist`);
    return at;
  };
  const place = columnOf(target, 'tsvector column');
  if (on.types[place].name !== 'tsvector') throw new SvcError('42804', `column "${target}" is not of tsvector type`);
  let regconfig: string;
  if (byColumn) {
    const at = columnOf(configuration, 'configuration column');
    if (on.types[at].name !== 'regconfig') throw new SvcError('42804', `column "${configuration}" is not of regconfig type`);
    if (row![at] === null) throw new SvcError('22004', `configuration column "${configuration}" must not be null`);
    regconfig = on.types[at].format(row![at], session.env);
  } else {
    if (!configuration.includes('.')) throw new SvcError('22023', `text search configuration name "${configuration}" must be schema-qualified`);
    regconfig = configuration;
  }
  const texts: string[] = [];
  for (const name of sources) {
    const at = columnOf(name, 'column');
    if (!['text', 'varchar', 'bpchar'].includes(on.types[at].name)) throw new SvcError('42804', `column "${name}" is not of a character type`);
    const value = row![at];
    if (value !== null) texts.push(on.types[at].format(value, session.env));
  }
  const { registry } = session.host;
  const config = registry.type('regconfig');
  const fn = registry.functions('to_tsvector').find(({ args, kind }) => kind === 'scalar' && args.join() === 'regconfig,text');
  if (fn?.kind !== 'scalar') throw new SvcError('0A000', 'text search is not there');
  const argTypes = [config, registry.type('text')];
  const call = { env: session.env, argTypes, returnType: registry.type('tsvector'), types: session.names() };
  const values: Value[] = [config.parse(regconfig, -1, session.env), texts.join(' ')];
  const vector = (fn.needsCall === true ? (fn.impl as (...args: unknown[]) => Value)(call, ...values) : fn.impl(...values)) as Value;
  return row!.map((value, i) => (i === place ? vector : value));
}

export function builtInTrigger(name: string): BuiltInTrigger | undefined {
  return BUILT_IN.find((each) => each.name === name);
}
