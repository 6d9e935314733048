/** Rows of a table, filtered by equality: in key order, or ranked by words and vectors (find-ranked.ts). */
import { ExactNumber, parseExactJson, plainNumber } from '../base/exact-json.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { LIMITS } from '../base/limits.ts';
import { inTurns, Slices } from '../base/slices.ts';
import { KIND, type Key } from '../tree/datum.ts';
import { childRoot, directoryOf } from '../tree/directory.ts';
import { adapt, type Leaf, type Node } from '../tree/node.ts';
import { scan, scanFrom } from '../tree/read.ts';
import { type Catalog, keyText, type Table } from '../worlds/catalog.ts';
import type { Principal } from '../session/principal.ts';
import type { Context } from '../worlds/context.ts';
import { canonicalJson, comparableCell, comparableJson, doubleShownAs, fieldValue, rowRecord, toJson } from '../worlds/document.ts';
import { memberMatcher, nestedField } from '../worlds/nested-field.ts';
import { checkTableName, idKey } from '../worlds/keys.ts';
import { rowIn } from '../tree/row-change.ts';
import { isPartitioned, refusePartitioned } from '../worlds/partitioned-table.ts';
import type { TypedTables } from '../worlds/typed-tables.ts';
import { unknownField, unknownTable } from '../worlds/unknown-field.ts';
import type { Search, SearchedTable } from '../worlds/search.ts';
import type { FindInput, FindReply, Json, Row, RunControl } from './contract.ts';
import { rankedRows } from './find-ranked.ts';

