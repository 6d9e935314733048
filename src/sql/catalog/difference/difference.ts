/**
 * What makes the definitions of one state of those of another, as SQL statements in an order in which they run:
 *
 *   first    what goes, or has to be made anew, each before what it hangs on
 *   shape    what rows need: types, functions, sequences, tables, columns
 *            ── rows are written ──
 *   last     what looks at rows, or reads them: NOT NULL, checks, keys, indexes, views, triggers, what is told of objects;
 *            then types and functions that nobody uses any more go
 *
 * Each definition is a part with its statements (…-parts.ts); which hang on which, schema/drop.ts knows (order.ts).
 */
import { quoteString } from '../../../base/quote-identifier.ts';
import type { Catalog } from '../../../worlds/catalog.ts';
import type { Roles } from '../../../identity/roles.ts';
import type { CatalogObject } from '../../../worlds/definition.ts';
import type { Key } from '../../../tree/datum.ts';
import type { RowAt } from '../../../worlds/row-change.ts';
import type { SequenceState } from '../../../worlds/sequences.ts';
import type { DifferenceScript, TypedTables } from '../../../worlds/typed-tables.ts';
import type { Registry } from '../../functions/registry.ts';
import type { NamedInText, StoredText } from '../../schema/compiler.ts';
import type { Definitions, DropTarget } from '../../schema/drop.ts';
import { eventTriggersAsSql } from '../../schema/event-triggers-as-sql.ts';
import { foreignAsSql, foreignDropsAsSql } from '../../schema/foreign-as-sql.ts';
import { publicationsAsSql } from '../../schema/publications-as-sql.ts';
import { schemaOf } from '../../schema/schema.ts';
import type { TypeLookup } from '../../schema/type-lookup.ts';
import { type Environment, STORED, type System } from '../../types/environment.ts';
import { StoredNames } from '../stored-names.ts';
import { systemRelations } from '../system-relations.ts';
import { worldObjects } from '../system-catalog.ts';
import { comingOrder, goingFirst, type Node } from './order.ts';
import { otherParts, toldParts } from './other-parts.ts';
import { type Changes, Part, PLACE, relationName, type Side } from './part.ts';
import { brokenOnTheWay, largeObjectStatement, pointedFirst, standAlone, TableRows } from './rows.ts';
import { routineParts } from './routine-parts.ts';
import { sequenceParts } from './sequence-parts.ts';
import { changedColumns } from './table-changes.ts';
import { tableParts } from './table-parts.ts';
import { typeParts } from './type-changes.ts';
import { viewParts } from './view-parts.ts';

/** They go at the end: what used them has other types and defaults by then. */
const LATE: ReadonlySet<DropTarget['kind']> = new Set([
  'type',
  'function',
  'operator',
  'cast',
  'collation',
  'text search dictionary',
  'text search configuration',
  'extension',
  'schema',
]);

/** What a stored text names, bound over a state's definitions. */
export type NamedIn = (parts: { readonly registry: Registry; readonly env: Environment; names(): StoredNames }, text: StoredText) => NamedInText;

export function scriptsOver(registry: Registry, lookup: TypeLookup, namedIn: NamedIn): TypedTables['script'] {
  const sideOf = (catalog: Catalog, roles: Roles | undefined): Side => {
    const schema = schemaOf(catalog, lookup);
    const names = systemRelations(schema, registry, {
      user: 'svc',
      database: 'svc',
      ...(roles === undefined ? {} : { roles: () => roles }),
    }).names(['public']);
    const env: Environment = { ...STORED, system: names as unknown as System };
    const stored = new StoredNames(schema, registry);
    const compiler = { named: (text: StoredText): NamedInText => namedIn({ registry, env, names: () => stored }, text) };
    const definitions: Definitions = { schema, definitions: catalog.objects, compiler, roleName: String };
    return { catalog, schema, names, definitions, objects: worldObjects(schema) };
  };
  return (before, after, roles) => new Script(sideOf(before, roles), sideOf(after, roles));
}

class Script implements DifferenceScript {
  readonly #was: Side;
  readonly #is: Side;
  readonly #tables = new Map<number, TableRows>();
  readonly #largeObjects: string[] = [];
  readonly #sequences: string[] = [];

  constructor(was: Side, is: Side) {
    this.#was = was;
    this.#is = is;
  }

