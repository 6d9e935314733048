/**
 * What a statement does to relations, noted while it is bound, so that privileges can be asked each time it runs: rights are
 * taken away between two runs of one plan. Relations inside a view count as its owner's doing.
 */
import { PRIVILEGE } from '../schema/acl.ts';

export interface RelationAccess {
  /** Object number, or oid of a system relation. */
  readonly relation: number;
  readonly kind: 'table' | 'foreign table' | 'view' | 'materialized view' | 'sequence' | 'system table' | 'system view';
  readonly name: string;
  /** Who does it: the owner of the view around it; null: whoever runs the statement. */
  readonly as: number | null;
  /** Bits of PRIVILEGE. */
  needs: number;
  /** Attnums of columns that are read, given in an INSERT, set. */
  readonly selected: Set<number>;
  readonly inserted: Set<number>;
  readonly updated: Set<number>;
}

/** A column of a relation whose use is to be noted. */
export interface ColumnAccess {
  readonly to: RelationAccess;
  readonly attnum: number;
}

export function noteRead(access: ColumnAccess | undefined): void {
  if (access === undefined) return;
  access.to.needs |= PRIVILEGE.SELECT;
  access.to.selected.add(access.attnum);
}
