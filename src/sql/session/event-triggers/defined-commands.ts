/** pg_event_trigger_ddl_commands: the commands that a statement consists of, in the order in which Postgres runs them. */
import type { CatalogObject } from '../../../worlds/definition.ts';
import type { Rename, SetSchema } from '../../ast/define.ts';
import type { CatalogNames } from '../../catalog/catalog-names.ts';
import type { Schema } from '../../schema/schema.ts';
import type { Value } from '../../types/value.ts';
import { referencedName } from '../define-table.ts';
import { typeName } from '../define-type.ts';
import type { DefinitionStep, DefinitionWatch } from './definition-watch.ts';
import { addressByKind, addressOf, constraintAddress, type ObjectAddress, relationAddress } from './object-address.ts';
import { isTemporarySchema } from '../../../worlds/definition.ts';
import { plainName } from '../../../base/quote-identifier.ts';

/** `at` null: GRANT and ALTER DEFAULT PRIVILEGES report only a kind of objects. */
interface Command {
  readonly tag: string;
  readonly at: ObjectAddress | null;
  readonly kind?: string;
}

export function commandRows(watch: DefinitionWatch): Value[][] {
  const names = watch.session.catalogNames();
  return commandsOf(watch).flatMap((each) => row(names, each) ?? []);
}

function row(names: CatalogNames, { tag, at, kind }: Command): [Value[]] | null {
  if (at === null) return [[null, null, null, tag, kind ?? null, null, null, false, '']];
  const { type, schema, identity } = names.identify(at.catalog, at.oid, at.column);
  // Objects that the statement has dropped again are not reported.
  if (identity === null) return null;
  const plain = schema === null ? null : plainName(schema);
  if (plain === null || !isTemporarySchema(plain)) return [[at.catalog, at.oid, at.column, tag, type, plain, identity, false, '']];
  return [[at.catalog, at.oid, at.column, tag, type, 'pg_temp', identity.replace(schema!, 'pg_temp'), false, '']];
}

function commandsOf(watch: DefinitionWatch): Command[] {
  const { session, statement, tag, steps, subject } = watch;
  const one = (at: ObjectAddress | null): Command[] => (at === null ? [] : [{ tag, at }]);
  switch (statement.type) {
    case 'drop':
    case 'dropOwned':
      return [];
    case 'grant':
      return [{ tag, at: null, kind: statement.kind === 'server' ? 'FOREIGN SERVER' : statement.kind.toUpperCase() }];
    case 'alterDefaultPrivileges':
      return [{ tag, at: null, kind: `${statement.grant.kind.toUpperCase()}S` }];
    case 'alterTable':
      return altered(watch);
    case 'alterPublication':
      return steps.flatMap((step) => (statement.action === 'options' ? made(step, tag) : published(step, tag)));
    case 'alterOperatorFamily':
      return subject === null ? [] : one(addressByKind('operator family', subject));
    case 'alterSequence':
    case 'refreshMaterializedView':
      return one(relationAt(watch));
    case 'setOwner':
      return subject === null ? [] : one(addressByKind(statement.kind, subject));
    case 'comment':
      return one(commented(watch));
    case 'rename':
      return one(renamed(steps, statement));
    case 'setSchema':
      return one(first(steps, (object) => moved(object, statement)));
    case 'createSchema':
      return steps.flatMap((step) => (step.command === 'CREATE TABLE' ? tableMade(step) : made(step, step.command)));
    case 'createTable':
      return steps.flatMap(tableMade);
    case 'createView':
      // Postgres reports a replaced view twice.
      return steps.flatMap((step) => made(step, tag).flatMap((each) => (step.before.views.has(each.at!.oid) ? [each, each] : [each])));
    case 'alterEnum':
    case 'alterDomain': {
      const { schema, name } = typeName(session, statement.name);
      const own = session.schema().ownType(schema, name);
      return own === null ? [] : one(addressOf(own.object));
    }
    default:
      // A function may be written twice.
      return steps.flatMap((step) => made(step, tag)).slice(0, 1);
  }
}

