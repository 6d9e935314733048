/**
 * Virtual relations in pipelines. Rows stay the arrays of the relation: a scan's chunk is one column of them, and a lookup join
 * iterates over those found, inside the left side's function.
 */
import type { JoinPlan, Plan, VirtualScanPlan } from '../plan/logical.ts';
import { conjuncts } from '../plan/rules/walk.ts';
import type { Value } from '../types/value.ts';
import { underFilters } from './lookup-join.ts';
import { asValue, fromValue } from './operand.ts';
import { BatchSource, type Pipeline } from './pipeline.ts';
import { produce, withColumns, type Needed } from './produce.ts';
import type { Run } from './run.ts';
import { VirtualFinder } from './virtual-finder.ts';

function finderOf(p: Pipeline, { relation, source }: VirtualScanPlan): number {
  const isOwn = relation.own === true || relation.counts?.some((column) => source.includes(column)) === true;
  return p.c.runState(({ context }) => new VirtualFinder(isOwn ? (context.ownRelation?.(relation) ?? relation) : relation));
}

/** Columns of the row in a variable; `nulls`: a variable that says that there is none. */
function bindRow(p: Pipeline, plan: VirtualScanPlan, row: () => string, nulls: string | null): void {
  const { g, x } = p;
  plan.columns.forEach(({ id, type }, at) => {
    x.scope.set(id, () => {
      const r = g.fresh('r');
      const cell = `${row()}[${plan.source[at]}]`;
      g.line(`const ${r} = ${nulls === null ? cell : `${nulls} ? null : ${cell}`};`);
      return fromValue(g, r, type.repr);
    });
  });
}

export function produceVirtualScan(p: Pipeline, plan: VirtualScanPlan, consume: () => void): void {
  const { c, g } = p;
  const { lookup } = plan;
  const state = finderOf(p, plan);
  const values = lookup === undefined ? null : c.scalars([...lookup.values]);
  const rowsOf = (run: Run): readonly (readonly Value[])[] => {
    const finder = run.states[state] as VirtualFinder;
    return values === null ? finder.all() : finder.any(lookup!.column, values(run, []));
  };
  p.source = new BatchSource(function* (run) {
    const rows = rowsOf(run);
    if (rows.length > 0) yield { count: rows.length, columns: [rows as unknown as Value[]] };
  });
  bindRow(
    p,
    plan,
    () => {
      const known = g.memo<string>(plan);
      if (known !== undefined) return known;
      const row = g.fresh('row');
      g.line(`const ${row} = ${g.hoist('batch 0', 'c.columns[0]')}[i];`);
      g.remember(plan, row);
      return row;
    },
    null,
  );
  g.open('source: for (let i = from; i < to; i++)');
  consume();
  g.close();
}

export interface LookedUpVirtual {
  readonly scan: VirtualScanPlan;
  readonly filters: readonly (Plan & { op: 'filter' })[];
}

/** The right side's scan if it is a lookup; null otherwise. */
export function lookedUpVirtual(right: Plan): LookedUpVirtual | null {
  const { plan: p, filters } = underFilters(right);
  return p.op !== 'virtualScan' || p.lookup === undefined ? null : { scan: p, filters };
}

export function produceVirtualLookup(p: Pipeline, plan: JoinPlan, { scan, filters }: LookedUpVirtual, needed: Needed, consume: () => void): void {
  const { g, x } = p;
  const { kind } = plan;
  const lookup = scan.lookup!;
  const predicates = [...filters.flatMap((filter) => conjuncts(filter.predicate)), ...(plan.on === null ? [] : conjuncts(plan.on))];
  const outer = kind === 'left' || kind === 'single';
  const state = finderOf(p, scan);
  produce(p, plan.left, withColumns(withColumns(needed, predicates), lookup.values), () => {
    const finder = g.state(state);
    const values = lookup.values.map((e) => asValue(g, x.compile(e)));
    const rows = g.fresh('rows');
    const at = g.fresh('at');
    const row = g.fresh('row');
    const nulls = outer ? g.fresh('nulls') : null;
    const single = values.length === 1 && lookup.values[0].type.element === null;
    g.line(`const ${rows} = ${single ? `${finder}.one(${lookup.column}, ${values[0]})` : `${finder}.any(${lookup.column}, [${values.join(', ')}])`};`);
    bindRow(p, scan, () => row, nulls);
    const ask = (then: () => void): void => {
      // A row has few matches, except in columns with few distinct values.
      p.yieldPoint(() => Math.ceil(lookup.rowsEach ?? 1));
      count(p, scan);
      x.where(predicates, () => {
        for (const filter of filters) count(p, filter);
        then();
      });
    };
    const loop = (then: () => void): void => {
      g.open(`for (let ${at} = 0; ${at} < ${rows}.length; ${at}++)`);
      g.line(`const ${row} = ${rows}[${at}];`);
      ask(then);
      g.close();
    };
    if (kind === 'semi' || kind === 'anti') {
      const hit = g.fresh('hit');
      g.line(`let ${hit} = false;`);
      const label = g.fresh('L');
      g.open(`${label}:`);
      loop(() => g.line(`${hit} = true; break ${label};`));
      g.close();
      for (const { id } of scan.columns) x.scope.delete(id);
      g.open(`if (${kind === 'semi' ? '' : '!'}${hit})`);
      consume();
      g.close();
      return;
    }
    if (!outer) return loop(consume);
    // One more iteration with nulls if nothing was found: `consume` is emitted once.
    const hit = g.fresh('hit');
    const ok = g.fresh('ok');
    g.line(`let ${hit} = false, ${nulls} = false;`);
    g.open(`for (let ${at} = 0; ; ${at}++)`);
    g.line(`if (${at} >= ${rows}.length) { if (${hit}) break; ${nulls} = true; }`);
    g.line(`const ${row} = ${rows}[${at}];`);
    g.line(`let ${ok} = ${nulls};`);
    g.open(`if (!${nulls})`);
    ask(() => g.line(`${ok} = true;`));
    g.close();
    g.line(`if (!${ok}) continue;`);
    if (kind === 'single') g.line(`if (${hit}) ${g.runtime('moreThanOneRow')}();`);
    g.line(`${hit} = true;`);
    consume();
    g.line(`if (${nulls}) break;`);
    g.close();
  });
}

/** For EXPLAIN ANALYZE. */
function count(p: Pipeline, plan: Plan): void {
  if (!p.c.analyze) return;
  const state = p.c.runState(() => ({ rows: 0 }));
  p.c.counted.set(plan, state);
  p.g.line(`${p.g.state(state)}.rows++;`);
}