export async function findRows(
  context: Context,
  search: Search,
  input: FindInput,
  by: Principal,
  { signal, withoutColumns }: RunControl = {},
): Promise<FindReply> {
  checkTableName(input.table);
  const limit = input.limit ?? 20;
  const offset = input.offset ?? 0;
  if (!Number.isInteger(limit) || limit < 0 || limit > LIMITS.findLimitMax)
    throw new SvcError('22023', `limit must be an integer from 0 to ${LIMITS.findLimitMax}`);
  if (!Number.isInteger(offset) || offset < 0) throw new SvcError('22023', 'offset must be an integer of 0 or more');
  const { root, catalog, seen, world, past } = context.read(input.branch);
  const { pager } = context.engine;
  const table = catalog.tables.get(input.table);
  if (table === undefined) throw unknownTable(input.table, world.name, [...catalog.tables.keys()]);
  const ranked = input.text !== undefined || input.vector !== undefined;
  if (!ranked) refusePartitioned(table);
  const parts = ranked ? searchedParts(context.typed, catalog, table) : [table];
  const rowsOf = parts.map(({ number }) => childRoot(pager, root, number));
  const [tree] = rowsOf;
  if (!past) for (const part of parts) context.noting(by, world)?.ranges(part.number, [{ lower: null, upper: null }]);
  const hits: FindReply['hits'] = [];
  let total = 0;
  let readsAll = false;
  const without = withoutColumns === undefined ? undefined : columnsWithout(table, withoutColumns, input);
  const take = (leaf: Leaf, i: number, of = table): void => {
    const id = of.relation === null ? keyText(leaf.key(i) as string) : context.typed.id(of, leaf.key(i));
    const read = rowRecord(context.typed, of, leaf, i);
    const row = of === table ? read : inOrder(read, table);
    if (withoutColumns !== undefined) for (const name of withoutColumns) delete row[name];
    hits.push(of === table ? { id, score: 0, row } : { id, score: 0, table: of.name, row });
  };
  const where = Object.entries(input.where ?? {});
  if (ranked) {
    // Others write while a long search runs in slices.
    if (!past && world.status === 'open') context.state.worlds.share(world);
    const searched: SearchedTable = {
      pager,
      table,
      parts: parts.map((part, i) => ({ table: part, rows: rowsOf[i] })),
      catalog,
      hold: (directory) => context.engine.hold(directory),
    };
    // Names are checked without partitions as well.
    if (parts.length === 0 && table.relation !== null) context.typed.matcher(table, input.where ?? {});
    const matchers = where.length === 0 ? null : parts.map((part) => rowMatcher(context, part, input.where!));
    const matches = matchers === null ? null : (leaf: Leaf, at: number, part: number): boolean => matchers[part](leaf, at);
    // A search by words tests only the rows that it finds, one by vectors would test all.
    const isNarrowed = matches !== null && input.vector !== undefined;
    const among = isNarrowed ? parts.map((part) => (part.relation === null ? null : context.typed.equalKeys(part, pager, root, input.where!))) : null;
    const found = await inTurns(rankedRows(search, searched, input, { take: limit, skip: offset, matches, among, without, beam: input.ef }), true, {
      roots: () => rowsOf.filter((rows) => rows !== null),
      hold: (rows: Node) => context.engine.hold(directoryOf(pager, rows)),
      between: () => signal?.throwIfAborted(),
    });
    const slices = new Slices();
    for (const row of found.rows) {
      if (slices.over) await slices.rest();
      take(row.leaf, row.at, parts[row.part]);
      const hit = hits[hits.length - 1];
      hit.score = row.score;
      if (row.ranks !== undefined) hit.ranks = row.ranks;
      if (input.snippets === true) hit.snippets = search.snippets(searched, input.text!, row, without);
    }
    total = found.total;
  } else if (tree === null) {
    // Names are checked in an empty table as well.
    if (table.relation !== null) context.typed.matcher(table, input.where ?? {});
    else matcher(table, withoutId(input.where ?? {}));
  } else if (where.length === 0) {
    total = tree.count;
    if (limit > 0) {
      scanFrom(pager, tree, offset, (leaf, from, to) => {
        for (let i = from; i < to; i++) {
          if (hits.length === limit) return false;
          take(leaf, i);
        }
        return hits.length < limit;
      });
    }
  } else if (table.relation !== null) {
    const matches = context.typed.matcher(table, input.where!);
    const key = wantedKey(context.typed, table, input.where!);
    if (key !== undefined) {
      const found = key === null ? null : rowIn(pager, tree, key);
      if (found !== null && matches(found.leaf, found.index)) {
        total = 1;
        if (offset === 0 && limit > 0) take(found.leaf, found.index);
      }
    } else {
      const count = (leaf: Leaf, i: number): void => {
        if (!matches(leaf, i)) return;
        if (total >= offset && hits.length < limit) take(leaf, i);
        total++;
      };
      const keys = context.typed.equalKeys(table, pager, root, input.where!);
      readsAll = keys === null;
      if (keys === null)
        scan(pager, tree, null, (leaf, from, to) => {
          for (let i = from; i < to; i++) count(leaf, i);
        });
      else
        for (const each of keys) {
          const { leaf, index } = rowIn(pager, tree, each)!;
          count(leaf, index);
        }
    }
  } else if (input.where!.id !== undefined) {
    // Equality on the key is a point lookup.
    const wanted = input.where!.id;
    const found = typeof wanted === 'string' && wanted.length > 0 && !/\s/.test(wanted) ? rowIn(pager, tree, idKey(wanted)) : null;
    const rest = matcher(table, withoutId(input.where!));
    if (found !== null && rest(found.leaf)(found.index)) {
      total = 1;
      if (offset === 0 && limit > 0) take(found.leaf, found.index);
    }
  } else {
    readsAll = true;
    const prepare = matcher(table, input.where!);
    scan(pager, tree, null, (leaf, from, to) => {
      const matches = prepare(leaf);
      for (let i = from; i < to; i++) {
        if (!matches(i)) continue;
        if (total >= offset && hits.length < limit) take(leaf, i);
        total++;
      }
    });
  }
  await context.engine.durable(seen);
  const next = offset + hits.length;
  const reply: FindReply = { total, hits, next_offset: next < total && hits.length > 0 ? next : null };
  if (readsAll && tree !== null && context.filters.note(table.number, Object.keys(input.where!), tree.count, total)) {
    const statement = context.typed.suggestedIndex(catalog, table, input.where!);
    if (statement !== null) reply.hint = `This filter reads the whole table, and comes often. An index serves it: ${statement}`;
  }
  return reply;
}

/** The tables whose rows are searched; 0A000 for partitions that are foreign tables. */
function searchedParts(typed: TypedTables, catalog: Catalog, table: Table): readonly Table[] {
  if (!isPartitioned(table)) return [table];
  const parts = typed.partitions(catalog, table);
  const foreign = parts.find(({ relation }) => relation!.object.foreign !== undefined);
  if (foreign === undefined) return parts;
  throw new SvcError('0A000', `partition "${foreign.name}" of "${table.name}" is a foreign table, which cannot be searched`, {
    hint: 'Search the other partitions by their names.',
    status: 400,
  });
}

/** A partition's row with the fields in the order of the partitioned table's. */
function inOrder(row: Row, { relation }: Table): Row {
  return Object.fromEntries(relation!.attributes.filter(({ name }) => Object.hasOwn(row, name)).map(({ name }) => [name, row[name]]));
}

