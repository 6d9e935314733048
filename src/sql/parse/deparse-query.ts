/** Prints queries (ruleutils.c, get_select_query_def and its callees). */
import type { Expression } from '../ast/expression.ts';
import type { Frame, FrameBound, GroupItem, Locking, Query, Select, SelectItem, SetOperation, SortKey, Values, Window, With } from '../ast/query.ts';
import { deparseOperator, printExpression, printList } from './deparse-expression.ts';
import { printFrom } from './deparse-from.ts';
import { INDENT, INDENT_ITEM, type Printer } from './deparse-printer.ts';
import { printWrite } from './deparse-write.ts';
import { quoteIdentifier, quoteList, quoteNames } from '../../base/quote-identifier.ts';

/** As a statement or in parentheses that the caller prints. Restores the indentation. */
export function printQuery(out: Printer, query: Query): void {
  const { indent } = out;
  printBody(out, query);
  out.indent = indent;
}

/** `( SELECT …)`, as in an expression or FROM. */
export function printSubquery(out: Printer, query: Query): void {
  out.text += '(';
  printQuery(out, query);
  out.text += ')';
}

function printBody(out: Printer, query: Query): void {
  if (query.with !== null) printWith(out, query.with);
  if (query.type === 'setOperation') printSetOperation(out, query, query.inputs.length);
  else printPlain(out, query);
  if (query.orderBy.length > 0) {
    out.line(' ORDER BY ', -INDENT, INDENT, 1);
    printSortKeys(out, query.orderBy);
  }
  if (query.offset !== null) {
    out.line(' OFFSET ', -INDENT, INDENT, 0);
    printExpression(out, query.offset, null);
  }
  if (query.limit !== null) {
    out.line(query.withTies ? ' FETCH FIRST (' : ' LIMIT ', -INDENT, INDENT, 0);
    printExpression(out, query.limit, null);
    if (query.withTies) out.text += ') ROWS WITH TIES';
  }
  for (const locking of query.locking) printLocking(out, locking);
}

function printLocking(out: Printer, locking: Locking): void {
  const strengths = { update: ' FOR UPDATE', noKeyUpdate: ' FOR NO KEY UPDATE', share: ' FOR SHARE', keyShare: ' FOR KEY SHARE' };
  const waits = { block: '', skip: ' SKIP LOCKED', error: ' NOWAIT' };
  out.line(strengths[locking.strength], -INDENT, INDENT, 0);
  if (locking.of.length > 0) {
    out.text += ` OF ${locking.of.map(({ catalog, schema, name }) => quoteNames([catalog, schema, name].filter((part) => part !== null))).join(', ')}`;
  }
  out.text += waits[locking.wait];
}

export function printWith(out: Printer, clause: With): void {
  out.indent += INDENT;
  out.text += ' ';
  let separator = clause.recursive ? 'WITH RECURSIVE ' : 'WITH ';
  for (const table of clause.tables) {
    const { body } = table;
    out.text += separator + quoteIdentifier(table.name);
    if (table.columns.length > 0) out.text += `(${quoteList(table.columns)})`;
    out.text += ' AS ';
    if (table.materialized !== null) out.text += table.materialized ? 'MATERIALIZED ' : 'NOT MATERIALIZED ';
    out.text += '(';
    out.line('', 0, 0, 0);
    if (body.type === 'select' || body.type === 'values' || body.type === 'setOperation') printQuery(out, body);
    else printWrite(out, body);
    out.line('', 0, 0, 0);
    out.text += ')';
    if (table.search !== null) {
      const { columns, breadthFirst, sequenceColumn } = table.search;
      out.text += ` SEARCH ${breadthFirst ? 'BREADTH' : 'DEPTH'} FIRST BY ${quoteList(columns)} SET ${quoteIdentifier(sequenceColumn)}`;
    }
    if (table.cycle !== null) {
      const { columns, markColumn, markValue, markDefault, pathColumn } = table.cycle;
      out.text += ` CYCLE ${quoteList(columns)} SET ${quoteIdentifier(markColumn)}`;
      if (!isBoolean(markValue, true) || !isBoolean(markDefault, false)) {
        out.text += ' TO ';
        printExpression(out, markValue, null);
        out.text += ' DEFAULT ';
        printExpression(out, markDefault, null);
      }
      out.text += ` USING ${quoteIdentifier(pathColumn)}`;
    }
    separator = ', ';
  }
  out.indent -= INDENT;
  out.line('', 0, 0, 0);
}