/** By the words after the verb of a command: the objects that it creates or changes. */
const WHATS: Readonly<Record<string, readonly CatalogObject['what'][]>> = {
  'TABLE AS': ['relation'],
  INTO: ['relation'],
  'MATERIALIZED VIEW': ['relation'],
  INDEX: ['index'],
  VIEW: ['view'],
  SEQUENCE: ['sequence'],
  SCHEMA: ['schema'],
  TYPE: ['enum', 'composite', 'range', 'base'],
  DOMAIN: ['domain'],
  FUNCTION: ['function'],
  PROCEDURE: ['function'],
  ROUTINE: ['function'],
  AGGREGATE: ['function'],
  OPERATOR: ['operator'],
  'OPERATOR CLASS': ['operator class'],
  'OPERATOR FAMILY': ['operator family'],
  CAST: ['cast'],
  TRIGGER: ['trigger'],
  RULE: ['rule'],
  POLICY: ['policy'],
  EXTENSION: ['extension'],
  COLLATION: ['collation'],
  CONVERSION: ['conversion'],
  STATISTICS: ['extended statistics'],
  PUBLICATION: ['publication'],
  SUBSCRIPTION: ['subscription'],
  'FOREIGN DATA WRAPPER': ['foreign data wrapper'],
  SERVER: ['server'],
  'USER MAPPING': ['user mapping'],
  'TEXT SEARCH DICTIONARY': ['text search dictionary'],
  'TEXT SEARCH CONFIGURATION': ['text search configuration'],
};

function made({ log }: DefinitionStep, tag: string): Command[] {
  if (tag === 'GRANT' || tag === 'REVOKE') return [{ tag, at: null, kind: 'TABLE' }];
  const whats = WHATS[tag.replace(/^\w+ /, '')] ?? [];
  // Copies on partitions come after their original and are not reported.
  const found = log.put.find((object) => whats.includes(object.what));
  return found === undefined ? [] : [{ tag, at: addressOf(found) }];
}

/** Tables and schemas added to a publication. */
function published({ log, before }: DefinitionStep, tag: string): Command[] {
  return log.put.flatMap((object) =>
    (object.what === 'publication table' || object.what === 'publication schema') && !before.plain.of(object.what).has(object.number)
      ? [{ tag, at: addressOf(object) }]
      : [],
  );
}

function isNew(before: Schema, object: CatalogObject): boolean {
  return object.what === 'sequence' ? !before.sequences.has(object.number) : object.what === 'relation' && !before.tables.has(object.number);
}

function unique<T extends { readonly number: number }>(objects: readonly T[]): T[] {
  return [...new Map(objects.map((object) => [object.number, object])).values()];
}

function sequencesMade({ log, before }: DefinitionStep): ObjectAddress[] {
  const sequences = log.put.flatMap((object) => (object.what === 'sequence' && isNew(before, object) ? [object] : []));
  return unique(sequences).map(({ number }) => relationAddress(number));
}

/** A table with its columns' and constraints' objects: CREATE TABLE is several commands. */
function tableMade(step: DefinitionStep): Command[] {
  const { log, before } = step;
  const table = log.put.findLast((object) => object.what === 'relation' && isNew(before, object));
  if (table?.what !== 'relation') return [];
  const sequences = sequencesMade(step);
  const tag = 'CREATE INDEX';
  const indexes = unique(log.put.filter((object) => object.what === 'index')).filter((index) => index.table === table.number && index.parent === undefined);
  const key = table.primaryKey;
  const keys = log.put.some((object) => object.what === 'foreign key' && object.table === table.number && object.parent === undefined);
  const statistics = unique(log.put.filter((object) => object.what === 'extended statistics'));
  const written = log.put.some((object) => object.what === 'attribute' && object.table === table.number && object.options !== undefined);
  const comments = log.put.filter((object) => object.what === 'comment');
  return [
    ...sequences.map((at) => ({ tag: 'CREATE SEQUENCE', at })),
    { tag: table.foreign === undefined ? 'CREATE TABLE' : 'CREATE FOREIGN TABLE', at: addressOf(table) },
    // Column options are applied to the created table.
    ...(written ? [{ tag: 'ALTER FOREIGN TABLE', at: addressOf(table) }] : []),
    ...(key === null || key.parent !== undefined ? [] : [{ tag, at: relationAddress(key.number) }]),
    ...indexes.map((index) => ({ tag, at: addressOf(index) })),
    ...(keys ? [{ tag: 'ALTER TABLE', at: addressOf(table) }] : []),
    ...statistics.map((each) => ({ tag: 'CREATE STATISTICS', at: addressOf(each) })),
    ...comments.flatMap(({ object, attnum }) => (object === table.number ? [{ tag: 'COMMENT', at: relationAddress(object, attnum) }] : [])),
    ...sequences.map((at) => ({ tag: 'ALTER SEQUENCE', at })),
  ];
}

