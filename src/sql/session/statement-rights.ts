/**
 * The capabilities that a statement needs of an agent or the guest, checked before it runs, for every entrance, in and outside
 * transactions. World statements are commands, which authorize themselves. `writable` and the commit check again, for writes of
 * functions, WITH and sequences.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { authorize, enabled, READ } from '../../session/authorize.ts';
import { describe, isOwnUser } from '../../session/principal.ts';
import { commandOf } from './define.ts';
import { chargeWrite } from '../../session/quotas.ts';
import type { Statement } from '../ast/statement.ts';
import type { SqlSession } from './sql-session.ts';

/**
 * The right that a kind of statement needs. `free`: affects only the session. `looked into`: its tree shows what it reads and
 * writes. `inner`: that of the statement inside. `change`: definitions and rows of the session's world. `command`: a command
 * authorizes it.
 */
export type Family = 'free' | 'read' | 'change' | 'looked into' | 'inner' | 'lock' | 'admin' | 'command';

/**
 * What a kind of statement acts on: the session's world, the session itself (settings, prepared statements, channels), or the folder
 * beyond the world (roles, agents, policies, other worlds, settings, extensions, files, other servers).
 */
export type Reach = 'world' | 'session' | 'folder';

/** Every kind of statement: a missing one is a compile error. */
export const STATEMENTS: { readonly [T in Statement['type']]: readonly [needs: Family, reach: Reach] } = {
  select: ['looked into', 'world'],
  values: ['looked into', 'world'],
  setOperation: ['looked into', 'world'],
  insert: ['looked into', 'world'],
  update: ['looked into', 'world'],
  delete: ['looked into', 'world'],
  merge: ['looked into', 'world'],
  copy: ['looked into', 'world'],
  createTableAs: ['looked into', 'world'],
  declareCursor: ['looked into', 'world'],
  explain: ['inner', 'world'],
  prepare: ['inner', 'session'],
  execute: ['inner', 'world'],
  truncate: ['change', 'world'],
  fetch: ['read', 'world'],
  move: ['read', 'world'],
  closeCursor: ['free', 'world'],
  begin: ['free', 'world'],
  commit: ['free', 'world'],
  rollback: ['free', 'world'],
  savepoint: ['free', 'world'],
  release: ['free', 'world'],
  rollbackTo: ['free', 'world'],
  setTransaction: ['free', 'session'],
  setConstraints: ['free', 'world'],
  prepareTransaction: ['change', 'folder'],
  commitPrepared: ['change', 'folder'],
  rollbackPrepared: ['change', 'folder'],
  set: ['free', 'session'],
  reset: ['free', 'session'],
  show: ['free', 'world'],
  deallocate: ['free', 'session'],
  discard: ['free', 'session'],
  listen: ['read', 'session'],
  unlisten: ['free', 'session'],
  notify: ['read', 'world'],
  lockTable: ['lock', 'world'],
  vacuum: ['change', 'world'],
  analyze: ['change', 'world'],
  reindex: ['change', 'world'],
  cluster: ['change', 'world'],
  systemCheckpoint: ['admin', 'folder'],
  do: ['change', 'world'],
  callProcedure: ['change', 'world'],
  setDefault: ['admin', 'folder'],
  unsupported: ['free', 'world'],
  createTable: ['change', 'world'],
  createIndex: ['change', 'world'],
  createView: ['change', 'world'],
  refreshMaterializedView: ['change', 'world'],
  createSequence: ['change', 'world'],
  alterSequence: ['change', 'world'],
  createSchema: ['change', 'world'],
  createType: ['change', 'world'],
  alterEnum: ['change', 'world'],
  createDomain: ['change', 'world'],
  alterDomain: ['change', 'world'],
  createFunction: ['change', 'world'],
  createAggregate: ['change', 'world'],
  createOperator: ['change', 'world'],
  alterOperator: ['change', 'world'],
  createCast: ['change', 'world'],
  createCollation: ['change', 'world'],
  createConversion: ['change', 'world'],
  createStatistics: ['change', 'world'],
  createSearchObject: ['change', 'world'],
  alterSearchDictionary: ['change', 'world'],
  alterSearchConfiguration: ['change', 'world'],
  alterStatistics: ['change', 'world'],
  createOperatorFamily: ['change', 'world'],
  createOperatorClass: ['change', 'world'],
  alterOperatorFamily: ['change', 'world'],
  createSubscription: ['change', 'folder'],
  alterSubscription: ['change', 'folder'],
  createPublication: ['change', 'world'],
  alterPublication: ['change', 'world'],
  createWrapper: ['change', 'folder'],
  alterWrapper: ['change', 'folder'],
  createServer: ['change', 'folder'],
  alterServer: ['change', 'folder'],
  createUserMapping: ['change', 'folder'],
  alterUserMapping: ['change', 'folder'],
  dropUserMapping: ['change', 'folder'],
  importForeignSchema: ['change', 'folder'],
  alterFunction: ['change', 'world'],
  createExtension: ['change', 'folder'],
  updateExtension: ['change', 'folder'],
  refreshCollation: ['change', 'world'],
  comment: ['change', 'world'],
  drop: ['change', 'world'],
  rename: ['change', 'world'],
  setSchema: ['change', 'world'],
  setOwner: ['change', 'world'],
  alterTable: ['change', 'world'],
  grant: ['change', 'world'],
  alterDefaultPrivileges: ['change', 'world'],
  createPolicy: ['change', 'world'],
  createRule: ['change', 'world'],
  createTrigger: ['change', 'world'],
  createEventTrigger: ['change', 'world'],
  alterEventTrigger: ['change', 'world'],
  alterPolicy: ['change', 'world'],
  dropOwned: ['change', 'folder'],
  reassignOwned: ['change', 'folder'],
  moveAll: ['change', 'world'],
  // A label may unmask a column; roles belong to the whole database.
  securityLabel: ['admin', 'folder'],
  grantRole: ['admin', 'folder'],
  createRole: ['admin', 'folder'],
  alterRole: ['admin', 'folder'],
  dropRole: ['admin', 'folder'],
  createDatabase: ['command', 'folder'],
  alterDatabase: ['admin', 'folder'],
  grantParameter: ['admin', 'folder'],
  dropDatabase: ['command', 'folder'],
  createWorld: ['command', 'folder'],
  useWorld: ['read', 'folder'],
  showWorld: ['command', 'world'],
  showWorlds: ['command', 'world'],
  showMetrics: ['read', 'world'],
  verify: ['command', 'folder'],
  showAgents: ['command', 'world'],
  showMergePolicies: ['read', 'world'],
  showMergeChecks: ['read', 'world'],
  showReviews: ['read', 'world'],
  showReaders: ['read', 'world'],
  dropWorld: ['command', 'folder'],
  alterWorld: ['command', 'folder'],
  diffWorld: ['command', 'world'],
  mergeWorld: ['command', 'folder'],
  rebaseWorld: ['command', 'folder'],
  restoreWorld: ['command', 'folder'],
  createCheckpoint: ['command', 'folder'],
  undoMerge: ['command', 'folder'],
  undoAgent: ['command', 'folder'],
  showHistory: ['command', 'world'],
  showAudit: ['command', 'world'],
  createAgent: ['command', 'folder'],
  alterAgent: ['command', 'folder'],
  dropAgent: ['command', 'folder'],
  createMergePolicy: ['admin', 'folder'],
  alterMergePolicy: ['admin', 'folder'],
  dropMergePolicy: ['admin', 'folder'],
  createMergeCheck: ['admin', 'folder'],
  dropMergeCheck: ['admin', 'folder'],
  reviewWorld: ['command', 'folder'],
  showMergeOutcomes: ['command', 'world'],
  createReader: ['command', 'folder'],
  dropReader: ['command', 'folder'],
  notifyOnMerge: ['command', 'world'],
  claimOutbox: ['command', 'folder'],
  ackOutbox: ['command', 'folder'],
  retryOutbox: ['command', 'folder'],
  simulate: ['command', 'folder'],
  replayWorld: ['command', 'folder'],
  alterSystem: ['command', 'folder'],
  backup: ['command', 'folder'],
};

