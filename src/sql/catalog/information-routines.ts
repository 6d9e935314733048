/** information_schema.routines and .parameters: of built-in and user-defined functions. */
import type { UserFunction } from '../schema/schema.ts';
import type { Value } from '../types/value.ts';
import { symbolFacts } from './facts.ts';
import { isUserDefined, udt } from './information-schema.ts';
import { describeType, specificName } from './information-types.ts';
import type { Row } from './made-relation.ts';
import type { RowSource } from './system-catalog.ts';

const yes = (value: boolean): string => (value ? 'YES' : 'NO');

export function routineRows(source: RowSource): Row[] {
  const { functions, database, schema } = source;
  const make = rowMaker(source, 'routines');
  const own = [...schema.functions.values()].map((each) => ownRoutine(source, make, each));
  const builtIn = [...functions.byOid.values()].map(({ oid, name, returns, fn, facts }): Row => {
    const type = schema.typeByOid(returns);
    const kind = fn?.kind ?? (facts?.kind === 'a' ? 'aggregate' : facts?.kind === 'w' ? 'window' : 'scalar');
    const volatility = fn !== null && 'volatility' in fn ? fn.volatility : facts?.volatility === 'i' ? 'immutable' : undefined;
    return make({
      specific_catalog: database,
      specific_schema: 'pg_catalog',
      specific_name: specificName(name, oid),
      routine_catalog: database,
      routine_schema: 'pg_catalog',
      routine_name: name,
      routine_type: kind === 'aggregate' || kind === 'window' ? null : 'FUNCTION',
      data_type: type === null ? null : describeType(type, -1, false).dataType,
      type_udt_catalog: database,
      type_udt_schema: 'pg_catalog',
      type_udt_name: type?.name ?? null,
      dtd_identifier: '0',
      routine_body: 'EXTERNAL',
      routine_definition: kind === 'aggregate' ? 'aggregate_dummy' : (symbolFacts().get(oid) ?? name),
      external_language: 'INTERNAL',
      parameter_style: 'GENERAL',
      is_deterministic: yes(volatility === 'immutable'),
      sql_data_access: 'MODIFIES',
      is_null_call: yes(facts?.strict ?? false),
      schema_level_routine: 'YES',
      max_dynamic_result_sets: 0,
      security_type: 'INVOKER',
      as_locator: 'NO',
      is_udt_dependent: 'NO',
    });
  });
  return [...builtIn, ...own];
}

export function parameterRows(source: RowSource): Row[] {
  const { functions, database, schema } = source;
  const make = rowMaker(source, 'parameters');
  const rows: Row[] = [];
  for (const entry of functions.byOid.values()) {
    const { oid, name, args } = entry;
    const { names } = functions.parametersOf(entry);
    args.forEach((arg, i) => {
      const type = schema.typeByOid(arg);
      rows.push(
        make({
          specific_catalog: database,
          specific_schema: 'pg_catalog',
          specific_name: specificName(name, oid),
          ordinal_position: i + 1,
          parameter_mode: 'IN',
          is_result: 'NO',
          as_locator: 'NO',
          parameter_name: names?.[i] ?? null,
          data_type: type === null ? null : describeType(type, -1, false).dataType,
          udt_catalog: database,
          udt_schema: 'pg_catalog',
          udt_name: type?.name ?? null,
          dtd_identifier: String(i + 1),
        }),
      );
    });
  }
  for (const each of schema.functions.values()) rows.push(...ownParameters(source, make, each));
  return rows;
}

type Make = (values: Readonly<Record<string, Value>>) => Row;

function typeColumns({ schema, database }: RowSource, oid: number, prefix: string): Record<string, Value> {
  const type = schema.typeByOid(oid);
  if (type === null) return {};
  const own = isUserDefined(schema, type);
  const [udtSchema, udtName] = udt(schema, type);
  return {
    data_type: describeType(type, -1, own).dataType,
    [`${prefix}udt_catalog`]: database,
    [`${prefix}udt_schema`]: udtSchema,
    [`${prefix}udt_name`]: udtName,
  };
}

function ownRoutine(source: RowSource, make: Make, { object }: UserFunction): Row {
  const { database } = source;
  const { number, schema, name, procedure, returns, body, form, volatility, strict, aggregate } = object;
  const language = aggregate === undefined ? (object.language ?? 'sql') : 'internal';
  return make({
    specific_catalog: database,
    specific_schema: schema,
    specific_name: specificName(name, number),
    routine_catalog: database,
    routine_schema: schema,
    routine_name: name,
    routine_type: procedure ? 'PROCEDURE' : 'FUNCTION',
    ...(procedure ? {} : typeColumns(source, returns, 'type_')),
    dtd_identifier: procedure ? null : '0',
    routine_body: language === 'sql' ? 'SQL' : 'EXTERNAL',
    routine_definition: aggregate !== undefined ? 'aggregate_dummy' : form === 'text' ? body : '',
    external_language: language.toUpperCase(),
    parameter_style: 'GENERAL',
    is_deterministic: yes(volatility === 'immutable'),
    sql_data_access: 'MODIFIES',
    is_null_call: procedure ? null : yes(strict),
    schema_level_routine: 'YES',
    max_dynamic_result_sets: 0,
    security_type: 'INVOKER',
    as_locator: 'NO',
    is_udt_dependent: 'NO',
  });
}

const MODES = { in: 'IN', out: 'OUT', inout: 'INOUT', variadic: 'IN', table: 'OUT' } as const;

function ownParameters(source: RowSource, make: Make, { object }: UserFunction): Row[] {
  const { number, schema, name, args } = object;
  return args.map(({ name: called, mode, type, default: text }, i) =>
    make({
      specific_catalog: source.database,
      specific_schema: schema,
      specific_name: specificName(name, number),
      ordinal_position: i + 1,
      parameter_mode: MODES[mode],
      is_result: 'NO',
      as_locator: 'NO',
      parameter_name: called === '' ? null : called,
      ...typeColumns(source, type, ''),
      dtd_identifier: String(i + 1),
      parameter_default: text === null ? null : source.texts.argument(text, type),
    }),
  );
}

/** Rows of a wide view from the few columns with values. */
function rowMaker({ definitions }: RowSource, view: string): (values: Readonly<Record<string, Value>>) => Row {
  const { columns } = definitions.get(`information_schema.${view}`)!;
  return (values) => columns.map(({ name }) => values[name] ?? null);
}
