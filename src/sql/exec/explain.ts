/** EXPLAIN: a plan as a tree of nodes in Postgres's terms, with the estimate of each node and, with ANALYZE, its actual rows. explain-formats.ts prints it. */
import type { Bound, BoundSort, ColumnId } from '../plan/bound.ts';
import type { Access, ForeignScanPlan, JoinPlan, Plan, RankedScanPlan, ScanPlan } from '../plan/logical.ts';
import { joinKeys } from '../plan/rules/join-keys.ts';
import { conjunction } from '../plan/rules/rewrite.ts';
import { boundsOf, freeColumns, inputsOf, visitBound } from '../plan/rules/walk.ts';
import type { Environment } from '../types/environment.ts';
import { boundText, columnExpressions, columnNames, shownInputs } from './bound-text.ts';
import { arbiterOf } from './modify.ts';

export interface ExplainOptions {
  /** For the text of constants. */
  readonly env: Environment;
  readonly estimatedRows?: (plan: Plan) => number;
  readonly actualRows?: (plan: Plan) => number | undefined;
  /** The part of these that was not read. */
  readonly skippedRows?: (plan: Plan) => number | undefined;
  readonly verbose?: boolean;
}

export interface ExplainNode {
  readonly type: string;
  /** As in text format: `Index Scan using t_pkey on t`. */
  readonly title: string;
  /** Position under its parent: `Outer`, `Inner`, `InitPlan`, `SubPlan`, `Member`. */
  readonly relationship: string | null;
  readonly subplan: string | null;
  /** Names besides the type, which the text format shows in the title. */
  readonly names: readonly (readonly [name: string, value: string | boolean])[];
  /** Conditions, keys and similar; null is not shown in text. */
  readonly details: readonly (readonly [name: string, value: string | readonly string[]])[];
  readonly cost: { readonly startup: number; readonly total: number; readonly rows: number; readonly width: number } | null;
  /** undefined: not analyzed; null: never run. */
  readonly actual: number | null | undefined;
  readonly removed: number | null;
  readonly children: readonly ExplainNode[];
}

type Subqueries = Map<Plan, { readonly number: number; readonly initial: boolean }>;

export function explainTree(plan: Plan, options: ExplainOptions): ExplainNode {
  return new Explainer(plan, options).node(plan, null, null);
}

class Explainer {
  readonly #options: ExplainOptions;
  readonly #names: ReadonlyMap<ColumnId, string>;
  readonly #expressions: ReadonlyMap<ColumnId, Bound>;
  readonly #subqueries: Subqueries = new Map();

  constructor(plan: Plan, options: ExplainOptions) {
    this.#options = options;
    this.#names = columnNames(plan);
    this.#expressions = columnExpressions(plan);
  }

