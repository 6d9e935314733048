/**
 * Accesses of a statement to relations, recorded at bind time, so that privileges can be checked at each run: they may be revoked
 * between two runs of one plan. Relations inside a view are accessed as its owner.
 */
import { PRIVILEGE } from '../schema/acl.ts';

export interface RelationAccess {
  /** Object number, or oid of a system relation. */
  readonly relation: number;
  readonly kind: 'table' | 'foreign table' | 'view' | 'materialized view' | 'sequence' | 'system table' | 'system view';
  readonly name: string;
  /** The accessing role: the owner of the enclosing view; null: the current user. */
  readonly as: number | null;
  /** Bits of PRIVILEGE. */
  needs: number;
  /** Attnums of columns that are read, inserted, updated. */
  readonly selected: Set<number>;
  readonly inserted: Set<number>;
  readonly updated: Set<number>;
}

/** A column of a relation whose use is recorded. */
export interface ColumnAccess {
  readonly to: RelationAccess;
  readonly attnum: number;
}

export function noteRead(access: ColumnAccess | undefined): void {
  if (access === undefined) return;
  access.to.needs |= PRIVILEGE.SELECT;
  access.to.selected.add(access.attnum);
}
