/** What equality, order and copies of JSON mean: the naive way. */
import type { Json, Row } from '../../src/commands/contract.ts';

/** Text with sorted keys, so equal values have equal text. -0 and 0 are one number. */
export function canonical(value: Json | undefined): string {
  if (value === undefined) return 'absent';
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value !== null && typeof value === 'object') {
    const parts = Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
    return `{${parts.join()}}`;
  }
  return JSON.stringify(value);
}

export function equalJson(a: Json | undefined, b: Json | undefined): boolean {
  return canonical(a) === canonical(b);
}

export function copyJson<T extends Json>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

export function copyRow(row: Row | null): Row | null {
  return row === null ? null : copyJson(row);
}

/** Order of the texts' UTF-8 bytes, which for characters beyond U+FFFF is not JavaScript's own. */
export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** The record's own field, so that a name such as `constructor` is absent until it is put. */
export function fieldOf(row: Row | null, name: string): Json | undefined {
  return row !== null && Object.hasOwn(row, name) ? row[name] : undefined;
}
