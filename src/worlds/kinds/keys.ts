/**
 * Keys of catalog rows, and names of numbers: docs/formats/catalog-keys.md lists the letters.
 *
 *   key          a letter or two, then numbers of 15 digits: rows of one table are adjacent, by number
 *   number name  \0<what>\0<scope>\0<name>: objects created alike get one number in all worlds
 */

import type { NumberedReference } from './reference.ts';

export function pad(number: number): string {
  return String(number).padStart(15, '0');
}

export function namedNumberName(what: string, scope: string, name: string): string {
  return `\0${what}\0${scope}\0${name}`;
}

export function tableDefinitionKey(table: number): string {
  return `t${pad(table)}`;
}

/** Whether it is the key of a table of either kind. */
export function isTableKey(key: string): boolean {
  return key.startsWith('t');
}

export function columnDefinitionKey(table: number, column: number): string {
  return `c${pad(table)}${pad(column)}`;
}

export function viewKey(number: number): string {
  return `v${pad(number)}`;
}

export function functionKey(number: number): string {
  return `f${pad(number)}`;
}

export function schemaKey(number: number): string {
  return `s${pad(number)}`;
}

export function operatorKey(number: number): string {
  return `g${pad(number)}`;
}

export function operatorFamilyKey(number: number): string {
  return `uf${pad(number)}`;
}

export function operatorClassKey(number: number): string {
  return `uo${pad(number)}`;
}

export function searchDictionaryKey(number: number): string {
  return `ud${pad(number)}`;
}

export function publicationKey(number: number): string {
  return `up${pad(number)}`;
}

export function wrapperKey(number: number): string {
  return `uw${pad(number)}`;
}

export function serverKey(number: number): string {
  return `uv${pad(number)}`;
}

/** Triggers share the letter: their second number is an object's, this one is an attnum, which is always lower. */
export function factsKey(object: number, attnum: number): string {
  return `j${pad(object)}${pad(attnum)}`;
}

export function rightsKey(object: number): string {
  return `a${pad(object)}`;
}

export function rowSecurityKey(table: number): string {
  return `w${pad(table)}`;
}

/** Key of a referenced object; null if its number alone does not determine a row. */
export function numberedKey(to: NumberedReference, number: number): string | null {
  return KEYS[to]?.(number) ?? null;
}

const KEYS: { readonly [N in NumberedReference]: ((number: number) => string) | null } = {
  routine: functionKey,
  operator: operatorKey,
  'operator family': operatorFamilyKey,
  'operator class': operatorClassKey,
  'text search dictionary': searchDictionaryKey,
  publication: publicationKey,
  'foreign data wrapper': wrapperKey,
  server: serverKey,
  namespace: schemaKey,
  // Their keys begin with their table, or they are rows.
  index: null,
  'foreign key': null,
  trigger: null,
  'large object': null,
};