/** The relation that the statement names, under its current name. */
function relationAt({ session, statement }: DefinitionWatch): ObjectAddress | null {
  if (statement.type !== 'alterTable' && statement.type !== 'alterSequence' && statement.type !== 'refreshMaterializedView') return null;
  const { schema, name } = referencedName(session, statement.name);
  const found = session.schema().relation(schema, name);
  switch (found?.kind) {
    case undefined:
      return null;
    case 'table':
      return relationAddress(found.table.number);
    case 'view':
      return relationAddress(found.view.number);
    case 'sequence':
      return relationAddress(found.sequence.number);
    case 'index':
      return relationAddress(found.index?.number ?? session.schema().primaryKeyNumber(found.table)!);
  }
}

/** Sequences of new columns are created before the table change and owned by it afterwards. */
function altered(watch: DefinitionWatch): Command[] {
  const { session, statement, tag, steps } = watch;
  if (statement.type !== 'alterTable') return [];
  if (statement.kind === 'type') {
    const { schema, name } = referencedName(session, statement.name);
    const own = session.schema().ownType(schema, name);
    return own === null ? [] : [{ tag, at: relationAddress(own.number) }];
  }
  const at = relationAt(watch);
  if (at === null) return [];
  const sequences = steps.flatMap(sequencesMade);
  return [...sequences.map((each) => ({ tag: 'CREATE SEQUENCE', at: each })), { tag, at }, ...sequences.map((each) => ({ tag: 'ALTER SEQUENCE', at: each }))];
}

function commented({ statement, steps }: DefinitionWatch): ObjectAddress | null {
  if (statement.type !== 'comment') return null;
  for (const { log } of steps) {
    for (const object of [...log.put, ...log.removed]) if (object.what === 'comment') return addressByKind(statement.kind, object.object, object.attnum);
  }
  return null;
}

function first(steps: readonly DefinitionStep[], of: (object: CatalogObject) => ObjectAddress | null): ObjectAddress | null {
  for (const { log } of steps) {
    for (const object of log.put) {
      const found = of(object);
      if (found !== null) return found;
    }
  }
  return null;
}

function moved(object: CatalogObject, { object: { name }, schema }: SetSchema): ObjectAddress | null {
  return 'schema' in object && object.schema === schema && 'name' in object && object.name === name[name.length - 1] ? addressOf(object) : null;
}

function renamed(steps: readonly DefinitionStep[], { kind, to }: Rename): ObjectAddress | null {
  return first(steps, (object) => {
    const named = 'name' in object && object.name === to;
    switch (kind) {
      case 'column':
        if (object.what === 'attribute') return named ? addressOf(object) : null;
        if (object.what === 'view') {
          const at = object.columns.findIndex((column) => column.name === to);
          return at < 0 ? null : relationAddress(object.number, at + 1);
        }
        return null;
      case 'attribute': {
        const own = object.what === 'composite' ? object.attributes.find((attribute) => attribute.name === to) : undefined;
        return own === undefined ? null : relationAddress((object as { number: number }).number, own.attnum);
      }
      case 'constraint':
        if (object.what === 'relation' && object.primaryKey?.name === to) return constraintAddress(object.primaryKey.number);
        return named && (object.what === 'check' || object.what === 'foreign key' || object.what === 'index') ? constraintAddress(object.number) : null;
      case 'domain constraint': {
        const own = object.what === 'domain' ? object.checks.find((check) => check.name === to) : undefined;
        return own === undefined ? null : constraintAddress(own.number);
      }
      default:
        if (kind === 'index' && object.what === 'relation' && object.primaryKey?.name === to) return relationAddress(object.primaryKey.number);
        return named && object.what !== 'attribute' ? addressOf(object) : null;
    }
  });
}
