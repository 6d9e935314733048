/**
 * What a statement needs of an agent or the guest, looked at before it runs, whatever entrance it came by and whether or
 * not it stands in a transaction. World statements are commands, which authorize themselves. Behind this, `writable` and
 * the commit ask again: what a function, a WITH or a sequence writes is met there.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { authorize, enabled, READ } from '../../session/authorize.ts';
import { describe, isOwnUser } from '../../session/principal.ts';
import { chargeWrite } from '../../session/quotas.ts';
import type { Statement } from '../ast/statement.ts';
import type { SqlSession } from './sql-session.ts';

/**
 * `free`: of the session alone. `looked into`: what it reads and writes says its tree. `inner`: as the statement it holds.
 * `change`: definitions and rows of the session's world. `command`: a command authorizes it.
 */
export type Family = 'free' | 'read' | 'change' | 'looked into' | 'inner' | 'lock' | 'admin' | 'command';

/** Every kind of statement there is: one that is missing does not compile. */
export const FAMILIES: { readonly [T in Statement['type']]: Family } = {
  select: 'looked into',
  values: 'looked into',
  setOperation: 'looked into',
  insert: 'looked into',
  update: 'looked into',
  delete: 'looked into',
  merge: 'looked into',
  copy: 'looked into',
  createTableAs: 'looked into',
  declareCursor: 'looked into',
  explain: 'inner',
  prepare: 'inner',
  execute: 'inner',
  truncate: 'change',
  fetch: 'read',
  move: 'read',
  closeCursor: 'free',
  begin: 'free',
  commit: 'free',
  rollback: 'free',
  savepoint: 'free',
  release: 'free',
  rollbackTo: 'free',
  setTransaction: 'free',
  setConstraints: 'free',
  prepareTransaction: 'change',
  commitPrepared: 'change',
  rollbackPrepared: 'change',
  set: 'free',
  reset: 'free',
  show: 'free',
  deallocate: 'free',
  discard: 'free',
  listen: 'read',
  unlisten: 'free',
  notify: 'read',
  lockTable: 'lock',
  vacuum: 'change',
  analyze: 'change',
  reindex: 'change',
  cluster: 'change',
  systemCheckpoint: 'admin',
  do: 'change',
  callProcedure: 'change',
  setDefault: 'admin',
  unsupported: 'free',
  createTable: 'change',
  createIndex: 'change',
  createView: 'change',
  refreshMaterializedView: 'change',
  createSequence: 'change',
  alterSequence: 'change',
  createSchema: 'change',
  createType: 'change',
  alterEnum: 'change',
  createDomain: 'change',
  alterDomain: 'change',
  createFunction: 'change',
  createAggregate: 'change',
  createOperator: 'change',
  alterOperator: 'change',
  createCast: 'change',
  createCollation: 'change',
  createConversion: 'change',
  createStatistics: 'change',
  createSearchObject: 'change',
  alterSearchDictionary: 'change',
  alterSearchConfiguration: 'change',
  alterStatistics: 'change',
  createOperatorFamily: 'change',
  createOperatorClass: 'change',
  alterOperatorFamily: 'change',
  createSubscription: 'change',
  alterSubscription: 'change',
  createPublication: 'change',
  alterPublication: 'change',
  createWrapper: 'change',
  alterWrapper: 'change',
  createServer: 'change',
  alterServer: 'change',
  createUserMapping: 'change',
  alterUserMapping: 'change',
  dropUserMapping: 'change',
  importForeignSchema: 'change',
  alterFunction: 'change',
  createExtension: 'change',
  updateExtension: 'change',
  refreshCollation: 'change',
  comment: 'change',
  drop: 'change',
  rename: 'change',
  setSchema: 'change',
  setOwner: 'change',
  alterTable: 'change',
  grant: 'change',
  alterDefaultPrivileges: 'change',
  createPolicy: 'change',
  createRule: 'change',
  createTrigger: 'change',
  createEventTrigger: 'change',
  alterEventTrigger: 'change',
  alterPolicy: 'change',
  dropOwned: 'change',
  reassignOwned: 'change',
  moveAll: 'change',
  // A label may unmask a column; roles belong to the whole database.
  securityLabel: 'admin',
  grantRole: 'admin',
  createRole: 'admin',
  alterRole: 'admin',
  dropRole: 'admin',
  createDatabase: 'command',
  alterDatabase: 'admin',
  grantParameter: 'admin',
  dropDatabase: 'command',
  createWorld: 'command',
  useWorld: 'read',
  showWorld: 'command',
  showWorlds: 'command',
  showMetrics: 'read',
  verify: 'command',
  showAgents: 'command',
  showMergePolicies: 'read',
  showMergeChecks: 'read',
  showReviews: 'read',
  showReaders: 'read',
  dropWorld: 'command',
  alterWorld: 'command',
  diffWorld: 'command',
  mergeWorld: 'command',
  rebaseWorld: 'command',
  restoreWorld: 'command',
  createCheckpoint: 'command',
  undoMerge: 'command',
  undoAgent: 'command',
  showHistory: 'command',
  showAudit: 'command',
  createAgent: 'command',
  alterAgent: 'command',
  dropAgent: 'command',
  createMergePolicy: 'admin',
  alterMergePolicy: 'admin',
  dropMergePolicy: 'admin',
  createMergeCheck: 'admin',
  dropMergeCheck: 'admin',
  reviewWorld: 'command',
  showMergeOutcomes: 'command',
  createReader: 'command',
  dropReader: 'command',
  notifyOnMerge: 'command',
  claimOutbox: 'command',
  ackOutbox: 'command',
  retryOutbox: 'command',
  simulate: 'command',
  replayWorld: 'command',
  alterSystem: 'command',
  backup: 'command',
};

