/** The reg… types and system functions, value and error, beside Postgres. */
import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SvcError } from '../../../src/base/errors/svc-error.ts';
import type { Registry } from '../../../src/sql/functions/registry.ts';
import type { Value } from '../../../src/sql/types/value.ts';
import { type Bench, makeBench } from './bind-queries.ts';
import { makeRegistry, makeSchema } from './library.ts';
import { SHOP, SHOP_SQL } from './shop.ts';
import { newPostgres } from '../../postgres-oracle.ts';

/** Types of extensions that PGlite does not ship. */
const FIRST_OF_EXTENSIONS = 9801;

let pg: PGlite;
let bench: Bench;
let registry: Registry;

beforeAll(async () => {
  pg = await newPostgres();
  await pg.exec(SHOP_SQL);
  registry = await makeRegistry();
  bench = makeBench(registry, makeSchema(registry, SHOP));
}, 60_000);
afterAll(() => pg.close());

interface Outcome {
  readonly text?: string | null;
  readonly code?: string;
  readonly message?: string;
}

async function theirs(sql: string): Promise<Outcome> {
  try {
    const { rows } = await pg.query<[string | null]>(sql, [], { rowMode: 'array' });
    return { text: rows[0][0] };
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return { code, message };
  }
}

function outcome(run: () => string | null): Outcome {
  try {
    return { text: run() };
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return { code: error.code, message: error.message };
  }
}

function call(name: string, args: readonly string[], values: readonly string[]): string | null {
  const fn = registry.functions(name).find((each) => each.args.join() === args.join());
  if (fn?.kind !== 'scalar') throw new Error(`no ${name}(${args.join()})`);
  const types = args.map((arg) => registry.type(arg));
  const parsed = values.map((value, i): Value => (value === 'NULL' ? null : types[i].parse(value, -1, bench.env)));
  if (fn.strict !== false && parsed.includes(null)) return null;
  const returns = registry.type(fn.returns);
  const result = fn.needsCall === true ? fn.impl({ env: bench.env, argTypes: types, returnType: returns }, ...parsed) : fn.impl(...parsed);
  return result === null ? null : returns.format(result, bench.env);
}

describe('reg… types read and print', () => {
  it.each([
    ['regclass', 'customers'],
    ['regclass', 'sales.orders'],
    ['regclass', 'orders'],
    ['regclass', '"Customers"'],
    ['regclass', ' PUBLIC . customers '],
    ['regclass', 'pg_class'],
    ['regclass', 'information_schema.tables'],
    ['regclass', 'a.b.c.d'],
    ['regclass', 'other.public.customers'],
    ['regclass', '1259'],
    ['regclass', '4294967295'],
    ['regclass', '-'],
    ['regclass', ''],
    ['regclass', 'sales.'],
    ['regtype', 'int'],
    ['regtype', 'integer[]'],
    ['regtype', 'varchar(5)'],
    ['regtype', 'character varying'],
    ['regtype', 'timestamp with time zone'],
    ['regtype', 'mood'],
    ['regtype', 'mood[]'],
    ['regtype', 'public.mood'],
    ['regtype', '_int4'],
    ['regtype', 'nothing'],
    ['regtype', 'text'],
    ['regtype', '"char"'],
    ['regtype', 'char'],
    ['regtype', 'numeric(10,2)'],
    ['regtype', 'double precision'],
    ['regtype', 'oidvector'],
    ['regproc', 'now'],
    ['regproc', 'nothing'],
    ['regproc', 'abs'],
    ['regprocedure', 'abs(int)'],
    ['regprocedure', 'abs(text)'],
    ['regprocedure', 'now()'],
    ['regprocedure', 'abs'],
    ['regoperator', '+(int,int)'],
    ['regoperator', '-(none,int)'],
    ['regoperator', '+(text,text)'],
    ['regnamespace', 'public'],
    ['regnamespace', 'sales'],
    ['regnamespace', 'nowhere'],
    ['regrole', 'postgres'],
    ['regrole', 'nobody'],
    ['regcollation', '"C"'],
    ['regcollation', '"default"'],
    ['regcollation', 'nothing'],
  ])('%s %s', async (type, text) => {
    const expected = await theirs(`SELECT ('${text}'::${type})::text`);
    const own = outcome(() => {
      const found = registry.type(type);
      return found.format(found.parse(text, -1, bench.env), bench.env);
    });
    expect(own).toEqual(expected);
  });
});

