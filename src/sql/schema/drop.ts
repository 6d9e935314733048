/**
 * DROP of any object, with its dependents. A part of an object goes with it; an object that uses it blocks the drop (2BP01) or, with
 * CASCADE, goes too and is reported in a NOTICE.
 *
 *   targets ──dependents──► … until nothing new: { part: goes silently | use: needs CASCADE }
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { publicName } from '../../worlds/catalog.ts';
import { mentions } from '../../worlds/merge/definition-names.ts';
import { isTemporarySchema, type CatalogObject, tableDefinitionKey } from '../../worlds/definition.ts';
import { addressOf, isNote } from '../../worlds/kinds/registry.ts';
import type { Ddl } from './ddl.ts';
import { missing } from './object-errors.ts';
import { sequenceObject } from './create-sequence.ts';
import { dependents, newestFirst } from './dependents.ts';
import { type Definitions, describe, type DropTarget, keyOf } from './drop-target.ts';
import { PUBLIC_SCHEMA, type Relation, type Sequence } from './schema.ts';
import { tableWord } from './table.ts';

interface Found {
  readonly target: DropTarget;
  readonly text: string;
  /** What it depends on; null for a target, or for a part of one. */
  readonly on: string | null;
}

type NamedKind = 'table' | 'view' | 'materialized view' | 'foreign table' | 'sequence' | 'index' | 'type' | 'domain' | 'schema';

/** DROP kind name, …: all of them or none. */
export function dropNamed(
  ddl: Ddl,
  kind: NamedKind,
  names: readonly { readonly schema: string; readonly name: string; readonly written?: string }[],
  ifExists: boolean,
  cascade: boolean,
): void {
  const targets: DropTarget[] = [];
  for (const { schema, name, written = name } of names) {
    const number = find(ddl, kind, schema, name);
    if (number === null) {
      if (!ifExists) throw missing(kind === 'domain' ? 'type' : kind, name);
      ddl.notice('00000', `${kind === 'domain' ? 'type' : kind} "${written}" does not exist, skipping`);
    } else targets.push({ kind: kind === 'materialized view' || kind === 'foreign table' ? 'table' : kind === 'domain' ? 'type' : kind, number });
  }
  dropObjects(ddl, targets, cascade);
}

function find(ddl: Ddl, kind: NamedKind, schema: string, name: string): number | null {
  if (kind === 'schema') return ddl.schema.schemas.get(name) ?? null;
  if (kind === 'type' || kind === 'domain') {
    const own = ddl.schema.ownType(schema, name);
    if (own !== null && kind === 'domain' && own.object.what !== 'domain') throw new SvcError('42809', `"${name}" is not a domain`);
    const relation = own === null && kind === 'type' ? ddl.schema.relation(schema, name) : null;
    if (relation?.kind === 'table' || relation?.kind === 'view') {
      throw new SvcError('2BP01', `cannot drop type ${name} because ${relation.kind} ${name} requires it`, {
        hint: `You can drop ${relation.kind} ${name} instead.`,
      });
    }
    return own?.number ?? null;
  }
  const found = ddl.schema.relation(schema, name);
  if (found === null) return null;
  const is = found.kind === 'table' ? tableWord(found.table) : found.kind;
  if (is !== kind) {
    const hint = `Use DROP ${is.toUpperCase()} to remove ${is === 'index' ? 'an' : 'a'} ${is}.`;
    throw new SvcError('42809', `"${name}" is not ${kind === 'index' ? 'an' : 'a'} ${kind}`, { hint });
  }
  if (found.kind === 'index' && found.table.inheritance !== null) {
    const number = found.index?.number ?? ddl.schema.primaryKeyNumber(found.table);
    const parent = number === undefined ? undefined : ddl.schema.parentIndex(number);
    const whole = parent === undefined ? null : indexName(ddl, parent);
    if (whole !== null)
      throw new SvcError('2BP01', `cannot drop index ${name} because index ${whole} requires it`, { hint: `You can drop index ${whole} instead.` });
  }
  if (found.kind === 'index') {
    const constraint = found.index === null ? found.table.primaryKey : found.index.constraint;
    if (constraint !== null) {
      throw new SvcError('2BP01', `cannot drop index ${name} because constraint ${constraint} on table ${found.table.name} requires it`, {
        hint: `You can drop constraint ${constraint} on table ${found.table.name} instead.`,
      });
    }
  }
  if (found.kind === 'sequence') refuseIdentity(ddl, found.sequence);
  return numberOf(found);
}

function indexName(ddl: Ddl, number: number): string | null {
  const index = ddl.schema.indexes.get(number)?.index.name;
  if (index !== undefined) return index;
  return [...ddl.schema.tables.values()].find((table) => ddl.schema.primaryKeyNumber(table) === number)?.primaryKey ?? null;
}

