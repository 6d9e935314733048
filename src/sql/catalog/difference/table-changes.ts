/** CREATE TABLE, and the ALTER TABLEs between two versions of a table. Keys, checks and indexes are separate parts. */
import { quoteIdentifier, quoteString } from '../../../base/quote-identifier.ts';
import { foreignSourceText, optionChanges, optionsText } from './foreign-parts.ts';
import { partitionBoundText } from '../../schema/partition-text.ts';
import { factsOf } from '../../schema/facts.ts';
import { ownedWord, type SqlColumn, type SqlTable } from '../../schema/table.ts';
import { STORED } from '../../types/environment.ts';
import { sequenceOptionsText } from './sequence-parts.ts';
import type { Value } from '../../types/value.ts';
import { type Changes, relationName, renamed, type Side } from './part.ts';

function typeText({ names }: Side, { type, typmod }: SqlColumn): string {
  return names.typeTitle(type.oid, typmod) ?? type.title;
}

function collation({ schema }: Side, table: SqlTable, { attnum }: SqlColumn): string {
  const name = factsOf(schema, table.number, attnum)?.collation;
  return name === undefined ? '' : ` COLLATE ${quoteIdentifier(name)}`;
}

/** The identity clause of a column, with non-default options of its sequence. */
function identity(side: Side, table: SqlTable, column: SqlColumn): string {
  if (column.identity === null) return '';
  const sequence = side.schema.sequenceOf(table.number, column.number);
  const text = `GENERATED ${column.identity === 'always' ? 'ALWAYS' : 'BY DEFAULT'} AS IDENTITY`;
  if (sequence === null) return text;
  const usual = sequence.schema === table.schema && sequence.name === `${table.name}_${column.name}_seq`;
  const options = [...(usual ? [] : [`SEQUENCE NAME ${relationName(side, sequence.number)}`]), ...sequenceOptionsText(sequence, column.type)];
  return options.length === 0 ? text : `${text} (${options.join(' ')})`;
}

/** `bare`: before rows are filled in, without constraints. */
export function columnText(side: Side, table: SqlTable, at: number, bare: boolean): string {
  const column = table.columns[at];
  const { name, notNull, generated, options = [] } = column;
  const parts = [quoteIdentifier(name), `${typeText(side, column)}${collation(side, table, column)}${optionsText(options)}`];
  const text = side.names.texts.default(table, at);
  if (generated !== null) parts.push(`GENERATED ALWAYS AS (${text!}) STORED`);
  else if (bare) {
    // The value in existing rows: those with other values are written.
    const missing = missingOf(side, table, column);
    if (missing !== null) parts.push(`DEFAULT ${quoteString(column.type.format(missing, STORED))}`);
  } else if (text !== null) parts.push(`DEFAULT ${text}`);
  if (!bare && column.identity !== null) parts.push(identity(side, table, column));
  if (!bare && notNull) parts.push('NOT NULL');
  return parts.join(' ');
}

/** A column's value in rows that are older than it; for a table without rows, in those of its descendants. */
function missingOf(side: Side, table: SqlTable, column: SqlColumn): Value {
  if (column.missing !== null) return column.missing;
  for (const child of side.schema.children(table.number)) {
    const own = child.columns.find(({ name }) => name === column.name);
    const value = own === undefined ? null : missingOf(side, child, own);
    if (value !== null) return value;
  }
  return null;
}

interface Tie {
  readonly key: string;
  readonly make: string;
  readonly drop: string;
}

/** With its parents. */
export function ties(side: Side, table: SqlTable | undefined): Tie[] {
  const { parents, bound } = table?.inheritance ?? { parents: [], bound: null };
  return parents.flatMap((number) => {
    const parent = side.schema.tables.get(number);
    if (parent === undefined || table === undefined) return [];
    const [own, above] = [relationName(side, table.number), relationName(side, number)];
    if (bound === null) {
      return [{ key: `${number}`, make: `ALTER TABLE ${own} INHERIT ${above};`, drop: `ALTER TABLE ${own} NO INHERIT ${above};` }];
    }
    const types = parent.inheritance!.partitionBy!.elements.map(({ type }) => type);
    const text = partitionBoundText(bound, types);
    return [{ key: `${number} ${text}`, make: `ALTER TABLE ${above} ATTACH PARTITION ${own} ${text};`, drop: `ALTER TABLE ${above} DETACH PARTITION ${own};` }];
  });
}