describe('functions', () => {
  it.each([
    ['to_regclass', 'text', 'customers'],
    ['to_regclass', 'text', 'nothing'],
    ['to_regtype', 'text', 'int4'],
    ['to_regtype', 'text', 'nothing'],
    ['to_regnamespace', 'text', 'sales'],
    ['to_regproc', 'text', 'abs'],
    ['to_regprocedure', 'text', 'abs(int)'],
    ['pg_get_serial_sequence', 'text,text', 'customers', 'id'],
    ['pg_get_serial_sequence', 'text,text', 'sales.orders', 'id'],
    ['pg_get_serial_sequence', 'text,text', 'customers', 'name'],
    ['pg_get_serial_sequence', 'text,text', 'customers', 'nothing'],
    ['pg_get_serial_sequence', 'text,text', 'nothing', 'id'],
    ['pg_get_userbyid', 'oid', '10'],
    ['pg_get_userbyid', 'oid', '99999'],
    ['pg_encoding_to_char', 'int4', '6'],
    ['pg_encoding_to_char', 'int4', '8'],
    ['pg_encoding_to_char', 'int4', '41'],
    ['pg_encoding_to_char', 'int4', '99'],
    ['pg_char_to_encoding', 'name', 'utf-8'],
    ['pg_char_to_encoding', 'name', 'nothing'],
    ['pg_size_pretty', 'int8', '0'],
    ['pg_size_pretty', 'int8', '10239'],
    ['pg_size_pretty', 'int8', '10240'],
    ['pg_size_pretty', 'int8', '-10240'],
    ['pg_size_pretty', 'int8', '20970495'],
    ['pg_size_pretty', 'int8', '20971000'],
    ['pg_size_pretty', 'int8', '123456789012'],
    ['pg_size_pretty', 'int8', '9223372036854775807'],
    ['pg_size_pretty', 'numeric', '1234.5'],
    ['pg_size_pretty', 'numeric', '123456789.5'],
    ['pg_size_bytes', 'text', '10 MB'],
    ['pg_size_bytes', 'text', '1.5kB'],
    ['pg_size_bytes', 'text', '-3 GB'],
    ['pg_size_bytes', 'text', '12'],
    ['pg_size_bytes', 'text', 'x'],
    ['pg_size_bytes', 'text', '1 XB'],
    ['pg_table_is_visible', 'oid', 'customers'],
    ['pg_table_is_visible', 'oid', 'sales.orders'],
    ['has_table_privilege', 'text,text', 'customers', 'SELECT'],
    ['has_table_privilege', 'text,text', 'nothing', 'SELECT'],
    ['has_table_privilege', 'text,text', 'customers', 'EAT'],
    ['has_table_privilege', 'name,text,text', 'nobody', 'customers', 'SELECT'],
    ['has_column_privilege', 'text,text,text', 'customers', 'nothing', 'SELECT'],
    ['has_schema_privilege', 'text,text', 'public', 'usage'],
    ['has_schema_privilege', 'text,text', 'nowhere', 'usage'],
    ['has_sequence_privilege', 'text,text', 'customers_id_seq', 'USAGE'],
    ['obj_description', 'oid,name', 'customers', 'pg_class'],
    ['col_description', 'oid,int4', 'customers', '2'],
    ['col_description', 'oid,int4', 'customers', '1'],
    ['pg_index_column_has_property', 'regclass,int4,text', 'sales.orders_amount', '1', 'desc'],
    ['pg_index_column_has_property', 'regclass,int4,text', 'sales.orders_amount', '2', 'nulls_first'],
    ['pg_index_column_has_property', 'regclass,int4,text', 'sales.orders_amount', '3', 'orderable'],
    ['pg_index_column_has_property', 'regclass,int4,text', 'sales.orders_amount', '3', 'asc'],
    ['pg_index_has_property', 'regclass,text', 'customers_pkey', 'index_scan'],
    ['pg_indexam_has_property', 'oid,text', '403', 'can_order'],
    ['acldefault', 'char,oid', 'r', '10'],
    ['acldefault', 'char,oid', 'd', '10'],
    ['pg_input_is_valid', 'text,text', '12', 'int4'],
    ['pg_input_is_valid', 'text,text', 'x', 'int4'],
    ['pg_input_is_valid', 'text,text', 'abcdef', 'varchar(3)'],
    ['pg_input_is_valid', 'text,text', 'ok', 'mood'],
    ['pg_is_in_recovery', ''],
    ['getdatabaseencoding', ''],
    ['pg_function_is_visible', 'oid', '1395'],
    ['pg_type_is_visible', 'oid', '23'],
  ])('%s(%s) %s %s %s', async (name, list, ...values) => {
    const args = list === '' ? [] : list.split(',');
    const given = values.filter((value) => value !== undefined) as string[];
    // Oids differ: relations are given by name.
    const literal = (value: string, type: string): string =>
      type === 'oid' && !/^\d+$/.test(value) ? `'${value}'::regclass::oid` : `'${value}'::${type === 'char' ? '"char"' : type}`;
    const rights = name === 'acldefault' && given[0] === 'r';
    const expected = await theirs(`SELECT ${name}(${given.map((value, i) => literal(value, args[i])).join()})::text`);
    const own = outcome(() =>
      call(
        name,
        args,
        given.map((value, i) => (args[i] === 'oid' && !/^\d+$/.test(value) ? String(bench.names.relationOid(value)) : value)),
      ),
    );
    // cast(bool as text) says true; MAINTAIN came after 15.
    const shown = expected.text === 'true' || expected.text === 'false' ? expected.text[0] : rights ? expected.text!.replace('m/', '/') : expected.text;
    expect(own).toEqual('text' in expected ? { text: shown } : expected);
  });

  it('format_type', async () => {
    const cases: [number, string][] = [];
    for (const type of registry.types())
      if (type.oid < FIRST_OF_EXTENSIONS && type.name !== '_record' && type.name !== 'record')
        for (const typmod of ['NULL', '-1']) cases.push([type.oid, typmod]);
    for (const [oid, typmod] of [
      [1043, 9],
      [1042, 5],
      [1700, 655366],
      [1700, ((5 << 16) | (2048 - 2)) + 4],
      [1114, 3],
      [1184, 0],
      [1083, 3],
      [1266, 6],
      [1186, (4 << 16) | 0xffff],
      [1186, (0x7fff << 16) | 3],
      [1186, (7176 << 16) | 3],
      [1015, 9],
      [1185, 3],
      [1231, 655366],
      [23, 7],
      [0, -1],
      [999999, -1],
    ]) {
      cases.push([oid, String(typmod)]);
    }
    const list = cases.map(([oid, typmod]) => `(${oid}, ${typmod}::int4)`).join();
    const { rows } = await pg.query<[string]>(`SELECT format_type(o::oid, m) FROM (VALUES ${list}) v(o, m)`, [], { rowMode: 'array' });
    const own = cases.map(([oid, typmod]) => `${oid} ${typmod} ${call('format_type', ['oid', 'int4'], [String(oid), typmod])}`);
    expect(own).toEqual(rows.map(([text], i) => `${cases[i].join(' ')} ${text}`));
  });
});