function refuseIdentity(ddl: Ddl, { name, ownedBy }: Sequence): void {
  const table = ownedBy === null ? undefined : ddl.schema.tables.get(ownedBy.table);
  const column = table?.columns.find(({ number, identity }) => number === ownedBy!.column && identity !== null);
  if (table === undefined || column === undefined) return;
  throw new SvcError('2BP01', `cannot drop sequence ${name} because column ${column.name} of table ${table.name} requires it`, {
    hint: `You can drop column ${column.name} of table ${table.name} instead.`,
  });
}

function numberOf(found: Relation): number {
  switch (found.kind) {
    case 'table':
      return found.table.number;
    case 'view':
      return found.view.number;
    case 'sequence':
      return found.sequence.number;
    case 'index':
      return found.index!.number;
  }
}

/** The number that Postgres reports to a client. */
const REPORTED_MAX = 100;

/**
 * Collected as in Postgres (dependency.c): depth first, newest first, each object after its dependents. Reversed, that is the order
 * in which they are reported, each with the dependency through which it was first reached.
 */
export function dropObjects(ddl: Ddl, targets: readonly DropTarget[], cascade: boolean): void {
  const { found, uses } = withDependents(ddl, targets);
  if (uses.length > 0 && !cascade) {
    throw new SvcError(
      '2BP01',
      targets.length === 1
        ? `cannot drop ${describe(ddl, targets[0])} because other objects depend on it`
        : 'cannot drop desired object(s) because other objects depend on them',
      {
        detail: listed(uses.map(({ text, on }) => `${text} depends on ${on!}`)),
        hint: 'Use DROP ... CASCADE to drop the dependent objects too.',
      },
    );
  }
  if (uses.length === 1) ddl.notice('00000', `drop cascades to ${uses[0].text}`);
  else if (uses.length > 1) ddl.notice('00000', `drop cascades to ${uses.length} other objects`, listed(uses.map(({ text }) => `drop cascades to ${text}`)));
  removeAll(ddl, targets, found);
}

/** Drops everything in a schema with its dependents, without notices. */
export function emptySchema(ddl: Ddl, number: number): void {
  const targets = dependents(ddl, { kind: 'schema', number }).map(({ target }) => target);
  removeAll(ddl, targets, withDependents(ddl, targets).found);
}

/** The dependents of a schema's objects in other schemas, and what they depend on. null: none. */
export function dependentsOutsideSchema(ddl: Definitions, number: number): { readonly text: string; readonly on: string } | null {
  const targets = dependents(ddl, { kind: 'schema', number }).map(({ target }) => target);
  const [use] = withDependents(ddl, targets).uses;
  return use === undefined ? null : { text: use.text, on: use.on! };
}

function removeAll(ddl: Ddl, targets: readonly DropTarget[], found: readonly Found[]): void {
  const named = new Set(targets.map(keyOf));
  for (const { target, on } of found) {
    ddl.log?.dropped.push({ target, original: named.has(keyOf(target)), uses: on !== null });
    remove(ddl, target);
  }
}

/** `found`: in drop order; `uses`: those of them that need CASCADE. */
function withDependents(ddl: Definitions, targets: readonly DropTarget[]): { found: Found[]; uses: Found[] } {
  const seen = new Map<string, { target: DropTarget; text: string; on: string | null }>();
  const order: Found[] = [];
  const visit = (target: DropTarget, on: string | null): void => {
    const key = keyOf(target);
    const known = seen.get(key);
    if (known !== undefined) {
      // A part of a dropped object needs no CASCADE, however else it was reached.
      if (on === null) known.on = null;
      return;
    }
    const each = { target, text: describe(ddl, target), on };
    seen.set(key, each);
    for (const { target: next, part, via } of newestFirst(ddl, dependents(ddl, target))) visit(next, part ? null : (via ?? each.text));
    order.push(each);
  };
  for (const target of targets) visit(target, null);
  const found = order.reverse();
  // Parts of a table that is dropped anyway need no CASCADE.
  const uses = found.filter(
    ({ target, on }) => on !== null && !('table' in target && seen.has(`table ${target.table}`)) && !('domain' in target && seen.has(`type ${target.domain}`)),
  );
  return { found, uses };
}

function listed(lines: readonly string[]): string {
  const more = lines.length - REPORTED_MAX;
  if (more <= 0) return lines.join('\n');
  return [...lines.slice(0, REPORTED_MAX), `and ${more} other object${more === 1 ? '' : 's'} (see server log for list)`].join('\n');
}

/** Masks of a dropped object stay in effect for its past, and for an object that replaces it. */
function keepMasks(ddl: Ddl, all: readonly CatalogObject[], object: number, attnum: number | undefined): void {
  const columns = ddl.catalog.byNumber.get(object)?.relation;
  if (columns === undefined || columns === null || isTemporarySchema(columns.object.schema)) return;
  for (const each of all) {
    if (each.what !== 'label' || each.object !== object || (attnum !== undefined && each.attnum !== attnum)) continue;
    const column = columns.attributes.find((attribute) => attribute.attnum === each.attnum);
    if (column === undefined) continue;
    const relation = publicName(columns.object.schema, columns.object.name);
    ddl.put({ what: 'former label', object, attnum: each.attnum, columnNumber: column.number, relation, column: column.name, text: each.text });
  }
}

