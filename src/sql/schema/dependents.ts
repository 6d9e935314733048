/**
 * The dependents of an object or of a part of one: the inverse of the references of all kinds (worlds/kinds/graph.ts), and
 * dependencies in texts (text-dependents.ts). The reference decides whether the dependent is dropped silently (`part`) or needs
 * CASCADE.
 */
import { shownName } from './shown-name.ts';
import { mentions } from '../../worlds/merge/definition-names.ts';
import { type CatalogObject, rowArrayOid, rowTypeOid, typeOids } from '../../worlds/definition.ts';
import { DependencyGraph } from '../../worlds/kinds/graph.ts';
import type { Reference } from '../../worlds/kinds/reference.ts';
import { addressOf, referencesOf } from '../../worlds/kinds/registry.ts';
import type { NamedInText } from './compiler.ts';
import { type Definitions, describe, type DropTarget, columnName, extensionNumbered, keyOf } from './drop-target.ts';
import { classesBehind, usedMembers } from './extension-members.ts';
import type { Schema } from './schema.ts';
import type { SqlTable } from './table.ts';
import { textDependents } from './text-dependents.ts';

export interface Dependent {
  readonly target: DropTarget;
  readonly part: boolean;
  /** The type of the object that it depends on, described: its row type, or the type of its arrays. */
  readonly via?: string;
  /** Its own number if the target is named by its table's. */
  readonly number?: number;
}

/** By number, highest first; columns of a table in their order. Dependents of a type that belongs to the object come last. */
export function newestFirst(ddl: Definitions, all: readonly Dependent[]): Dependent[] {
  const place = ({ target, via, number }: Dependent): [number, number, number] => {
    const own =
      number ??
      (target.kind === 'trigger' ? ddl.schema.triggers(target.table).find(({ name }) => name === target.name)?.number : undefined) ??
      ('number' in target
        ? target.number
        : 'table' in target
          ? target.table
          : 'view' in target
            ? target.view
            : 'composite' in target
              ? target.composite
              : 'domain' in target
                ? target.domain
                : 0);
    return [via === undefined ? 0 : 1, -own, target.kind === 'column' ? (attnumOf(ddl, target.table, target.column) ?? 0) : 0];
  };
  return all
    .map((each) => ({ each, at: place(each) }))
    .sort((a, b) => a.at[0] - b.at[0] || a.at[1] - b.at[1] || a.at[2] - b.at[2])
    .map(({ each }) => each);
}

function attnumOf(ddl: Definitions, table: number, column: number): number | undefined {
  return ddl.schema.tables.get(table)?.columns.find(({ number }) => number === column)?.attnum;
}

const graphs = new WeakMap<Schema, DependencyGraph>();

/** For the current definitions: another state has another schema. */
function graphOf({ schema, definitions }: Definitions): DependencyGraph {
  let graph = graphs.get(schema);
  if (graph === undefined) graphs.set(schema, (graph = new DependencyGraph(definitions.values())));
  return graph;
}

