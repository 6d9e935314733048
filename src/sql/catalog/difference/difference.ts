/**
 * Converts the definitions of one state to those of another, as SQL statements in an executable order:
 *
 *   first    what is dropped, or recreated, each before its dependencies
 *   shape    what rows need: types, functions, sequences, tables, columns
 *            ── rows are written ──
 *   last     what checks or reads rows: NOT NULL, checks, keys, indexes, views, triggers, attributes of objects;
 *            then unused types and functions are dropped
 *
 * Each definition is a part with its statements (…-parts.ts); schema/drop.ts gives the dependencies (order.ts).
 */
import type { CatalogObject, FunctionObject } from '../../../worlds/definition.ts';
import type { DropTarget } from '../../schema/drop-target.ts';
import { eventTriggersAsSql } from './event-triggers.ts';
import { foreignParts } from './foreign-parts.ts';
import { comingOrder, goingFirst, type Node } from './order.ts';
import { otherParts, attributeParts } from './other-parts.ts';
import { operatorClassParts } from './operator-class-parts.ts';
import { type Changes, Part, PLACE, type Side } from './part.ts';
import { publicationsAsSql } from './publications.ts';
import { rightsParts } from './rights-parts.ts';
import { routineParts } from './routine-parts.ts';
import { sequenceParts } from './sequence-parts.ts';
import { subscriptionsAsSql } from './subscriptions.ts';
import { changedColumns } from './table-changes.ts';
import { tableParts } from './table-parts.ts';
import { typeParts } from './type-parts.ts';
import { viewParts } from './view-parts.ts';

/** They are altered, never recreated for a dependency. */
const IN_PLACE: ReadonlySet<DropTarget['kind']> = new Set(['table', 'type', 'extension']);

/** They are dropped at the end if a former dependent stays: it has other types and defaults by then. */
const LATE: ReadonlySet<DropTarget['kind']> = new Set([
  'type',
  'function',
  'operator',
  'operator family',
  'cast',
  'collation',
  'conversion',
  'text search dictionary',
  'text search configuration',
  'user mapping',
  'server',
  'foreign data wrapper',
  'extension',
  'schema',
]);

/** Of those, the ones that can be dropped at the start if nothing uses them. Later their types may have other names. */
const NAMES_TYPES: ReadonlySet<DropTarget['kind']> = new Set(['type', 'function', 'operator', 'operator family', 'cast', 'collation', 'conversion']);

export function partsOf(side: Side, other: Side): Map<string, Part> {
  const parts = [
    ...otherParts(side, other),
    ...typeParts(side, other),
    ...routineParts(side, other),
    ...operatorClassParts(side, other),
    ...foreignParts(side, other),
    ...sequenceParts(side, other),
    ...tableParts(side, other),
    ...viewParts(side, other),
  ];
  const out = new Map(parts.map((part) => [part.key, part]));
  for (const part of [...attributeParts(side, out), ...rightsParts(side, other, out.values())]) out.set(part.key, part);
  return out;
}

export interface DefinitionStatements {
  readonly first: readonly string[];
  readonly shape: readonly string[];
  readonly last: readonly string[];
  /** Keys of what is created or recreated. */
  readonly made: ReadonlySet<string>;
  /** Whether it creates functions with text bodies, whose references may come later or be missing. */
  readonly texts: boolean;
}

/** The differences between the two states. */
interface Compared {
  /** What can be altered, by key. */
  readonly changed: Map<string, Changes>;
  /** What is dropped or recreated. */
  readonly seeds: DropTarget[];
  /** The same for parts without dependents. */
  readonly single: Part[];
  /** Keys of what has to be recreated. */
  readonly recreated: Set<string>;
}

function compared(was: Side, is: Side, old: ReadonlyMap<string, Part>, now: ReadonlyMap<string, Part>): Compared {
  const units = changedUnits(was, is);
  const out: Compared = { changed: new Map(), seeds: [], single: [], recreated: new Set() };
  for (const part of old.values()) {
    if (!units.has(part.unit) && !units.has(part.number)) continue;
    const next = now.get(part.key);
    const isSame = next !== undefined && next.body === part.body;
    // A table is not represented by a single text.
    const changes = next === undefined ? null : isSame && part.target?.kind !== 'table' ? NOTHING : (next.change?.() ?? null);
    if (changes !== null) out.changed.set(part.key, changes);
    else if (isSame || part.target?.kind === 'default') continue;
    else if (part.target !== null) out.seeds.push(part.target);
    else {
      out.single.push(part);
      if (next !== undefined) out.recreated.add(part.key);
    }
  }
  for (const table of was.schema.tables.keys()) for (const column of changedColumns(was, is, table)) out.seeds.push({ kind: 'column', table, column });
  return out;
}

