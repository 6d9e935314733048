/**
 * Exclusion constraints (manual, CREATE TABLE, "EXCLUDE"): no two rows for which every operator holds between their columns. Each
 * has an index, whose leading `=` columns narrow down the candidates; if the only remaining column is a range with `&&`, existing
 * rows do not overlap each other, so only the neighbours are checked.
 */
import { shownKey } from './shown-key.ts';
import type { Key } from '../../tree/datum.ts';
import { childRoot } from '../../tree/directory.ts';
import type { Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import { scan, scanBack } from '../../tree/read.ts';
import { ROW_KEY } from '../../worlds/index-keys.ts';
import { rowIn } from '../../tree/row-change.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { EMPTY_RANGE } from '../types/range-value.ts';
import type { Environment } from '../types/environment.ts';
import type { Value } from '../types/value.ts';
import type { Compiler } from './compiler.ts';
import { IndexValues } from './index-values.ts';
import { encodePart, type KeyPart } from './key-codec.ts';
import { keyText } from './row-errors.ts';
import { readRow } from './row-reader.ts';
import { plainColumn, type Schema } from './schema.ts';
import type { Index, SqlTable } from './table.ts';

export class ExclusionRule {
  readonly index: Index;
  readonly late: boolean;
  readonly values: IndexValues;
  readonly #table: SqlTable;
  readonly #parts: readonly KeyPart[];
  /** Number of leading columns with `=`. */
  readonly #equal: number;
  /** Whether the rest is one non-overlapping range. */
  readonly #neighbours: boolean;
  readonly #holds: (row: readonly Value[]) => boolean | null;

  constructor(schema: Schema, table: SqlTable, index: Index, operators: readonly string[], late: boolean, compiler: Compiler) {
    this.index = index;
    this.late = late;
    this.#table = table;
    this.values = new IndexValues(schema, table, index, compiler);
    this.#parts = schema.indexParts(index);
    const other = operators.findIndex((name) => name !== '=');
    this.#equal = other < 0 ? operators.length : other;
    this.#neighbours =
      this.#equal === operators.length - 1 && operators[this.#equal] === '&&' && index.columns[this.#equal].type.range?.multi === false && !late;
    this.#holds = compiler.check(pairTable(table, index), operators.map((name, i) => `(a${i} ${name} b${i})`).join(' AND '));
  }

  /** The row's relevant values; null if it conflicts with nothing. */
  of(row: readonly Value[]): Value[] | null {
    if (!this.values.holds(row)) return null;
    const values = this.values.values(row);
    return values.includes(null) ? null : values;
  }

  /** Rows in different groups never conflict. */
  group(values: readonly Value[]): string {
    let out = '';
    for (let i = 0; i < this.#equal; i++) out += this.#parts.length > 0 ? encodePart(this.#parts[i], values[i]) : this.#hash(i, values[i]);
    return out;
  }

  /** Used if there is no tree by the columns: some have no order. */
  #hash(column: number, value: Value): string {
    const { type } = this.index.columns[column];
    return type.hashable ? `${type.hashKey(value)}\0` : '';
  }

  conflict(mine: readonly Value[], theirs: readonly Value[]): boolean {
    return this.#holds([...mine, ...theirs]) === true;
  }

  /** The values of a stored row that conflicts; `passed` are keys to skip. */
  stored(pager: Pager, root: Node, rows: Node | null, mine: readonly Value[], passed: (key: Key) => boolean): { key: Key; values: Value[] } | null {
    if (rows === null) return null;
    const entries = childRoot(pager, root, this.index.number);
    let found: { key: Key; values: Value[] } | null = null;
    /** true: continue. */
    const look = (key: Key, row: readonly Value[]): 'conflict' | 'none' | 'passed' => {
      if (passed(key)) return 'passed';
      const theirs = this.of(row);
      if (theirs === null) return 'passed';
      if (!this.conflict(mine, theirs)) return this.#neighbours && theirs[this.#equal] === EMPTY_RANGE ? 'passed' : 'none';
      found = { key, values: theirs };
      return 'conflict';
    };
    if (entries === null || this.#parts.length === 0) {
      scan(pager, rows, null, (leaf, from, to) => {
        for (let i = from; i < to; i++) if (look(leaf.key(i), readRow(this.#table, leaf, i)) === 'conflict') return false;
        return true;
      });
      return found;
    }
    const prefix = this.group(mine);
    const entry = (key: Key): 'conflict' | 'none' | 'passed' => {
      const at = rowIn(pager, rows, key);
      return at === null ? 'passed' : look(key, readRow(this.#table, at.leaf, at.index));
    };
    const start = this.#neighbours ? prefix + encodePart(this.#parts[this.#equal], mine[this.#equal]) : prefix;
    scan(pager, entries, start, (leaf, from, to) => {
      for (let i = from; i < to; i++) {
        if (!leaf.skeys[i].startsWith(prefix)) return false;
        const seen = entry(leaf.cell(i, ROW_KEY) as Key);
        if (seen === 'conflict' || (seen === 'none' && this.#neighbours)) return false;
      }
      return true;
    });
    if (found !== null || !this.#neighbours) return found;
    scanBack(pager, entries, start, (leaf, from, to) => {
      for (let i = to - 1; i >= from; i--) {
        if (!leaf.skeys[i].startsWith(prefix)) return false;
        if (entry(leaf.cell(i, ROW_KEY) as Key) !== 'passed') return false;
      }
      return true;
    });
    return found;
  }

  #key(values: readonly Value[], env: Environment): string {
    const { columns } = this.index;
    return keyText(
      shownKey(this.#table, columns, env),
      columns.map(({ type }) => type),
      values,
      env,
    );
  }

  error(mine: readonly Value[], theirs: readonly Value[], env: Environment): SvcError {
    const { name, schema } = this.#table;
    const lower = (text: string): string => `key${text.slice(3)}`;
    return new SvcError('23P01', `conflicting key value violates exclusion constraint "${this.index.constraint!}"`, {
      detail: `${this.#key(mine, env)} conflicts with existing ${lower(this.#key(theirs, env))}.`,
      data: { schema, table: name, constraint: this.index.constraint! },
    });
  }

  creationError(mine: readonly Value[], theirs: readonly Value[], env: Environment): SvcError {
    return new SvcError('23P01', `could not create exclusion constraint "${this.index.constraint!}"`, {
      detail: `${this.#key(mine, env)} conflicts with key${this.#key(theirs, env).slice(3)}.`,
      data: { schema: this.#table.schema, table: this.#table.name, constraint: this.index.constraint! },
    });
  }
}

/** Columns of two rows side by side, for the operators between them. */
function pairTable(table: SqlTable, { columns }: Index): SqlTable {
  const side = (letter: string, from: number): SqlTable['columns'] => columns.map(({ type }, i) => plainColumn(from + i, from + i + 1, `${letter}${i}`, type));
  return { ...table, columns: [...side('a', 0), ...side('b', columns.length)], key: { numeric: true, columns: [] }, indexes: [], checks: [], foreignKeys: [] };
}

/** The rules of a table's exclusion constraints. */
export function exclusionRules(schema: Schema, table: SqlTable, compiler: Compiler): ExclusionRule[] {
  return table.indexes.flatMap((index) => {
    if (!index.excludes) return [];
    const object = schema.catalog.indexes.get(index.number)!;
    return [new ExclusionRule(schema, table, index, object.exclusion!.operators, object.deferrable, compiler)];
  });
}