/** A map, since this is looked up for each statement and a large object is slow. */
const families: ReadonlyMap<string, Family> = new Map(Object.entries(STATEMENTS).map(([type, [needs]]) => [type, needs]));

function familyOf({ type }: Statement): Family {
  return families.get(type)!;
}

/** World statements that need no superuser; the others are not covered by privileges on tables. */
const OF_ROLES = new Set<Statement['type']>(['createWorld', 'useWorld', 'showWorld', 'showWorlds', 'showHistory']);

/** History of a row needs the right to read the row, which operations do not check. */
function isOfRoles(statement: Statement): boolean {
  return OF_ROLES.has(statement.type) && !(statement.type === 'showHistory' && statement.row !== null);
}

interface Touches {
  reads: boolean;
  writes: boolean;
}

/**
 * 42501 if the principal may not run the statement, 53400 if it writes too fast. Gives whether the check must be repeated for the
 * same statement, principal and state: it was charged for, or its needs depend on more.
 */
export function authorizeStatement(session: SqlSession, statement: Statement): boolean {
  const { principal } = session;
  if (session.code.runs) authorizeInCode(session, statement);
  const family = familyOf(statement);
  if (isOwnUser(principal)) {
    // A session under a role that is no superuser is limited by that role, so that its privileges and policies cannot be bypassed.
    const asRole = (family === 'command' || family === 'admin') && !session.authority.superuser && !isOfRoles(statement) && statement.at >= 0;
    if (asRole) superuserOnly(session, statement);
    return asRole || family === 'command' || family === 'admin';
  }
  if (principal.kind === 'role') {
    if ((family === 'command' || family === 'admin') && !isOfRoles(statement) && statement.at >= 0) superuserOnly(session, statement);
    return false;
  }
  // An agent that was disabled meanwhile may still roll back.
  if (statement.type === 'rollback') return false;
  enabled(principal);
  if (statement.type === 'copy' && (statement.file !== null || statement.program)) {
    throw new SvcError('42501', `permission denied: ${describe(principal)} reaches no files of the server`, {
      hint: "COPY … FROM STDIN or TO STDOUT (psql's \\copy) works for anyone.",
    });
  }
  if (actsForOthers(statement)) {
    throw new SvcError('42501', `permission denied: ${describe(principal)} cannot act for another role`, { hint: 'Connect as that role.' });
  }
  const needs = touched(session, statement);
  if (needs.reads) authorize(principal, READ);
  if (family === 'admin') authorize(principal, { what: 'admin', as: 'administer the database' });
  // EXECUTE names a statement that its tree does not contain.
  if (!needs.writes) return family !== 'looked into';
  const world = session.worldToChange;
  // Past moments are read-only: the statement itself refuses.
  if (world !== null) authorize(principal, { what: 'change', world });
  if (statement.type !== 'prepare') chargeWrite(principal);
  return true;
}

