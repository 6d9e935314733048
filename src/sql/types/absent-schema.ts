/** A missing schema of a qualified name is reported before the object (namespace.c, LookupExplicitNamespace). */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { System } from './environment.ts';

/** 3F000 if the name, as written in SQL, is qualified with a missing schema. */
export function refuseAbsentSchema(system: Pick<System, 'schemaOid'>, text: string): void {
  const found = /^\s*(?:"((?:[^"]|"")+)"|([^\s".(]+))\s*\.\s*(?=[^\s])/.exec(text);
  if (found === null) return;
  const [, quoted, word] = found;
  const name = quoted === undefined ? word.toLowerCase() : quoted.replaceAll('""', '"');
  if (system.schemaOid(`"${name.replaceAll('"', '""')}"`) === null) throw new SvcError('3F000', `schema "${name}" does not exist`);
}
