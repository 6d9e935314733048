/**
 * DROP of anything, with what hangs on it. What is part of an object goes with it; what only uses it refuses
 * (2BP01) or, with CASCADE, goes too and is named in a NOTICE.
 *
 *   targets ──dependents──► … until nothing new: { part: goes silently | use: needs CASCADE }
 */
import { shownName } from './shown-name.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { publicName } from '../../worlds/catalog.ts';
import { mentions } from '../../worlds/merge/definition-names.ts';
import {
  isTemporarySchema,
  type CatalogObject,
  type ExtensionObject,
  type ForeignKeyObject,
  type FamilyFunctionObject,
  type FamilyOperatorObject,
  type IndexObject,
  type PublicationTableObject,
  type TriggerObject,
  isTypeObject,
  ownRoutine,
  routinesWithin,
  rowArrayOid,
  rowTypeOid,
  tableDefinitionKey,
  typeOids,
  typesWithin,
} from '../../worlds/definition.ts';
import { isNote } from '../../worlds/kinds/registry.ts';
import type { Compiler, NamedInText } from './compiler.ts';
import type { Ddl } from './ddl.ts';
import { classesBehind, type ExtensionMember, usedMembers } from './extension-members.ts';
import { textDependents } from './text-dependents.ts';
import { functionSignature } from './functions.ts';
import { missing } from './object-errors.ts';
import { sequenceObject } from './create-sequence.ts';
import type { Relation, Schema, Sequence } from './schema.ts';
import { type SqlTable, tableWord } from './table.ts';

export type DropTarget =
  | {
      readonly kind:
        | 'table'
        | 'view'
        | 'sequence'
        | 'index'
        | 'type'
        | 'schema'
        | 'function'
        | 'operator'
        | 'cast'
        | 'operator family'
        | 'operator class'
        | 'family operator'
        | 'family function'
        | 'collation'
        | 'conversion'
        | 'text search dictionary'
        | 'text search configuration'
        | 'extended statistics'
        | 'publication'
        | 'subscription'
        | 'publication table'
        | 'event trigger'
        | 'foreign data wrapper'
        | 'server'
        | 'user mapping'
        | 'extension';
      readonly number: number;
    }
  | ExtensionMember
  | { readonly kind: 'column'; readonly table: number; readonly column: number }
  | { readonly kind: 'default'; readonly table: number; readonly column: number }
  | { readonly kind: 'view default'; readonly view: number; readonly attnum: number }
  | { readonly kind: 'domain constraint'; readonly domain: number; readonly name: string }
  | { readonly kind: 'attribute'; readonly composite: number; readonly attnum: number }
  | { readonly kind: 'constraint' | 'policy' | 'trigger' | 'rule'; readonly table: number; readonly name: string };