/** `loose`: foreign keys that are dropped while rows are written. */
export function definitions(was: Side, is: Side, loose: readonly { readonly table: number; readonly name: string }[]): DefinitionStatements {
  const [old, now] = [partsOf(was, is), partsOf(is, was)];
  const { changed, seeds, single, recreated } = compared(was, is, old, now);
  const { order: going, free } = goingFirst(
    was.definitions,
    old,
    [...loose.map((each): DropTarget => ({ kind: 'constraint', ...each })), ...seeds],
    ({ key, target }) => IN_PLACE.has(target!.kind) && now.get(key)?.change !== undefined,
    (key) => !now.has(key),
  );
  const gone = new Set(going.map(({ key }) => key));
  for (const { key, owner } of now.values()) {
    if (!old.has(key) || gone.has(key) || (owner !== null && gone.has(owner))) recreated.add(key);
  }
  // Defaults are created with their tables, except those that had to be dropped temporarily.
  for (const { key, target } of now.values()) if (target?.kind === 'default' && !gone.has(key)) recreated.delete(key);

  const nodes: Node[] = [];
  for (const part of now.values()) {
    if (recreated.has(part.key)) {
      nodes.push({ part, statements: part.make });
      continue;
    }
    const changes = changed.get(part.key);
    if (changes === undefined) continue;
    if (changes.ahead.length > 0) nodes.push({ part, statements: changes.ahead });
    if (changes.behind.length > 0) nodes.push({ part: behind(part), statements: changes.behind });
  }
  const { order, split } = comingOrder(is.definitions, nodes);

  const titles = new Set(nodes.flatMap(({ part }) => (recreated.has(part.key) && part.title !== '' ? [part.title] : [])));
  const isLate = ({ key, target, title }: Part): boolean =>
    target !== null && LATE.has(target.kind) && !(NAMES_TYPES.has(target.kind) && free.has(key)) && !now.has(key) && !titles.has(title);
  const goesAlone = single.filter(({ owner, drop }) => drop !== '' && (owner === null || (!gone.has(owner) && now.has(owner))));
  const watching = eventTriggersAsSql(was.schema, is.schema);
  const publications = publicationsAsSql(was.schema, is.schema);
  const subscriptions = subscriptionsAsSql(was, is);
  const early = [...goesAlone, ...going.filter((part) => part.drop !== '' && !isLate(part))].map(({ drop }) => drop);
  const late = going.filter((part) => part.drop !== '' && isLate(part)).map(({ drop }) => drop);
  return {
    first: [...watching.gone, ...subscriptions.gone, ...publications.gone, ...early],
    shape: order.slice(0, split).flatMap((node) => node.statements),
    last: [...order.slice(split).flatMap((node) => node.statements), ...publications.made, ...subscriptions.made, ...late, ...watching.made],
    made: recreated,
    texts: nodes.some(({ part }) => part.target?.kind === 'function' && hasText(is.schema.functions.get(part.number)?.object)),
  };
}

function hasText(made: FunctionObject | undefined): boolean {
  return made?.form === 'text' && made.language !== 'internal' && made.aggregate === undefined;
}

/** Numbers of tables and objects whose definitions differ. */
export function changedUnits(was: Side, is: Side): Set<number> {
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
  if ((object.what === 'family operator' || object.what === 'family function') && object.class !== 0) return object.class;
  if ('table' in object && typeof object.table === 'number') return object.table;
  return 'object' in object ? object.object : 'number' in object ? object.number : 0;
}

/** The statements of a part that wait until rows are written. */
function behind({ key, number }: Part): Part {
  const fields = { key: `behind ${key}`, target: null, number, place: PLACE.checks, owner: key, title: '', called: '', drop: '' };
  return new Part({ ...fields, text: () => ({ make: [] }) });
}

const NOTHING: Changes = { ahead: [], behind: [] };
