/** pg_inherits and pg_partitioned_table, and the partition functions: tables and their indexes form the same trees. */
import { inQuotes } from '../../base/quote-identifier.ts';
import type { PartitionBoundObject, PartitionDatum } from '../../worlds/definition.ts';
import { partitionKeys } from '../schema/hierarchy.ts';
import type { Schema } from '../schema/schema.ts';
import type { PartitionElement, SqlTable } from '../schema/table.ts';
import type { SqlType } from '../types/type.ts';
import { vector } from './catalog-types.ts';
import type { DefinitionTexts } from './definition-texts.ts';
import type { Row } from './made-relation.ts';
import { btreeClass, hashClass } from './operator-catalog.ts';
import { collationOf } from './type-rows.ts';
import type { WorldObjects } from './world-objects.ts';

/** Numbers of the parents of a table, index or primary key. */
export function parentsOf(schema: Schema, number: number): readonly number[] {
  const table = schema.tables.get(number);
  if (table !== undefined) return (table.inheritance?.parents ?? []).filter((parent) => schema.tables.has(parent));
  const parent = schema.parentIndex(number);
  return parent === undefined ? [] : [parent];
}

export function inheritsRows(objects: WorldObjects): Row[] {
  const { schema } = objects;
  const rows: Row[] = [];
  for (const table of schema.tables.values()) {
    parentsOf(schema, table.number).forEach((parent, i) => rows.push([table.number, parent, i + 1, false]));
    if (table.inheritance === null) continue;
    for (const { oid } of objects.indexesOf(table.number)) for (const parent of parentsOf(schema, oid)) rows.push([oid, parent, 1, false]);
  }
  return rows;
}

const STRATEGIES = { list: 'l', range: 'r', hash: 'h' } as const;

export function partitionedRows({ schema }: WorldObjects, texts: DefinitionTexts): Row[] {
  return [...schema.tables.values()].flatMap((table): Row[] => {
    const key = table.inheritance?.partitionBy ?? null;
    if (key === null) return [];
    const keys = partitionKeys(schema, table);
    const expressions = key.elements.flatMap(({ expression }) => (expression === null ? [] : [texts.expression(table, expression)]));
    return [
      [
        table.number,
        STRATEGIES[key.strategy],
        key.elements.length,
        keys.default < 0 ? 0 : keys.tables[keys.default].number,
        vector(key.elements.map(({ column }) => (column === null ? 0 : table.columns[column].attnum))),
        vector(key.elements.map(({ type }) => (key.strategy === 'hash' ? hashClass(type) : btreeClass(type)))),
        vector(key.elements.map(({ type }) => collationOf(type))),
        expressions.length === 0 ? null : expressions.join(', '),
      ],
    ];
  });
}

/** The object itself and its descendants, level by level. */
export function partitionTree(objects: WorldObjects, root: number): { oid: number; parent: number | null; leaf: boolean; level: number }[] {
  const { schema } = objects;
  if (!isInTree(schema, root)) return [];
  const children = new Map<number, number[]>();
  for (const [child, parent] of inheritsRows(objects) as unknown as [number, number][]) children.set(parent, [...(children.get(parent) ?? []), child]);
  const out: { oid: number; parent: number | null; leaf: boolean; level: number }[] = [];
  let level = [{ oid: root, parent: parentsOf(schema, root)[0] ?? null }];
  for (let depth = 0; level.length > 0; depth++) {
    for (const { oid, parent } of level) out.push({ oid, parent, leaf: !isPartitionedObject(schema, oid), level: depth });
    level = level.flatMap(({ oid }) => (children.get(oid) ?? []).sort((a, b) => a - b).map((child) => ({ oid: child, parent: oid })));
  }
  return out;
}

/** From the object upwards, itself first. */
export function partitionAncestors(schema: Schema, number: number): number[] {
  if (!isInTree(schema, number)) return [];
  const out = [number];
  for (let [parent] = parentsOf(schema, number); parent !== undefined; [parent] = parentsOf(schema, parent)) out.push(parent);
  return out;
}

function tableOf(schema: Schema, number: number): SqlTable | undefined {
  const own = schema.tables.get(number) ?? schema.indexes.get(number)?.table;
  return own ?? [...schema.tables.values()].find((table) => table.inheritance !== null && schema.primaryKeyNumber(table) === number);
}

function isPartitionedObject(schema: Schema, number: number): boolean {
  return tableOf(schema, number)?.inheritance?.partitionBy != null;
}

function isInTree(schema: Schema, number: number): boolean {
  const inheritance = tableOf(schema, number)?.inheritance ?? null;
  return inheritance !== null && (inheritance.partitionBy !== null || inheritance.bound !== null);
}

// --- pg_get_partition_constraintdef

