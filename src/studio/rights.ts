/** What a signed-in role may ask for. The rights of an operation are checked by the one authorize as well; these come first. */
import { SvcError } from '../base/errors/svc-error.ts';

/** Who sends a request: the holder of the link's key, or a role. */
export type Visitor = { readonly kind: 'key' } | { readonly kind: 'role'; readonly oid: number; readonly name: string; readonly superuser: boolean };

/** Of every role that signs in: worlds, and SQL as that role, by which it sees tables (with its privileges) and the status (SHOW METRICS). */
const OF_EVERY_ROLE: readonly string[] = ['sql', 'branches', 'worlds', 'world'];

/** Of the database's own user alone: it writes files of the server. */
const OF_OWN_USER: readonly string[] = ['backup'];

/** 42501 (403) for what the visitor may not. */
export function admitOperation(visitor: Visitor, name: string): void {
  if (visitor.kind === 'key') return;
  if (!visitor.superuser && !OF_EVERY_ROLE.includes(name)) {
    throw new SvcError('42501', `${name} needs a superuser role`, { hint: 'Sign in with a superuser role, or run SQL with the privileges of yours.' });
  }
  if (OF_OWN_USER.includes(name)) {
    throw new SvcError('42501', `${name} needs the database's own user`, { hint: `Run it on the server: svc <folder> ${name}.` });
  }
}
