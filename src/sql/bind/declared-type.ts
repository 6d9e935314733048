/**
 * How declarations of functions and operators name types. Those of the system have names of their own; types of a world may share
 * one, in other schemas or with a type of the system, so they go by their oids: `#16410`.
 */
import { FIRST_OWN_OID } from '../schema/oids.ts';
import type { SqlType } from '../types/type.ts';

export function declaredName({ oid, name }: SqlType): string {
  return oid < FIRST_OWN_OID ? name : `#${oid}`;
}

/** The oid of a world's type; null for a name of the system's. */
export function declaredOid(name: string): number | null {
  return name.startsWith('#') ? Number(name.slice(1)) : null;
}

/** The array that the last parameter of a variadic function is. */
export function variadicArray({ variadic, variadicArray }: { readonly variadic?: string; readonly variadicArray?: string }): string {
  if (variadicArray !== undefined) return variadicArray;
  if (variadic === 'any' || variadic === 'anyelement') return 'anyarray';
  return variadic === 'anycompatible' ? 'anycompatiblearray' : `_${variadic}`;
}
