/** EXPLAIN: a plan as lines in Postgres's manner, with the rows that each node gave where the run was analyzed. */
import type { Bound, BoundSort, ColumnId } from '../plan/bound.ts';
import type { JoinPlan, Plan, ScanPlan } from '../plan/logical.ts';
import { joinKeys } from '../plan/rules/join-keys.ts';
import { conjunction } from '../plan/rules/rewrite.ts';
import { boundsOf, freeColumns, inputsOf, visitBound } from '../plan/rules/walk.ts';
import type { Environment } from '../types/environment.ts';

export interface ExplainOptions {
  /** For the text of constants. */
  readonly env: Environment;
  readonly estimatedRows?: (plan: Plan) => number;
  readonly actualRows?: (plan: Plan) => number | undefined;
}

export function explain(plan: Plan, options: ExplainOptions): string[] {
  const names = columnNames(plan);
  const lines: string[] = [];
  const show = (e: Bound): string => boundText(e, names, options.env);
  const node = (p: Plan, depth: number, first: boolean): void => {
    // Nodes that only rename are not shown.
    if (p.op === 'project' || (p.op === 'filter' && p.input.op !== 'cteScan' && carriesFilter(p.input))) {
      return p.op === 'project' ? node(p.input, depth, first) : shown(p.input, depth, first, p.predicate);
    }
    shown(p, depth, first, null);
  };
  const shown = (p: Plan, depth: number, first: boolean, filter: Bound | null): void => {
    const indent = first ? '' : `${'  '.repeat(depth * 3 - 2)}->  `;
    const detail = first && depth === 0 ? '  ' : '  '.repeat(depth * 3 + 1);
    const estimate = options.estimatedRows === undefined ? '' : `  (rows=${Math.max(1, Math.round(options.estimatedRows(p)))})`;
    const actual = options.actualRows?.(p);
    lines.push(
      `${indent}${title(p)}${estimate}${options.actualRows === undefined ? '' : actual === undefined ? ' (never executed)' : ` (actual rows=${actual} loops=1)`}`,
    );
    for (const line of details(p, show)) lines.push(`${detail}${line}`);
    if (filter !== null) lines.push(`${detail}Filter: ${show(filter)}`);
    const inputs = inputsOf(p);
    inputs.forEach((input, i) => {
      if (p.op === 'with' && i < p.definitions.length) {
        lines.push(`${detail}CTE ${p.definitions[i].name}`);
        node(input, depth + 1, false);
      } else if (p.op === 'join' && isHash(p) && i === 1) {
        lines.push(`${'  '.repeat((depth + 1) * 3 - 2)}->  Hash`);
        node(input, depth + 2, false);
      } else node(input, depth + 1, false);
    });
    for (const e of filter === null ? boundsOf(p) : [...boundsOf(p), filter]) {
      visitBound(e, (at) => {
        if (at.kind !== 'exists' && at.kind !== 'subquery' && at.kind !== 'arrayQuery' && at.kind !== 'quantifiedQuery') return;
        lines.push(`${detail}${freeColumns(at.plan).size === 0 ? 'InitPlan' : 'SubPlan'}`);
        node(at.plan, depth + 1, false);
      });
    }
  };
  node(plan, 0, true);
  return lines;
}

/** Postgres shows a filter at the node that makes the rows. */
function carriesFilter(plan: Plan): boolean {
  return plan.op === 'scan' || plan.op === 'join' || plan.op === 'aggregate' || plan.op === 'functionScan' || plan.op === 'virtualScan';
}

function isHash(plan: JoinPlan): boolean {
  const ids = (p: Plan): Set<ColumnId> => new Set(p.columns.map((column) => column.id));
  const left = ids(plan.left);
  return joinKeys(plan.on, left, ids(plan.right)).left.length > 0 && ![...freeColumns(plan.right)].some((id) => left.has(id));
}

const JOINS: Record<JoinPlan['kind'], string> = { inner: '', left: ' Left', right: ' Right', full: ' Full', semi: ' Semi', anti: ' Anti', single: ' Left' };

