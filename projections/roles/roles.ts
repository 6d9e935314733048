/**
 * Roles of the database and their memberships, by the keys of identity/roles.ts, as JSON.
 *
 *   key `r<oid>` → role,  `m<role><member>` → membership,  `#` → the next oid
 */
import { ROLES_TREE } from '../../src/events/changes.ts';
import type { Envelope, Event } from '../../src/events/event.ts';
import { FIRST_ROLE, type RoleRow, Roles } from '../../src/identity/roles.ts';
import { defineProjection, type Projection } from '../../src/projection/projection.ts';
import { KIND, type RowChange, type Shape } from '../../src/tree/datum.ts';
import type { Node } from '../../src/tree/node.ts';
import type { Pager } from '../../src/tree/pager.ts';
import { scan } from '../../src/tree/read.ts';
import { applyChanges, emptyTree } from '../../src/tree/write.ts';
import type { RoleBook } from '../../src/worlds/world.ts';

const ROW = 1;
const SHAPE: Shape = { ids: [ROW], kinds: [KIND.JSON] };
const NEXT = '#';

export class RolesProjection implements Projection, RoleBook {
  readonly #pager: Pager;
  #root: Node;
  #edit: number;
  #next = FIRST_ROLE;
  #promised = FIRST_ROLE;
  #rows = new Map<string, RoleRow>();
  #current: Roles | null = null;

  constructor(pager: Pager, root: Node | null) {
    this.#pager = pager;
    this.#edit = pager.newEdit();
    this.#root = root ?? emptyTree(false, this.#edit);
    scan(pager, this.#root, null, (leaf, from, to) => {
      for (let i = from; i < to; i++) this.#learn(leaf.key(i) as string, leaf.cell(i, ROW) as string);
    });
  }

  /** The current roles. */
  get current(): Roles {
    return (this.#current ??= new Roles(new Map(this.#rows)));
  }

  /** An oid that no role has had. */
  nextOid(): number {
    this.#promised = Math.max(this.#promised, this.#next);
    return this.#promised++;
  }

  /** Changes from the current state to one with these rows, for an event. */
  changes(rows: ReadonlyMap<string, RoleRow | null>): RowChange[] {
    const out: RowChange[] = [];
    for (const [key, row] of [...rows].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const before = this.#rows.get(key);
      const old = before === undefined ? null : JSON.stringify(before);
      const now = row === null ? null : JSON.stringify(row);
      if (old !== now) out.push({ key, shape: SHAPE, before: old === null ? null : [old], after: now === null ? null : [now] });
    }
    return out;
  }

  apply(event: Event, _envelope: Envelope): void {
    if (event.type !== 'rolesChanged') return;
    for (const { tree, rows } of event.changes) if (tree === ROLES_TREE) this.#fold(rows);
  }

  #fold(rows: readonly RowChange[]): void {
    const next = this.#next;
    this.#root = applyChanges(this.#pager, this.#root, rows, this.#edit);
    for (const { key, after } of rows) this.#learn(key as string, after === null ? null : (after[0] as string));
    if (this.#next !== next) this.#put(NEXT, String(this.#next));
  }

  #put(key: string, text: string): void {
    this.#root = applyChanges(this.#pager, this.#root, [{ key, shape: SHAPE, before: null, after: [text] }], this.#edit);
  }

  #learn(key: string, text: string | null): void {
    this.#current = null;
    if (key === NEXT) this.#next = Math.max(this.#next, Number(text));
    else if (text === null) this.#rows.delete(key);
    else {
      const row = JSON.parse(text) as RoleRow;
      this.#rows.set(key, row);
      if (row.what === 'role') this.#next = Math.max(this.#next, row.oid + 1);
    }
  }

  *dump(root: Node): Iterable<Uint8Array> {
    const rows: [string, string][] = [];
    scan(this.#pager, root, null, (leaf, from, to) => {
      for (let i = from; i < to; i++) rows.push([leaf.key(i) as string, leaf.cell(i, ROW) as string]);
    });
    for (let at = 0; at < rows.length; at += 5000) yield Buffer.from(JSON.stringify(rows.slice(at, at + 5000)));
  }

  load(part: Uint8Array): void {
    const rows = JSON.parse(Buffer.from(part).toString()) as [string, string][];
    this.#root = applyChanges(
      this.#pager,
      this.#root,
      rows.map(([key, text]) => ({ key, shape: SHAPE, before: null, after: [text] })),
      this.#edit,
    );
    for (const [key, text] of rows) this.#learn(key, text);
  }

  seal(): Node {
    this.#edit = this.#pager.newEdit();
    return this.#root;
  }
}

export const roles = defineProjection({ name: 'roles', slot: 8, version: 1, make: (pager, root) => new RolesProjection(pager, root) });
