/**
 * Type names in declarations of functions and operators. Built-in types are identified by name; user-defined types may share a name, in several
 * schemas or with a built-in type, so they are identified by oid: `#16410`.
 */
import { FIRST_OWN_OID } from '../schema/oids.ts';
import type { SqlType } from '../types/type.ts';

export function declaredName({ oid, name }: SqlType): string {
  return oid < FIRST_OWN_OID ? name : `#${oid}`;
}

/** The oid of a user-defined type; null for a built-in name. */
export function declaredOid(name: string): number | null {
  return name.startsWith('#') ? Number(name.slice(1)) : null;
}

/** The array type of a variadic function's last parameter. */
export function variadicArray({ variadic, variadicArray }: { readonly variadic?: string; readonly variadicArray?: string }): string {
  if (variadicArray !== undefined) return variadicArray;
  if (variadic === 'any' || variadic === 'anyelement') return 'anyarray';
  return variadic === 'anycompatible' ? 'anycompatiblearray' : `_${variadic}`;
}