function title(plan: Plan): string {
  switch (plan.op) {
    case 'scan':
      return scanTitle(plan);
    case 'virtualScan':
      return `${plan.lookup === undefined ? 'Seq Scan' : 'Index Scan'} on ${plan.relation.name}`;
    case 'values':
      return plan.rows.length === 1 ? 'Result' : 'Values Scan on "*VALUES*"';
    case 'functionScan':
      return `Function Scan on ${plan.functions[0].call.fn.name}`;
    case 'filter':
      return 'Result';
    case 'project':
      return 'Result';
    case 'projectSet':
      return 'ProjectSet';
    case 'join': {
      if (isHash(plan)) return `Hash${JOINS[plan.kind]} Join`;
      return plan.kind === 'inner' ? 'Nested Loop' : `Nested Loop${JOINS[plan.kind]} Join`;
    }
    case 'aggregate':
      if (plan.sets !== null) return 'MixedAggregate';
      return plan.groups.length > 0 ? 'HashAggregate' : 'Aggregate';
    case 'window':
      return 'WindowAgg';
    case 'distinct':
      return plan.on === null ? 'HashAggregate' : 'Unique';
    case 'sort':
      return 'Sort';
    case 'limit':
      return 'Limit';
    case 'lock':
      return 'LockRows';
    case 'setOperation':
      return plan.operator === 'union'
        ? plan.all
          ? 'Append'
          : 'HashAggregate'
        : `HashSetOp ${plan.operator === 'except' ? 'Except' : 'Intersect'}${plan.all ? ' All' : ''}`;
    case 'with':
      return 'Result';
    case 'cteScan':
      return `CTE Scan on cte${plan.number}`;
    case 'recursive':
      return 'Recursive Union';
    case 'insert':
      return `Insert on ${plan.table.name}`;
    case 'update':
      return `Update on ${plan.table.name}`;
    case 'delete':
      return `Delete on ${plan.table.name}`;
    case 'merge':
      return `Merge on ${plan.table.name}`;
  }
}

function scanTitle(plan: ScanPlan): string {
  const { access, table } = plan;
  if (access === undefined) return `Seq Scan on ${table.name}`;
  const name = access.index === null ? (table.primaryKey ?? `${table.name}_key`) : access.index.name;
  return `Index Scan${access.backward ? ' Backward' : ''} using ${name} on ${table.name}`;
}

function details(plan: Plan, show: (e: Bound) => string): string[] {
  switch (plan.op) {
    case 'scan': {
      const { access, table } = plan;
      if (access === undefined) return [];
      const columns = access.index === null ? table.key.columns : access.index.columns.map((column) => column.column);
      const name = (i: number): string => (columns[i] == null ? 'expr' : table.columns[columns[i]].name);
      const parts = access.equal.map((e, i) => `(${name(i)} = ${show(e)})`);
      const next = name(access.equal.length);
      if (access.oneOf !== undefined) parts.push(`(${next} = ANY ('{${access.oneOf.map(show).join(',')}}'))`);
      if (access.lower !== undefined) parts.push(`(${next} ${access.lower.inclusive ? '>=' : '>'} ${show(access.lower.value)})`);
      if (access.upper !== undefined) parts.push(`(${next} ${access.upper.inclusive ? '<=' : '<'} ${show(access.upper.value)})`);
      return parts.length === 0 ? [] : [`Index Cond: ${parts.length === 1 ? parts[0] : `(${parts.join(' AND ')})`}`];
    }
    case 'filter':
      return [`Filter: ${show(plan.predicate)}`];
    case 'join': {
      if (plan.on === null) return [];
      if (!isHash(plan)) return [`Join Filter: ${show(plan.on)}`];
      const ids = (p: Plan): Set<ColumnId> => new Set(p.columns.map((column) => column.id));
      const keys = joinKeys(plan.on, ids(plan.left), ids(plan.right));
      const conditions = keys.left.map((left, i) => `(${show(left)} = ${show(keys.right[i])})`);
      const lines = [`Hash Cond: ${conditions.length === 1 ? conditions[0] : `(${conditions.join(' AND ')})`}`];
      const rest = conjunction(keys.rest);
      if (rest !== null) lines.push(`Join Filter: ${show(rest)}`);
      return lines;
    }
    case 'aggregate':
      return plan.groups.length === 0 ? [] : [`Group Key: ${plan.groups.map((group) => show(group.value)).join(', ')}`];
    case 'distinct':
      return plan.on === null ? [`Group Key: ${plan.columns.map((column) => column.name).join(', ')}`] : [];
    case 'sort':
      return [`Sort Key: ${plan.keys.map((key) => sortText(key, show)).join(', ')}`];
    default:
      return [];
  }
}

function sortText(key: BoundSort, show: (e: Bound) => string): string {
  const nulls = key.nullsFirst === key.descending ? '' : key.nullsFirst ? ' NULLS FIRST' : ' NULLS LAST';
  return `${show(key.value)}${key.descending ? ' DESC' : ''}${nulls}`;
}