function isBoolean(node: Expression, value: boolean): boolean {
  return node.type === 'boolean' && node.value === value;
}

/** The first `count` inputs: all but the last form the left side. A loop, since there may be thousands. */
function printSetOperation(out: Printer, query: SetOperation, count: number): void {
  const words = { union: 'UNION ', intersect: 'INTERSECT ', except: 'EXCEPT ' };
  printInput(out, query.inputs[0], true);
  for (let i = 1; i < count; i++) {
    const first = i === 1 ? query.inputs[0] : null;
    // A set operation of another kind on the left closes its parentheses on the operator's line.
    const enclosed = first !== null && isBareSetOperation(first);
    out.line(enclosed ? ') ' : '', enclosed ? -INDENT : 0, 0, 0);
    out.text += words[query.operator] + (query.all ? 'ALL ' : '');
    const input = query.inputs[i];
    const nested = isBareSetOperation(input);
    if (nested) out.text += '(';
    out.line('', nested ? INDENT : 0, 0, 0);
    if (nested) {
      printQuery(out, input);
      out.indent -= INDENT;
      out.line(')', 0, 0, 0);
    } else printInput(out, input, false);
  }
}

function printInput(out: Printer, input: Query, left: boolean): void {
  if (left && isBareSetOperation(input)) {
    out.text += '(';
    out.line('', INDENT, 0, 0);
    printQuery(out, input);
    return;
  }
  const enclosed = hasTail(input) || input.type === 'setOperation';
  if (enclosed) out.text += '(';
  printQuery(out, input);
  if (enclosed) out.text += ')';
}

export function hasTail(query: Query): boolean {
  return query.with !== null || query.orderBy.length > 0 || query.limit !== null || query.offset !== null || query.locking.length > 0;
}

function isBareSetOperation(query: Query): boolean {
  return query.type === 'setOperation' && !hasTail(query);
}

function printPlain(out: Printer, query: Select | Values): void {
  out.indent += INDENT;
  out.text += ' ';
  if (query.type === 'values') {
    out.text += 'VALUES ';
    query.rows.forEach((row, i) => {
      out.text += i > 0 ? ', (' : '(';
      printList(out, row, ',');
      out.text += ')';
    });
    return;
  }
  out.text += 'SELECT';
  if (query.distinct !== null) {
    out.text += ' DISTINCT';
    if (query.distinct.on.length > 0) {
      out.text += ' ON (';
      printKeys(out, query.distinct.on);
      out.text += ')';
    }
  }
  printItems(out, query.items);
  printFrom(out, query.from);
  if (query.where !== null) {
    out.line(' WHERE ', -INDENT, INDENT, 1);
    printExpression(out, query.where, null);
  }
  if (query.groupBy.length > 0) {
    out.line(' GROUP BY ', -INDENT, INDENT, 1);
    if (query.groupDistinct) out.text += 'DISTINCT ';
    printGroupItems(out, query.groupBy);
  }
  if (query.having !== null) {
    out.line(' HAVING ', -INDENT, INDENT, 0);
    printExpression(out, query.having, null);
  }
  query.windows.forEach(({ name, window }, i) => {
    if (i === 0) out.line(' WINDOW ', -INDENT, INDENT, 1);
    else out.text += ', ';
    out.text += `${quoteIdentifier(name)} AS `;
    printWindow(out, window);
  });
}

/** Each item but the first on its own line. */
export function printItems(out: Printer, items: readonly SelectItem[]): void {
  items.forEach(({ value, alias }, i) => {
    out.text += i === 0 ? ' ' : ', ';
    const text = out.aside(() => {
      printExpression(out, value, null);
      if (alias !== null) out.text += ` AS ${quoteIdentifier(alias)}`;
    });
    if (text.startsWith('\n')) out.trim();
    else if (i > 0) out.line('', -INDENT, INDENT, INDENT_ITEM);
    out.text += text;
  });
}