export function dependents(ddl: Definitions, target: DropTarget): Dependent[] {
  const out: Dependent[] = [];
  const graph = graphOf(ddl);
  const use = (each: DropTarget, via?: string): void => void out.push({ target: each, part: false, ...(via === undefined ? {} : { via }) });
  const part = (each: DropTarget): void => void out.push({ target: each, part: true });
  /** Dependents by text; `word` occurs in each text that may refer to the target. */
  const inTexts = (names: (named: NamedInText) => boolean, word: string | null, via?: string): void => {
    const may = (text: string): boolean => word === null || text.toLowerCase().includes(word.toLowerCase().replaceAll('"', '""'));
    for (const { target: each, number } of textDependents(ddl, may, names)) {
      if (!out.some(({ target: known }) => keyOf(known) === keyOf(each)))
        out.push({ target: each, part: false, number, ...(via === undefined ? {} : { via }) });
    }
  };
  const ofTypes = (oids: readonly number[], via?: string): void => {
    for (const object of graph.usersOfAny(oids, ddl.definitions.values())) {
      for (const { target: each } of edges(object, (reference) => reference.to === 'type' && oids.includes(reference.oid))) use(each, via);
    }
  };
  for (const object of referring(ddl, graph, target)) {
    for (const { target: each, isPart } of edges(object, (reference) => refersTo(ddl, graph, object, reference, target))) {
      // Constraints are ordered by their own number if creation order matters, otherwise by their table's.
      const isDated = (object.what === 'foreign key' && target.kind !== 'column') || (object.what === 'trigger' && target.kind === 'function');
      out.push({ target: each, part: isPart, ...(isDated ? { number: object.number } : {}) });
    }
  }
  switch (target.kind) {
    case 'function':
      inTexts(({ functions }) => functions.has(target.number), isBehindCast(ddl, target.number) ? null : ddl.schema.functions.get(target.number)!.object.name);
      return out;
    case 'table':
    case 'view': {
      const name = ddl.schema.tables.get(target.number)?.name ?? ddl.schema.views.get(target.number)?.name;
      if (name !== undefined) inTexts((named) => named.objects.has(target.number), name);
      const title = describe(ddl, target).replace(/^\S+( view)? /, '');
      ofTypes([rowTypeOid(target.number)], `type ${title}`);
      ofTypes([rowArrayOid(target.number)], `type ${title}[]`);
      return out;
    }
    case 'sequence': {
      const sequence = ddl.schema.sequences.get(target.number)!;
      for (const table of ddl.schema.tables.values()) {
        for (const column of table.columns) {
          if (column.default !== null && callsSequence(column.default, sequence.schema, sequence.name))
            use({ kind: 'default', table: table.number, column: column.number });
        }
      }
      for (const object of ddl.definitions.values()) {
        if (object.what === 'function' && object.form !== 'text' && callsSequence(object.body, sequence.schema, sequence.name)) {
          use({ kind: 'function', number: object.number });
        }
      }
      inTexts((named) => named.objects.has(target.number), sequence.name);
      return out;
    }
    case 'type': {
      const { object } = ddl.schema.types.get(target.number)!;
      const arrays = [object.array, ...(object.what === 'range' ? [object.multirangeArray] : [])].filter((oid) => oid !== 0);
      const whole = typeOids(object).filter((oid) => !arrays.includes(oid));
      const title = describe(ddl, target);
      ofTypes(whole);
      inTexts(({ types }) => whole.some((oid) => types.has(oid)), object.name);
      ofTypes(arrays, `${title}[]`);
      inTexts(({ types }) => arrays.some((oid) => types.has(oid)), object.name, `${title}[]`);
      return out;
    }
    case 'operator':
      inTexts(({ operators }) => operators.has(target.number), ddl.schema.operators.get(target.number)!.object.name);
      return out;
    case 'collation': {
      const { name } = ddl.schema.collations.get(target.number)!;
      for (const object of graph.usersOfName('collation', name)) {
        const of = object.what === 'facts' ? collated(ddl, object.object, object.attnum) : null;
        if (of !== null) use(of);
      }
      inTexts(({ collations }) => collations.has(name), name);
      return out;
    }
    case 'text search configuration':
      inTexts((named) => named.objects.has(target.number), ddl.schema.searchConfigurations.get(target.number)!.name);
      return out;
    case 'text search dictionary':
      inTexts((named) => named.objects.has(target.number), ddl.schema.searchDictionaries.get(target.number)!.name);
      return out;
    case 'column':
      // The default is dropped with its column, before dependents of the sequence are collected.
      part({ kind: 'default', table: target.table, column: target.column });
      return out;
    case 'constraint':
      return ofConstraint(ddl, graph, target.table, target.name);
    case 'extension': {
      const { name } = extensionNumbered(ddl, target.number);
      for (const each of usedMembers(ddl, name)) out.push({ target: each.member, part: true, number: each.place });
      return out;
    }
    case 'extension member':
      if (target.type !== undefined) {
        const { oid, name } = target.type;
        ofTypes([oid]);
        inTexts(({ types }) => types.has(oid), name);
        ofTypes([oid + 1], `${target.text}[]`);
        inTexts(({ types }) => types.has(oid + 1), name, `${target.text}[]`);
        return out;
      }
      for (const object of ddl.definitions.values()) {
        if (object.what === 'index' && classesBehind(ddl, object).some((each) => each.extension === target.extension && each.text === target.text))
          use(addressOf(object)!);
      }
      inTexts(({ members }) => members.get(target.extension)?.has(target.text) === true, null);
      return out;
    default:
      return out;
  }
}

