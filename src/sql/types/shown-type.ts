/** A type's name in errors: a user-defined one is qualified if the search path does not find it. */
import { FIRST_OWN_OID } from '../../base/first-own-oid.ts';
import type { Environment } from './environment.ts';
import type { SqlType } from './type.ts';

export function shownType({ oid, title }: Pick<SqlType, 'oid' | 'title'>, env: Environment): string {
  return oid < FIRST_OWN_OID ? title : (env.system?.typeTitle(oid, null) ?? title);
}
