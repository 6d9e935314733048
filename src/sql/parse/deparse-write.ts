/** Prints INSERT, UPDATE, DELETE and MERGE (ruleutils.c, get_insert_query_def and related functions). */
import type { Values } from '../ast/query.ts';
import type { Assignment, Delete, Insert, Merge, MergeBranch, OnConflict, Overriding, Returning, TargetColumn, Update } from '../ast/write.ts';
import { printExpression, printList, printSubscript } from './deparse-expression.ts';
import { printFrom, printTable } from './deparse-from.ts';
import { INDENT, type Printer } from './deparse-printer.ts';
import { hasTail, printItems, printQuery, printWith } from './deparse-query.ts';
import { quoteIdentifier, quoteNames } from '../../base/quote-identifier.ts';

export function printWrite(out: Printer, statement: Insert | Update | Delete | Merge): void {
  const { indent } = out;
  if (statement.with !== null) printWith(out, statement.with);
  out.indent += INDENT;
  out.text += ' ';
  switch (statement.type) {
    case 'insert':
      printInsert(out, statement);
      break;
    case 'update':
      out.text += 'UPDATE ';
      printTable(out, statement.table, ' ');
      out.text += ' SET ';
      printAssignments(out, statement.set);
      printFrom(out, statement.from, ' FROM ');
      break;
    case 'delete':
      out.text += 'DELETE FROM ';
      printTable(out, statement.table, ' ');
      printFrom(out, statement.using, ' USING ');
      break;
    default:
      printMerge(out, statement);
  }
  if ((statement.type === 'update' || statement.type === 'delete') && statement.where !== null) {
    out.line(' WHERE ', -INDENT, INDENT, 1);
    printExpression(out, statement.where, null);
  }
  if (statement.returning !== null) printReturning(out, statement.returning);
  out.indent = indent;
}

function printInsert(out: Printer, { table, columns, overriding, source, onConflict }: Insert): void {
  out.text += 'INSERT INTO ';
  printTable(out, table, ' AS ');
  out.text += ' ';
  if (columns.length > 0) {
    printTargets(out, columns);
    out.text += ' ';
  }
  out.text += OVERRIDING[overriding];
  if (source === null) out.text += 'DEFAULT VALUES';
  else if (source.type === 'values' && !hasTail(source)) printRows(out, source);
  else printQuery(out, source);
  if (onConflict !== null) printOnConflict(out, onConflict);
}

/** A single row is on a line of its own. */
function printRows(out: Printer, { rows }: Values): void {
  if (rows.length === 1) {
    out.line('VALUES (', -INDENT, INDENT, 2);
    printList(out, rows[0]);
    out.text += ')';
    return;
  }
  rows.forEach((row, i) => {
    out.text += i === 0 ? 'VALUES (' : ', (';
    printList(out, row, ',');
    out.text += ')';
  });
}

const OVERRIDING: Record<Overriding, string> = { none: '', user: 'OVERRIDING USER VALUE ', system: 'OVERRIDING SYSTEM VALUE ' };

function printTargets(out: Printer, targets: readonly TargetColumn[]): void {
  out.text += '(';
  targets.forEach((target, i) => {
    if (i > 0) out.text += ', ';
    printTarget(out, target);
  });
  out.text += ')';
}

function printTarget(out: Printer, { name, path }: TargetColumn): void {
  out.text += quoteIdentifier(name);
  for (const step of path) {
    if (step.type === 'field') out.text += `.${quoteIdentifier(step.name)}`;
    else printSubscript(out, step.subscript);
  }
}

function printAssignments(out: Printer, assignments: readonly Assignment[]): void {
  assignments.forEach(({ targets, multiple, value }, i) => {
    if (i > 0) out.text += ', ';
    if (multiple) printTargets(out, targets);
    else printTarget(out, targets[0]);
    out.text += ' = ';
    printExpression(out, value, null);
  });
}

function printOnConflict(out: Printer, { action, target, set, where }: OnConflict): void {
  out.text += ' ON CONFLICT';
  if (target !== null && target.constraint !== null) out.text += ` ON CONSTRAINT ${quoteIdentifier(target.constraint)}`;
  else if (target !== null) {
    out.text += '(';
    target.elements.forEach(({ value, collation, operatorClass }, i) => {
      if (i > 0) out.text += ', ';
      const bare = value.type === 'column' || (value.type === 'call' && !value.sqlSyntax);
      if (!bare) out.text += '(';
      printExpression(out, value, null);
      if (!bare) out.text += ')';
      if (collation !== null) out.text += ` COLLATE ${quoteNames(collation)}`;
      if (operatorClass !== null) out.text += ` ${quoteNames(operatorClass)}`;
    });
    out.text += ')';
    if (target.where !== null) {
      out.text += ' WHERE ';
      printExpression(out, target.where, null);
    }
  }
  if (action === 'nothing') {
    out.text += ' DO NOTHING';
    return;
  }
  out.text += ' DO UPDATE SET ';
  printAssignments(out, set);
  if (where !== null) {
    out.line(' WHERE ', -INDENT, INDENT, 1);
    printExpression(out, where, null);
  }
}

function printReturning(out: Printer, { oldAlias, newAlias, items }: Returning): void {
  out.line(' RETURNING', -INDENT, INDENT, 1);
  const names = [oldAlias === null ? '' : `OLD AS ${quoteIdentifier(oldAlias)}`, newAlias === null ? '' : `NEW AS ${quoteIdentifier(newAlias)}`].filter(
    (name) => name !== '',
  );
  if (names.length > 0) out.text += ` WITH (${names.join(', ')})`;
  printItems(out, items);
}

function printMerge(out: Printer, { table, source, on, branches }: Merge): void {
  out.text += 'MERGE INTO ';
  printTable(out, table, ' ');
  printFrom(out, [source], ' USING ');
  out.line(' ON ', -INDENT, INDENT, 2);
  printExpression(out, on, null);
  for (const branch of branches) printBranch(out, branch);
}

const MATCHES: Record<MergeBranch['match'], string> = {
  matched: 'MATCHED',
  notMatchedBySource: 'NOT MATCHED BY SOURCE',
  notMatchedByTarget: 'NOT MATCHED',
};

function printBranch(out: Printer, { match, condition, action }: MergeBranch): void {
  out.line(` WHEN ${MATCHES[match]}`, -INDENT, INDENT, 2);
  if (condition !== null) {
    out.line(' AND ', -INDENT, INDENT, 3);
    printExpression(out, condition, null);
  }
  out.line(' THEN ', -INDENT, INDENT, 3);
  switch (action.type) {
    case 'update':
      out.text += 'UPDATE SET ';
      printAssignments(out, action.set);
      return;
    case 'delete':
      out.text += 'DELETE';
      return;
    case 'nothing':
      out.text += 'DO NOTHING';
      return;
    default:
      out.text += 'INSERT ';
      if (action.columns.length > 0) {
        printTargets(out, action.columns);
        out.text += ' ';
      }
      out.text += OVERRIDING[action.overriding];
      if (action.values === null) {
        out.text += 'DEFAULT VALUES';
        return;
      }
      out.line(' VALUES (', -INDENT, INDENT, 4);
      printList(out, action.values);
      out.text += ')';
  }
}