interface Found {
  readonly target: DropTarget;
  readonly text: string;
  /** What it hangs on; null for a target, or for a part of one. */
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

/** As many as Postgres names to a client. */
const REPORTED_MAX = 100;

/**
 * Found as Postgres finds them (dependency.c): depth first, what is newest first, each object after what hangs on it. Read
 * backwards that is the order in which they are named, and what an object hangs on is named by how it was first reached.
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

/** Drops all that is in a schema, with what hangs on it, and says nothing of it. */
export function emptySchema(ddl: Ddl, number: number): void {
  const targets = dependents(ddl, { kind: 'schema', number }).map(({ target }) => target);
  removeAll(ddl, targets, withDependents(ddl, targets).found);
}

/** What hangs on something in a schema and is elsewhere: what it is, and on what it hangs. null: nothing does. */
export function hangsOnSchema(ddl: Definitions, number: number): { readonly text: string; readonly on: string } | null {
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

/** `found`: in the order in which they go; `uses`: those of them that need CASCADE. */
function withDependents(ddl: Definitions, targets: readonly DropTarget[]): { found: Found[]; uses: Found[] } {
  const seen = new Map<string, { target: DropTarget; text: string; on: string | null }>();
  const order: Found[] = [];
  const visit = (target: DropTarget, on: string | null): void => {
    const key = keyOf(target);
    const known = seen.get(key);
    if (known !== undefined) {
      // A part of something that goes needs no leave, however else it was reached.
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
  // What belongs to a table that goes anyway needs no leave of its own.
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

/** By numbers, the highest first; columns of one table in their order. What hangs on a type that belongs to the object comes last. */
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

/** The same for what is the same object. */
export function keyOf(target: DropTarget): string {
  switch (target.kind) {
    case 'column':
    case 'default':
      return `${target.kind} ${target.table} ${target.column}`;
    case 'view default':
      return `${target.kind} ${target.view} ${target.attnum}`;
    case 'attribute':
      return `${target.kind} ${target.composite} ${target.attnum}`;
    case 'domain constraint':
      return `${target.kind} ${target.domain} ${target.name}`;
    case 'extension member':
      return `${target.kind} ${target.extension} ${target.text}`;
    case 'constraint':
    case 'policy':
    case 'trigger':
    case 'rule':
      return `${target.kind} ${target.table} ${target.name}`;
    default:
      return `${target.kind} ${target.number}`;
  }
}

/** In words, as errors and notices name it. */
export function describe(ddl: Definitions, target: DropTarget): string {
  const { schema } = ddl;
  const tableName = (number: number): string => {
    const table = schema.tables.get(number)!;
    return shownName(ddl, table.schema, table.name);
  };
  const titled = (number: number): string => `${tableWord(schema.tables.get(number)!)} ${tableName(number)}`;
  switch (target.kind) {
    case 'table':
      return titled(target.number);
    case 'view': {
      const view = schema.views.get(target.number)!;
      return `view ${shownName(ddl, view.schema, view.name)}`;
    }
    case 'sequence': {
      const sequence = schema.sequences.get(target.number)!;
      return `sequence ${shownName(ddl, sequence.schema, sequence.name)}`;
    }
    case 'index': {
      const { index, table } = schema.indexes.get(target.number)!;
      return `index ${shownName(ddl, table.schema, index.name)}`;
    }
    case 'type': {
      const type = schema.types.get(target.number)!;
      return `type ${shownName(ddl, type.schema, type.name)}`;
    }
    case 'function': {
      const { object } = schema.functions.get(target.number)!;
      return `function ${shownName(ddl, object.schema, functionSignature(schema, object).replaceAll(', ', ','))}`;
    }
    case 'operator': {
      const { object, left, right } = schema.operators.get(target.number)!;
      return `operator ${shownName(ddl, object.schema, object.name)}(${left?.title ?? 'NONE'},${right.title})`;
    }
    case 'cast': {
      const { from, to } = schema.casts.get(target.number)!;
      return `cast from ${from.title} to ${to.title}`;
    }
    case 'operator family':
    case 'operator class': {
      const own = schema.plain.of(target.kind).get(target.number)!;
      return `${target.kind} ${shownName(ddl, own.schema, own.name)} for access method ${own.method}`;
    }
    case 'family operator':
    case 'family function': {
      const { place, left, right } = schema.plain.of(target.kind).get(target.number)!;
      const [a, b] = [left, right].map((oid) => schema.typeByOid(oid)?.title ?? oid);
      return `${target.kind.replace('family ', '')} ${place} (${a}, ${b}) of an operator family`;
    }
    case 'collation': {
      const own = schema.collations.get(target.number)!;
      return `collation ${shownName(ddl, own.schema, own.name)}`;
    }
    case 'conversion': {
      const own = schema.conversions.get(target.number)!;
      return `conversion ${shownName(ddl, own.schema, own.name)}`;
    }
    case 'text search dictionary':
    case 'text search configuration': {
      const own = (target.kind === 'text search dictionary' ? schema.searchDictionaries : schema.searchConfigurations).get(target.number)!;
      return `${target.kind} ${shownName(ddl, own.schema, own.name)}`;
    }
    case 'extended statistics': {
      const own = schema.extendedStatistics.get(target.number)!;
      return `statistics object ${shownName(ddl, own.schema, own.name)}`;
    }
    case 'subscription':
      return `subscription ${schema.plain.of('subscription').get(target.number)!.name}`;
    case 'publication':
      return `publication ${schema.publications.get(target.number)!.name}`;
    case 'publication table': {
      const { table, publication } = schema.plain.of('publication table').get(target.number)!;
      return `publication of table ${tableName(table)} in publication ${schema.publications.get(publication)!.name}`;
    }
    case 'event trigger':
      return `event trigger ${schema.eventTriggers.get(target.number)!.name}`;
    case 'extension member':
      return target.text;
    case 'extension':
      return `extension ${extensionNumbered(ddl, target.number).name}`;
    case 'foreign data wrapper':
      return `foreign-data wrapper ${schema.wrappers.get(target.number)!.name}`;
    case 'server':
      return `server ${schema.servers.get(target.number)!.name}`;
    case 'user mapping': {
      const { role, server } = schema.plain.of('user mapping').get(target.number)!;
      return `user mapping for ${role === 0 ? 'public' : ddl.roleName(role)} on server ${schema.servers.get(server)!.name}`;
    }
    case 'schema':
      return `schema ${schema.schemaName(target.number)!}`;
    case 'column':
      return `column ${columnName(ddl, target.table, target.column)} of ${titled(target.table)}`;
    case 'default':
      return `default value for column ${columnName(ddl, target.table, target.column)} of ${titled(target.table)}`;
    case 'view default': {
      const view = schema.views.get(target.view)!;
      return `default value for column ${view.columns[target.attnum - 1].name} of view ${shownName(ddl, view.schema, view.name)}`;
    }
    case 'domain constraint':
      return `constraint ${target.name}`;
    case 'attribute': {
      const { object } = schema.types.get(target.composite)!;
      const attribute = object.what === 'composite' ? object.attributes.find(({ attnum }) => attnum === target.attnum) : undefined;
      return `column ${attribute?.name} of composite type ${shownName(ddl, object.schema, object.name)}`;
    }
    case 'constraint':
    case 'policy':
      return `${target.kind} ${target.name} on ${titled(target.table)}`;
    case 'rule':
    case 'trigger': {
      const view = schema.views.get(target.table);
      return `${target.kind} ${target.name} on ${view === undefined ? titled(target.table) : `view ${shownName(ddl, view.schema, view.name)}`}`;
    }
  }
}

function extensionNumbered(ddl: Definitions, number: number): ExtensionObject {
  return [...ddl.schema.extensions.values()].find((each) => each.number === number)!;
}

function columnName(ddl: Definitions, table: number, column: number): string {
  return ddl.schema.tables.get(table)!.columns.find(({ number }) => number === column)!.name;
}

export interface Dependent {
  readonly target: DropTarget;
  readonly part: boolean;
  /** The type of the object that it hangs on, in words: its row type, or the type of its arrays. */
  readonly via?: string;
  /** Its own number where the target is named by its table's. */
  readonly number?: number;
}

/** Whether a foreign key points at what the table is a partition of. */
function pointsAbove(schema: Schema, { target, parent }: ForeignKeyObject, table: number): boolean {
  if (parent !== undefined) return false;
  const own = schema.tables.get(table);
  for (let above = own === undefined ? null : schema.parentOf(own); above !== null; above = schema.parentOf(above)) if (above.number === target) return true;
  return false;
}

/** What dependents are looked for in. */
export type Definitions = Pick<Ddl, 'schema' | 'definitions' | 'roleName' | 'path'> & { readonly compiler: Pick<Compiler, 'named'> };

export function dependents(ddl: Definitions, target: DropTarget): Dependent[] {
  const out: Dependent[] = [];
  const use = (each: DropTarget): void => void out.push({ target: each, part: false });
  const part = (each: DropTarget): void => void out.push({ target: each, part: true });
  const objects = [...ddl.definitions.values()];
  /** What names it in a text; `word` stands in each that may. */
  const inTexts = (names: (named: NamedInText) => boolean, word: string | null, via?: string): void => {
    const may = (text: string): boolean => word === null || text.toLowerCase().includes(word.toLowerCase().replaceAll('"', '""'));
    for (const { target: each, number } of textDependents(ddl, may, names)) {
      if (!out.some(({ target: known }) => keyOf(known) === keyOf(each)))
        out.push({ target: each, part: false, number, ...(via === undefined ? {} : { via }) });
    }
  };
  /** What stands on what an operator class cannot be without takes the class along; else the family loses it. */
  const ofFamily = (object: FamilyOperatorObject | FamilyFunctionObject): void => {
    if (object.class === 0) part({ kind: object.what, number: object.number });
    else use({ kind: 'operator class', number: object.class });
  };
  switch (target.kind) {
    case 'table':
    case 'view':
    case 'function':
      for (const object of objects) {
        // Which of these call a function, their texts say.
        const isText =
          object.what === 'view' || object.what === 'policy' || object.what === 'rule' || (object.what === 'relation' && object.query !== undefined);
        if (target.kind === 'function' && isText) continue;
        if (object.what === 'extended statistics' && object.table === target.number) part({ kind: 'extended statistics', number: object.number });
        // Defaults go with their table, before its sequences ask who uses them.
        if (object.what === 'attribute' && object.table === target.number && object.default !== null) {
          part({ kind: 'default', table: object.table, column: object.number });
        } else if (
          object.what === 'foreign key' &&
          object.table !== target.number &&
          (object.target === target.number || pointsAbove(ddl.schema, object, target.number))
        )
          out.push({ target: { kind: 'constraint', table: object.table, name: object.name }, part: false, number: object.number });
        else if (object.what === 'view' && object.number !== target.number && usesItself(objects, object.uses, target.number))
          use({ kind: 'view', number: object.number });
        else if (
          object.what === 'relation' &&
          object.number !== target.number &&
          object.query !== undefined &&
          usesItself(objects, object.query.uses, target.number)
        )
          use({ kind: 'table', number: object.number });
        else if (object.what === 'policy' && object.table !== target.number && object.uses.some((each) => each.object === target.number))
          use({ kind: 'policy', table: object.table, name: object.name });
        else if (object.what === 'rule' && (object.table === target.number || object.uses.some((each) => each.object === target.number)))
          (object.table === target.number ? part : use)({ kind: 'rule', table: object.table, name: object.name });
        else if (object.what === 'sequence' && object.ownedBy?.table === target.number) part({ kind: 'sequence', number: object.number });
        // Partitions go with their table; children have to be named.
        else if (object.what === 'relation' && object.parents?.includes(target.number) === true)
          (object.bound === undefined ? use : part)({ kind: 'table', number: object.number });
        else if (object.what === 'trigger' && (object.table === target.number || object.constraint?.from === target.number)) {
          (object.table === target.number ? part : use)({ kind: 'trigger', table: object.table, name: object.name });
        } else if (target.kind === 'function' && object.what === 'trigger' && routinesWithin(object).includes(target.number)) {
          // Those of partitions go with the partitioned table's.
          if (object.parent === undefined)
            out.push({ target: { kind: 'trigger', table: object.table, name: object.name }, part: false, number: object.number });
        } else if (target.kind === 'function' && object.what === 'family function') {
          if (routinesWithin(object).includes(target.number)) ofFamily(object);
        } else if (target.kind === 'function' && routinesWithin(object).includes(target.number)) {
          if (object.what === 'base') use({ kind: 'type', number: object.number });
          else
            use({
              kind: object.what as 'function' | 'operator' | 'cast' | 'event trigger' | 'foreign data wrapper',
              number: (object as { number: number }).number,
            });
        } else if (object.what === 'function' && object.uses?.some((each) => each.object === target.number) === true) {
          use({ kind: 'function', number: object.number });
        }
      }
      if (target.kind === 'function')
        inTexts(
          ({ functions }) => functions.has(target.number),
          isBehindCast(ddl, target.number) ? null : ddl.schema.functions.get(target.number)!.object.name,
        );
      else {
        const name = ddl.schema.tables.get(target.number)?.name ?? ddl.schema.views.get(target.number)?.name;
        if (name !== undefined) inTexts((named) => named.objects.has(target.number), name);
        const title = describe(ddl, target).replace(/^\S+( view)? /, '');
        usersOfType(objects, [rowTypeOid(target.number)], (each) => void out.push({ target: each, part: false, via: `type ${title}` }));
        usersOfType(objects, [rowArrayOid(target.number)], (each) => void out.push({ target: each, part: false, via: `type ${title}[]` }));
      }
      return out;
    case 'sequence': {
      const sequence = ddl.schema.sequences.get(target.number)!;
      for (const table of ddl.schema.tables.values()) {
        for (const column of table.columns) {
          if (column.default !== null && callsSequence(column.default, sequence.schema, sequence.name))
            use({ kind: 'default', table: table.number, column: column.number });
        }
      }
      for (const object of objects) {
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
      const title = describe(ddl, target);
      usersOfType(
        objects,
        typeOids(object).filter((oid) => !arrays.includes(oid)),
        use,
      );
      const whole = typeOids(object).filter((oid) => !arrays.includes(oid));
      inTexts(({ types }) => whole.some((oid) => types.has(oid)), object.name);
      usersOfType(objects, arrays, (each) => void out.push({ target: each, part: false, via: `${title}[]` }));
      inTexts(({ types }) => arrays.some((oid) => types.has(oid)), object.name, `${title}[]`);
      return out;
    }
    case 'operator family':
      for (const object of objects) {
        if ((object.what === 'family operator' || object.what === 'family function') && object.family === target.number)
          part({ kind: object.what, number: object.number });
        else if (object.what === 'operator class' && object.family === target.number) part({ kind: object.what, number: object.number });
        else if (object.what === 'family operator' && object.sort === target.number) ofFamily(object);
      }
      return out;
    case 'operator class':
      for (const object of objects) {
        if ((object.what === 'family operator' || object.what === 'family function') && object.class === target.number)
          part({ kind: object.what, number: object.number });
        else if (object.what === 'index' && object.columns.some(({ ownClass }) => ownClass === target.number)) {
          if (object.constraint === null) use({ kind: 'index', number: object.number });
          else use({ kind: 'constraint', table: object.table, name: object.constraint });
        }
      }
      return out;
    case 'operator':
      for (const object of objects) if (object.what === 'family operator' && ownRoutine(object.operator) === target.number) ofFamily(object);
      inTexts(({ operators }) => operators.has(target.number), ddl.schema.operators.get(target.number)!.object.name);
      return out;
    case 'collation': {
      const { name } = ddl.schema.collations.get(target.number)!;
      for (const object of objects) {
        if (object.what !== 'facts' || (object.collation !== name && object.collations?.includes(name) !== true)) continue;
        const index = ddl.schema.indexes.get(object.object);
        const column = ddl.schema.tables.get(object.object)?.columns.find(({ attnum }) => attnum === object.attnum);
        if (column !== undefined) use({ kind: 'column', table: object.object, column: column.number });
        else if (ddl.schema.types.has(object.object)) use({ kind: 'type', number: object.object });
        else if (index?.index.constraint === null) use({ kind: 'index', number: object.object });
        else if (index !== undefined) use({ kind: 'constraint', table: index.table.number, name: index.index.constraint! });
      }
      inTexts(({ collations }) => collations.has(name), name);
      return out;
    }
    case 'text search configuration':
      inTexts((named) => named.objects.has(target.number), ddl.schema.searchConfigurations.get(target.number)!.name);
      return out;
    case 'text search dictionary':
      inTexts((named) => named.objects.has(target.number), ddl.schema.searchDictionaries.get(target.number)!.name);
      for (const object of objects) {
        if (object.what === 'text search configuration' && object.mappings.some(({ dictionaries }) => dictionaries.includes(target.number)))
          use({ kind: object.what, number: object.number });
      }
      return out;
    case 'schema': {
      const name = ddl.schema.schemaName(target.number)!;
      for (const object of objects) {
        if (object.what === 'relation' && object.schema === name) use({ kind: 'table', number: object.number });
        else if (object.what === 'table' && name === 'public') use({ kind: 'table', number: object.number });
        else if ((object.what === 'view' || object.what === 'sequence') && object.schema === name) {
          if (object.what === 'view' || object.ownedBy === null) use({ kind: object.what, number: object.number });
        } else if (isTypeObject(object) && object.schema === name) use({ kind: 'type', number: object.number });
        else if (
          (object.what === 'function' ||
            object.what === 'operator' ||
            object.what === 'operator family' ||
            object.what === 'operator class' ||
            object.what === 'collation' ||
            object.what === 'conversion' ||
            object.what === 'text search dictionary' ||
            object.what === 'text search configuration' ||
            object.what === 'extension' ||
            object.what === 'extended statistics') &&
          object.schema === name
        )
          use({ kind: object.what, number: object.number });
      }
      return out;
    }
    case 'column': {
      const name = columnName(ddl, target.table, target.column);
      for (const object of objects) {
        if (object.what === 'index' && object.table === target.table && readsColumn(object, target.column, name)) {
          if (object.constraint === null) part({ kind: 'index', number: object.number });
          // A constraint over an expression is more than a part of the column.
          else if (!hasColumn(object, target.column)) use({ kind: 'constraint', table: object.table, name: object.constraint });
          else part({ kind: 'constraint', table: object.table, name: object.constraint });
        } else if (object.what === 'check' && object.table === target.table && object.columns.includes(target.column)) {
          part({ kind: 'constraint', table: object.table, name: object.name });
        } else if (object.what === 'foreign key' && object.table === target.table && object.columns.includes(target.column)) {
          part({ kind: 'constraint', table: object.table, name: object.name });
        } else if (object.what === 'foreign key' && object.target === target.table && object.targetColumns.includes(target.column)) {
          use({ kind: 'constraint', table: object.table, name: object.name });
        } else if (
          object.what === 'view' &&
          usesItself(objects, object.uses, target.table) &&
          object.uses.some((each) => each.object === target.table && each.columns.includes(target.column))
        ) {
          use({ kind: 'view', number: object.number });
        } else if (object.what === 'function' && object.uses?.some((each) => each.object === target.table && each.columns.includes(target.column)) === true) {
          use({ kind: 'function', number: object.number });
        } else if (object.what === 'policy' && object.uses.some((each) => each.object === target.table && each.columns.includes(target.column))) {
          use({ kind: 'policy', table: object.table, name: object.name });
        } else if (object.what === 'rule' && object.uses.some((each) => each.object === target.table && each.columns.includes(target.column))) {
          use({ kind: 'rule', table: object.table, name: object.name });
        } else if (object.what === 'publication table' && publishesColumn(object, target, name)) {
          use({ kind: object.what, number: object.number });
        } else if (object.what === 'trigger' && object.table === target.table && triggerReads(object, target.column, name)) {
          use({ kind: 'trigger', table: object.table, name: object.name });
        } else if (
          object.what === 'relation' &&
          object.query?.uses.some((each) => each.object === target.table && each.columns.includes(target.column)) === true
        ) {
          use({ kind: 'table', number: object.number });
        } else if (object.what === 'sequence' && object.ownedBy?.table === target.table && object.ownedBy.column === target.column) {
          part({ kind: 'sequence', number: object.number });
        } else if (object.what === 'attribute' && object.table === target.table && object.generated !== null && mentions(object.generated, name)) {
          use({ kind: 'column', table: object.table, column: object.number });
        }
      }
      // The default goes with its column, before the sequence asks who uses it.
      part({ kind: 'default', table: target.table, column: target.column });
      return out;
    }
    case 'constraint': {
      const table = ddl.schema.tables.get(target.table)!;
      for (const each of partsOfConstraint(ddl, table, target.name)) part(each);
      if (target.name === table.primaryKey) {
        const number = ddl.schema.primaryKeyNumber(table);
        for (const object of objects) {
          const uses = object.what === 'view' ? object.uses : object.what === 'relation' ? (object.query?.uses ?? []) : [];
          if ((object.what === 'view' || object.what === 'relation') && uses.some((each) => each.object === number))
            use({ kind: object.what === 'view' ? 'view' : 'table', number: object.number });
        }
      }
      const columns = keyColumns(table, target.name);
      if (columns === null) return out;
      for (const { table: from, key } of ddl.schema.referencing(table.number)) {
        const own = key.targetColumns;
        if (own.length === columns.length && own.every((each) => columns.includes(each)))
          out.push({
            target: { kind: 'constraint', table: from.number, name: key.name },
            part: false,
            via: `index ${shownName(ddl, table.schema, target.name)}`,
          });
      }
      return out;
    }
    case 'trigger': {
      const { number } = ddl.schema.triggers(target.table).find(({ name }) => name === target.name)!;
      for (const object of objects)
        if (object.what === 'trigger' && object.parent === number) part({ kind: 'trigger', table: object.table, name: object.name });
      return out;
    }
    case 'extension': {
      const { name } = extensionNumbered(ddl, target.number);
      for (const each of usedMembers(ddl, name)) out.push({ target: each.member, part: true, number: each.place });
      for (const { number, extension } of ddl.schema.wrappers.values()) if (extension === name) part({ kind: 'foreign data wrapper', number });
      return out;
    }
    case 'extension member':
      if (target.type !== undefined) {
        const { oid, name } = target.type;
        usersOfType(objects, [oid], use);
        inTexts(({ types }) => types.has(oid), name);
        usersOfType(objects, [oid + 1], (each) => void out.push({ target: each, part: false, via: `${target.text}[]` }));
        inTexts(({ types }) => types.has(oid + 1), name, `${target.text}[]`);
        return out;
      }
      for (const object of objects) {
        if (object.what !== 'index' || !classesBehind(ddl, object).some((each) => each.extension === target.extension && each.text === target.text)) continue;
        if (object.constraint === null) use({ kind: 'index', number: object.number });
        else use({ kind: 'constraint', table: object.table, name: object.constraint });
      }
      inTexts(({ members }) => members.get(target.extension)?.has(target.text) === true, null);
      return out;
    case 'foreign data wrapper':
      for (const { number, wrapper } of ddl.schema.servers.values()) if (wrapper === target.number) use({ kind: 'server', number });
      return out;
    case 'server':
      for (const { number, server } of ddl.schema.plain.of('user mapping').values()) if (server === target.number) use({ kind: 'user mapping', number });
      for (const { number, foreign } of ddl.schema.tables.values()) if (foreign?.server === target.number) use({ kind: 'table', number });
      return out;
    case 'index':
      for (const object of objects) {
        if (object.what !== 'index' || object.parent !== target.number) continue;
        if (object.constraint === null) part({ kind: 'index', number: object.number });
        else part({ kind: 'constraint', table: object.table, name: object.constraint });
      }
      return out;
    default:
      return out;
  }
}

/** Whether casts call the function without its name standing anywhere. */
function isBehindCast(ddl: Definitions, number: number): boolean {
  return [...ddl.schema.casts.values()].some(({ object }) => object.routine !== null && 'own' in object.routine && object.routine.own === number);
}

/** Parts that partitions have of a unique or foreign key of their table. A primary key's go where the rows are keyed anew. */
function partsOfConstraint(ddl: Definitions, table: SqlTable, name: string): DropTarget[] {
  if (table.inheritance?.partitionBy == null) return [];
  const number = [...table.indexes.filter(({ constraint }) => constraint === name), ...table.foreignKeys.filter((key) => key.name === name)][0]?.number;
  if (number === undefined) return [];
  return [...ddl.definitions.values()].flatMap((object): DropTarget[] => {
    if ((object.what !== 'index' && object.what !== 'foreign key') || object.parent !== number) return [];
    if (object.what === 'index' && object.constraint === null) return [{ kind: 'index', number: object.number }];
    return [{ kind: 'constraint', table: object.table, name: object.what === 'index' ? object.constraint! : object.name }];
  });
}

/**
 * Whether a query uses the object itself. What it reads through views stands among its uses, too: it then hangs on those views.
 * A query that also names the object beside such a view is taken to hang on the view.
 */
function usesItself(objects: readonly CatalogObject[], uses: readonly { readonly object: number }[], own: number): boolean {
  if (!uses.some(({ object }) => object === own)) return false;
  return !objects.some(
    (each) =>
      each.what === 'view' && each.number !== own && uses.some(({ object }) => object === each.number) && each.uses.some(({ object }) => object === own),
  );
}

function usersOfType(objects: readonly CatalogObject[], oids: readonly number[], use: (target: DropTarget) => void): void {
  for (const object of objects) {
    if (object.what === 'relation' && object.ofType !== undefined && oids.includes(object.ofType)) use({ kind: 'table', number: object.number });
    else if (object.what === 'attribute' && oids.includes(object.type)) use({ kind: 'column', table: object.table, column: object.number });
    else if (object.what === 'composite') {
      for (const { attnum, type } of object.attributes) if (oids.includes(type)) use({ kind: 'attribute', composite: object.number, attnum });
    } else if (isTypeObject(object) && typesWithin(object).some((oid) => oids.includes(oid))) use({ kind: 'type', number: object.number });
    else if (object.what === 'function' && [object.returns, ...object.args.map((arg) => arg.type)].some((oid) => oids.includes(oid)))
      use({ kind: 'function', number: object.number });
    else if (object.what === 'operator' && [object.left, object.right, object.returns].some((oid) => oids.includes(oid)))
      use({ kind: 'operator', number: object.number });
    else if (object.what === 'operator class' && [object.type, object.key].some((oid) => oids.includes(oid)))
      use({ kind: 'operator class', number: object.number });
    else if (object.what === 'cast' && [object.from, object.to].some((oid) => oids.includes(oid))) use({ kind: 'cast', number: object.number });
    else if (object.what === 'view' && object.columns.some(({ type }) => oids.includes(type))) use({ kind: 'view', number: object.number });
  }
}

function keyColumns(table: SqlTable, constraint: string): readonly number[] | null {
  if (table.primaryKey === constraint) return table.key.columns;
  const index = table.indexes.find((each) => each.constraint === constraint);
  return index === undefined ? null : index.columns.map(({ column }) => column!);
}

function hasColumn(index: IndexObject, column: number): boolean {
  return index.columns.some((each) => each.column === column) || index.include.includes(column);
}

function readsColumn(index: IndexObject, column: number, name: string): boolean {
  return (
    hasColumn(index, column) ||
    index.columns.some((each) => each.expression !== null && mentions(each.expression, name)) ||
    (index.where !== null && mentions(index.where, name))
  );
}

export function publishesColumn(
  { table, columns, where }: PublicationTableObject,
  of: { readonly table: number; readonly column: number },
  name: string,
): boolean {
  return table === of.table && (columns?.includes(of.column) === true || (where !== null && mentions(where, name)));
}

function triggerReads({ columns, when }: TriggerObject, column: number, name: string): boolean {
  return columns.includes(column) || (when !== null && mentions(when, name));
}

function callsSequence(sql: string, schema: string, name: string): boolean {
  if (!/nextval/i.test(sql)) return false;
  const plain = (text: string): string => text.replaceAll('"', '');
  const named = /'((?:[^']|'')+)'/.exec(sql)?.[1];
  return named !== undefined && (plain(named) === name || plain(named) === `${schema}.${name}`);
}

/** Masks of what is dropped hold for its past, and for what is made in its place. */
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
  /** What hangs on the object or column: comments, owner and privileges, labels. */
  const comment = (object: number, attnum?: number): void => {
    keepMasks(ddl, all, object, attnum);
    gone((each) => isNote(each) && each.object === object && (attnum === undefined || ('attnum' in each && each.attnum === attnum)));
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
    case 'view':
    case 'index':
    case 'schema':
    case 'function':
    case 'operator':
    case 'operator family':
    case 'operator class':
    case 'family operator':
    case 'family function':
    case 'cast':
    case 'collation':
    case 'conversion':
    case 'text search dictionary':
    case 'text search configuration':
    case 'extended statistics':
    case 'publication':
    case 'subscription':
    case 'publication table':
    case 'event trigger':
    case 'foreign data wrapper':
    case 'server':
    case 'user mapping':
    case 'extension':
      gone((object) => object.what === target.kind && object.number === target.number);
      if (target.kind === 'schema')
        gone(
          (object) =>
            (object.what === 'default rights' && object.scope === target.number) ||
            (object.what === 'publication schema' && object.namespace === target.number),
        );
      if (target.kind === 'publication') {
        gone((object) => (object.what === 'publication table' || object.what === 'publication schema') && object.publication === target.number);
      }
      return comment(target.number);
    case 'type':
      gone((object) => isTypeObject(object) && object.number === target.number);
      return comment(target.number);
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
    case 'policy': {
      const policy = all.find((object) => object.what === 'policy' && object.table === target.table && object.name === target.name);
      if (policy?.what !== 'policy') return;
      ddl.remove(policy);
      return comment(policy.number);
    }
    case 'rule': {
      const rule = all.find((object) => object.what === 'rule' && object.table === target.table && object.name === target.name);
      if (rule?.what !== 'rule') return;
      ddl.remove(rule);
      return comment(rule.number);
    }
    case 'trigger': {
      const trigger = all.find((object) => object.what === 'trigger' && object.table === target.table && object.name === target.name);
      if (trigger?.what !== 'trigger') return;
      ddl.remove(trigger);
      return comment(trigger.number);
    }
    case 'constraint':
      // A primary key goes with the table's rows being keyed anew: the caller does that.
      for (const object of all) {
        if (object.what === 'relation' && object.number === target.table && object.primaryKey?.name === target.name) comment(object.primaryKey.number);
        else if (
          ((object.what === 'check' || object.what === 'foreign key') && object.table === target.table && object.name === target.name) ||
          (object.what === 'index' && object.table === target.table && object.constraint === target.name)
        ) {
          ddl.remove(object);
          comment(object.number);
        }
      }
  }
}