/** Asked for each statement: an object of so many names is looked through in a slow way. */
const families: ReadonlyMap<string, Family> = new Map(Object.entries(FAMILIES));

function familyOf({ type }: Statement): Family {
  return families.get(type)!;
}

/** World statements that a role needs no superuser for; privileges on tables cannot bind the others. */
const OF_ROLES = new Set<Statement['type']>(['createWorld', 'useWorld', 'showWorld', 'showWorlds', 'showHistory']);

interface Touches {
  reads: boolean;
  writes: boolean;
}

/**
 * 42501 for what the session's principal may not do, 53400 where it writes too fast. Whether it has to be asked again when the
 * same statement comes again from the same principal in the same state: it was charged for, or what it needs is not its own alone.
 */
export function authorizeStatement(session: SqlSession, statement: Statement): boolean {
  const { principal } = session;
  const family = familyOf(statement);
  if (isOwnUser(principal)) {
    // Who acts as a role that is no superuser may what that role may, so that nothing reads past its privileges and policies.
    const asRole = (family === 'command' || family === 'admin') && !session.authority.superuser && !OF_ROLES.has(statement.type) && statement.at >= 0;
    if (asRole) superuserOnly(session, statement);
    return asRole || family === 'command' || family === 'admin';
  }
  if (principal.kind === 'role') {
    if ((family === 'command' || family === 'admin') && !OF_ROLES.has(statement.type) && statement.at >= 0) superuserOnly(session, statement);
    return false;
  }
  // Who was disabled meanwhile may still give up what he had begun.
  if (statement.type === 'rollback') return false;
  enabled(principal);
  if (statement.type === 'copy' && (statement.file !== null || statement.program)) {
    throw new SvcError('42501', `permission denied: ${describe(principal)} reaches no files of the server`, {
      hint: "COPY … FROM STDIN or TO STDOUT (psql's \\copy) works for anyone.",
    });
  }
  if (actsForOthers(statement)) {
    throw new SvcError('42501', `permission denied: ${describe(principal)} acts for nobody else`, { hint: 'Connect as that role.' });
  }
  const needs = touched(session, statement);
  if (needs.reads) authorize(principal, READ);
  if (family === 'admin') authorize(principal, { what: 'admin', as: 'administer the database' });
  // What an EXECUTE runs is told by its name, not by its tree.
  if (!needs.writes) return family !== 'looked into';
  const world = session.worldToChange;
  // A past moment cannot be written by anybody: the statement says so itself.
  if (world !== null) authorize(principal, { what: 'change', world });
  if (statement.type !== 'prepare') chargeWrite(principal);
  return true;
}

