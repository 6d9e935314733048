/**
 * Lookups in a virtual relation by one of its hashes: by an equality, a list, an array, or a regular expression that matches exactly
 * one text, as clients send it for a name without wildcards. Hashes are cached with the relation's rows, so a lookup costs about a
 * row.
 */
import { sharesOid } from '../../types/shares-oid.ts';
import type { SqlType } from '../../types/type.ts';
import type { Bound, ColumnId } from '../bound.ts';
import type { VirtualLookup, VirtualRelation, VirtualScanPlan } from '../logical.ts';
import { sameHash } from './join-keys.ts';
import { columnsOf, isVolatile } from './walk.ts';

export interface FoundVirtual {
  readonly lookup: VirtualLookup;
  /** Rows per lookup. */
  readonly rows: number;
  /** The predicate of the lookup, which holds for every row found. */
  readonly implied: Bound;
}

/** The default size of a relation without an estimate. */
const ROWS_UNKNOWN = 1000;
/** The default length of an unknown array. */
const ELEMENTS_UNKNOWN = 4;

export function virtualRows(relation: VirtualRelation): number {
  return relation.estimate?.() ?? ROWS_UNKNOWN;
}

/** Distinct values of a column with a hash; otherwise null. */
export function virtualDistinct(relation: VirtualRelation, column: number): number | null {
  return relation.hashed.includes(column) ? (relation.distinct?.(column) ?? virtualRows(relation)) : null;
}

/** The lookup with the fewest rows; `accepts` filters the possible values. */
export function findVirtual(scan: VirtualScanPlan, predicates: readonly Bound[], accepts: (values: readonly Bound[]) => boolean): FoundVirtual | null {
  const { relation } = scan;
  let best: FoundVirtual | null = null;
  for (const e of predicates) {
    const lookup = lookupOf(scan, e);
    if (lookup === null || !accepts(lookup.values)) continue;
    const each = virtualRows(relation) / Math.max(1, virtualDistinct(relation, lookup.column) ?? 1);
    const rows = lookup.values.reduce((sum, value) => sum + (value.type.element === null ? each : each * ELEMENTS_UNKNOWN), 0);
    if (best === null || rows < best.rows) best = { lookup, rows, implied: e };
  }
  return best;
}

function lookupOf(scan: VirtualScanPlan, e: Bound): VirtualLookup | null {
  if (e.kind === 'in' && !e.negated) return equality(scan, e.arg, e.list);
  if (e.kind === 'quantified' && e.quantifier === 'any' && e.operator.name === '=') return equality(scan, e.left, [e.array]);
  if (e.kind !== 'call' || e.args.length !== 2) return null;
  if (e.fn.name === '=' && !('kind' in e.fn)) return equality(scan, e.args[0], [e.args[1]]) ?? equality(scan, e.args[1], [e.args[0]]);
  const text = onlyText(e);
  return text === null ? null : equality(scan, e.args[0], [{ ...text, type: bare(e.args[0]).type }]);
}

function equality(scan: VirtualScanPlan, own: Bound, values: readonly Bound[]): VirtualLookup | null {
  const subject = bare(own);
  if (subject.kind !== 'column') return null;
  const at = scan.columns.findIndex((column) => column.id === subject.id);
  if (at < 0 || !scan.relation.hashed.includes(scan.source[at])) return null;
  const ids = new Set(scan.columns.map(({ id }) => id));
  if (!values.every((value) => fits(subject.type, value.type.element ?? value.type) && isOutside(value, ids))) return null;
  return { column: scan.source[at], values };
}

function isOutside(e: Bound, own: ReadonlySet<ColumnId>): boolean {
  if (e.kind === 'constant' || e.kind === 'parameter') return true;
  return !isVolatile(e) && [...columnsOf(e)].every((id) => !own.has(id));
}

/** Equal values of the two types have one key. */
function fits(column: SqlType, value: SqlType): boolean {
  return sameHash(column, value) || (sharesOid(column) && sharesOid(value));
}

const TEXTS = new Set(['text', 'varchar', 'name']);

/** The argument of a binary cast. */
function bare(e: Bound): Bound {
  if (e.kind !== 'cast' || (e.method !== 'binary' && e.type.name !== 'text')) return e;
  const from = e.arg.type;
  return (TEXTS.has(from.name) && TEXTS.has(e.type.name)) || (sharesOid(from) && sharesOid(e.type)) ? bare(e.arg) : e;
}

const MATCHES = new Set(['textregexeq', 'nameregexeq']);
const ONE_TEXT = /^\^(?:\(((?:[\w\s"#%&',/:;<=>@`~!-]|[^\0-\x7f]|\\[^\w\s])*)\)|((?:[\w\s"#%&',/:;<=>@`~!-]|[^\0-\x7f]|\\[^\w\s])*))\$$/u;

/** The only text that matches the expression: `^(name)$`. */
export function onlyText(e: Bound): (Bound & { kind: 'constant' }) | null {
  if (e.kind !== 'call' || !MATCHES.has(e.proc) || e.args[1].kind !== 'constant' || typeof e.args[1].value !== 'string') return null;
  const found = ONE_TEXT.exec(e.args[1].value);
  return found === null ? null : { ...e.args[1], value: (found[1] ?? found[2]).replaceAll(/\\(.)/gu, '$1') };
}
