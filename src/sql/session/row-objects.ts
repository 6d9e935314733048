/**
 * Results with rows as objects, as HTTP, `svc --json` and programs get them. Of columns of one name the first keeps it, and the others are
 * `name_1`, `name_2` …, without taking a name that another column has: `SELECT 1 AS a, 2 AS a` is `{"a": 1, "a_1": 2}`. `columns` are the
 * keys of the rows, in the order of the SELECT.
 */
import type { Row, SqlReply } from '../../commands/contract.ts';
import type { Environment } from '../types/environment.ts';
import { setField } from '../../base/json.ts';
import type { StatementResult } from './results.ts';

export type RowObjects = SqlReply['results'][number];

export function rowObjects({ command, columns, rows }: StatementResult, env: Environment): RowObjects {
  if (columns === null) return { command, columns: [], types: [], rows: [] };
  const keys = distinctNames(columns.map(({ name }) => name));
  return {
    command,
    columns: keys,
    types: columns.map(({ type }) => type.title),
    rows: rows.map((values) => {
      const row: Row = {};
      for (let i = 0; i < keys.length; i++) {
        const value = values[i];
        setField(row, keys[i], value === null ? null : columns[i].type.json(value, env));
      }
      return row;
    }),
  };
}

function distinctNames(names: string[]): string[] {
  const taken = new Set(names);
  if (taken.size === names.length) return names;
  const seen = new Set<string>();
  const last = new Map<string, number>();
  return names.map((name) => {
    if (!seen.has(name)) {
      seen.add(name);
      return name;
    }
    let number = last.get(name) ?? 0;
    let key: string;
    do key = `${name}_${++number}`;
    while (taken.has(key));
    last.set(name, number);
    taken.add(key);
    return key;
  });
}