/** Numbers of the columns; 42501 if the search asks for one of them, or if they are part of the key. */
function columnsWithout(
  { name: table, relation, byName }: Table,
  names: ReadonlySet<string>,
  { where = {}, vector_field: field }: FindInput,
): ReadonlySet<number> {
  const attributes = relation?.attributes ?? [];
  const isColumn = (name: string): boolean => (relation === null ? byName.has(name) : attributes.some((each) => each.name === name));
  const columnOf = (given: string): string => nestedField(given, isColumn)?.name ?? given;
  const asked = [...Object.keys(where).map(columnOf), ...(field === undefined ? [] : [field])].find((each) => names.has(each));
  const inKey = attributes.find(({ number, name }) => relation!.object.key.includes(number) && names.has(name));
  if (asked !== undefined || inKey !== undefined) {
    throw new SvcError('42501', `permission denied for table ${table}: column "${asked ?? inKey!.name}" is masked`, {
      hint: inKey === undefined ? 'Search without it.' : 'Search it with SQL: bm25 leaves masked columns out, and they read masked.',
    });
  }
  const numbers =
    relation === null
      ? [...names].flatMap((each) => byName.get(each)?.number ?? [])
      : attributes.filter(({ name }) => names.has(name)).map(({ number }) => number);
  return new Set(numbers);
}

function withoutId(where: Row): Row {
  return Object.fromEntries(Object.entries(where).filter(([name]) => name !== 'id'));
}

/** The only possible key if the whole primary key is given; null if it matches no row, undefined if it is not given. */
function wantedKey(typed: TypedTables, table: Table, where: Row): Key | null | undefined {
  const { object, attributes } = table.relation!;
  if (object.key.length === 0) return undefined;
  const texts: string[] = [];
  for (const number of object.key) {
    const { name } = attributes.find((each) => each.number === number)!;
    const given = Object.hasOwn(where, name) ? where[name] : undefined;
    const value = given instanceof ExactNumber ? (plainNumber(given) ?? given.text) : given;
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
    texts.push(object.key.length === 1 ? String(value) : encodeURIComponent(String(value)));
  }
  try {
    return typed.key(table, texts.join(','));
  } catch (error) {
    if (error instanceof SvcError) return null;
    throw error;
  }
}

/** Whether a row of any leaf has the values. */
function rowMatcher(context: Context, table: Table, where: Row): (leaf: Leaf, at: number) => boolean {
  if (table.relation !== null) return context.typed.matcher(table, where);
  const prepare = matcher(table, withoutId(where));
  let last: { leaf: Leaf; matches: (i: number) => boolean } | null = null;
  return (leaf, at) => {
    if (Object.hasOwn(where, 'id') && keyText(leaf.skeys[at]) !== where.id) return false;
    if (last?.leaf !== leaf) last = { leaf, matches: prepare(leaf) };
    return last.matches(at);
  };
}

const never = (): boolean => false;

/** Prepared once per leaf, so that the test of a row reads only the named columns. */
function matcher(table: Table, where: Row): (leaf: Leaf) => (i: number) => boolean {
  const wanted = Object.entries(where).map(([name, given]) => {
    const nested = nestedField(name, (each) => table.byName.has(each));
    if (nested === null) throw unknownField(table.name, name, [{ name: 'id' }, ...table.columns]);
    const column = table.byName.get(nested.name)!;
    const value = fieldValue(given);
    if (nested.path.length > 0) return { column, matches: memberMatcher(nested, value), value, text: null, equal: '' };
    return {
      column,
      matches: null,
      value,
      text: value === null ? null : canonicalJson(value, name, 0),
      equal: value === null ? '' : comparableJson(value, name),
    };
  });
  return (leaf) => {
    const tests: ((i: number) => boolean)[] = [];
    for (const { column, value, text, equal, matches } of wanted) {
      const vec = leaf.col(column.number);
      if (vec === null) return never;
      if (matches !== null) {
        if (vec.kind !== KIND.JSON) return never;
        tests.push((i) => vec.tag(i) === 0 && matches(toJson(vec.get(i), KIND.JSON)));
        continue;
      }
      if (value === null) tests.push((i) => vec.tag(i) === 1);
      else if (vec.kind === KIND.TEXT) {
        if (typeof value !== 'string') return never;
        const strings = vec.strings();
        tests.push((i) => strings[i] === value && vec.tag(i) === 0);
      } else if (vec.kind === KIND.F64) {
        const number = doubleShownAs(value);
        if (number === null) return never;
        tests.push(Number.isNaN(number) ? (i) => Number.isNaN(vec.f64[i]) && vec.tag(i) === 0 : (i) => vec.f64[i] === number && vec.tag(i) === 0);
      } else {
        // Another text may be an equal number, or hold one.
        const same = (stored: string): boolean => stored === text || (/[0-9]/.test(stored) && comparableCell(parseExactJson(stored) as Json, '') === equal);
        const holdsNumber = /[0-9]/.test(text!);
        tests.push((i) => {
          if (vec.tag(i) !== 0) return false;
          const stored = adapt(vec.get(i), vec.kind, KIND.JSON) as string;
          return holdsNumber ? same(stored) : stored === text;
        });
      }
    }
    if (tests.length === 1) return tests[0];
    return (i) => tests.every((test) => test(i));
  };
}