/** Objects with a reference to the target, or to an object that it is part of. */
function referring(ddl: Definitions, graph: DependencyGraph, target: DropTarget): Iterable<CatalogObject> {
  switch (target.kind) {
    case 'schema':
      return graph.usersOfName('schema', ddl.schema.schemaName(target.number)!);
    case 'extension':
      return graph.usersOfName('extension', extensionNumbered(ddl, target.number).name);
    case 'trigger':
      return graph.users(ddl.schema.triggers(target.table).find(({ name }) => name === target.name)!.number);
    case 'column':
      return graph.users(target.table);
    case 'table':
      return graph.usersOfAny([target.number, ...ancestors(ddl.schema, target.number)], ddl.definitions.values());
    case 'view':
    case 'function':
    case 'operator family':
    case 'operator class':
    case 'operator':
    case 'text search dictionary':
    case 'foreign data wrapper':
    case 'server':
    case 'index':
      return graph.users(target.number);
    default:
      return [];
  }
}

function refersTo(ddl: Definitions, graph: DependencyGraph, object: CatalogObject, reference: Reference, target: DropTarget): boolean {
  switch (target.kind) {
    case 'schema':
    case 'extension':
      return reference.to === target.kind;
    case 'trigger':
      return reference.to === 'trigger';
    case 'table':
    case 'view':
      if (reference.to !== 'relation' && reference.to !== 'used') return false;
      // Parts of the table, and their own references to it, go with it.
      if (reference.how === 'needs' && 'table' in object && object.table === target.number) return false;
      if (reference.number !== target.number) {
        // A key that references an ancestor of the partition references its rows.
        return object.what === 'foreign key' && object.parent === undefined && ancestors(ddl.schema, target.number).includes(reference.number);
      }
      if (reference.to !== 'used' || (object.what !== 'view' && object.what !== 'relation')) return true;
      return object.number !== target.number && usesItself(graph, object, target.number);
    case 'function':
      // Calls of a function in queries and conditions are found in their texts.
      return (reference.to === 'routine' || (reference.to === 'used' && object.what === 'function')) && reference.number === target.number;
    case 'column':
      if (reference.to !== 'used') return isToColumn(reference, target, columnName(ddl, target.table, target.column));
      if (reference.number !== target.table || !reference.columns.includes(target.column)) return false;
      return object.what !== 'view' || usesItself(graph, object, target.table);
    default:
      return 'number' in reference && reference.to === target.kind && 'number' in target && reference.number === target.number;
  }
}

/** Whether a definition of a table reads its column, by number or by name in a text. */
export function readsColumn(object: CatalogObject, of: { readonly table: number; readonly column: number }, name: string): boolean {
  return referencesOf(object).some((reference) => isToColumn(reference, of, name));
}

function isToColumn(reference: Reference, { table, column }: { readonly table: number; readonly column: number }, name: string): boolean {
  if (reference.to === 'column') return reference.table === table && reference.column === column;
  return reference.to === 'columns' && reference.table === table && mentions(reference.text, name);
}

interface Edge {
  readonly target: DropTarget;
  isPart: boolean;
}

/** The dependent parts of an object, each once; silent if one of its references is. */
function edges(object: CatalogObject, refers: (reference: Reference) => boolean): Edge[] {
  const found: Edge[] = [];
  for (const reference of referencesOf(object)) {
    if (reference.walked === 'merge' || reference.walked === 'neither' || !refers(reference)) continue;
    const target = reference.by ?? addressOf(object);
    if (target === null) continue;
    const isPart = reference.how !== 'needs';
    const known = found.find((each) => keyOf(each.target) === keyOf(target));
    if (known === undefined) found.push({ target, isPart });
    else if (isPart) known.isPart = true;
  }
  return found;
}