/** The partition constraint, including its ancestors'; SQL text over its columns, null for a table that is no partition. */
export function partitionCondition(schema: Schema, table: SqlTable): string | null {
  const parent = schema.parentOf(table);
  const key = parent?.inheritance?.partitionBy ?? null;
  if (parent === null || key === null) return null;
  const names = key.elements.map(({ column, expression }) => (column === null ? `(${expression!})` : inQuotes(parent.columns[column].name)));
  const above = partitionCondition(schema, parent);
  const { bound } = table.inheritance!;
  const own =
    bound!.kind === 'default'
      ? defaultCondition(schema, parent, names, key.elements)
      : bound!.kind === 'hash'
        ? `satisfies_hash_partition(${parent.number}::oid, ${bound!.modulus}, ${bound!.remainder}, ${names.join(', ')})`
        : boundCondition(bound!, names, key.elements);
  const parts = [above, own].filter((each) => each !== null && each !== '');
  return parts.length === 0 ? null : parts.join(' AND ');
}

function literal(text: string, { name }: SqlType, title: string): string {
  return name === 'int4' && /^\d+$/.test(text) ? text : `'${text.replaceAll("'", "''")}'::${title}`;
}

function boundCondition(bound: PartitionBoundObject, names: readonly string[], elements: readonly PartitionElement[]): string {
  const value = (text: string, i: number): string => literal(text, elements[i].type, elements[i].type.title);
  if (bound.kind === 'list') {
    const values = bound.values.filter((text) => text !== null);
    const isOne =
      values.length === 1 ? `${names[0]} = ${value(values[0], 0)}` : `${names[0]} = ANY (ARRAY[${values.map((text) => value(text, 0)).join(', ')}])`;
    if (!bound.values.includes(null)) return `${names[0]} IS NOT NULL AND ${isOne}`;
    return values.length === 0 ? `${names[0]} IS NULL` : `(${names[0]} IS NULL OR ${isOne})`;
  }
  if (bound.kind !== 'range') return '';
  return [...names.map((name) => `${name} IS NOT NULL`), ...rangeConditions(bound, names, value)].join(' AND ');
}

/** Columns with equal ends are equal to that value; the others are between. */
function rangeConditions(
  { from, to }: Extract<PartitionBoundObject, { kind: 'range' }>,
  names: readonly string[],
  value: (text: string, i: number) => string,
): string[] {
  let same = 0;
  for (; same < names.length - 1; same++) {
    const [low, high] = [from[same], to[same]];
    if (typeof low === 'string' || typeof high === 'string' || low.value !== high.value) break;
  }
  const equal = Array.from({ length: same }, (_, i) => `${names[i]} = ${value((from[i] as { value: string }).value, i)}`);
  const rest = names.slice(same);
  const own = (text: string, i: number): string => value(text, i + same);
  return [...equal, ...endCondition(from.slice(same), rest, own, '>'), ...endCondition(to.slice(same), rest, own, '<')];
}

/** Rows on one side of an end of a range, by row comparison. */
function endCondition(data: readonly PartitionDatum[], names: readonly string[], value: (text: string, i: number) => string, operator: '<' | '>'): string[] {
  const finite = data.findIndex((datum) => typeof datum === 'string');
  const count = finite < 0 ? data.length : finite;
  if (count === 0) return [];
  const arms = Array.from({ length: count }, (_, i) => {
    const last = i === count - 1;
    const text = (at: number): string => value((data[at] as { value: string }).value, at);
    const equal = Array.from({ length: i }, (__, at) => `${names[at]} = ${text(at)}`);
    const open = data[count] === (operator === '>' ? 'min' : 'max');
    const inclusive = last && (finite < 0 ? operator === '>' : open);
    return [...equal, `${names[i]} ${operator}${inclusive ? '=' : ''} ${text(i)}`].join(' AND ');
  });
  return [arms.length === 1 ? arms[0] : `(${arms.map((arm) => `(${arm})`).join(' OR ')})`];
}

function defaultCondition(schema: Schema, parent: SqlTable, names: readonly string[], elements: readonly PartitionElement[]): string {
  const others = partitionKeys(schema, parent).tables.flatMap(({ inheritance }) => (inheritance!.bound!.kind === 'default' ? [] : [inheritance!.bound!]));
  if (others.length === 0) return '';
  if (others[0].kind === 'list') {
    const values = others.flatMap((bound) => (bound.kind === 'list' ? bound.values : []));
    return `NOT (${boundCondition({ kind: 'list', values }, names, elements)})`;
  }
  const value = (text: string, i: number): string => literal(text, elements[i].type, elements[i].type.title);
  const arms = others.map((bound) => (bound.kind === 'range' ? rangeConditions(bound, names, value).join(' AND ') : ''));
  const inside = arms.length === 1 ? arms[0] : `(${arms.map((arm) => `(${arm})`).join(' OR ')})`;
  return `NOT (${names.map((name) => `${name} IS NOT NULL`).join(' AND ')}${inside === '' ? '' : ` AND ${inside}`})`;
}
