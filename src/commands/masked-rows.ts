/**
 * Row operations of principals that may not see masked columns: agents, the guest, roles without `unmask`, models. Row
 * operations read whole rows, not through a query that could apply a mask, so they are refused for masked tables; replies of
 * merges omit masked fields.
 */
import { SvcError } from '../base/errors/svc-error.ts';
import { UNMASK_ROLE } from '../identity/roles.ts';
import type { Principal } from '../session/principal.ts';
import type { Catalog } from '../worlds/catalog.ts';
import { type Masks as ColumnMasks, masksWith, namesIn } from '../worlds/masks.ts';
import { masksOfWorld } from '../worlds/world-masks.ts';
import type { Context } from '../worlds/context.ts';

/** Masked columns by table name. */
export type Masks = ReadonlyMap<string, ReadonlySet<string>>;

export const NO_MASKS: Masks = new Map();
const known = new WeakMap<ColumnMasks, Masks>();

function tablesMasked(catalog: Catalog, of: ColumnMasks): Masks {
  let masks = known.get(of);
  if (masks === undefined) {
    const { identities, kept } = of;
    const found = new Map<string, Set<string>>();
    for (const identity of identities.keys()) {
      const names = namesIn(identity);
      if (names !== null) found.set(names[0], (found.get(names[0]) ?? new Set()).add(names[1]));
    }
    for (const number of kept) {
      const table = catalog.byNumber.get(number);
      if (table !== undefined) found.set(table.name, new Set(table.relation?.attributes.map(({ name }) => name)));
    }
    known.set(of, (masks = found.size === 0 ? NO_MASKS : found));
  }
  return masks;
}

export function seesMasked(principal: Principal, context: Context): boolean {
  if (principal.sight !== undefined) return principal.sight === 'whole';
  switch (principal.kind) {
    case 'owner':
    case 'system':
      return true;
    case 'role':
      return context.state.roles.current.hasRightsOf(principal.oid, UNMASK_ROLE);
    default:
      return false;
  }
}

/** What is masked in a state: its own labels, and those that hold today in its world. None where there is no such branch: the operation says so. */
function masksOfBranch(context: Context, branch = 'main'): Masks {
  try {
    const { catalog } = context.read(branch);
    const world = context.find(branch.split('@')[0]);
    return tablesMasked(catalog, world === null ? masksWith(catalog, []) : masksWith(catalog, [masksOfWorld(context, world)]));
  } catch (error) {
    if (error instanceof SvcError) return NO_MASKS;
    throw error;
  }
}

/** What the principal may not see in any of the branches; null: no branch. */
export function masksFor(principal: Principal, context: Context, ...branches: (string | undefined | null)[]): Masks {
  if (seesMasked(principal, context)) return NO_MASKS;
  const some = branches.map((branch) => (branch === null ? NO_MASKS : masksOfBranch(context, branch))).filter((masks) => masks.size > 0);
  if (some.length <= 1) return some[0] ?? NO_MASKS;
  const all = new Map<string, Set<string>>();
  for (const masks of some) for (const [table, columns] of masks) all.set(table, new Set([...(all.get(table) ?? []), ...columns]));
  return all;
}
