/** The type of a polymorphic parameter without an argument (OUT, or a default), given the argument types. */
import { isPolymorphic } from '../bind/coerce.ts';
import type { UserFunction } from '../schema/schema.ts';
import type { SqlType } from '../types/type.ts';
import { binderOf } from './define-table.ts';
import type { SqlSession } from './sql-session.ts';

export function polymorphicType(session: SqlSession, { inputs }: UserFunction, declared: SqlType, types: readonly (SqlType | undefined)[]): SqlType | null {
  const family = declared.name.startsWith('anycompatible');
  const { coercion } = binderOf(session);
  for (const [i, { type }] of inputs.entries()) {
    const own = types[i];
    if (own === undefined || !isPolymorphic(type.name) || type.name.startsWith('anycompatible') !== family) continue;
    if (type.name === declared.name) return own;
    const element = type.name.endsWith('array') && !type.name.endsWith('nonarray') ? own.element : type.name.endsWith('range') ? null : own;
    if (element === null || element === undefined) continue;
    if (declared.name.endsWith('array') && !declared.name.endsWith('nonarray')) return coercion.arrayOf(element);
    if (!declared.name.endsWith('range')) return element;
  }
  return null;
}
