/** Owners, privileges and masks of a world's objects, decoded from its definitions; immutable. */
import { FIRST_OWN_OID } from './oids.ts';
import { DATABASE_OWNER_ROLE, OWNER_ROLE } from '../../identity/roles.ts';
import type { Catalog } from '../../worlds/catalog.ts';
import type { AuthorObject, CatalogObject, DefaultRightsObject } from '../../worlds/definition.ts';
import { type Acl, type AclItem, parsePrivileges, PUBLIC_SCHEMA_ACL } from './acl.ts';

/** Oid of `public`, as in Postgres. */
export const PUBLIC_SCHEMA = 2200;

/** The world itself, as an object with the privileges of a database. */
const WORLD = 1;

export interface Ownership {
  readonly owner: number;
  /** Its list is explicit; otherwise the default privileges. */
  readonly explicit: boolean;
}

/** Whether definitions of this kind are decoded here. */
export function isRights(object: CatalogObject | undefined): boolean {
  const what = object?.what;
  return what === 'rights' || what === 'author' || what === 'grant' || what === 'default rights' || what === 'label';
}

export class SchemaRights {
  /** Masks of columns, by object and attnum. */
  readonly labels = new Map<string, string>();
  readonly defaults: DefaultRightsObject[] = [];
  readonly owners = new Map<number, Ownership>();
  /** Agents that wrote definitions without a person's approval, by object. */
  readonly authors = new Map<number, AuthorObject>();
  readonly grants = new Map<string, (AclItem & { readonly order: number })[]>();

  /** Oids of built-in objects in `owners`. */
  readonly ofSystem: readonly number[];

  constructor(catalog: Catalog) {
    for (const object of catalog.objects.values()) {
      switch (object.what) {
        case 'rights':
          this.owners.set(object.object, object);
          break;
        case 'author':
          this.authors.set(object.object, object);
          break;
        case 'grant': {
          const key = rightsKey(object.object, object.attnum);
          const { grantee, grantor, order, privileges } = object;
          const list = this.grants.get(key) ?? [];
          list.push({ ...parsePrivileges(privileges), grantee, grantor, order });
          this.grants.set(key, list);
          break;
        }
        case 'default rights':
          this.defaults.push(object);
          break;
        case 'label':
          this.labels.set(rightsKey(object.object, object.attnum), object.text);
          break;
        default:
      }
    }
    this.ofSystem = [...this.owners.keys()].filter((object) => object < FIRST_OWN_OID && object > WORLD && object !== PUBLIC_SCHEMA);
    for (const list of this.grants.values()) list.sort((a, b) => a.order - b.order);
  }

  /** Oid of the role that owns the object. */
  ownerOf(object: number): number {
    return this.owners.get(object)?.owner ?? (object === PUBLIC_SCHEMA ? DATABASE_OWNER_ROLE : OWNER_ROLE);
  }

  /** null: the default privileges. */
  aclOf(object: number): Acl | null {
    const own = this.owners.get(object);
    if (own === undefined) return object === PUBLIC_SCHEMA ? PUBLIC_SCHEMA_ACL : null;
    return own.explicit ? (this.grants.get(rightsKey(object, 0)) ?? []) : null;
  }

  /** null: no privileges on the column itself. */
  columnAclOf(object: number, attnum: number): Acl | null {
    return this.grants.get(rightsKey(object, attnum)) ?? null;
  }
}

export function rightsKey(object: number, attnum: number): string {
  return `${object}.${attnum}`;
}