/** For ORDER BY, GROUP BY and DISTINCT ON: calls are parenthesised to be unambiguous. */
function printKey(out: Printer, value: Expression): void {
  const enclosed = needsParenthesesAsKey(value, out.pretty);
  if (enclosed) out.text += '(';
  printExpression(out, value, null);
  if (enclosed) out.text += ')';
}

function needsParenthesesAsKey(value: Expression, pretty: boolean): boolean {
  switch (value.type) {
    case 'column':
    case 'integer':
    case 'number':
    case 'string':
    case 'null':
    case 'boolean':
    case 'parameter':
      return false;
    case 'call':
      return true;
    case 'cast':
      if (isConstant(value.arg)) return false;
      // Postgres encloses function casts. Casts to text mostly are none.
      return pretty || (value.to.name !== 'text' && value.to.name !== 'varchar');
    default:
      return pretty;
  }
}

function isConstant(node: Expression): boolean {
  return node.type === 'integer' || node.type === 'number' || node.type === 'string' || node.type === 'null' || node.type === 'boolean';
}

function printKeys(out: Printer, values: readonly Expression[]): void {
  values.forEach((value, i) => {
    if (i > 0) out.text += ', ';
    printKey(out, value);
  });
}

export function printSortKeys(out: Printer, keys: readonly SortKey[]): void {
  keys.forEach((key, i) => {
    if (i > 0) out.text += ', ';
    printKey(out, key.value);
    if (key.direction === 'desc') out.text += ' DESC';
    else if (key.direction === 'asc') out.text += ' ASC';
    else if (key.operator !== null) out.text += ` USING ${deparseOperator(key.operator)}`;
    if (key.nulls !== 'default') out.text += key.nulls === 'first' ? ' NULLS FIRST' : ' NULLS LAST';
  });
}

/** `asSets`: inside GROUPING SETS, where a single one is parenthesised, too. */
function printGroupItems(out: Printer, items: readonly GroupItem[], asSets = false): void {
  items.forEach((item, i) => {
    if (i > 0) out.text += ', ';
    switch (item.type) {
      case 'expression':
        if (item.value.type === 'row' && !item.value.explicit) printExpression(out, item.value, null);
        else if (asSets) {
          out.text += '(';
          printKey(out, item.value);
          out.text += ')';
        } else printKey(out, item.value);
        break;
      case 'empty':
        out.text += '()';
        break;
      default:
        out.text += item.type === 'rollup' ? 'ROLLUP(' : item.type === 'cube' ? 'CUBE(' : 'GROUPING SETS (';
        printGroupItems(out, item.items, item.type === 'groupingSets');
        out.text += ')';
    }
  });
}

export function printWindow(out: Printer, window: Window): void {
  out.text += '(';
  let separator = '';
  if (window.base !== null) {
    out.text += quoteIdentifier(window.base);
    separator = ' ';
  }
  if (window.partitionBy.length > 0) {
    out.text += `${separator}PARTITION BY `;
    printKeys(out, window.partitionBy);
    separator = ' ';
  }
  if (window.orderBy.length > 0) {
    out.text += `${separator}ORDER BY `;
    printSortKeys(out, window.orderBy);
    separator = ' ';
  }
  if (window.frame !== null) {
    out.text += separator;
    printFrame(out, window.frame);
  }
  out.text += ')';
}

function printFrame(out: Printer, frame: Frame): void {
  out.text += `${frame.mode.toUpperCase()} `;
  if (frame.end !== null) out.text += 'BETWEEN ';
  printFrameBound(out, frame.start);
  if (frame.end !== null) {
    out.text += ' AND ';
    printFrameBound(out, frame.end);
  }
  const exclusions = { noOthers: '', currentRow: ' EXCLUDE CURRENT ROW', group: ' EXCLUDE GROUP', ties: ' EXCLUDE TIES' };
  out.text += exclusions[frame.exclude];
}

function printFrameBound(out: Printer, bound: FrameBound): void {
  switch (bound.type) {
    case 'unboundedPreceding':
      out.text += 'UNBOUNDED PRECEDING';
      return;
    case 'unboundedFollowing':
      out.text += 'UNBOUNDED FOLLOWING';
      return;
    case 'currentRow':
      out.text += 'CURRENT ROW';
      return;
    default:
      printExpression(out, bound.offset, null);
      out.text += bound.type === 'preceding' ? ' PRECEDING' : ' FOLLOWING';
  }
}
