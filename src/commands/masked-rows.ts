/**
 * Row operations of those who may not see masked columns: agents, the guest, roles without `unmask`, models. Rows come whole here, not
 * through a query that could put a mask in, so reading them is refused; where a merge tells of rows, masked fields are left out.
 */
import { SvcError } from '../base/errors/svc-error.ts';
import { UNMASK_ROLE } from '../identity/roles.ts';
import type { Principal } from '../session/principal.ts';
import type { Catalog } from '../worlds/catalog.ts';
import { type Masks as ColumnMasks, masksWith, namesIn } from '../worlds/masks.ts';
import { masksOfWorld } from '../worlds/world-masks.ts';
import type { Context } from '../worlds/context.ts';
import { parseRowKey } from '../worlds/keys.ts';
import type { AllCommands, Conflict, MergePreview, Row } from './contract.ts';

/** Names of tables with masked columns, and of these. */
type Masks = ReadonlyMap<string, ReadonlySet<string>>;

const NONE: Masks = new Map();
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
    known.set(of, (masks = found.size === 0 ? NONE : found));
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
      return context.roles.current.hasRightsOf(principal.oid, UNMASK_ROLE);
    default:
      return false;
  }
}

/** The commands as the principal may call them: the same where it sees everything. */
export function withMasks(commands: AllCommands, principal: Principal, context: Context): AllCommands {
  if ((principal.kind === 'owner' || principal.kind === 'system') && principal.sight !== 'masked') return commands;
  /** What is masked in a state, its own labels and those that hold today in its world. The command itself says what is wrong with a branch. */
  const masksOfBranch = (branch: string | undefined): Masks => {
    const text = branch ?? 'main';
    try {
      const { catalog } = context.read(text);
      const world = context.find(text.split('@')[0]);
      return tablesMasked(catalog, world === null ? masksWith(catalog, []) : masksWith(catalog, [masksOfWorld(context, world)]));
    } catch (error) {
      if (error instanceof SvcError) return NONE;
      throw error;
    }
  };
  const parentOf = (branch: string | undefined): string | null => {
    const world = context.find((branch ?? 'main').split('@')[0]);
    const parent = world === null ? null : context.worlds.byNumber(world.parent);
    return parent === null ? null : parent.name;
  };
  const masksIn = (...branches: (string | undefined | null)[]): Masks => {
    if (seesMasked(principal, context)) return NONE;
    const some = branches.map((branch) => (branch === null ? NONE : masksOfBranch(branch))).filter((masks) => masks.size > 0);
    if (some.length <= 1) return some[0] ?? NONE;
    const all = new Map<string, Set<string>>();
    for (const masks of some) for (const [table, columns] of masks) all.set(table, new Set([...(all.get(table) ?? []), ...columns]));
    return all;
  };
  const refuseTable = (masks: Masks, table: string): void => {
    if (!masks.has(table)) return;
    throw new SvcError('42501', `permission denied for table ${table}: it has masked columns`, { hint: 'Read it with SQL: masked columns read masked there.' });
  };
  /** What a merge tells: masks of either side count. */
  const hiding = async <T>(branch: string, into: string | undefined, run: () => Promise<T>): Promise<T> => {
    const masks = masksIn(branch, into ?? parentOf(branch));
    if (masks.size === 0) return run();
    try {
      const reply = await run();
      return isPreview(reply) ? ({ ...reply, rows: hidden(masks, reply.rows), conflicts: hidden(masks, reply.conflicts) } as T) : reply;
    } catch (error) {
      if (error instanceof SvcError && Array.isArray(error.data?.['conflicts'])) {
        error.data['conflicts'] = hidden(masks, error.data['conflicts'] as Conflict[]);
      }
      throw error;
    }
  };
  /** A model writes no whole row of which it cannot see all, and is not told which there are. */
  const writes: Partial<AllCommands> =
    principal.sight !== 'masked'
      ? {}
      : {
          put: async (input, by, control) => {
            refuseTable(masksIn(input.branch), input.table);
            return commands.put(input, by, control);
          },
          delete: async (input, by, control) => {
            refuseTable(masksIn(input.branch), input.table);
            return commands.delete(input, by, control);
          },
          batch: async (input, by, control) => {
            const masks = masksIn(input.branch);
            if (masks.size > 0 && Array.isArray(input.rows)) for (const { table } of input.rows) refuseTable(masks, table);
            return commands.batch(input, by, control);
          },
        };
  return {
    ...commands,
    ...writes,
    get: async (input) => {
      refuseTable(masksIn(input.branch), input.table);
      return commands.get(input);
    },
    history: async (input, by, control) => {
      if (input.table !== undefined) refuseTable(masksIn(input.branch), input.table);
      return commands.history(input, by, control);
    },
    find: async (input) => {
      refuseTable(masksIn(input.branch), input.table);
      return commands.find(input);
    },
    diff: async (input, by, control) => {
      const { branch, to } = input;
      const masks = masksIn(branch, to ?? parentOf(branch));
      const counted = input.count === true && input.limit === undefined && input.after === undefined && input.sql !== true;
      if (masks.size > 0 && !counted) {
        const { tables } = await commands.diff({ branch, to, count: true }, by, control);
        for (const table of Object.keys(tables ?? {})) refuseTable(masks, table);
      }
      // Statements tell more tables than have changed rows: those with a column that is back.
      return commands.diff(input, by, { ...control, tells: (table) => refuseTable(masks, table) });
    },
    preview: (input, by, control) => hiding(input.branch, input.into, () => commands.preview(input, by, control)),
    merge: (input, by, control) => hiding(input.branch, input.into, () => commands.merge(input, by, control)),
    rebase: (input) => hiding(input.branch ?? 'main', undefined, () => commands.rebase(input)),
  };
}

function isPreview(reply: unknown): reply is MergePreview {
  return reply !== null && typeof reply === 'object' && 'rows' in reply && 'conflicts' in reply;
}

function hidden<T extends { key: string }>(masks: Masks, rows: readonly T[]): T[] {
  return rows.map((row) => {
    const columns = masks.get(parseRowKey(row.key).table);
    if (columns === undefined) return row;
    const out: Record<string, unknown> = { ...row };
    for (const side of ['base', 'ours', 'theirs', 'result']) {
      const own = out[side] as Row | null | undefined;
      if (own !== null && own !== undefined) out[side] = Object.fromEntries(Object.entries(own).filter(([name]) => !columns.has(name)));
    }
    // They say values of columns.
    if ('explanation' in out) out['explanation'] = 'Both sides changed the row; it has masked columns.';
    if ('detail' in out) out['detail'] = '';
    return out as T;
  });
}
