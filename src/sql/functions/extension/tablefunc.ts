/** Functions of the extension tablefunc: pivot tables, trees by their keys, normally distributed numbers. Manual, appendix F.43. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { columnsOf } from '../../types/record-type.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import type { Call, FunctionModule, SetFunction } from '../define.ts';
import { systemOf } from '../system/session-of.ts';

/** A value as the text that Postgres's server interface gives, read again as the column's type. */
function recast(call: Call, value: Value, from: SqlType, to: SqlType): Value {
  if (value === null || from.oid === to.oid) return value;
  return to.parse(from.format(value, call.env), -1, call.env);
}

function* grouped(call: Call, text: string, types: readonly SqlType[], categories: number): Generator<Value[]> {
  const { types: given, rows } = systemOf(call).queryRows(text);
  if (given.length !== 3) {
    throw new SvcError('22023', 'invalid source data SQL statement', { detail: 'The provided SQL must return 3 columns: rowid, category, and values.' });
  }
  let row: Value[] | null = null;
  let last: string | null | undefined;
  let filled = 0;
  for (const [id, , value] of rows) {
    const name = id === null ? null : given[0].format(id, call.env);
    if (row === null || name !== last) {
      if (row !== null) yield row;
      row = [recast(call, id, given[0], types[0]), ...new Array<Value>(categories).fill(null)];
      filled = 0;
      last = name;
    }
    // Values beyond the last column are left out.
    if (filled < categories) row[++filled] = recast(call, value, given[2], types[filled]);
  }
  if (row !== null) yield row;
}

function wanted(call: Call): readonly SqlType[] {
  const columns = columnsOf(call.returnType);
  if (columns === null) throw new SvcError('42601', 'a column definition list is required for functions returning "record"');
  return columns.map(({ type }) => type);
}

function crosstab(call: Call, text: string): Iterable<Value[]> {
  const types = wanted(call);
  if (types.length < 2) throw new SvcError('42601', 'return and sql tuple descriptions are incompatible');
  return grouped(call, text, types, types.length - 1);
}

