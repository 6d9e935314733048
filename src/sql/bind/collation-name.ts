/** Built-in collations by name. */
import { icuLocale } from '../types/icu-locales.ts';
import { SvcError } from '../../base/errors/svc-error.ts';

const COLLATIONS = new Set(['default', 'C', 'POSIX', 'ucs_basic', 'C.UTF-8', 'C.utf8', 'en_US', 'en_US.utf8', 'en_US.UTF-8', 'unicode', 'pg_c_utf8']);

/** Its canonical name. 42704 if there is none. */
export function collationNamed(parts: readonly string[], at?: number): string {
  const name = parts[parts.length - 1];
  if (COLLATIONS.has(name) || icuLocale(name) !== null) return name;
  throw new SvcError('42704', `collation "${name}" for encoding "UTF8" does not exist`, at === undefined ? {} : { position: at + 1 });
}
