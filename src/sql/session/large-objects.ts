/**
 * Large objects: the functions that create, read and change them (manual, chapter 35). Objects and pages are rows of tables of the
 * world (worlds/large-objects.ts); changes go into the transaction at once, like those of user-defined functions.
 */
import { constants } from 'node:buffer';
import { SvcError } from '../../base/errors/svc-error.ts';
import { CATALOG_TREE, type TreeChanges } from '../../events/changes.ts';
import { ROW_LOCK } from '../../locks/lock-mode.ts';
import type { RowChange } from '../../tree/datum.ts';
import { childRoot } from '../../tree/directory.ts';
import type { Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import { scan } from '../../tree/read.ts';
import { DEFINITION_SHAPE, definitionKey } from '../../worlds/definition.ts';
import { largeObjectDefinitions, OBJECT_CELL, OBJECT_SHAPE, objectKey, OBJECTS, pageKey, PAGES, RIGHTS_SHAPE } from '../../worlds/large-objects.ts';
import { rowIn } from '../../tree/row-change.ts';
import { type Acl, defaultAcl, held, itemText, parseItem, PRIVILEGE } from '../schema/acl.ts';
import { LARGE_OBJECT_BYTES_MAX, LargeObjectPages } from '../schema/large-object-pages.ts';
import type { LargeObjectAccess } from '../types/environment.ts';
import type { Whole } from '../types/value.ts';
import { readsOf } from './exec-context.ts';
import { exportFile, importFile } from './large-object-files.ts';
import type { Descriptor } from './large-object-descriptors.ts';
import type { SqlSession } from './sql-session.ts';
import type { Transaction } from './transaction.ts';

const INV_READ = 0x40000;
const INV_WRITE = 0x20000;
const INT4_MAX = 2 ** 31 - 1;
/** The largest value in Postgres, and the longest string of this process. */
const VALUE_BYTES_MAX = Math.min(2 ** 30 - 5, constants.MAX_STRING_LENGTH);

export interface LargeObject {
  readonly oid: number;
  readonly owner: number;
  /** null: only the owner has privileges. */
  readonly acl: Acl | null;
}

/** All objects of a state, in order of their oids. */
export function largeObjectsIn(pager: Pager, directory: Node): LargeObject[] {
  const tree = childRoot(pager, directory, OBJECTS);
  const found: LargeObject[] = [];
  if (tree === null) return found;
  scan(pager, tree, null, (leaf, from, to) => {
    for (let i = from; i < to; i++) found.push(largeObject((id) => leaf.cell(i, id)));
  });
  return found;
}

function objectIn(pager: Pager, directory: Node, oid: number): LargeObject | null {
  const row = rowIn(pager, childRoot(pager, directory, OBJECTS), objectKey(oid));
  return row === null ? null : largeObject((id) => row.leaf.cell(row.index, id));
}

function largeObject(cell: (id: number) => unknown): LargeObject {
  const acl = cell(OBJECT_CELL.acl) as string | null;
  return {
    oid: cell(OBJECT_CELL.oid) as number,
    owner: cell(OBJECT_CELL.owner) as number,
    acl: acl === null ? null : acl === '' ? [] : acl.split(',').map(parseItem),
  };
}

function aclText(acl: Acl | null): string | null {
  return acl === null ? null : acl.map(itemText).join(',');
}

export class LargeObjects implements LargeObjectAccess {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  // --- the state

  /** The transaction with the writes of enclosing functions and triggers. */
  #transaction(): Transaction {
    const session = this.#session;
    if (session.writing.length > 0) session.flush();
    return session.nestedTransaction();
  }

  find(oid: number): LargeObject | null {
    const transaction = this.#transaction();
    readsOf(this.#session, transaction)?.row(OBJECTS, objectKey(oid));
    return objectIn(transaction.pager, transaction.directory(OBJECTS), oid);
  }

  /** 42704. */
  named(oid: number): LargeObject {
    const found = this.find(oid);
    if (found === null) throw new SvcError('42704', `large object ${oid} does not exist`);
    return found;
  }

  all(): LargeObject[] {
    const transaction = this.#transaction();
    readsOf(this.#session, transaction)?.ranges(OBJECTS, [{ lower: null, upper: null }]);
    return largeObjectsIn(transaction.pager, transaction.directory(OBJECTS));
  }

  #pages(oid: number, frozen: Descriptor['pages'] = null): LargeObjectPages {
    const transaction = this.#transaction();
    const { pager } = transaction;
    readsOf(this.#session, transaction)?.ranges(PAGES, [{ lower: objectKey(oid), upper: `${pageKey(oid, INT4_MAX)}\0` }]);
    return new LargeObjectPages(pager, frozen === null ? childRoot(pager, transaction.directory(PAGES), PAGES) : frozen.tree, oid);
  }

  #take(changes: readonly TreeChanges[], pointed: number | null): void {
    this.#session.take(this.#transaction(), changes, pointed === null ? [] : [{ table: OBJECTS, key: objectKey(pointed), mode: ROW_LOCK.keyShare }]);
  }

  #changePages(oid: number, rows: RowChange[]): void {
    if (rows.length > 0) this.#take([{ tree: PAGES, numeric: false, rows }], oid);
  }

  // --- rights

  #may(object: LargeObject, privilege: number): boolean {
    const { authority, settings } = this.#session;
    if (authority.free || settings.get('lo_compat_privileges') === 'on') return true;
    const allows = ({ acl, owner }: LargeObject): boolean => held(acl ?? defaultAcl('L', owner), authority.roles, authority.role, privilege) !== 0;
    const today = this.#today(object.oid);
    return allows(object) && (today === null || allows(today));
  }

  /** The object's current state if the session is at a past moment: the past must not reveal what is denied today. */
  #today(oid: number): LargeObject | null {
    const session = this.#session;
    if (session.begin().world !== null) return null;
    const { context } = session.host;
    const now = context.find(session.branch.split('@')[0]);
    return now?.status === 'open' ? objectIn(context.engine.pager, now.root, oid) : null;
  }

  /** 42501. */
  #mustHave(object: LargeObject, privilege: number): void {
    if (!this.#may(object, privilege)) throw new SvcError('42501', `permission denied for large object ${object.oid}`);
  }

  owns({ owner }: LargeObject): boolean {
    const { authority } = this.#session;
    return authority.free || authority.roles.hasRightsOf(authority.role, owner);
  }

  /** 42704, 42501. */
  owned(oid: number): LargeObject {
    const object = this.named(oid);
    if (!this.owns(object)) throw new SvcError('42501', `must be owner of large object ${oid}`);
    return object;
  }

  /** Replaces owner and privileges. */
  setRights(oid: number, owner: number, acl: Acl | null): void {
    const old = this.named(oid);
    const [before, after] = [
      [old.owner, aclText(old.acl)],
      [owner, aclText(acl)],
    ];
    if (before[0] === after[0] && before[1] === after[1]) return;
    this.#take([{ tree: OBJECTS, numeric: false, rows: [{ key: objectKey(oid), shape: RIGHTS_SHAPE, before, after }] }], null);
  }

  // --- whole objects

  create(given: number, what: string): number {
    const session = this.#session;
    session.writable(what);
    const oid = given === 0 ? this.#free() : given;
    if (this.find(oid) !== null) {
      throw new SvcError('23505', 'duplicate key value violates unique constraint "pg_largeobject_metadata_oid_index"', {
        detail: `Key (oid)=(${oid}) already exists.`,
        data: { schema: 'pg_catalog', table: 'pg_largeobject_metadata', constraint: 'pg_largeobject_metadata_oid_index' },
      });
    }
    if (session.schema().stores.get(OBJECTS) === undefined) this.#take([{ tree: CATALOG_TREE, numeric: false, rows: largeObjectDefinitions() }], null);
    const after = [oid, session.authority.owner, null];
    this.#take([{ tree: OBJECTS, numeric: false, rows: [{ key: objectKey(oid), shape: OBJECT_SHAPE, before: null, after }] }], null);
    return oid;
  }

  #free(): number {
    const { objects } = this.#session.host.context.state;
    for (;;) {
      const oid = objects.largeObjectNumber();
      if (this.find(oid) === null) return oid;
    }
  }

  unlink(oid: number, what = 'lo_unlink()'): void {
    this.#session.writable(what);
    const object = this.#session.settings.get('lo_compat_privileges') === 'on' ? this.named(oid) : this.owned(oid);
    const transaction = this.#transaction();
    transaction.descriptors = transaction.descriptors.closeAll(oid);
    const changes: TreeChanges[] = [];
    const text = this.#session.schema().largeObjectComments.get(oid);
    if (text !== undefined) {
      const comment = { what: 'large object comment', object: oid, text } as const;
      const row = { key: definitionKey(comment), shape: DEFINITION_SHAPE, before: [JSON.stringify(comment)], after: null };
      changes.push({ tree: CATALOG_TREE, numeric: false, rows: [row] });
    }
    const before = [oid, object.owner, aclText(object.acl)];
    changes.push({ tree: OBJECTS, numeric: false, rows: [{ key: objectKey(oid), shape: OBJECT_SHAPE, before, after: null }] });
    const pages = this.#pages(oid).unlink();
    if (pages.length > 0) changes.push({ tree: PAGES, numeric: false, rows: pages });
    this.#take(changes, null);
  }

  fromBytes(oid: number, data: string): number {
    const made = this.create(oid, 'lo_from_bytea()');
    this.#changePages(made, this.#pages(made).write(0, data));
    return made;
  }

  get(oid: number, offset: Whole, length: number | null): string {
    this.#mustHave(this.named(oid), PRIVILEGE.SELECT);
    if (length !== null && length < 0) throw new SvcError('22023', 'requested length cannot be negative');
    const pages = this.#pages(oid);
    return text(pages, target(BigInt(offset)), length ?? LARGE_OBJECT_BYTES_MAX);
  }

  put(oid: number, offset: Whole, data: string): void {
    this.#session.writable('lo_put()');
    const object = this.named(oid);
    this.#mustHave(object, PRIVILEGE.SELECT);
    this.#mustHave(object, PRIVILEGE.UPDATE);
    const at = target(BigInt(offset));
    refuseBeyond(at, data);
    this.#changePages(oid, this.#pages(oid).write(at, data));
  }

  // --- descriptors

  open(oid: number, flags: number): number {
    const writes = (flags & INV_WRITE) !== 0;
    if (!writes && (flags & INV_READ) === 0) throw new SvcError('22023', `invalid flags for opening a large object: ${flags}`);
    if (writes) this.#session.writable('lo_open(INV_WRITE)');
    const object = this.named(oid);
    this.#mustHave(object, PRIVILEGE.SELECT);
    if (writes) this.#mustHave(object, PRIVILEGE.UPDATE);
    const transaction = this.#transaction();
    const { all, number } = transaction.descriptors.open({ oid, reads: true, writes, pages: writes ? null : this.#frozen(transaction) });
    transaction.descriptors = all;
    return number;
  }

  /** All pages as they are now, without later changes of the transaction. */
  #frozen(transaction: Transaction): { readonly tree: Node | null } {
    const session = this.#session;
    // A statement that ends its transaction reads on in the same turn, or over the state that it holds.
    if (transaction.fresh && (transaction.explicit || session.isMultiStatement)) session.pin();
    return { tree: childRoot(transaction.pager, transaction.seal(), PAGES) };
  }

  close(number: number): void {
    const transaction = this.#transaction();
    transaction.descriptors = transaction.descriptors.close(number);
  }

  read(number: number, length: number): string {
    const transaction = this.#transaction();
    const { oid, offset, pages } = transaction.descriptors.at(number);
    const out = text(this.#pages(oid, pages), offset, Math.max(0, length));
    transaction.descriptors = transaction.descriptors.move(number, offset + out.length);
    return out;
  }

  #writing(number: number, what: string): Descriptor {
    const descriptor = this.#transaction().descriptors.at(number);
    if (!descriptor.writes) throw new SvcError('55000', `large object descriptor ${number} was not opened for writing`);
    this.#session.writable(what);
    this.named(descriptor.oid);
    return descriptor;
  }

  write(number: number, data: string): number {
    const { oid, offset } = this.#writing(number, 'lowrite()');
    refuseBeyond(offset, data);
    this.#changePages(oid, this.#pages(oid).write(offset, data));
    const transaction = this.#transaction();
    transaction.descriptors = transaction.descriptors.move(number, offset + data.length);
    return data.length;
  }

  seek(number: number, offset: Whole, whence: number, narrow: boolean): number {
    const transaction = this.#transaction();
    const { oid, offset: from, pages } = transaction.descriptors.at(number);
    let start: number;
    if (whence === 0) start = 0;
    else if (whence === 1) start = from;
    else if (whence === 2) start = this.#pages(oid, pages).bytes;
    else throw new SvcError('22023', `invalid whence setting: ${whence}`);
    const to = target(BigInt(start) + BigInt(offset));
    transaction.descriptors = transaction.descriptors.move(number, to);
    return narrow ? int4(to, 'lo_lseek', number) : to;
  }

  tell(number: number, narrow: boolean): number {
    const { offset } = this.#transaction().descriptors.at(number);
    return narrow ? int4(offset, 'lo_tell', number) : offset;
  }

  truncate(number: number, bytes: Whole): void {
    const { oid } = this.#writing(number, 'lo_truncate()');
    if (bytes < 0 || bytes > LARGE_OBJECT_BYTES_MAX) throw new SvcError('22023', `invalid large object truncation target: ${bytes}`);
    this.#changePages(oid, this.#pages(oid).truncate(Number(bytes)));
  }

  // --- server files

  import(path: string, given: number): number {
    const session = this.#session;
    session.writable('lo_import()');
    const data = importFile(session, path);
    const oid = this.create(given, 'lo_import()');
    this.#changePages(oid, this.#pages(oid).write(0, data));
    return oid;
  }

  export(oid: number, path: string): void {
    exportFile(this.#session, oid, path, () => {
      this.#mustHave(this.named(oid), PRIVILEGE.SELECT);
      const transaction = this.#transaction();
      this.#session.pin();
      return new LargeObjectPages(transaction.pager, childRoot(transaction.pager, transaction.seal(), PAGES), oid);
    });
  }
}

/** 54000 if it is too long for one value. */
function text(pages: LargeObjectPages, offset: number, length: number): string {
  if (Math.min(length, pages.bytes - offset) > VALUE_BYTES_MAX) throw new SvcError('54000', 'large object read request is too large');
  return pages.read(offset, length).latin1Slice();
}

/** 22023 for a position beyond the largest object. */
function target(offset: bigint): number {
  if (offset < 0n || offset > LARGE_OBJECT_BYTES_MAX) throw new SvcError('22023', `invalid large object seek target: ${offset}`);
  return Number(offset);
}

function refuseBeyond(offset: number, { length }: string): void {
  if (offset + length > LARGE_OBJECT_BYTES_MAX) throw new SvcError('22023', `invalid large object write request size: ${length}`);
}

function int4(offset: number, what: string, number: number): number {
  if (offset > INT4_MAX) throw new SvcError('22003', `${what} result out of range for large-object descriptor ${number}`);
  return offset;
}
