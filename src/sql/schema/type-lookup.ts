/** Where a schema finds types: the engine's own by oid, and how it makes those that worlds define. */
import type { Environment } from '../types/environment.ts';
import type { RangeObject } from '../../worlds/definition.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import type { Schema } from './schema.ts';

export interface TypeLookup {
  /** A type of the engine's own. */
  byOid(oid: number): SqlType | null;
  /** The array over a type that a world defines. */
  arrayOf(element: SqlType): SqlType;
  enumOf(oid: number, arrayOid: number, name: string, labels: readonly string[], ids?: readonly string[]): SqlType;
  rangeOf(subtype: SqlType, object: RangeObject): { readonly range: SqlType; readonly multirange: SqlType };
  /** A condition over VALUE made runnable; its names are looked up when it is first asked. */
  domainTest(schema: Schema, base: SqlType, sql: string): (value: Value, env: Environment) => boolean | null;
}
