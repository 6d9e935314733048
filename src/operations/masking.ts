/**
 * How operations hold masked columns back from agents, the guest, roles without `unmask`, and models. An operation gives whole rows, not a
 * query that a mask could be put into, so reading them is refused; a merge leaves masked fields out of the rows that it shows.
 */
import { SvcError } from '../base/errors/svc-error.ts';
import { type Masks, masksFor } from '../commands/masked-rows.ts';
import type { Conflict, DiffInput, DiffReply, FindInput, FindReply, Row } from '../commands/contract.ts';
import type { RunControl } from '../commands/run-control.ts';
import type { Context } from '../worlds/context.ts';
import { parseRowKey } from '../worlds/keys.ts';
import type { Call } from './define-operation.ts';

export type Run<Input, Output> = (input: Input, control: RunControl) => Promise<Output>;
/** Runs the operation, or refuses, or takes something out of what it gives. */
export type Mask<Input, Output> = (call: Call<Input>, run: Run<Input, Output>) => Promise<Output>;

interface OnBranch {
  branch?: string;
}

/** Refuses tables with masked columns. */
export function tables<Input extends OnBranch>(tablesOf: (input: Input) => readonly string[]) {
  return async <Output>({ services, input, by, control }: Call<Input>, run: Run<Input, Output>): Promise<Output> => {
    const named = tablesOf(input);
    if (named.length > 0) refuseTables(masksFor(by, services.context, input.branch), named);
    return run(input, control);
  };
}

/** A ranked search reads and gives the other columns; rows are not listed otherwise. */
export async function ranked({ services, input, by, control }: Call<FindInput>, run: Run<FindInput, FindReply>): Promise<FindReply> {
  const masks = masksFor(by, services.context, input.branch);
  const columns = masks.get(input.table);
  if (columns === undefined) return run(input, control);
  if (input.text === undefined && input.vector === undefined) refuseTables(masks, [input.table]);
  return run(input, { ...control, withoutColumns: columns });
}

/** The same for writes of those who are not to learn which columns there are: a model writes no whole row of which it cannot see all. */
export function writtenTables<Input extends OnBranch>(tablesOf: (input: Input) => readonly string[]) {
  const refusing = tables(tablesOf);
  return <Output>(call: Call<Input>, run: Run<Input, Output>): Promise<Output> =>
    call.by.sight === 'masked' ? refusing(call, run) : run(call.input, call.control);
}

/** Refuses a diff that shows rows of a table with masked columns; counts are given. */
export async function diff({ services, input, by, control }: Call<DiffInput>, run: Run<DiffInput, DiffReply>): Promise<DiffReply> {
  const { branch, to } = input;
  const masks = masksFor(by, services.context, branch, to ?? parentOf(services.context, branch));
  const isCount = input.count === true && input.limit === undefined && input.after === undefined && input.sql !== true;
  if (masks.size > 0 && !isCount) refuseTables(masks, Object.keys((await run({ branch, to, count: true }, control)).tables ?? {}));
  // Statements show more tables than have changed rows: those with a column that is back.
  return run(input, { ...control, beforeTable: (table) => refuseTables(masks, [table]) });
}

interface Merging {
  branch: string;
  into?: string;
}

/** Leaves masked fields out of the rows and conflicts of a merge: masks of either side count. */
export async function merge<Input extends Merging, Output>({ services, input, by, control }: Call<Input>, run: Run<Input, Output>): Promise<Output> {
  const { context } = services;
  const masks = masksFor(by, context, input.branch, input.into ?? parentOf(context, input.branch));
  if (masks.size === 0) return run(input, control);
  try {
    const reply = await run(input, control);
    if (!isPreview(reply)) return reply;
    const { postgres } = reply;
    const outside = postgres === undefined ? {} : { postgres: { ...postgres, rows: hidden(masks, postgres.rows) } };
    return { ...reply, rows: hidden(masks, reply.rows), conflicts: hidden(masks, reply.conflicts), ...outside };
  } catch (error) {
    if (error instanceof SvcError && Array.isArray(error.data?.['conflicts'])) {
      error.data['conflicts'] = hidden(masks, error.data['conflicts'] as Conflict[]);
    }
    throw error;
  }
}

function refuseTables(masks: Masks, named: readonly string[]): void {
  const table = named.find((each) => masks.has(each));
  if (table === undefined) return;
  throw new SvcError('42501', `permission denied for table ${table}: it has masked columns`, { hint: 'Read it with SQL: masked columns read masked there.' });
}

function parentOf(context: Context, branch = 'main'): string | null {
  const world = context.find(branch.split('@')[0]);
  const parent = world === null ? null : context.state.worlds.byNumber(world.parent);
  return parent === null ? null : parent.name;
}

interface Keyed {
  key: string;
}

function isPreview(reply: unknown): reply is { rows: Keyed[]; conflicts: Keyed[]; postgres?: { rows: Keyed[] } } {
  return reply !== null && typeof reply === 'object' && 'rows' in reply && 'conflicts' in reply;
}

function hidden<T extends Keyed>(masks: Masks, rows: readonly T[]): T[] {
  return rows.map((row) => {
    const columns = masks.get(parseRowKey(row.key).table);
    if (columns === undefined) return row;
    const out = { ...row } as Record<string, unknown>;
    for (const side of ['base', 'ours', 'theirs', 'result', 'postgres']) {
      const own = out[side] as Row | null | undefined;
      if (own !== null && own !== undefined) out[side] = Object.fromEntries(Object.entries(own).filter(([name]) => !columns.has(name)));
    }
    // Both hold values of columns.
    if ('explanation' in out) out['explanation'] = 'Both sides changed the row; it has masked columns.';
    if ('detail' in out) out['detail'] = '';
    return out as unknown as T;
  });
}
