/**
 * What a statement needs of an agent or the guest, looked at before it runs, whatever entrance it came by and whether or
 * not it stands in a transaction. World statements are commands, which authorize themselves. Behind this, `writable` and
 * the commit ask again: what a function, a WITH or a sequence writes is met there.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { authorize, enabled, READ } from '../../session/authorize.ts';
import { describe, isOwnUser } from '../../session/principal.ts';
import { commandOf } from './define.ts';
import { chargeWrite } from '../../session/quotas.ts';
import type { Statement } from '../ast/statement.ts';
import type { SqlSession } from './sql-session.ts';

/**
 * What a kind of statement needs. `free`: of the session alone. `looked into`: what it reads and writes says its tree. `inner`: as
 * the statement it holds. `change`: definitions and rows of the session's world. `command`: a command authorizes it.
 */
export type Family = 'free' | 'read' | 'change' | 'looked into' | 'inner' | 'lock' | 'admin' | 'command';

/**
 * What a kind of statement acts on: the session's world, the session beside it (settings, prepared statements, channels that it hears),
 * or the folder beyond the world (roles, agents, policies, other worlds, settings, extensions, files, other servers).
 */
export type Reach = 'world' | 'session' | 'folder';

/** Every kind of statement there is: one that is missing does not compile. */
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

/** Asked for each statement: an object of so many names is looked through in a slow way. */
const families: ReadonlyMap<string, Family> = new Map(Object.entries(STATEMENTS).map(([type, [needs]]) => [type, needs]));

function familyOf({ type }: Statement): Family {
  return families.get(type)!;
}

/** World statements that a role needs no superuser for; privileges on tables cannot bind the others. */
const OF_ROLES = new Set<Statement['type']>(['createWorld', 'useWorld', 'showWorld', 'showWorlds', 'showHistory']);

/** The history of a row is read as the row: by operations, which know no privileges. */
function isOfRoles(statement: Statement): boolean {
  return OF_ROLES.has(statement.type) && !(statement.type === 'showHistory' && statement.row !== null);
}

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
  if (session.code.runs) authorizeInCode(session, statement);
  const family = familyOf(statement);
  if (isOwnUser(principal)) {
    // Who acts as a role that is no superuser may what that role may, so that nothing reads past its privileges and policies.
    const asRole = (family === 'command' || family === 'admin') && !session.authority.superuser && !isOfRoles(statement) && statement.at >= 0;
    if (asRole) superuserOnly(session, statement);
    return asRole || family === 'command' || family === 'admin';
  }
  if (principal.kind === 'role') {
    if ((family === 'command' || family === 'admin') && !isOfRoles(statement) && statement.at >= 0) superuserOnly(session, statement);
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

/** 42501 for what code below a statement may not do, whatever whoever sent the statement may. */
function authorizeInCode({ code }: SqlSession, statement: Statement): void {
  switch (reachOf(statement)) {
    case 'folder':
      return code.mustOwnAll(commandOf(statement.type));
    case 'session':
      return code.mustNotBeLimited(`run ${commandOf(statement.type)} in the session that runs it`);
    case 'world':
  }
}

/** Some of a kind act further than the others of it. */
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

/** What DROP and ALTER … OWNER name that is of the folder or reaches out of it. */
const BEYOND: ReadonlySet<string> = new Set(['extension', 'subscription', 'server', 'foreign data wrapper', 'foreign-data wrapper', 'user mapping']);

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
