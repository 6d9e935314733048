/** Names with a schema that is not there are told as such before what they name is (namespace.c, LookupExplicitNamespace). */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { System } from './environment.ts';

/** 3F000 where the name, as written in SQL, is in a schema that there is not. */
export function refuseAbsentSchema(system: Pick<System, 'schemaOid'>, text: string): void {
  const found = /^\s*(?:"((?:[^"]|"")+)"|([^\s".(]+))\s*\.\s*(?=[^\s])/.exec(text);
  if (found === null) return;
  const [, quoted, word] = found;
  const name = quoted === undefined ? word.toLowerCase() : quoted.replaceAll('""', '"');
  if (system.schemaOid(`"${name.replaceAll('"', '""')}"`) === null) throw new SvcError('3F000', `schema "${name}" does not exist`);
}
