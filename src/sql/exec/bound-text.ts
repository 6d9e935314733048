/** Bound expressions as text, for EXPLAIN. */
import { quoteIdentifier, quoteString } from '../../base/quote-identifier.ts';
import type { Bound, ColumnId } from '../plan/bound.ts';
import type { Plan } from '../plan/logical.ts';
import { boundsOf, freeColumns, inputsOf, visitBound } from '../plan/rules/walk.ts';
import type { Environment } from '../types/environment.ts';

/** The inputs that EXPLAIN shows. Which rows pass a filter is read, if at all, for the ranked scan below that filter. */
export function shownInputs(plan: Plan): readonly Plan[] {
  return plan.op === 'rankedScan' && plan.by.kind === 'distance' ? [] : inputsOf(plan);
}

/** Column names, qualified if there is more than one table. */
export function columnNames(plan: Plan): Map<ColumnId, string> {
  const names = new Map<ColumnId, string>();
  const scans: { id: ColumnId; name: string; table: string }[] = [];
  const collated: [ColumnId, ColumnId, readonly string[]][] = [];
  const tables = new Set<string>();
  let count = 0;
  /** The members of an append are one table under several names, so columns are not qualified. */
  const members = new Set<Plan>();
  const stack: Plan[] = [plan];
  for (let p = stack.pop(); p !== undefined; p = stack.pop()) {
    const made = p.op === 'scan' || p.op === 'foreignScan' || p.op === 'rankedScan' ? p.table.name : null;
    if (made !== null) {
      tables.add(made);
      if (!members.has(p)) count++;
    }
    if (p.op === 'append') {
      count++;
      for (const input of p.inputs) {
        let below = input;
        while (below.op === 'project' || below.op === 'filter') below = below.input;
        members.add(below);
      }
    }
    if (p.op === 'project') {
      for (const { id, value } of p.items) if (value.collation !== undefined && value.kind === 'column') collated.push([id, value.id, value.collation]);
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
    stack.push(...shownInputs(p));
  }
  for (const { id, name, table } of scans) names.set(id, count > 1 ? `${table}.${name}` : name);
  for (const [id, from, collation] of collated) names.set(id, `${names.get(from) ?? ''} COLLATE ${quoteIdentifier(collation[collation.length - 1])}`);
  return names;
}

/** Whether the digits determine the type. */
function isBare(type: string, text: string): boolean {
  return type === 'int4' ? /^\d+$/.test(text) : type === 'numeric' && /^\d+\.\d+$/.test(text);
}

/** The expressions behind columns of projections, except plain renames. */
export function columnExpressions(plan: Plan): Map<ColumnId, Bound> {
  const out = new Map<ColumnId, Bound>();
  const stack: Plan[] = [plan];
  for (let p = stack.pop(); p !== undefined; p = stack.pop()) {
    if (p.op === 'project') for (const { id, value } of p.items) if (value.kind !== 'column') out.set(id, value);
    if (p.op === 'aggregate') for (const { id, value } of p.groups) if (value.kind !== 'column') out.set(id, value);
    stack.push(...inputsOf(p));
  }
  return out;
}

/** An expression as SQL, with Postgres's parentheses; `subplan` names the plan of a subquery. */
export function boundText(e: Bound, names: ReadonlyMap<ColumnId, string>, env: Environment, subplan: (plan: Plan) => string): string {
  const show = (at: Bound): string => boundText(at, names, env, subplan);
  switch (e.kind) {
    case 'constant':
      if (e.value === null) return 'NULL';
      if (e.type.name === 'bool') return e.value === true ? 'true' : 'false';
      if (isBare(e.type.name, e.type.format(e.value, env))) return e.type.format(e.value, env);
      return `${quoteString(e.type.format(e.value, env))}::${e.type.title}`;
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
    case 'subquery':
    case 'arrayQuery':
      return subplan(e.plan);
    case 'quantifiedQuery': {
      const hashed = e.quantifier === 'any' && freeColumns(e.plan).size === 0;
      return hashed ? subplan(e.plan).replace('(SubPlan', '(hashed SubPlan') : `(${e.quantifier.toUpperCase()} ${subplan(e.plan).slice(1)}`;
    }
    case 'environment':
      return e.name.toUpperCase();
  }
}
