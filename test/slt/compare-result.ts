/** Judges one outcome against what a query record expects. */
import { createHash } from 'node:crypto';
import { classicValue, ownValue, plainValue, sameValue } from './format-value.ts';
import type { Dialect, QueryRecord, SortMode } from './parse-slt.ts';
import type { Outcome } from './target.ts';

export interface Mismatch {
  expected: string;
  got: string;
}

const HASH = /^(\d+) values? hashing to ([0-9a-f]{32})$/;

/** Null where the outcome is as expected. */
export function compareResult(record: QueryRecord, outcome: Outcome, dialect: Dialect): Mismatch | null {
  if (record.expected === null) return null;
  if (dialect === 'own') return compareOwn(record, outcome, record.expected);
  const hash = record.expected.length === 1 ? HASH.exec(record.expected[0]) : null;
  if (dialect === 'classic' || hash !== null) return compareClassic(record, outcome, record.expected, hash, dialect);
  return compareRows(record, outcome, record.expected);
}

/** Classic values in the order of the record's sort mode. */
function classicValues(record: QueryRecord, outcome: Outcome, dialect: Dialect): string[] {
  const format = dialect === 'classic' ? classicValue : (_letter: string, text: string | null): string => plainValue(text);
  const rows = outcome.rows.map((row) => row.map((value, index) => format(record.types[index] ?? 'T', value)));
  return sorted(rows, record.sort).flat();
}

function sorted(rows: string[][], sort: SortMode): string[][] {
  if (sort === 'rowsort') return rows.sort(compareRowTexts);
  if (sort === 'valuesort')
    return rows
      .flat()
      .sort(byText)
      .map((value) => [value]);
  return rows;
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareRowTexts(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < a.length; index++) {
    const order = byText(a[index], b[index]);
    if (order !== 0) return order;
  }
  return 0;
}

function compareClassic(record: QueryRecord, outcome: Outcome, expected: readonly string[], hash: RegExpExecArray | null, dialect: Dialect): Mismatch | null {
  const values = classicValues(record, outcome, dialect);
  if (hash === null) {
    const same = values.length === expected.length && values.every((value, index) => value === expected[index]);
    return same ? null : { expected: expected.join('\n'), got: values.join('\n') };
  }
  const digest = createHash('md5');
  for (const value of values) digest.update(`${value}\n`);
  const hex = digest.digest('hex');
  if (values.length === Number(hash[1]) && hex === hash[2]) return null;
  return { expected: expected[0], got: `${values.length} values hashing to ${hex}\n${values.slice(0, 20).join('\n')}` };
}

/** DuckDB and RisingWave: a row a line, or a value a line where the count says so. Both sides are sorted alike. */
function compareRows(record: QueryRecord, outcome: Outcome, expected: readonly string[]): Mismatch | null {
  const width = outcome.columns.length;
  const got = outcome.rows.map((row) => row.map(plainValue));
  const mismatch = (): Mismatch => ({ expected: expected.join('\n'), got: got.map((row) => row.join('\t')).join('\n') });
  if (width > 1 && expected.length === got.length * width && expected.length > 0 && !expected.some((line) => line.includes('\t'))) {
    const wanted: string[][] = [];
    for (let at = 0; at < expected.length; at += width) wanted.push(expected.slice(at, at + width));
    return sameRows(wanted, got, record.sort, record.types) ? null : mismatch();
  }
  if (expected.length !== got.length) return mismatch();
  const wanted = expected.map((line) => (width === 1 ? [line] : line.split('\t')));
  if (wanted.every((row) => row.length === width) && sameRows(wanted, got, record.sort, record.types)) return null;
  // Space separated: a value may hold spaces itself, so both sides are compared word by word.
  const words = (text: string): string[] => text.trim().split(/\s+/);
  return sameRows(
    expected.map(words),
    got.map((row) => words(row.join(' '))),
    record.sort,
  )
    ? null
    : mismatch();
}

function sameRow(expected: readonly string[], got: readonly string[], types: string): boolean {
  return expected.length === got.length && expected.every((value, index) => sameValue(value, got[index], types[index]));
}

function sameRows(expected: readonly string[][], got: readonly string[][], sort: SortMode, types = ''): boolean {
  const same = (a: readonly string[][], b: readonly string[][]): boolean => a.length === b.length && a.every((row, at) => sameRow(row, b[at], types));
  if (sort === 'nosort') return same(expected, got);
  return (
    same(
      sorted(
        expected.map((row) => [...row]),
        sort,
      ),
      sorted(
        got.map((row) => [...row]),
        sort,
      ),
    ) || sameMultiset(expected, got, sort, types)
  );
}

/** Where spellings differ (`1` and `1.0`) sorting by text may order the sides differently; then each row looks for its own. */
function sameMultiset(expected: readonly string[][], got: readonly string[][], sort: SortMode, types: string): boolean {
  const units = (rows: readonly string[][]): string[][] => (sort === 'valuesort' ? rows.flat().map((value) => [value]) : rows.map((row) => [...row]));
  const left = units(got);
  if (left.length > 500) return false;
  for (const row of units(expected)) {
    const at = left.findIndex((other) => sameRow(row, other, sort === 'valuesort' ? '' : types));
    if (at < 0) return false;
    left.splice(at, 1);
  }
  return left.length === 0;
}

/** Our files: exact text, and the letters say what the columns are. */
function compareOwn(record: QueryRecord, outcome: Outcome, expected: readonly string[]): Mismatch | null {
  const wanted = { types: record.types, lines: [...expected] };
  const got = ownResult(outcome, record.sort, record.columns);
  if (wanted.types === got.types && wanted.lines.length === got.lines.length && wanted.lines.every((line, index) => line === got.lines[index])) return null;
  return { expected: [`types ${wanted.types}`, ...wanted.lines].join('\n'), got: [`types ${got.types}`, ...got.lines].join('\n') };
}

/** The result block that an update writes. */
export function ownResult(outcome: Outcome, sort: SortMode, columns: boolean): { types: string; lines: string[] } {
  const rows = sorted(
    outcome.rows.map((row) => row.map(ownValue)),
    sort,
  );
  const lines = rows.map((row) => row.join('\t'));
  if (columns) lines.unshift(outcome.columns.map(({ name, type }) => `${name}:${type}`).join(' '));
  // A line that is blank would end the block.
  return { types: outcome.columns.map(({ type }) => typeLetter(type)).join('') || '-', lines: lines.map((line) => (line === '' ? '(no columns)' : line)) };
}

function typeLetter(type: string): string {
  if (type === 'int2' || type === 'int4' || type === 'int8' || type === 'oid') return 'I';
  if (type === 'float4' || type === 'float8' || type === 'numeric') return 'R';
  if (type === 'bool') return 'B';
  if (type === 'date' || type.startsWith('time') || type === 'interval') return 'D';
  if (type === 'json' || type === 'jsonb') return 'J';
  return type.startsWith('_') ? 'A' : 'T';
}