/** Numbers of the partitioned tables above it. */
function ancestors(schema: Schema, table: number): number[] {
  const own = schema.tables.get(table);
  const out: number[] = [];
  for (let above = own === undefined ? null : schema.parentOf(own); above !== null; above = schema.parentOf(above)) out.push(above.number);
  return out;
}

/**
 * Whether a query uses the object itself. Its recorded uses include what it reads through views, in which case it depends on the
 * view. A query that uses both the object and such a view counts as depending on the view.
 */
function usesItself(graph: DependencyGraph, object: CatalogObject, own: number): boolean {
  const used = new Set(referencesOf(object).flatMap((each) => (each.to === 'used' ? [each.number] : [])));
  return !graph
    .users(own)
    .some((each) => each.what === 'view' && each.number !== own && used.has(each.number) && each.uses.some(({ object: read }) => read === own));
}

/** Whether casts call the function without naming it. */
function isBehindCast(ddl: Definitions, number: number): boolean {
  return [...ddl.schema.casts.values()].some(({ object }) => object.routine !== null && 'own' in object.routine && object.routine.own === number);
}

/** Dependents with the collation in an object's facts: a column, a type, an index or its constraint. */
function collated({ schema }: Definitions, object: number, attnum: number): DropTarget | null {
  const column = schema.tables.get(object)?.columns.find((each) => each.attnum === attnum);
  if (column !== undefined) return { kind: 'column', table: object, column: column.number };
  if (schema.types.has(object)) return { kind: 'type', number: object };
  const found = schema.indexes.get(object);
  if (found === undefined) return null;
  const { index, table } = found;
  return index.constraint === null ? { kind: 'index', number: object } : { kind: 'constraint', table: table.number, name: index.constraint };
}

/** Its parts, queries that group by it, and foreign keys that reference its columns. */
function ofConstraint(ddl: Definitions, graph: DependencyGraph, number: number, name: string): Dependent[] {
  const table = ddl.schema.tables.get(number)!;
  const out: Dependent[] = partsOfConstraint(graph, table, name).map((target) => ({ target, part: true }));
  if (name === table.primaryKey) {
    const key = ddl.schema.primaryKeyNumber(table);
    for (const object of key === undefined ? [] : graph.users(key)) {
      if (object.what !== 'view' && object.what !== 'relation') continue;
      for (const { target } of edges(object, (reference) => reference.to === 'used' && reference.number === key)) out.push({ target, part: false });
    }
  }
  const columns = keyColumns(table, name);
  if (columns === null) return out;
  for (const { table: from, key } of ddl.schema.referencing(table.number)) {
    const own = key.targetColumns;
    if (own.length === columns.length && own.every((each) => columns.includes(each)))
      out.push({
        target: { kind: 'constraint', table: from.number, name: key.name },
        part: false,
        via: `index ${shownName(ddl, table.schema, name)}`,
      });
  }
  return out;
}

/** Parts of a unique or foreign key on the partitions. Those of a primary key go when the rows are rekeyed. */
function partsOfConstraint(graph: DependencyGraph, table: SqlTable, name: string): DropTarget[] {
  if (table.inheritance?.partitionBy == null) return [];
  const number = [...table.indexes.filter(({ constraint }) => constraint === name), ...table.foreignKeys.filter((key) => key.name === name)][0]?.number;
  if (number === undefined) return [];
  return graph
    .users(number)
    .flatMap((object) => ((object.what === 'index' || object.what === 'foreign key') && object.parent === number ? [addressOf(object)!] : []));
}

function keyColumns(table: SqlTable, constraint: string): readonly number[] | null {
  if (table.primaryKey === constraint) return table.key.columns;
  const index = table.indexes.find((each) => each.constraint === constraint);
  return index === undefined ? null : index.columns.map(({ column }) => column!);
}

function callsSequence(sql: string, schema: string, name: string): boolean {
  if (!/nextval/i.test(sql)) return false;
  const plain = (text: string): string => text.replaceAll('"', '');
  const named = /'((?:[^']|'')+)'/.exec(sql)?.[1];
  return named !== undefined && (plain(named) === name || plain(named) === `${schema}.${name}`);
}