function columnNames(plan: Plan): Map<ColumnId, string> {
  const names = new Map<ColumnId, string>();
  const scans: { id: ColumnId; name: string; table: string }[] = [];
  const tables = new Set<string>();
  let count = 0;
  const stack: Plan[] = [plan];
  for (let p = stack.pop(); p !== undefined; p = stack.pop()) {
    const made = p.op === 'scan' ? p.table.name : null;
    if (made !== null) {
      tables.add(made);
      count++;
    }
    for (const column of p.columns) {
      if (made !== null) scans.push({ id: column.id, name: column.name, table: made });
      else if (!names.has(column.id)) names.set(column.id, column.name);
    }
    for (const e of boundsOf(p)) {
      visitBound(e, (at) => {
        if (at.kind === 'exists' || at.kind === 'subquery' || at.kind === 'arrayQuery' || at.kind === 'quantifiedQuery') stack.push(at.plan);
      });
    }
    stack.push(...inputsOf(p));
  }
  for (const { id, name, table } of scans) names.set(id, count > 1 ? `${table}.${name}` : name);
  return names;
}

/** An expression as SQL, parenthesised as Postgres prints it. */
function boundText(e: Bound, names: ReadonlyMap<ColumnId, string>, env: Environment): string {
  const show = (at: Bound): string => boundText(at, names, env);
  switch (e.kind) {
    case 'constant':
      if (e.value === null) return 'NULL';
      if (e.type.category === 'N' || e.type.category === 'B')
        return e.type.category === 'B' ? (e.value === true ? 'true' : 'false') : e.type.format(e.value, env);
      return `'${e.type.format(e.value, env).replaceAll("'", "''")}'::${e.type.title}`;
    case 'column':
      return names.get(e.id) ?? `$${e.id}`;
    case 'parameter':
      return `$${e.number}`;
    case 'call':
      if ('kind' in e.fn) return `${e.fn.name}(${e.args.map(show).join(', ')})`;
      return e.args.length === 1 ? `(${e.fn.name} ${show(e.args[0])})` : `(${show(e.args[0])} ${e.fn.name} ${show(e.args[1])})`;
    case 'cast':
      return `(${show(e.arg)})::${e.type.title}`;
    case 'and':
    case 'or':
      return `(${e.args.map(show).join(e.kind === 'and' ? ' AND ' : ' OR ')})`;
    case 'not':
      return `(NOT ${show(e.arg)})`;
    case 'isNull':
      return `(${show(e.arg)} IS ${e.negated ? 'NOT ' : ''}NULL)`;
    case 'isBoolean':
      return `(${show(e.arg)} IS ${e.negated ? 'NOT ' : ''}${e.value === null ? 'UNKNOWN' : e.value ? 'TRUE' : 'FALSE'})`;
    case 'isDistinct':
      return `(${show(e.left)} IS ${e.negated ? 'NOT ' : ''}DISTINCT FROM ${show(e.right)})`;
    case 'in':
      return `(${show(e.arg)} ${e.negated ? '<> ALL' : '= ANY'} ('{${e.list.map(show).join(',')}}'))`;
    case 'quantified':
      return `(${show(e.left)} ${e.operator.name} ${e.quantifier.toUpperCase()} (${show(e.array)}))`;
    case 'case':
      return `CASE ${e.branches.map((branch) => `WHEN ${show(branch.when)} THEN ${show(branch.then)}`).join(' ')} ELSE ${show(e.otherwise)} END`;
    case 'coalesce':
    case 'greatest':
    case 'least':
      return `${e.kind.toUpperCase()}(${e.args.map(show).join(', ')})`;
    case 'nullIf':
      return `NULLIF(${show(e.left)}, ${show(e.right)})`;
    case 'let':
      return show(e.body);
    case 'array':
      return `ARRAY[${e.elements.map(show).join(', ')}]`;
    case 'row':
      return `ROW(${e.fields.map(show).join(', ')})`;
    case 'subscript':
      return `${show(e.arg)}[${e.subscripts.map(({ slice, lower, upper }) => `${slice ? `${lower === null ? '' : show(lower)}:` : ''}${upper === null ? '' : show(upper)}`).join('][')}]`;
    case 'field':
      return `(${show(e.arg)}).f${e.index + 1}`;
    case 'rowCompare':
      return `(ROW(${e.left.map(show).join(', ')}) ${e.op} ROW(${e.right.map(show).join(', ')}))`;
    case 'exists':
      return 'EXISTS(SubPlan)';
    case 'subquery':
    case 'arrayQuery':
      return '(SubPlan)';
    case 'quantifiedQuery':
      return `(${e.quantifier.toUpperCase()} SubPlan)`;
    case 'environment':
      return e.name.toUpperCase();
  }
}