  row(number: number, key: Key, before: RowAt | null, after: RowAt | null): void {
    const object = largeObjectStatement(this.#was, this.#is, number, before, after);
    if (object !== null) {
      this.#largeObjects.push(object);
      return;
    }
    let rows = this.#tables.get(number);
    if (rows === undefined) this.#tables.set(number, (rows = new TableRows(this.#was, this.#is, number)));
    rows.add(key, before, after);
  }

  sequence(number: number, { last, called }: SequenceState): void {
    const sequence = this.#is.schema.sequences.get(number);
    if (sequence === undefined || (!called && BigInt(last) === BigInt(sequence.start))) return;
    this.#sequences.push(`SELECT pg_catalog.setval(${quoteString(relationName(this.#is, number))}, ${last}, ${called});`);
  }

  whole(): number[] {
    const given = ({ number }: { number: number }): number => this.#was.catalog.byNumber.get(number)?.relation?.object.attnums ?? 0;
    return [...this.#is.schema.tables.values()].flatMap((table) => {
      const old = this.#was.schema.tables.get(table.number);
      if (old === undefined || old === table || table.document) return [];
      const isBack = table.columns.some(({ attnum }) => attnum <= given(table) && !old.columns.some((column) => column.attnum === attnum));
      return isBack ? [table.number] : [];
    });
  }

