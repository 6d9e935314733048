/** Random tables with typed columns and rows full of nulls and repeated values. */
import type { Seeded } from './seeded.ts';

export type SqlType = 'int' | 'bigint' | 'numeric' | 'float' | 'text' | 'bool' | 'date' | 'timestamp';

export const TYPES: readonly SqlType[] = ['int', 'bigint', 'numeric', 'float', 'text', 'bool', 'date', 'timestamp'];

export const TYPE_NAMES: Record<SqlType, string> = {
  int: 'integer',
  bigint: 'bigint',
  numeric: 'numeric(8,2)',
  float: 'double precision',
  text: 'text',
  bool: 'boolean',
  date: 'date',
  timestamp: 'timestamp',
};

export interface Column {
  name: string;
  type: SqlType;
}

export interface Table {
  name: string;
  /** The first is `id integer primary key`. */
  columns: Column[];
  rows: string[][];
}

export function randomSchema(random: Seeded): Table[] {
  return Array.from({ length: random.between(1, 3) }, (_, index) => {
    const columns: Column[] = [{ name: 'id', type: 'int' }];
    // Shared names make USING joins and ambiguous references possible.
    for (let at = random.between(2, 6); at > 0; at--) columns.push({ name: `c${columns.length}`, type: random.pick(TYPES) });
    const rows = Array.from({ length: random.between(0, 12) }, (_, id) => [
      String(id + 1),
      ...columns.slice(1).map(({ type }) => (random.chance(0.2) ? 'NULL' : literal(random, type))),
    ]);
    return { name: `t${index}`, columns, rows };
  });
}

/** A minus sign stands inside of quotes or parentheses, since a cast binds closer. Small pools, so that values meet again in joins and groups. */
export function literal(random: Seeded, type: SqlType): string {
  if (type === 'int') return random.pick(['0', '1', '2', '3', '4', '7', '8', '12', '(-1)', '(-5)']);
  if (type === 'bigint') return `'${random.pick(['0', '1', '-3', '7', '5000000000', '-5000000001', '42'])}'::bigint`;
  if (type === 'numeric') return `'${random.pick(['0.00', '1.50', '-2.25', '10.00', '99.99', '3.10', '-0.01'])}'::numeric`;
  if (type === 'float') return `'${random.pick(['0', '1.5', '-2.25', '1e10', '0.125', '-7', '3'])}'::float8`;
  if (type === 'text') return random.pick([`''`, `'a'`, `'b'`, `'ab'`, `'abc'`, `'zz top'`, `'x%y'`, `'10'`]);
  if (type === 'bool') return random.pick(['true', 'false']);
  if (type === 'date') return `date '${random.pick(['2024-01-01', '2024-02-29', '1999-12-31', '2024-01-15', '1970-01-01'])}'`;
  return `timestamp '${random.pick(['2024-01-01 00:00:00', '2024-02-29 12:34:56.789', '1999-12-31 23:59:59', '2024-01-15 06:00:00'])}'`;
}

export function schemaStatements(tables: readonly Table[]): string[] {
  return tables.flatMap((table) => {
    const columns = table.columns.map(({ name, type }) => `${name} ${TYPE_NAMES[type]}${name === 'id' ? ' PRIMARY KEY' : ''}`);
    const create = `CREATE TABLE ${table.name} (${columns.join(', ')})`;
    // A statement a row: dropping one is a step of shrinking.
    return [create, ...table.rows.map((row) => `INSERT INTO ${table.name} VALUES (${row.join(', ')})`)];
  });
}