  #show(e: Bound): string {
    return boundText(e, this.#names, this.#options.env, (plan) => {
      const { number, initial } = this.#subquery(plan);
      return initial ? `$${number - 1}` : `(SubPlan ${number})`;
    });
  }

  /** A computed sort key is parenthesised. */
  #key(e: Bound): string {
    let value = e;
    for (let known = e; known.kind === 'column'; value = known) {
      const next = this.#expressions.get(known.id);
      if (next === undefined) break;
      known = next;
    }
    return value.kind === 'column' ? this.#show(value) : `(${this.#show(value)})`;
  }

  /** A subquery that occurs in several places is shown at the first. */
  readonly #shown = new Set<Plan>();

  #subquery(plan: Plan, hashed = false): { readonly number: number; readonly initial: boolean } {
    let found = this.#subqueries.get(plan);
    if (found === undefined) this.#subqueries.set(plan, (found = { number: this.#subqueries.size + 1, initial: !hashed && freeColumns(plan).size === 0 }));
    return found;
  }

  /** Projections only rename, and Postgres shows a filter at the node that produces the rows. */
  node(plan: Plan, relationship: string | null, subplan: string | null, above: readonly Bound[] = []): ExplainNode {
    if (plan.op === 'project') return this.node(plan.input, relationship, subplan, [...above, ...plan.items.map((item) => item.value)]);
    if (plan.op === 'filter' && carriesFilter(plan.input)) return this.#made(plan.input, relationship, subplan, above, plan);
    return this.#made(plan, relationship, subplan, above, null);
  }

  #made(p: Plan, relationship: string | null, subplan: string | null, above: readonly Bound[], filter: (Plan & { op: 'filter' }) | null): ExplainNode {
    const { actualRows } = this.#options;
    const own = actualRows?.(p);
    const given = filter === null || (p.op === 'scan' && own === undefined) ? own : actualRows?.(filter);
    const all = [...boundsOf(p), ...(filter === null ? [] : [filter.predicate]), ...above];
    // An uncorrelated IN (SELECT …) is hashed and is not an InitPlan.
    for (const e of all)
      visitBound(e, (at) => {
        if (at.kind === 'quantifiedQuery') this.#subquery(at.plan, true);
      });
    const details = this.#details(p);
    if (filter !== null) details.push(['Filter', this.#show(filter.predicate)]);
    const skipped = this.#options.skippedRows?.(p) ?? 0;
    if (p.op === 'rankedScan') details.push(...this.#rank(p));
    if (p.op === 'foreignScan') details.push(...foreignDetails(p));
    if (skipped > 0) details.push(['Rows Skipped by Zones', String(skipped)]);
    const children: ExplainNode[] = [];
    for (const e of all) {
      visitBound(e, (at) => {
        if (at.kind !== 'exists' && at.kind !== 'subquery' && at.kind !== 'arrayQuery' && at.kind !== 'quantifiedQuery') return;
        if (this.#shown.has(at.plan)) return;
        this.#shown.add(at.plan);
        const { number, initial } = this.#subquery(at.plan, at.kind === 'quantifiedQuery');
        children.push(this.node(at.plan, initial ? 'InitPlan' : 'SubPlan', initial ? `InitPlan ${number} (returns $${number - 1})` : `SubPlan ${number}`));
      });
    }
    children.push(...this.#inputs(p));
    return {
      ...titled(p),
      relationship,
      subplan,
      details: [...this.#output(p), ...details],
      cost: this.#cost(filter ?? p),
      actual: actualRows === undefined ? undefined : (given ?? null),
      removed: filter === null || own === undefined || given === undefined || own <= given ? null : own - given,
      children,
    };
  }

  #inputs(p: Plan): ExplainNode[] {
    if (p.op === 'scan' && p.access?.union !== undefined) {
      const parts = p.access.union.map((each) => this.#part(p, each));
      if (parts.length === 1) return [{ ...parts[0], relationship: 'Outer' }];
      return [{ ...plainNode('BitmapOr', 'Outer'), children: parts, actual: this.#options.actualRows === undefined ? undefined : null }];
    }
    return shownInputs(p).map((input, i) => {
      if (p.op === 'with' && i < p.definitions.length) return this.node(input, 'InitPlan', `CTE ${p.definitions[i].name}`);
      const relationship = p.op === 'setOperation' || p.op === 'append' ? 'Member' : i === 0 || p.op === 'with' ? 'Outer' : 'Inner';
      if (p.op !== 'join' || i === 0 || !isHash(p)) return this.node(input, relationship, null);
      const inner = this.node(input, 'Outer', null);
      return { ...plainNode('Hash', 'Inner'), cost: inner.cost, actual: inner.actual, children: [inner] };
    });
  }

  #rank({ by, table }: RankedScanPlan): [string, string][] {
    if (by.kind === 'distance') return [['Order By', `(${table.columns[by.column].name} ${by.operator} ${this.#show(by.value)})`]];
    return [
      ['Searched Columns', by.fields.join(', ')],
      ['Search Text', this.#show(by.text)],
    ];
  }

  #part(scan: ScanPlan, access: Access): ExplainNode {
    const name = indexName({ ...scan, access });
    return {
      ...plainNode('Bitmap Index Scan', 'Member'),
      title: `Bitmap Index Scan on ${name}`,
      names: [['Index Name', name]],
      details: this.#condition({ ...scan, access }),
      actual: this.#options.actualRows === undefined ? undefined : null,
    };
  }

  #output(p: Plan): [string, readonly string[]][] {
    if (this.#options.verbose !== true || p.columns.length === 0) return [];
    return [['Output', p.columns.filter(({ name }) => name !== '').map(({ id, name }) => this.#names.get(id) ?? name)]];
  }

  /** In hundreds of the planner's unit, the reading of a row. */
  #cost(p: Plan): ExplainNode['cost'] {
    const { estimatedRows } = this.#options;
    if (estimatedRows === undefined) return null;
    const rows = Math.max(1, Math.round(estimatedRows(p)));
    let width = 0;
    for (const { type } of p.columns) width += type.length > 0 ? type.length : 32;
    let total = rows;
    const add = (plan: Plan): void => {
      for (const input of inputsOf(plan)) {
        total += Math.max(1, estimatedRows(input));
        add(input);
      }
    };
    add(p);
    const blocks = p.op === 'sort' || p.op === 'aggregate' || p.op === 'window';
    return { startup: blocks ? (total - rows) / 100 : 0, total: total / 100, rows, width };
  }

  #condition(plan: ScanPlan): [string, string][] {
    const { access, table } = plan;
    const name = (i: number): string => {
      const column = access!.index === null ? table.key.columns[i] : access!.index.columns[i].column;
      return column === null ? `(${access!.index!.columns[i].expression})` : table.columns[column].name;
    };
    const show = (e: Bound): string => this.#show(e);
    const { equal, oneOf, lower, upper, search } = access!;
    const parts = equal.map((e, i) => `(${name(i)} = ${show(e)})`);
    const at = equal.length;
    if (oneOf !== undefined) {
      const list = oneOf.length === 1 && oneOf[0].type.element !== null ? show(oneOf[0]) : `'{${oneOf.map(show).join(',')}}'`;
      parts.push(`(${name(at)} = ANY (${list}))`);
    }
    if (search !== undefined) {
      const sides = [name(search.column), show(search.value)];
      if (search.turned) sides.reverse();
      parts.push(`(${sides[0]} ${search.operator} ${sides[1]})`);
    }
    if (lower !== undefined) parts.push(`(${name(at)} ${lower.inclusive ? '>=' : '>'} ${show(lower.value)})`);
    if (upper !== undefined) parts.push(`(${name(at)} ${upper.inclusive ? '<=' : '<'} ${show(upper.value)})`);
    return parts.length === 0 ? [] : [['Index Cond', parts.length === 1 ? parts[0] : `(${parts.join(' AND ')})`]];
  }

  #details(plan: Plan): [string, string | readonly string[]][] {
    const show = (e: Bound): string => this.#show(e);
    switch (plan.op) {
      case 'scan':
        if (plan.few !== undefined) {
          const scan = { ...plan, access: plan.few };
          const unless = plan.few.unless === undefined ? '' : ` unless ${show(plan.few.unless)}`;
          return this.#condition(scan).map(([, text]) => ['Index If Few', `${indexName(scan)} ${text}${unless}`]);
        }
        return plan.access === undefined || plan.access.union !== undefined ? [] : this.#condition(plan);
      case 'values':
        return plan.rows.length === 0 ? [['One-Time Filter', 'false']] : [];
      case 'filter':
        return [['Filter', show(plan.predicate)]];
      case 'join': {
        if (plan.on === null) return [];
        if (!isHash(plan)) return [['Join Filter', show(plan.on)]];
        const ids = (p: Plan): Set<ColumnId> => new Set(p.columns.map((column) => column.id));
        const keys = joinKeys(plan.on, ids(plan.left), ids(plan.right));
        const conditions = keys.left.map((left, i) => `(${show(left)} = ${show(keys.right[i])})`);
        const out: [string, string][] = [['Hash Cond', conditions.length === 1 ? conditions[0] : `(${conditions.join(' AND ')})`]];
        const rest = conjunction(keys.rest);
        if (rest !== null) out.push(['Join Filter', show(rest)]);
        return out;
      }
      case 'aggregate':
        return plan.groups.length === 0 ? [] : [['Group Key', plan.groups.map((group) => show(group.value))]];
      case 'distinct':
        return plan.on === null ? [['Group Key', plan.columns.map((column) => this.#names.get(column.id) ?? column.name)]] : [];
      case 'sort':
        return [['Sort Key', plan.keys.map((key) => sortText(key, (e) => this.#key(e)))]];
      default:
        return [];
    }
  }
}

/** As file_fdw shows it. */
function foreignDetails({ table }: ForeignScanPlan): [string, string][] {
  const file = table.foreign!.options.find((option) => option.startsWith('filename='));
  return file === undefined ? [] : [['Foreign File', file.slice('filename='.length)]];
}

function plainNode(type: string, relationship: string): ExplainNode {
  return { type, title: type, relationship, subplan: null, names: [], details: [], cost: null, actual: undefined, removed: null, children: [] };
}

function carriesFilter(plan: Plan): boolean {
  return (
    plan.op === 'scan' ||
    plan.op === 'foreignScan' ||
    plan.op === 'rankedScan' ||
    plan.op === 'join' ||
    plan.op === 'aggregate' ||
    plan.op === 'functionScan' ||
    plan.op === 'virtualScan' ||
    plan.op === 'cteScan'
  );
}

function isHash(plan: JoinPlan): boolean {
  const ids = (p: Plan): Set<ColumnId> => new Set(p.columns.map((column) => column.id));
  const left = ids(plan.left);
  return joinKeys(plan.on, left, ids(plan.right)).left.length > 0 && ![...freeColumns(plan.right)].some((id) => left.has(id));
}

const JOINS: Record<JoinPlan['kind'], string> = { inner: 'Inner', left: 'Left', right: 'Right', full: 'Full', semi: 'Semi', anti: 'Anti', single: 'Left' };

type Titled = Pick<ExplainNode, 'type' | 'title' | 'names'>;

function named(type: string, title: string, names: Titled['names']): Titled {
  return { type, title, names };
}

function titled(plan: Plan): Titled {
  switch (plan.op) {
    case 'scan':
      return scanTitle(plan);
    case 'foreignScan': {
      const { table, alias } = plan;
      return named('Foreign Scan', `Foreign Scan on ${table.name}${alias === undefined ? '' : ` ${alias}`}`, relationNames(table.schema, table.name));
    }
    case 'rankedScan': {
      const { table, alias, by } = plan;
      const names = relationNames(table.schema, table.name, alias);
      const how = by.kind === 'words' ? 'by words' : by.index === null ? 'by distance' : `using ${by.index}`;
      return named('Ranked Scan', `Ranked Scan ${how} on ${table.name}${alias === undefined ? '' : ` ${alias}`}`, names);
    }
    case 'append':
      return named('Append', 'Append', []);
    case 'hierarchyScan':
      return named('Seq Scan', `Seq Scan on ${plan.table.name}`, relationNames(plan.table.schema, plan.table.name));
    case 'virtualScan': {
      const type = plan.lookup === undefined ? 'Seq Scan' : 'Index Scan';
      return named(type, `${type} on ${plan.relation.name}`, relationNames(plan.relation.schema, plan.relation.name));
    }
    case 'values':
      if (plan.rows.length === 0) return named('Result', 'Result', []);
      return plan.rows.length === 1 ? named('Result', 'Result', []) : named('Values Scan', 'Values Scan on "*VALUES*"', [['Alias', '*VALUES*']]);
    case 'functionScan': {
      const { name } = plan.functions[0].call.fn;
      return named('Function Scan', `Function Scan on ${name}`, [
        ['Function Name', name],
        ['Alias', name],
      ]);
    }
    case 'filter':
    case 'project':
      return named('Result', 'Result', []);
    case 'projectSet':
      return named('ProjectSet', 'ProjectSet', []);
    case 'join': {
      const kind = JOINS[plan.kind];
      const names: Titled['names'] = [
        ['Join Type', kind],
        ['Inner Unique', false],
      ];
      if (isHash(plan)) return named('Hash Join', kind === 'Inner' ? 'Hash Join' : `Hash ${kind} Join`, names);
      return named('Nested Loop', kind === 'Inner' ? 'Nested Loop' : `Nested Loop ${kind} Join`, names);
    }
    case 'aggregate': {
      const strategy = plan.sets !== null ? 'Mixed' : plan.groups.length > 0 ? 'Hashed' : 'Plain';
      const title = strategy === 'Mixed' ? 'MixedAggregate' : strategy === 'Hashed' ? 'HashAggregate' : 'Aggregate';
      return named('Aggregate', title, aggregateNames(strategy));
    }
    case 'window':
      return named('WindowAgg', 'WindowAgg', []);
    case 'distinct':
      return plan.on === null ? named('Aggregate', 'HashAggregate', aggregateNames('Hashed')) : named('Unique', 'Unique', []);
    case 'sort':
      return named('Sort', 'Sort', []);
    case 'limit':
      return named('Limit', 'Limit', []);
    case 'lock':
      return named('LockRows', 'LockRows', []);
    case 'setOperation': {
      if (plan.operator === 'union') return plan.all ? named('Append', 'Append', []) : named('Aggregate', 'HashAggregate', aggregateNames('Hashed'));
      const command = `${plan.operator === 'except' ? 'Except' : 'Intersect'}${plan.all ? ' All' : ''}`;
      return named('SetOp', `HashSetOp ${command}`, [
        ['Strategy', 'Hashed'],
        ['Command', command],
      ]);
    }
    case 'with':
      return named('Result', 'Result', []);
    case 'cteScan':
      return named('CTE Scan', `CTE Scan on cte${plan.number}`, [
        ['CTE Name', `cte${plan.number}`],
        ['Alias', `cte${plan.number}`],
      ]);
    case 'recursive':
      return named('Recursive Union', 'Recursive Union', []);
    case 'insert':
    case 'update':
    case 'delete':
    case 'merge': {
      if (plan.op === 'insert' && plan.conflict !== null) arbiterOf(plan.conflict);
      const operation = `${plan.op[0].toUpperCase()}${plan.op.slice(1)}`;
      return named('ModifyTable', `${operation} on ${plan.table.name}`, [['Operation', operation], ...relationNames(plan.table.schema, plan.table.name)]);
    }
  }
}

function relationNames(schema: string, name: string, alias = name): (readonly [string, string])[] {
  return [
    ['Relation Name', name],
    ['Schema', schema],
    ['Alias', alias],
  ];
}

function aggregateNames(strategy: string): Titled['names'] {
  return [
    ['Strategy', strategy],
    ['Partial Mode', 'Simple'],
  ];
}

function indexName({ access, table }: ScanPlan): string {
  return access!.index === null ? (table.primaryKey ?? `${table.name}_key`) : access!.index.name;
}

function scanTitle(plan: ScanPlan): Titled {
  const { access, table, alias = table.name } = plan;
  const names = relationNames(table.schema, table.name, alias);
  const title = alias === table.name ? alias : `${table.name} ${alias}`;
  if (access === undefined) return named('Seq Scan', `Seq Scan on ${title}`, names);
  if (access.union !== undefined) return named('Bitmap Heap Scan', `Bitmap Heap Scan on ${title}`, names);
  const index = indexName(plan);
  const type = access.only === true ? 'Index Only Scan' : 'Index Scan';
  return named(type, `${type}${access.backward ? ' Backward' : ''} using ${index} on ${title}`, [
    ['Scan Direction', access.backward ? 'Backward' : 'Forward'],
    ['Index Name', index],
    ...names,
  ]);
}

function sortText(key: BoundSort, show: (e: Bound) => string): string {
  const nulls = key.nullsFirst === key.descending ? '' : key.nullsFirst ? ' NULLS FIRST' : ' NULLS LAST';
  return `${show(key.value)}${key.descending ? ' DESC' : ''}${nulls}`;
}