  statements(): string[] {
    const [was, is] = [this.#was, this.#is];
    const isFilled = ({ number }: TableRows): boolean => (is.schema.tables.get(number) ?? was.schema.tables.get(number))?.materialized != null;
    const all = [...this.#tables.values()].filter(({ changes }) => changes.length > 0);
    const tables = all.filter((rows) => !isFilled(rows));
    const loose = brokenOnTheWay(was, is, tables);
    const { first, shape, last, made } = definitions(was, is, loose);
    const filled = all.filter((rows) => isFilled(rows) && !made.has(`table ${rows.number}`) && is.schema.tables.has(rows.number));
    const order = pointedFirst(is, tables);
    const isPlain = first.length + shape.length === 0 && standAlone(is, order);
    const rows = isPlain ? order.flatMap(({ changes }) => changes.map(({ removes, writes }) => (removes ?? writes)!)) : inTwoParts(order, shape);
    if (rows.length > shape.length && isWatched(was, is, tables)) {
      rows.unshift('SET session_replication_role = replica;');
      rows.push('RESET session_replication_role;');
    }
    const refreshed = filled.map(({ number }) => `REFRESH MATERIALIZED VIEW ${relationName(is, number)};`);
    return [...first, ...rows, ...this.#largeObjects, ...last, ...this.#sequences, ...refreshed];
  }
}

/** All that goes, then what it gives room to. */
function inTwoParts(order: readonly TableRows[], shape: readonly string[]): string[] {
  const removed = order.toReversed().flatMap(({ changes }) => changes.flatMap(({ removes }) => removes ?? []));
  const written = order.flatMap(({ changes }) => changes.flatMap(({ writes }) => writes ?? []));
  return [...removed, ...shape, ...written];
}

/** Whether a trigger or rule that stays would do something of its own for the rows of a table. */
function isWatched(was: Side, is: Side, tables: readonly TableRows[]): boolean {
  return tables.some(({ number }) => {
    const stays = <T extends { readonly number: number }>(old: readonly T[], now: readonly T[]): boolean =>
      old.some((each) => now.some((other) => other.number === each.number));
    return stays(was.schema.triggers(number), is.schema.triggers(number)) || stays(was.schema.rules(number), is.schema.rules(number));
  });
}

function partsOf(side: Side, other: Side): Map<string, Part> {
  const parts = [
    ...otherParts(side, other),
    ...typeParts(side, other),
    ...routineParts(side, other),
    ...sequenceParts(side, other),
    ...tableParts(side, other),
    ...viewParts(side, other),
  ];
  const out = new Map(parts.map((part) => [part.key, part]));
  for (const part of toldParts(side, out)) out.set(part.key, part);
  return out;
}

interface DefinitionStatements {
  readonly first: readonly string[];
  readonly shape: readonly string[];
  readonly last: readonly string[];
  /** Keys of what is made, or made anew. */
  readonly made: ReadonlySet<string>;
}

/** What is another in the second state than it was. */
interface Compared {
  /** What can be altered, by key. */
  readonly changed: Map<string, Changes>;
  /** What goes, or has to be made anew. */
  readonly seeds: DropTarget[];
  /** The same where nothing hangs on it. */
  readonly single: Part[];
  /** Keys of what has to be made anew. */
  readonly anew: Set<string>;
}

function compared(was: Side, is: Side, old: ReadonlyMap<string, Part>, now: ReadonlyMap<string, Part>): Compared {
  const units = changedUnits(was, is);
  const out: Compared = { changed: new Map(), seeds: [], single: [], anew: new Set() };
  for (const part of old.values()) {
    if (!units.has(part.unit) && !units.has(part.number)) continue;
    const next = now.get(part.key);
    const isSame = next !== undefined && next.body === part.body;
    // A table has no text that says all of it.
    const changes = next === undefined ? null : isSame && !part.key.startsWith('table ') ? NOTHING : (next.change?.() ?? null);
    if (changes !== null) out.changed.set(part.key, changes);
    else if (isSame || part.target?.kind === 'default') continue;
    else if (part.target !== null) out.seeds.push(part.target);
    else {
      out.single.push(part);
      if (next !== undefined) out.anew.add(part.key);
    }
  }
  for (const table of was.schema.tables.keys()) for (const column of changedColumns(was, is, table)) out.seeds.push({ kind: 'column', table, column });
  return out;
}

/** `loose`: foreign keys that go while rows are written. */
function definitions(was: Side, is: Side, loose: readonly { readonly table: number; readonly name: string }[]): DefinitionStatements {
  const [old, now] = [partsOf(was, is), partsOf(is, was)];
  const { changed, seeds, single, anew: isMade } = compared(was, is, old, now);
  const going = goingFirst(
    was.definitions,
    old,
    [...loose.map((each): DropTarget => ({ kind: 'constraint', ...each })), ...seeds],
    (key) => (key.startsWith('table ') || key.startsWith('type ')) && now.get(key)?.change !== undefined,
    (key) => !now.has(key),
  );
  const gone = new Set(going.map(({ key }) => key));
  for (const { key, owner } of now.values()) {
    if (!old.has(key) || gone.has(key) || (owner !== null && gone.has(owner))) isMade.add(key);
  }
  // Defaults come with their tables, but for those that had to go for a while.
  for (const key of isMade) if (key.startsWith('default ') && !gone.has(key)) isMade.delete(key);

  const nodes: Node[] = [];
  for (const part of now.values()) {
    if (isMade.has(part.key)) {
      nodes.push({ part, statements: part.make });
      continue;
    }
    const changes = changed.get(part.key);
    if (changes === undefined) continue;
    if (changes.ahead.length > 0) nodes.push({ part, statements: changes.ahead });
    if (changes.behind.length > 0) nodes.push({ part: behind(part), statements: changes.behind });
  }
  const foreign = foreignAsSql(was.schema, is.schema, (oid) => is.names.roleName(oid));
  if (foreign.length > 0) nodes.push({ part: foreignPart(is), statements: foreign });
  const { order, split } = comingOrder(is.definitions, nodes);

  const titles = new Set(nodes.flatMap(({ part }) => (isMade.has(part.key) && part.title !== '' ? [part.title] : [])));
  const isLate = (part: Part): boolean => part.target !== null && LATE.has(part.target.kind) && !now.has(part.key) && !titles.has(part.title);
  const goesAlone = single.filter(({ owner, drop }) => drop !== '' && (owner === null || (!gone.has(owner) && now.has(owner))));
  const [watching, watched] = apart(eventTriggersAsSql(was.schema, is.schema));
  const [unpublished, published] = apart(publicationsAsSql(was.schema, is.schema));
  const early = [...goesAlone, ...going.filter((part) => part.drop !== '' && !isLate(part))].map(({ drop }) => drop);
  const late = going.filter((part) => part.drop !== '' && isLate(part)).map(({ drop }) => drop);
  return {
    first: [...watching, ...unpublished, ...early],
    shape: order.slice(0, split).flatMap((node) => node.statements),
    last: [
      ...order.slice(split).flatMap((node) => node.statements),
      ...published,
      ...foreignDropsAsSql(was.schema, is.schema, (oid) => was.names.roleName(oid)),
      ...late,
      ...watched,
    ],
    made: isMade,
  };
}

/** Numbers of tables and objects whose definitions are not the same in both states. */
function changedUnits(was: Side, is: Side): Set<number> {
  const out = new Set<number>();
  const note = (key: string, object: CatalogObject): void => {
    const other = is.catalog.objects.get(key);
    if (other === object || (other !== undefined && JSON.stringify(other) === JSON.stringify(object))) return;
    for (const each of [object, other]) if (each !== undefined) out.add(unitOf(each));
  };
  for (const [key, object] of was.catalog.objects) note(key, object);
  for (const [key, object] of is.catalog.objects) if (!was.catalog.objects.has(key)) out.add(unitOf(object));
  return out;
}

function unitOf(object: CatalogObject): number {
  if ('table' in object && typeof object.table === 'number') return object.table;
  return 'object' in object ? object.object : 'number' in object ? object.number : 0;
}

/** What of a part waits until rows are written. */
function behind({ key, number }: Part): Part {
  const fields = { key: `behind ${key}`, target: null, number, place: PLACE.checks, owner: key, title: '', called: '', drop: '' };
  return new Part({ ...fields, text: () => ({ make: [] }) });
}

const NOTHING: Changes = { ahead: [], behind: [] };

/** Servers and their like, before the first table of one. */
function foreignPart({ schema }: Side): Part {
  const number = Math.min(...schema.wrappers.keys(), ...schema.servers.keys());
  return new Part({ key: 'foreign', target: null, number, place: PLACE.shapes, owner: null, title: '', called: '', text: () => ({ make: [] }), drop: '' });
}

/** What drops, and the rest. */
function apart(all: readonly string[]): [string[], string[]] {
  return [all.filter((sql) => sql.startsWith('DROP ')), all.filter((sql) => !sql.startsWith('DROP '))];
}
