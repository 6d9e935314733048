/** FROM as text (ruleutils.c, get_from_clause). */
import type { Alias, AsOf, FromItem, FunctionItem, JoinItem, RecordColumn, TableItem } from '../ast/query.ts';
import { printExpression, printList, printTypeName } from './deparse-expression.ts';
import { INDENT, INDENT_ITEM, INDENT_JOIN, type Printer } from './deparse-printer.ts';
import { printSubquery } from './deparse-query.ts';
import { printXmlTable } from './deparse-xml.ts';
import { quoteIdentifier, quoteList, quoteNames, quoteString } from '../../base/quote-identifier.ts';

export function printFrom(out: Printer, items: readonly FromItem[], words: ' FROM ' | ' USING ' = ' FROM '): void {
  items.forEach((item, i) => {
    if (i === 0) {
      out.line(words, -INDENT, INDENT, 2);
      printItem(out, item);
      return;
    }
    out.text += ', ';
    const text = out.aside(() => printItem(out, item));
    if (text.startsWith('\n')) out.trim();
    else out.line('', -INDENT, INDENT, INDENT_ITEM);
    out.text += text;
  });
}

function printItem(out: Printer, item: FromItem): void {
  switch (item.type) {
    case 'table':
      printTable(out, item, ' ');
      return;
    case 'derived':
      if (item.lateral) out.text += 'LATERAL ';
      printSubquery(out, item.query);
      printAlias(out, item.alias);
      return;
    case 'ranked': {
      const { table } = item;
      if (item.lateral) out.text += 'LATERAL ';
      out.text += 'bm25(';
      printTable(out, { ...table, alias: null }, ' ');
      out.text += ', ';
      printList(out, item.limit === null ? [item.text] : [item.text, item.limit]);
      out.text += ')';
      printAlias(out, table.alias);
      return;
    }
    case 'functions':
      printFunctions(out, item);
      return;
    case 'xmlTable':
      printXmlTable(out, item);
      printAlias(out, item.alias);
      return;
    case 'ruleRows':
      // Created by binding, and never in a text.
      return;
    default:
      printJoins(out, item);
  }
}

/** INSERT writes AS before the alias. */
export function printTable(out: Printer, item: TableItem, beforeAlias: ' ' | ' AS '): void {
  const { catalog, schema, name } = item.name;
  if (item.only) out.text += 'ONLY ';
  out.text += quoteNames([catalog, schema, name].filter((part) => part !== null));
  if (item.asOf !== null) printAsOf(out, item.asOf);
  printAlias(out, item.alias, beforeAlias);
  if (item.sample !== null) {
    out.text += ` TABLESAMPLE ${quoteNames(item.sample.method)} (`;
    printList(out, item.sample.args);
    out.text += ')';
    if (item.sample.repeatable !== null) {
      out.text += ' REPEATABLE (';
      printExpression(out, item.sample.repeatable, null);
      out.text += ')';
    }
  }
}

function printAsOf(out: Printer, { world, when, value }: AsOf): void {
  out.text += world === null && value?.inWorld !== true ? ' AS OF ' : ' AS OF WORLD ';
  if (value !== null) {
    // A bare parenthesised name would be parsed as column aliases.
    out.text += '((';
    printExpression(out, value.expression, null);
    out.text += '))';
  } else out.text += quoteString(world === null ? (when ?? '') : when === null ? world : `${world}@${when}`);
}

function printAlias(out: Printer, alias: Alias | null, before = ' '): void {
  if (alias === null) return;
  out.text += before + quoteIdentifier(alias.name);
  if (alias.columns.length > 0) out.text += `(${quoteList(alias.columns)})`;
}

function printFunctions(out: Printer, item: FunctionItem): void {
  if (item.lateral) out.text += 'LATERAL ';
  if (item.rowsFrom) out.text += 'ROWS FROM(';
  item.functions.forEach(({ call, columns }, i) => {
    if (i > 0) out.text += ', ';
    if (call.type === 'cast') {
      // FROM does not parse `x::t` as a function.
      out.text += 'CAST(';
      printExpression(out, call.arg, null);
      out.text += ' AS ';
      printTypeName(out, call.to);
      out.text += ')';
    } else printExpression(out, call, null);
    if (columns !== null) {
      out.text += ' AS ';
      printRecordColumns(out, columns);
    }
  });
  if (item.rowsFrom) out.text += ')';
  if (item.ordinality) out.text += ' WITH ORDINALITY';
  if (item.columns !== null) {
    out.text += item.alias === null ? ' AS ' : ` ${quoteIdentifier(item.alias.name)}`;
    printRecordColumns(out, item.columns);
  } else printAlias(out, item.alias);
}

function printRecordColumns(out: Printer, columns: readonly RecordColumn[]): void {
  out.text += '(';
  columns.forEach(({ name, dataType, collation }, i) => {
    out.text += `${i > 0 ? ', ' : ''}${quoteIdentifier(name)} `;
    printTypeName(out, dataType);
    if (collation !== null) out.text += ` COLLATE ${quoteNames(collation)}`;
  });
  out.text += ')';
}

/** Joins are left-deep: their opening parentheses come first, then each in turn. */
function printJoins(out: Printer, top: JoinItem): void {
  const joins: JoinItem[] = [];
  let leftmost: FromItem = top;
  for (; leftmost.type === 'join'; leftmost = leftmost.left) joins.push(leftmost);
  const enclosed = (join: JoinItem): boolean => !out.pretty || join.alias !== null;
  for (const join of joins) if (enclosed(join)) out.text += '(';
  printItem(out, leftmost);
  for (let i = joins.length - 1; i >= 0; i--) {
    const join = joins[i];
    const words = { inner: 'JOIN ', left: 'LEFT JOIN ', right: 'RIGHT JOIN ', full: 'FULL JOIN ', cross: 'CROSS JOIN ' };
    out.line(`${join.natural ? ' NATURAL ' : ' '}${words[join.kind]}`, -INDENT, INDENT, INDENT_JOIN);
    const nested = out.pretty && join.right.type === 'join' && join.right.alias === null;
    if (nested) out.text += '(';
    printItem(out, join.right);
    if (nested) out.text += ')';
    if (join.using !== null) {
      out.text += ` USING (${quoteList(join.using)})`;
      if (join.usingAlias !== null) out.text += ` AS ${quoteIdentifier(join.usingAlias)}`;
    } else if (join.on !== null) {
      out.text += out.pretty ? ' ON ' : ' ON (';
      printExpression(out, join.on, null);
      if (!out.pretty) out.text += ')';
    }
    if (enclosed(join)) out.text += ')';
    printAlias(out, join.alias);
  }
}