/** Columns that come and go with those of parents. */
function inherited({ catalog }: Side, { number }: SqlTable): Map<string, boolean> {
  const attributes = catalog.byNumber.get(number)?.relation?.attributes ?? [];
  return new Map(attributes.flatMap((each) => (each.inherited === undefined ? [] : [[each.name, each.notLocal === true]])));
}

export function createTable(side: Side, table: SqlTable): string[] {
  const { schema, names, catalog } = side;
  const name = relationName(side, table.number);
  const word = ownedWord(table).toUpperCase();
  const unlogged = factsOf(schema, table.number)?.unlogged === true ? 'UNLOGGED ' : '';
  const object = catalog.byNumber.get(table.number)?.relation?.object;
  const key = table.inheritance?.partitionBy == null ? '' : ` PARTITION BY ${names.partitionKey(table.number)!}`;
  const rest = table.foreign === undefined ? key : foreignSourceText(schema, table.foreign);
  if (object?.ofType !== undefined) return [`CREATE ${unlogged}TABLE ${name} OF ${names.typeTitle(object.ofType, -1)!}${key};`];
  const parents = table.inheritance?.bound == null ? (table.inheritance?.parents ?? []) : [];
  const above = parents.length === 0 ? new Map<string, boolean>() : inherited(side, table);
  const columns = table.columns.flatMap((column, i) => (above.get(column.name) === true ? [] : [columnText(side, table, i, false)]));
  const under = parents.length === 0 ? '' : ` INHERITS (${parents.map((each) => relationName(side, each)).join(', ')})`;
  return [`CREATE ${unlogged}${word} ${name} (${columns.join(', ')})${under}${rest};`];
}

/** Converts the old type to the new one: through text if they are of different kinds. */
function using(name: string, old: SqlColumn, now: SqlColumn, title: string): string {
  const plain = now.type.category === 'S' || old.type.category === now.type.category || old.type.category === 'S';
  return `${name}::${plain ? '' : 'text::'}${title}`;
}

/** The statements by column: of the first state if it is dropped, of the second if it is added or changed. */
export interface TableChanges extends Changes {
  readonly columns: ReadonlyMap<SqlColumn, readonly string[]>;
}

