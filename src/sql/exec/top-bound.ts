/**
 * The last of the first rows that a sort keeps, as a number: most rows are compared with it by one instruction, and groups of leaves
 * are skipped by it. A row whose first key is `bound` or beyond it is not wanted.
 */
import { KIND } from '../../tree/datum.ts';
import { childRoot } from '../../tree/directory.ts';
import type { GroupView } from '../../tree/gathered.ts';
import type { Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import type { Zone } from '../../tree/zone.ts';
import type { Bound, ColumnId } from '../plan/bound.ts';
import type { Plan } from '../plan/logical.ts';
import { hasSubquery, isVolatile } from '../plan/rules/walk.ts';
import { Numeric } from '../types/numeric.ts';
import type { Value } from '../types/value.ts';
import type { Emitter } from './emitter.ts';
import type { Operand } from './operand.ts';
import type { Run } from './run.ts';
import type { SortKey } from './sort.ts';
import { type ScanColumn, scansBehind, PASSES, type ZoneTest } from './zone-tests.ts';

export class TopBound {
  /** Nothing is beyond it at first. */
  value: number;
  /** Whether nulls are beyond it. */
  nulls = false;
  readonly #key: SortKey;
  readonly #scale: number;
  readonly #alone: boolean;

  /** `scale`: of a decimal, which is represented by its coefficient. `alone`: no other key breaks ties. */
  constructor(key: SortKey, scale: number, alone: boolean) {
    this.#key = key;
    this.#scale = scale;
    this.#alone = alone;
    this.value = key.descending ? -Infinity : Infinity;
  }

  /** Sets the first key of the last wanted row. */
  move(worst: Value): void {
    const { descending, nullsFirst } = this.#key;
    const alone = this.#alone;
    this.nulls = worst === null ? alone : !nullsFirst;
    if (worst === null) {
      this.value = descending === nullsFirst ? Infinity : -Infinity;
      return;
    }
    const number = this.#numberOf(worst);
    if (number === null) this.value = descending ? -Infinity : Infinity;
    else this.value = alone ? number : beyond(number, descending);
  }

  /** At least as many rows as are wanted have this key or a better one. */
  reached(value: number): void {
    const next = beyond(value, this.#key.descending);
    if (this.#key.descending ? next > this.value : next < this.value) this.value = next;
    // Nulls are beyond it if any value is.
    if (!this.#key.nullsFirst) this.nulls = true;
  }

  #numberOf(value: Value): number | null {
    if (value instanceof Numeric) return value.scale === this.#scale && Number.isSafeInteger(value.coefficient) ? (value.coefficient as number) : null;
    return typeof value === 'number' && value === value ? value : null;
  }
}

const bits = new Float64Array(1);
const whole = new BigInt64Array(bits.buffer);

/** The next number beyond a bound. */
function beyond(value: number, descending: boolean): number {
  if (!Number.isFinite(value)) return descending ? -Infinity : Infinity;
  if (value === 0) return descending ? -Number.MIN_VALUE : Number.MIN_VALUE;
  bits[0] = value;
  whole[0] += value > 0 === descending ? -1n : 1n;
  return bits[0];
}

export function isNumber({ rep, n }: Operand): boolean {
  return n !== 'true' && (rep === 'i32' || rep === 'f64' || rep === 'whole' || rep === 'scaled');
}

/** The condition that a row is beyond the bound in `holder`, and the code that reloads the bound. */
export function behindSource(g: Emitter, holder: string, { v, n }: Operand, { descending }: SortKey): { condition: string; reload: string } {
  const bound = g.hoist(`${holder} bound`, `${holder}.bound.value`, true);
  const past = `${v} ${descending ? '<=' : '>='} ${bound}`;
  if (n === 'false') return { condition: past, reload: `${bound} = ${holder}.bound.value;` };
  const nulls = g.hoist(`${holder} bound nulls`, `${holder}.bound.nulls`, true);
  return { condition: `${n} ? ${nulls} : ${past}`, reload: `${bound} = ${holder}.bound.value; ${nulls} = ${holder}.bound.nulls;` };
}

/** Whether a column of the plan is a stored one: reading it costs little and cannot fail. */
export function isTaken(plan: Plan, id: ColumnId): boolean {
  let at = id;
  let p = plan;
  while (p.op === 'filter' || p.op === 'project') {
    if (p.op === 'project') {
      const own: ColumnId = at;
      const value: Bound | undefined = p.items.find((item) => item.id === own)?.value;
      if (value?.kind === 'constant' || value?.kind === 'parameter') return true;
      if (value?.kind !== 'column') return false;
      at = value.id;
    }
    p = p.input;
  }
  return true;
}

/** Zone-map tests for rows before the bound, by the first key; none if that is not a column of a scan. */
export function topTests(input: Plan, key: Bound, sort: SortKey, boundOf: (run: Run) => TopBound | null): readonly ZoneTest[] {
  if (key.kind !== 'column' || isVolatile(key) || hasSubquery(key)) return [];
  return scansBehind(input, key.id)
    .filter(({ column }) => column.storage.kind <= KIND.F64)
    .map((found) => topTest(found, sort, boundOf));
}

function topTest({ scan, column }: ScanColumn, { descending }: SortKey, boundOf: (run: Run) => TopBound | null): ZoneTest {
  return {
    scan,
    decides: false,
    start(run) {
      const bound = boundOf(run);
      if (bound === null) return null;
      return (view: GroupView) => {
        const zone = view.zone(column.number);
        const nulls = zone.nulls + (column.missing === null ? zone.absent : 0);
        if (!zone.ordered || (zone.absent > 0 && column.missing !== null)) return PASSES.some;
        if (nulls > 0 && !bound.nulls) return PASSES.some;
        const { min, max } = zone;
        const past = min === null || (descending ? (max as number) <= bound.value : (min as number) >= bound.value);
        return past ? PASSES.none : PASSES.some;
      };
    },
  };
}

/**
 * Finds by zone maps how many rows have keys at least as good as some: the bound exists before the first row is read. Every row of
 * the scan has to come through.
 */
export function reachByZones(run: Run, input: Plan, key: Bound, bound: TopBound, { descending }: SortKey, wanted: number): void {
  let p = input;
  while (p.op === 'project') p = p.input;
  if (p.op !== 'scan' || p.access !== undefined || key.kind !== 'column') return;
  const [found] = scansBehind(input, key.id);
  if (found === undefined || found.column.storage.kind > KIND.F64) return;
  const { pager } = run.context;
  const tree = childRoot(pager, p.asOf === null ? run.context.directory(p.table.number) : run.context.rootAt(p.asOf), p.table.number);
  const zones = tree === null ? [] : knownZones(pager, tree, found.column.number);
  if (zones.length === 0) return;
  const turn = descending ? 1 : -1;
  // The best row of each of this many groups …
  if (zones.length >= wanted) {
    const best = Float64Array.from(zones, ({ min, max }) => turn * ((descending ? max : min) as number)).sort();
    bound.reached(turn * best[zones.length - wanted]);
  }
  // … or all rows of the groups with the best ranges.
  const byWorst = zones.toSorted((a, b) => turn * (((descending ? b.min : b.max) as number) - ((descending ? a.min : a.max) as number)));
  let rows = 0;
  for (const { values, min, max } of byWorst) {
    rows += values;
    if (rows < wanted) continue;
    bound.reached((descending ? min : max) as number);
    return;
  }
}

function knownZones(pager: Pager, tree: Node, column: number, into: Zone[] = []): Zone[] {
  if (tree.isLeaf) return into;
  if (tree.height > 1) {
    for (let i = 0; i < tree.keys.length; i++) knownZones(pager, pager.kid(tree, i), column, into);
    return into;
  }
  for (const group of tree.groups) {
    const zone = group === null || group === true ? null : group.knownZone(column);
    if (zone !== null && zone.ordered && typeof zone.min === 'number') into.push(zone);
  }
  return into;
}
