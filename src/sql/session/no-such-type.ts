/** Why ALTER TYPE finds no type of a name: it does not exist, or belongs to another type or to a relation. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { inQuotes } from '../../base/quote-identifier.ts';
import { relationOfRowType } from '../../worlds/definition.ts';
import { missingSchema } from './missing-objects.ts';
import type { SqlSession } from './sql-session.ts';

export function noSuchType(session: SqlSession, name: readonly string[]): SvcError {
  const absent = missingSchema(session, name);
  if (absent !== null) return new SvcError('3F000', absent);
  const oid = session.system.typeOid(name.map(inQuotes).join('.'));
  const element = oid === null ? null : (session.schema().typeByOid(oid)?.element ?? null);
  if (element !== null) {
    const title = session.system.typeTitle(element.oid, -1);
    return new SvcError('42809', `cannot alter array type ${title}[]`, {
      hint: `You can alter type ${title}, which will alter the array type as well.`,
    });
  }
  if (oid !== null && relationOfRowType(oid) !== null)
    return new SvcError('42809', `${name[name.length - 1]} is a table's row type`, { hint: 'Use ALTER TABLE instead.' });
  return new SvcError('42704', `type "${name.join('.')}" does not exist`);
}