/** 42501 for what code below a statement may not do, with any rights of the sender. */
function authorizeInCode({ code }: SqlSession, statement: Statement): void {
  switch (reachOf(statement)) {
    case 'folder':
      return code.mustOwnAll(commandOf(statement.type));
    case 'session':
      return code.mustNotBeLimited(`run ${commandOf(statement.type)} in the session that runs it`);
    case 'world':
  }
}

/** Some statements reach further than others of their kind. */
function reachOf(statement: Statement): Reach {
  switch (statement.type) {
    case 'copy':
      return statement.file !== null || statement.program ? 'folder' : 'world';
    case 'rename':
    case 'comment':
      return statement.kind === 'role' || statement.kind === 'database' ? 'folder' : 'world';
    case 'drop':
      return BEYOND.has(statement.kind) ? 'folder' : 'world';
    default:
      return STATEMENTS[statement.type][1];
  }
}

/** Kinds of objects in DROP and ALTER … OWNER that belong to the folder or reach beyond it. */
const BEYOND: ReadonlySet<string> = new Set(['extension', 'subscription', 'server', 'foreign data wrapper', 'foreign-data wrapper', 'user mapping']);

/** Role statements make their own checks; the rest needs a superuser. */
function superuserOnly(session: SqlSession, statement: Statement): void {
  if (/^(grantRole|createRole|alterRole|dropRole|setDefault|securityLabel|createDatabase|dropDatabase|alterDatabase|grantParameter)$/.test(statement.type))
    return;
  const { authority, principal } = session;
  const who = principal.kind === 'role' && !principal.superuser ? describe(principal) : `role "${authority.currentUser}"`;
  throw new SvcError('42501', `permission denied: ${who} is no superuser`, { position: statement.at + 1 });
}

/** SET ROLE to another role. */
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
      // A procedure may return what it reads.
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
    // Iterative: a tree may be deep.
    while (pending.length > 0) {
      const node = pending.pop();
      if (node === null || typeof node !== 'object') continue;
      const { type, locking, table } = node as { type?: unknown; locking?: unknown; table?: unknown };
      if (type === 'insert' || type === 'update' || type === 'delete' || type === 'merge') found.writes = true;
      else if (type === 'table') found.reads = true;
      // FOR UPDATE blocks others, as a write does.
      if (Array.isArray(locking) && locking.length > 0) found.writes = true;
      // The target table of an INSERT is not read.
      const own = type === 'insert' ? table : undefined;
      for (const each of Array.isArray(node) ? node : Object.values(node))
        if (typeof each === 'object' && (own === undefined || each !== own)) pending.push(each);
    }
    known.set(statement, found);
  }
  return found;
}

/** An INSERT of values without RETURNING reveals nothing; any other statement on rows reads. */
function readsAlways(statement: Statement): boolean {
  if (statement.type === 'copy') return statement.direction === 'to';
  return statement.type !== 'insert' || statement.returning !== null || statement.onConflict !== null;
}
