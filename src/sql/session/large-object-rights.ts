/** Owners and privileges of large objects. They are rows of their own, so GRANT, OWNER TO, REASSIGN OWNED and DROP OWNED use this file. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { childRoot } from '../../tree/directory.ts';
import type { Node } from '../../tree/node.ts';
import { OBJECTS } from '../../worlds/large-objects.ts';
import type { Grant, ObjectName, Role } from '../ast/define.ts';
import { ALL, bestGrantor, changedAcl, defaultAcl, held, heldGrantable, withOwner } from '../schema/acl.ts';
import type { Ddl } from '../schema/ddl.ts';
import { restricted } from './grantable.ts';
import { type LargeObject, largeObjectsIn } from './large-objects.ts';
import { mustBeMember } from './ownership.ts';
import { done, type StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

const OIDS = 2 ** 32;

/** The number as written; 22003 if it is no oid. */
function oidOf({ name: [text] }: ObjectName): number {
  const oid = Number(text);
  if (!Number.isInteger(oid) || oid >= OIDS || oid < -(OIDS / 2)) throw new SvcError('22003', `value "${text}" is out of range for type oid`);
  return oid < 0 ? oid + OIDS : oid;
}

export function grantOnLargeObjects(
  session: SqlSession,
  statement: Grant,
  privilegesOf: () => { readonly all: boolean; readonly privileges: number },
  grantees: readonly number[],
): StatementResult {
  const { authority } = session;
  const { roles, owner: asker } = authority;
  const { largeObjects } = session.system;
  const command = statement.grant ? 'GRANT' : 'REVOKE';
  session.writable(command);
  const named = statement.objects.map((object) => largeObjects.named(oidOf(object)).oid);
  const wanted = privilegesOf();
  const { grant, grantOption, cascade } = statement;
  for (const oid of named) {
    // An object may be named twice.
    const { owner, acl: own } = largeObjects.named(oid);
    const acl = own ?? defaultAcl('L', owner);
    const privileges = wanted.all ? ALL.L : wanted.privileges;
    const { grantor, grantable } = bestGrantor(acl, owner, roles, asker, privileges);
    const title = `large object ${oid}`;
    if (grantable === 0 && held(acl, roles, asker, ALL.L) === 0 && heldGrantable(acl, owner, roles, asker, ALL.L) === 0) {
      throw new SvcError('42501', `permission denied for large object ${title}`);
    }
    const given = restricted(session, grant, wanted.all, privileges, grantable, `"${title}"`);
    largeObjects.setRights(oid, owner, changedAcl(acl, owner, roles, { grant, grantees, grantor, privileges: given, grantOption, cascade }));
  }
  return done(command, session.notices);
}

function give(session: SqlSession, { oid, owner, acl }: LargeObject, to: number): void {
  session.system.largeObjects.setRights(oid, to, acl === null ? null : withOwner(acl, owner, to));
}

export function setLargeObjectOwner(session: SqlSession, name: ObjectName, to: Role): StatementResult {
  session.startStatement();
  const command = 'ALTER LARGE OBJECT';
  session.writable(command);
  const { authority, system } = session;
  const owner = authority.named(to);
  const object = system.largeObjects.named(oidOf(name));
  if (object.owner !== owner) {
    system.largeObjects.owned(object.oid);
    mustBeMember(session, owner);
    give(session, object, owner);
  }
  return done(command, session.notices);
}

export function commentOnLargeObject(session: SqlSession, ddl: Ddl, name: ObjectName, text: string | null): void {
  const { oid } = session.system.largeObjects.owned(oidOf(name));
  const comment = { what: 'large object comment', object: oid, text: text ?? '' } as const;
  if (text === null || text === '') ddl.remove(comment);
  else ddl.put(comment);
}

/** REASSIGN OWNED. */
export function reassignLargeObjects(session: SqlSession, from: readonly number[], to: number): void {
  for (const object of session.system.largeObjects.all()) if (from.includes(object.owner)) give(session, object, to);
}

/** DROP OWNED: drops the roles' objects, and revokes their privileges where the current user may. */
export function dropOwnedLargeObjects(session: SqlSession, from: readonly number[]): void {
  const { largeObjects } = session.system;
  const { roles, owner: asker } = session.authority;
  for (const { oid, owner, acl } of largeObjects.all()) {
    if (from.includes(owner)) largeObjects.unlink(oid, 'DROP OWNED');
    else if (acl?.some(({ grantee }) => from.includes(grantee)) === true) {
      const { grantor } = bestGrantor(acl, owner, roles, asker, ALL.L);
      const change = { grant: false, grantees: from, grantor, privileges: ALL.L, grantOption: false, cascade: true };
      largeObjects.setRights(oid, owner, changedAcl(acl, owner, roles, change));
    }
  }
}

/** The large objects that depend on a role, in all open worlds. */
export function largeObjectsOf(session: SqlSession, role: number): string[] {
  const { context } = session.host;
  const { pager } = context.engine;
  const out: string[] = [];
  const look = (directory: Node, where: string): void => {
    for (const { oid, owner, acl } of largeObjectsIn(pager, directory)) {
      const given = acl?.some(({ grantee, grantor }) => grantee === role || grantor === role) === true;
      const title = owner === role ? `owner of large object ${oid}` : given ? `privileges for large object ${oid}` : null;
      if (title !== null && !out.includes(title)) out.push(`${title}${where}`);
    }
  };
  const transaction = session.begin();
  look(transaction.directory(OBJECTS), '');
  // Most worlds share the tree of another.
  const seen = new Set([childRoot(pager, transaction.directory(OBJECTS), OBJECTS)]);
  for (const world of context.state.worlds.open()) {
    const tree = world === transaction.world ? null : childRoot(pager, world.root, OBJECTS);
    if (tree === null || seen.has(tree)) continue;
    seen.add(tree);
    look(world.root, ` in world ${world.name}`);
  }
  return out;
}
