/** How a schema finds types: built-in ones by oid, and constructors for user-defined ones. */
import type { Environment } from '../types/environment.ts';
import type { RangeObject } from '../../worlds/definition.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import type { Schema } from './schema.ts';

export interface TypeLookup {
  /** A built-in type. */
  byOid(oid: number): SqlType | null;
  /** The array over a user-defined type. */
  arrayOf(element: SqlType): SqlType;
  enumOf(oid: number, arrayOid: number, name: string, labels: readonly string[], ids?: readonly string[]): SqlType;
  rangeOf(subtype: SqlType, object: RangeObject): { readonly range: SqlType; readonly multirange: SqlType };
  /** Compiles a condition over VALUE; its names are resolved at the first evaluation. */
  domainTest(schema: Schema, base: SqlType, sql: string): (value: Value, env: Environment) => boolean | null;
}
