/** SQL/XML expressions and XMLTABLE as text (ruleutils.c, get_rule_expr and get_tablefunc). */
import type { XmlCall, XmlNamed, XmlSerialize } from '../ast/expression.ts';
import type { XmlTableItem } from '../ast/query.ts';
import { printExpression, printList, printTypeName } from './deparse-expression.ts';
import type { Printer } from './deparse-printer.ts';
import { quoteIdentifier } from '../../base/quote-identifier.ts';

const WORDS = { element: 'XMLELEMENT(', forest: 'XMLFOREST(', concat: 'XMLCONCAT(', parse: 'XMLPARSE(', pi: 'XMLPI(', root: 'XMLROOT(' } as const;
const STANDALONE = { yes: ', STANDALONE YES', no: ', STANDALONE NO', noValue: ', STANDALONE NO VALUE', omitted: '' } as const;

export function printXml(out: Printer, node: XmlCall | XmlSerialize): void {
  if (node.type === 'xmlSerialize') {
    out.text += `XMLSERIALIZE(${node.document ? 'DOCUMENT' : 'CONTENT'} `;
    printExpression(out, node.value, null);
    out.text += ' AS ';
    printTypeName(out, node.to);
    out.text += ')';
    return;
  }
  if (node.kind === 'isDocument') {
    // The pretty layout does not treat a list of arguments as a simple node (get_rule_expr_paren).
    if (out.pretty) out.text += '(';
    printExpression(out, node.args[0], null);
    out.text += out.pretty ? ') IS DOCUMENT' : ' IS DOCUMENT';
    return;
  }
  out.text += WORDS[node.kind];
  if (node.kind === 'element' || node.kind === 'pi') out.text += `NAME ${quoteIdentifier(node.name ?? '')}`;
  if (node.kind === 'parse') out.text += node.document ? 'DOCUMENT ' : 'CONTENT ';
  if (node.named.length > 0) {
    if (node.kind === 'element') out.text += ', XMLATTRIBUTES(';
    printNamed(out, node.named);
    if (node.kind === 'element') out.text += ')';
  }
  if (node.args.length > 0) {
    if (node.kind === 'element' || node.kind === 'pi') out.text += ', ';
    printList(out, node.kind === 'root' ? node.args.slice(0, 1) : node.args);
  }
  if (node.kind === 'parse') out.text += node.preserve ? ' PRESERVE WHITESPACE' : ' STRIP WHITESPACE';
  if (node.kind === 'root') {
    out.text += ', VERSION ';
    if (node.args[1].type === 'null') out.text += 'NO VALUE';
    else printExpression(out, node.args[1], null);
    out.text += STANDALONE[node.standalone];
  }
  out.text += ')';
}

function printNamed(out: Printer, named: readonly XmlNamed[]): void {
  named.forEach(({ name, value }, i) => {
    if (i > 0) out.text += ', ';
    printExpression(out, value, null);
    const shown = name ?? (value.type === 'column' ? value.parts[value.parts.length - 1] : null);
    if (shown !== null) out.text += ` AS ${quoteIdentifier(shown)}`;
  });
}

export function printXmlTable(out: Printer, item: XmlTableItem): void {
  if (item.lateral) out.text += 'LATERAL ';
  out.text += 'XMLTABLE(';
  if (item.namespaces.length > 0) {
    out.text += 'XMLNAMESPACES (';
    item.namespaces.forEach(({ name, uri }, i) => {
      if (i > 0) out.text += ', ';
      if (name === null) out.text += 'DEFAULT ';
      printExpression(out, uri, null);
      if (name !== null) out.text += ` AS ${quoteIdentifier(name)}`;
    });
    out.text += '), ';
  }
  out.text += '(';
  printExpression(out, item.rowPath, null);
  out.text += ') PASSING (';
  printExpression(out, item.document, null);
  out.text += ')';
  item.columns.forEach((column, i) => {
    out.text += `${i === 0 ? ' COLUMNS ' : ', '}${quoteIdentifier(column.name)} `;
    if (column.dataType === null) {
      out.text += 'FOR ORDINALITY';
      return;
    }
    printTypeName(out, column.dataType);
    if (column.default !== null) {
      out.text += ' DEFAULT (';
      printExpression(out, column.default, null);
      out.text += ')';
    }
    if (column.path !== null) {
      out.text += ' PATH (';
      printExpression(out, column.path, null);
      out.text += ')';
    }
    if (column.notNull) out.text += ' NOT NULL';
  });
  out.text += ')';
}
