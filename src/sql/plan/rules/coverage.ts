/**
 * Index-only scans: those that need only the entries' values, the index columns and the row's key. Column use is collected from
 * above, since unused projections read nothing.
 */
import type { ColumnId } from '../bound.ts';
import type { Plan, ScanPlan } from '../logical.ts';
import type { Index, SqlColumn } from '../../schema/table.ts';
import { rewritePlan } from './rewrite.ts';
import { accessBounds, boundsOf, columnsOf, inputsOf, visitBound } from './walk.ts';

export function coverScans(plan: Plan): Plan {
  if (!hasIndexScan(plan)) return plan;
  const read = new Set<ColumnId>(plan.columns.map((column) => column.id));
  for (let size = -1; size !== read.size;) {
    size = read.size;
    collect(plan, read);
  }
  return rewritePlan(plan, (at) => (at.op === 'scan' && at.access !== undefined && isCovered(at, read) ? { ...at, access: { ...at.access, only: true } } : at));
}

function hasIndexScan(plan: Plan): boolean {
  return (plan.op === 'scan' && plan.access !== undefined && plan.access.index !== null) || inputsOf(plan).some(hasIndexScan);
}

/** Adds the columns that the plan reads in order to produce those in `read`. */
function collect(plan: Plan, read: Set<ColumnId>): void {
  const bounds = plan.op === 'project' ? plan.items.filter(({ id }) => read.has(id)).map(({ value }) => value) : boundsOf(plan);
  for (const e of bounds) {
    columnsOf(e, read);
    visitBound(e, (at) => {
      if (at.kind !== 'exists' && at.kind !== 'subquery' && at.kind !== 'arrayQuery' && at.kind !== 'quantifiedQuery') return;
      for (const column of at.plan.columns) read.add(column.id);
      collect(at.plan, read);
    });
  }
  const inputs = inputsOf(plan);
  switch (plan.op) {
    case 'scan':
    case 'filter':
    case 'project':
    case 'join':
    case 'aggregate':
    case 'sort':
    case 'limit':
      break;
    // Other nodes take columns by position.
    default:
      for (const input of inputs) for (const column of input.columns) read.add(column.id);
  }
  for (const input of inputs) collect(input, read);
}

/** Types whose values can be restored from a key exactly. */
const RETURNED = new Set(['bool', 'int2', 'int4', 'int8', 'oid', 'date', 'time', 'timestamp', 'timestamptz', 'text', 'varchar', 'uuid']);

function comesBack({ type, storage, folding }: SqlColumn): boolean {
  if (folding !== undefined) return false;
  return storage.form === 'decimal' ? type.name === 'numeric' : storage.form === 'direct' && RETURNED.has(type.name);
}

function isCovered(scan: ScanPlan, read: ReadonlySet<ColumnId>): boolean {
  const { table, access } = scan;
  const { index, union, equal, oneOf, lower, upper } = access!;
  if (index === null || index.entries !== 'ordered' || union !== undefined || table.document) return false;
  const wanted = scan.source.filter((_, at) => read.has(scan.columns[at].id));
  // For single lookups only existence tests use entries.
  if (accessBounds(access!).some((e) => columnsOf(e).size > 0)) return wanted.length === 0;
  // A single row is found as fast as its entry.
  if (index.unique && oneOf === undefined && lower === undefined && upper === undefined && equal.length === index.columns.length) return false;
  return wanted.every(
    (source) => source === 'key' || (comesBack(table.columns[source]) && (inIndex(index.columns, source) || table.key.columns.includes(source))),
  );
}

function inIndex(columns: Index['columns'], source: number): boolean {
  // A column is read from the first part that has it.
  return columns.find(({ column }) => column === source)?.folding === undefined && columns.some(({ column }) => column === source);
}
