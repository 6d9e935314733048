/** Fields inside JSON, by path: `a.b` is the member b of the field a, unless a field is called `a.b`. */
import type { Json } from '../base/json.ts';
import { comparableCell, comparableJson, fieldValue } from './document.ts';

export interface NestedField {
  /** Of the column. */
  readonly name: string;
  /** Names of members, from the outside in. */
  readonly path: readonly string[];
}

/** What the name means in a table with these columns: the longest column's name that it is, or begins with before a dot. null for none. */
export function nestedField(given: string, isColumn: (name: string) => boolean): NestedField | null {
  if (isColumn(given)) return { name: given, path: [] };
  for (let at = given.lastIndexOf('.'); at > 0; at = given.lastIndexOf('.', at - 1)) {
    const name = given.slice(0, at);
    if (isColumn(name)) return { name, path: given.slice(at + 1).split('.') };
  }
  return null;
}

/** The member at the path; undefined where an object lacks it or a value is no object. */
function member(json: Json | undefined, path: readonly string[]): Json | undefined {
  let at = json;
  for (const name of path) {
    if (at === null || typeof at !== 'object' || Array.isArray(at) || !Object.hasOwn(at, name)) return undefined;
    at = at[name];
  }
  return at;
}

/** Whether the member at the path is equal to the value as JSON, numbers by value. */
export function memberMatcher({ name, path }: NestedField, wanted: Json): (json: Json | undefined) => boolean {
  const value = fieldValue(wanted);
  const equal = comparableJson(value, name);
  return (json) => {
    const found = member(json, path);
    return found !== undefined && (found === value || comparableCell(found, name) === equal);
  };
}