/** Roles and what they may are the matter of their own statements; the rest needs a superuser. */
function superuserOnly(session: SqlSession, statement: Statement): void {
  if (/^(grantRole|createRole|alterRole|dropRole|setDefault|securityLabel|createDatabase|dropDatabase|alterDatabase|grantParameter)$/.test(statement.type))
    return;
  const { authority, principal } = session;
  const who = principal.kind === 'role' && !principal.superuser ? describe(principal) : `role "${authority.currentUser}"`;
  throw new SvcError('42501', `permission denied: ${who} is no superuser`, { position: statement.at + 1 });
}

/** SET ROLE to anything but what it is. */
function actsForOthers(statement: Statement): boolean {
  if (statement.type !== 'set' || !/^(role|session_authorization)$/i.test(statement.name)) return false;
  return statement.values?.some((value) => value.type !== 'string' || !/^(none|default)$/i.test(value.value)) ?? false;
}

function touched(session: SqlSession, statement: Statement): Touches {
  switch (familyOf(statement)) {
    case 'free':
    case 'command':
    case 'admin':
      return NOTHING;
    case 'read':
      return READS;
    case 'change':
      // What a procedure reads it may give out.
      return statement.type === 'callProcedure' ? READS_AND_WRITES : WRITES;
    case 'lock':
      return statement.type === 'lockTable' && statement.mode === 'access share' ? READS : READS_AND_WRITES;
    case 'looked into':
      return lookInto(statement);
    case 'inner': {
      if (statement.type === 'explain' || statement.type === 'prepare') {
        const inner = touched(session, statement.statement);
        return { reads: true, writes: inner.writes };
      }
      const prepared = statement.type === 'execute' ? session.prepared.get(statement.name) : undefined;
      return prepared === undefined ? NOTHING : touched(session, prepared.statement);
    }
  }
}

const NOTHING: Touches = { reads: false, writes: false };
const READS: Touches = { reads: true, writes: false };
const WRITES: Touches = { reads: false, writes: true };
const READS_AND_WRITES: Touches = { reads: true, writes: true };

/** By tree: statements of one text are parsed once. */
const known = new WeakMap<object, Touches>();

function lookInto(statement: Statement): Touches {
  let found = known.get(statement);
  if (found === undefined) {
    found = { reads: readsAlways(statement), writes: statement.type === 'createTableAs' || (statement.type === 'copy' && statement.direction === 'from') };
    const pending: unknown[] = [statement];
    // Not by recursion: a tree may be deep.
    while (pending.length > 0) {
      const node = pending.pop();
      if (node === null || typeof node !== 'object') continue;
      const { type, locking, table } = node as { type?: unknown; locking?: unknown; table?: unknown };
      if (type === 'insert' || type === 'update' || type === 'delete' || type === 'merge') found.writes = true;
      else if (type === 'table') found.reads = true;
      // FOR UPDATE holds others up, as a write does.
      if (Array.isArray(locking) && locking.length > 0) found.writes = true;
      // The table that an INSERT fills is not read.
      const own = type === 'insert' ? table : undefined;
      for (const each of Array.isArray(node) ? node : Object.values(node))
        if (typeof each === 'object' && (own === undefined || each !== own)) pending.push(each);
    }
    known.set(statement, found);
  }
  return found;
}

/** An INSERT of values that gives nothing back tells nothing; whatever else looks at rows reads. */
function readsAlways(statement: Statement): boolean {
  if (statement.type === 'copy') return statement.direction === 'to';
  return statement.type !== 'insert' || statement.returning !== null || statement.onConflict !== null;
}