/** Categories from a separate query; columns between the first and the last two are passed through. */
function* crosstabByCategory(call: Call, text: string, categoryText: string): Generator<Value[]> {
  const types = wanted(call);
  const system = systemOf(call);
  const known = system.queryRows(categoryText);
  if (known.types.length !== 1) throw new SvcError('42601', 'provided "categories" SQL must return 1 column of at least one row');
  const categories = new Map<string, number>();
  known.rows.forEach(([name], i) => {
    if (name === null) throw new SvcError('42601', 'provided "categories" SQL must not return NULL values');
    categories.set(known.types[0].format(name, call.env), i);
  });
  if (categories.size === 0) throw new SvcError('42601', 'provided "categories" SQL must return 1 column of at least one row');
  const { types: given, rows } = system.queryRows(text);
  if (given.length < 3) {
    throw new SvcError('22023', 'invalid source data SQL statement', { detail: 'The provided SQL must return 3 columns: rowid, category, and values.' });
  }
  const extra = given.length - 2;
  if (types.length !== extra + known.rows.length) {
    throw new SvcError('42601', 'invalid return type', {
      detail: `Query-specified return tuple has ${types.length} columns but crosstab returns ${extra + known.rows.length}.`,
    });
  }
  let row: Value[] | null = null;
  let last: string | null | undefined;
  for (const source of rows) {
    const name = source[0] === null ? null : given[0].format(source[0], call.env);
    if (row === null || name !== last) {
      if (row !== null) yield row;
      row = types.map((type, i) => (i < extra ? recast(call, source[i], given[i], type) : null));
      last = name;
    }
    const category = source[extra];
    const at = category === null ? undefined : categories.get(given[extra].format(category, call.env));
    if (at !== undefined) row[extra + at] = recast(call, source[extra + 1], given[extra + 1], types[extra + at]);
  }
  if (row !== null) yield row;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The tree below a key: key, parent, level, and optionally the path to it and its serial number. */
function* connectby(
  call: Call,
  table: string,
  key: string,
  parent: string,
  order: string | null,
  start: string,
  depth: number,
  delimiter: string | null,
): Generator<Value[]> {
  const types = wanted(call);
  const system = systemOf(call);
  const branch = delimiter ?? '~';
  let serial = 0;
  const rowOf = (id: string, above: string | null, level: number, way: string): Value[] => {
    serial++;
    const texts: (string | null)[] = [id, above, String(level), ...(delimiter === null ? [] : [way]), ...(order === null ? [] : [String(serial)])];
    if (texts.length !== types.length) {
      throw new SvcError('42601', 'invalid return type', { detail: `Query-specified return tuple must have ${texts.length} columns.` });
    }
    return texts.map((text, i) => (text === null ? null : types[i].parse(text, -1, call.env)));
  };
  yield rowOf(start, null, 0, start);
  function* below(id: string, level: number, way: string, ways: readonly string[]): Generator<Value[]> {
    if (depth > 0 && level > depth) return;
    const text = `SELECT ${key}, ${parent} FROM ${table} WHERE ${parent} = ${quoted(id)} AND ${key} IS NOT NULL AND ${key} <> ${parent}${order === null ? '' : ` ORDER BY ${order}`}`;
    const { types: given, rows } = system.queryRows(text);
    for (const [child] of rows) {
      const name = given[0].format(child, call.env);
      if (ways.includes(name)) throw new SvcError('42P19', 'infinite recursion detected');
      const own = `${way}${branch}${name}`;
      yield rowOf(name, id, level, own);
      yield* below(name, level + 1, own, [...ways, name]);
    }
  }
  yield* below(start, 1, start, [start]);
}

function* normal({ env }: Call, count: number, mean: number, deviation: number): Generator<Value> {
  if (count < 0) throw new SvcError('22023', 'number of rows cannot be negative');
  for (let i = 0; i < count; i++) {
    // Box and Muller; 0 has no logarithm.
    const radius = Math.sqrt(-2 * Math.log(1 - env.random()));
    yield mean + deviation * radius * Math.cos(2 * Math.PI * env.random());
  }
}

const common = { kind: 'set', returns: 'record', volatility: 'stable', needsCall: true } as const;

function fixed(count: number): SetFunction {
  const columns = [{ name: 'row_name', type: 'text' }, ...Array.from({ length: count }, (_, i) => ({ name: `category_${i + 1}`, type: 'text' }))];
  return {
    ...common,
    name: `crosstab${count}`,
    args: ['text'],
    doc: `Rows turned into a row name and ${count} columns (tablefunc).`,
    columns,
    impl: (call: Call, text: string) => {
      const { types } = systemOf(call).queryRows(`SELECT ''::text`);
      return grouped(
        call,
        text,
        columns.map(() => types[0]),
        count,
      );
    },
  };
}

export const TABLEFUNC: FunctionModule = {
  functions: [
    { ...common, name: 'crosstab', args: ['text'], doc: 'Rows turned into columns (tablefunc).', impl: crosstab },
    { ...common, name: 'crosstab', args: ['text', 'int4'], doc: 'Rows turned into columns; the number is ignored (tablefunc).', impl: crosstab },
    { ...common, name: 'crosstab', args: ['text', 'text'], doc: 'Rows turned into columns by their categories (tablefunc).', impl: crosstabByCategory },
    ...[2, 3, 4].map(fixed),
    {
      ...common,
      name: 'connectby',
      args: ['text', 'text', 'text', 'text', 'int4', 'text'],
      doc: 'The tree below a key, with the way to each (tablefunc).',
      impl: (call: Call, table: string, key: string, parent: string, start: string, depth: number, delimiter: string) =>
        connectby(call, table, key, parent, null, start, depth, delimiter),
    },
    {
      ...common,
      name: 'connectby',
      args: ['text', 'text', 'text', 'text', 'int4'],
      doc: 'The tree below a key (tablefunc).',
      impl: (call: Call, table: string, key: string, parent: string, start: string, depth: number) =>
        connectby(call, table, key, parent, null, start, depth, null),
    },
    {
      ...common,
      name: 'connectby',
      args: ['text', 'text', 'text', 'text', 'text', 'int4', 'text'],
      doc: 'The tree below a key in an order, with the way to each (tablefunc).',
      impl: connectby,
    },
    {
      ...common,
      name: 'connectby',
      args: ['text', 'text', 'text', 'text', 'text', 'int4'],
      doc: 'The tree below a key in an order (tablefunc).',
      impl: (call: Call, table: string, key: string, parent: string, order: string, start: string, depth: number) =>
        connectby(call, table, key, parent, order, start, depth, null),
    },
    {
      kind: 'set',
      name: 'normal_rand',
      args: ['int4', 'float8', 'float8'],
      returns: 'float8',
      volatility: 'volatile',
      needsCall: true,
      doc: 'Normally distributed random numbers around a mean (tablefunc).',
      impl: normal,
    },
  ],
};