function remove(ddl: Ddl, target: DropTarget): void {
  const all = [...ddl.definitions.values()];
  const gone = (test: (object: CatalogObject) => boolean): void => {
    for (const object of all) if (test(object)) ddl.remove(object);
  };
  /** Attributes of the object or column: comments, owner and privileges, labels. */
  const comment = (object: number, attnum?: number): void => {
    keepMasks(ddl, all, object, attnum);
    gone((each) => isNote(each) && each.object === object && (attnum === undefined || ('attnum' in each && each.attnum === attnum)));
  };
  /** Removes the object, then its parts (`also`) and attributes, which remain if the object went with its table. */
  const removeIt = (also?: (object: CatalogObject) => boolean): void => {
    const numbers = new Set('number' in target ? [target.number] : []);
    for (const object of all) {
      if (!isAt(object, target) || !('number' in object)) continue;
      ddl.remove(object);
      numbers.add(object.number);
    }
    if (also !== undefined) gone(also);
    for (const number of numbers) comment(number);
  };
  switch (target.kind) {
    case 'table':
      gone(
        (object) =>
          ('table' in object && object.table === target.number) || ((object.what === 'relation' || object.what === 'table') && object.number === target.number),
      );
      return comment(target.number);
    case 'sequence':
      ddl.remove(sequenceObject(ddl, target.number));
      return comment(target.number);
    case 'schema':
      if (target.number === PUBLIC_SCHEMA) ddl.put({ what: 'dropped schema', number: PUBLIC_SCHEMA });
      return removeIt(
        (object) =>
          (object.what === 'default rights' && object.scope === target.number) || (object.what === 'publication schema' && object.namespace === target.number),
      );
    case 'publication':
      return removeIt((object) => 'publication' in object && object.publication === target.number);
    case 'column': {
      const attribute = all.find((object) => object.what === 'attribute' && object.number === target.column && object.table === target.table);
      if (attribute?.what !== 'attribute') return;
      ddl.remove(attribute);
      const isGone = (sql: string): boolean => mentions(sql, attribute.name);
      gone(
        (object) =>
          object.what === 'extended statistics' && object.table === target.table && (object.columns.includes(target.column) || object.expressions.some(isGone)),
      );
      const relation = ddl.definitions.get(tableDefinitionKey(target.table));
      if (relation?.what === 'relation') ddl.put({ ...relation, dropped: [...relation.dropped, target.column] });
      return comment(target.table, attribute.attnum);
    }
    case 'extension member':
      return;
    case 'default':
      for (const object of all) {
        if (object.what === 'attribute' && object.number === target.column && object.table === target.table) ddl.put({ ...object, default: null });
      }
      return;
    case 'view default': {
      const view = all.find((object) => object.what === 'view' && object.number === target.view);
      if (view?.what !== 'view') return;
      const columns = view.columns.map((column, i) => {
        const { default: _, ...plain } = column;
        return i === target.attnum - 1 ? plain : column;
      });
      ddl.put({ ...view, columns });
      return;
    }
    case 'domain constraint': {
      const domain = all.find((object) => object.what === 'domain' && object.number === target.domain);
      if (domain?.what !== 'domain') return;
      const gone = domain.checks.find(({ name }) => name === target.name);
      ddl.put({ ...domain, checks: domain.checks.filter((each) => each !== gone) });
      return gone === undefined ? undefined : comment(gone.number);
    }
    case 'attribute': {
      const composite = all.find((object) => object.what === 'composite' && object.number === target.composite);
      if (composite?.what !== 'composite') return;
      ddl.put({ ...composite, attributes: composite.attributes.filter(({ attnum }) => attnum !== target.attnum) });
      return comment(composite.number, target.attnum);
    }
    case 'constraint':
      // Dropping a primary key rekeys the table's rows: the caller does that.
      for (const object of all)
        if (object.what === 'relation' && object.number === target.table && object.primaryKey?.name === target.name) comment(object.primaryKey.number);
      return removeIt();
    default:
      return removeIt();
  }
}

/** Whether the object is at the target's address. */
function isAt(object: CatalogObject, target: DropTarget): boolean {
  if ('number' in target)
    return 'number' in object && object.number === target.number && (object.what === target.kind || addressOf(object)?.kind === target.kind);
  if (!('table' in target) || !('name' in target) || !('table' in object) || object.table !== target.table) return false;
  const own = addressOf(object);
  return own !== null && own.kind === target.kind && 'name' in own && own.name === target.name;
}