/** A column is identified by its attnum: one with another type gets another number. */
export function tableChanges(before: Side, after: Side, number: number): TableChanges {
  const [old, table] = [before.schema.tables.get(number)!, after.schema.tables.get(number)!];
  const ahead: string[] = [];
  const behind: string[] = [];
  const columns = new Map<SqlColumn, string[]>();
  if (old === table) return { ahead, behind, columns };
  const word = ownedWord(table).toUpperCase();
  ahead.push(...renamed(`ALTER ${word}`, old, table));
  const name = relationName(after, number);
  let about: SqlColumn | null = null;
  const add = (to: string[], statement: string): void => {
    to.push(statement);
    if (about !== null) columns.set(about, [...(columns.get(about) ?? []), statement]);
  };
  const alter = (what: string): void => add(ahead, `ALTER ${word} ${name} ${what};`);
  const later = (what: string): void => add(behind, `ALTER ${word} ${name} ${what};`);
  const options = optionChanges(old.foreign?.options ?? [], table.foreign?.options ?? []);
  if (options !== '') ahead.push(`ALTER FOREIGN TABLE ${name}${options};`);
  const [tiedBefore, tied] = [inherited(before, old), inherited(after, table)];
  // Inherited columns are added and dropped with those of the parents.
  const hasParents = (old.inheritance?.parents ?? []).some((each) => table.inheritance?.parents.includes(each) === true);
  // Generated columns are dropped before their inputs.
  for (const column of old.columns.toSorted((a, b) => Number(b.generated !== null) - Number(a.generated !== null))) {
    const next = table.columns.find(({ attnum }) => attnum === column.attnum);
    const goes = next === undefined ? !(hasParents && tiedBefore.has(column.name)) : isRecreated(before, after, old, table, column, next);
    about = column;
    if (goes) alter(`DROP COLUMN ${quoteIdentifier(column.name)}`);
  }
  table.columns.forEach((column, at) => {
    const was = old.columns.find(({ attnum }) => attnum === column.attnum);
    const own = quoteIdentifier(column.name);
    about = column;
    if (was === undefined || isRecreated(before, after, old, table, was, column)) {
      if (hasParents && tied.has(column.name)) return;
      alter(`ADD COLUMN ${columnText(after, table, at, table.foreign === undefined)}`);
      if (table.foreign === undefined) {
        const text = column.generated === null ? after.names.texts.default(table, at) : null;
        if (text !== null) alter(`ALTER COLUMN ${own} SET DEFAULT ${text}`);
        else if (column.generated === null && missingOf(after, table, column) !== null) alter(`ALTER COLUMN ${own} DROP DEFAULT`);
        if (column.notNull) later(`ALTER COLUMN ${own} SET NOT NULL`);
        if (column.identity !== null) later(`ALTER COLUMN ${own} ADD ${identity(after, table, column)}`);
      }
      return;
    }
    const isTied = hasParents && tiedBefore.has(was.name) && tied.has(column.name);
    const changes = optionChanges(was.options ?? [], column.options ?? []);
    if (changes !== '') add(ahead, `ALTER FOREIGN TABLE ${name} ALTER COLUMN ${quoteIdentifier(was.name)}${changes};`);
    if (was.name !== column.name && !isTied) alter(`RENAME COLUMN ${quoteIdentifier(was.name)} TO ${own}`);
    const [oldDefault, text] = [before.names.texts.default(old, old.columns.indexOf(was)), after.names.texts.default(table, at)];
    if (was.identity !== null && column.identity === null) alter(`ALTER COLUMN ${own} DROP IDENTITY`);
    if (was.generated !== null && column.generated === null) alter(`ALTER COLUMN ${own} DROP EXPRESSION`);
    const isRetyped =
      (was.type.oid !== column.type.oid || was.typmod !== column.typmod || collation(before, old, was) !== collation(after, table, column)) && !isTied;
    if (isRetyped) {
      const title = typeText(after, column);
      if (was.default !== null) alter(`ALTER COLUMN ${own} DROP DEFAULT`);
      alter(`ALTER COLUMN ${own} TYPE ${title}${collation(after, table, column)} USING ${using(own, was, column, title)}`);
    }
    const had = was.generated === null ? oldDefault : null;
    const has = column.generated === null ? text : null;
    // Equal texts may refer to objects that are now in another schema.
    const isReset = had !== has && (was.default !== column.default || was.generated !== column.generated);
    if (isRetyped ? has !== null : isReset) alter(`ALTER COLUMN ${own} ${has === null ? 'DROP DEFAULT' : `SET DEFAULT ${has}`}`);
    if (was.notNull && !column.notNull) alter(`ALTER COLUMN ${own} DROP NOT NULL`);
    if (!was.notNull && column.notNull) later(`ALTER COLUMN ${own} SET NOT NULL`);
    if (was.identity === null && column.identity !== null) later(`ALTER COLUMN ${own} ADD ${identity(after, table, column)}`);
    else if (was.identity !== null && column.identity !== null && was.identity !== column.identity)
      alter(`ALTER COLUMN ${own} SET GENERATED ${column.identity === 'always' ? 'ALWAYS' : 'BY DEFAULT'}`);
  });
  return { ahead, behind, columns };
}

/** Whether a column keeps only its name: a generation expression cannot be changed. */
function isRecreated(before: Side, after: Side, old: SqlTable, table: SqlTable, was: SqlColumn, now: SqlColumn): boolean {
  if (now.generated === null) return false;
  if (was.generated === null) return true;
  return (
    now.type.oid !== was.type.oid && before.names.texts.default(old, old.columns.indexOf(was)) !== after.names.texts.default(table, table.columns.indexOf(now))
  );
}

/** Columns whose former values cannot be read any more: dropped, recreated, or of another type. */
export function changedColumns(before: Side, after: Side, number: number): number[] {
  const [old, table] = [before.schema.tables.get(number), after.schema.tables.get(number)];
  if (old === undefined || table === undefined || old === table) return [];
  return old.columns.flatMap((column) => {
    const next = table.columns.find(({ attnum }) => attnum === column.attnum);
    const stays =
      next !== undefined && next.type.oid === column.type.oid && next.typmod === column.typmod && !isRecreated(before, after, old, table, column, next);
    return stays ? [] : [column.number];
  });
}
