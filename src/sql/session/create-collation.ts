/**
 * CREATE COLLATION, and the lookup by search path that it shares with CREATE CONVERSION, CREATE STATISTICS and CREATE TEXT SEARCH.
 * Collations of libc order by code point, so only locales of that order are accepted; those of ICU are the runtime's. Manual, CREATE
 * COLLATION.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { icuCollation } from '../types/icu-collation.ts';
import { isTrue, textOf } from './definition-options.ts';
import type {
  CollationObject,
  ConversionObject,
  ExtendedStatisticsObject,
  SearchConfigurationObject,
  SearchDictionaryObject,
} from '../../worlds/definition.ts';
import type { CreateCollation, ObjectName } from '../ast/define.ts';
import { collations } from '../catalog/collation-rows.ts';
import { conversionNamed } from '../catalog/conversion-rows.ts';
import { CONFIGURATIONS, DICTIONARIES } from '../functions/search/configurations.ts';
import type { Ddl } from '../schema/ddl.ts';
import { dropObjects } from '../schema/drop.ts';
import { mustBeMovable, schemaMustExist } from '../schema/object-errors.ts';
import { missingSchema } from './missing-objects.ts';
import { targetName } from './define-table.ts';
import { define } from './define.ts';
import { mustCreateIn, mustOwn } from './ownership.ts';
import type { StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

export type NamedKind = 'collation' | 'conversion' | 'statistics' | SearchKind;
type SearchKind = 'text search dictionary' | 'text search configuration';
type NamedObject = CollationObject | ConversionObject | ExtendedStatisticsObject | SearchDictionaryObject | SearchConfigurationObject;

const WORDS: Readonly<Record<NamedKind, string>> = {
  collation: 'collation',
  conversion: 'conversion',
  statistics: 'statistics object',
  'text search dictionary': 'text search dictionary',
  'text search configuration': 'text search configuration',
};

export function isNamedKind(kind: string): kind is NamedKind {
  return kind in WORDS;
}

const LOCALES = new Set(['C', 'POSIX', 'C.UTF-8', 'C.utf8', 'en_US', 'en_US.utf8', 'en_US.UTF-8']);

function objectsOf(session: SqlSession, kind: NamedKind): Iterable<NamedObject> {
  const schema = session.schema();
  switch (kind) {
    case 'collation':
      return schema.collations.values();
    case 'conversion':
      return schema.conversions.values();
    case 'statistics':
      return schema.extendedStatistics.values();
    case 'text search dictionary':
      return schema.searchDictionaries.values();
    case 'text search configuration':
      return schema.searchConfigurations.values();
  }
}

/** Found by schema, or along the search path; null if there is none. */
export function findNamedObject(session: SqlSession, kind: NamedKind, name: readonly string[]): NamedObject | null {
  const last = name[name.length - 1];
  const path = name.length > 1 ? [name[name.length - 2]] : session.system.schemas(false);
  const all = [...objectsOf(session, kind)].filter((each) => each.name === last);
  for (const schema of path) {
    const found = all.find((each) => each.schema === schema);
    if (found !== undefined) return found;
  }
  return null;
}

function noSuch(session: SqlSession, kind: NamedKind, name: readonly string[]): SvcError {
  const absent = missingSchema(session, name);
  if (absent !== null) return new SvcError('3F000', absent);
  const shown = name.join('.');
  return new SvcError('42704', kind === 'collation' ? `collation "${shown}" for encoding "UTF8" does not exist` : `${WORDS[kind]} "${shown}" does not exist`);
}

export function namedObject(session: SqlSession, kind: NamedKind, { name }: { readonly name: readonly string[] }): NamedObject {
  const found = findNamedObject(session, kind, name);
  if (found === null) throw noSuch(session, kind, name);
  mustOwnNamed(session, kind, found);
  return found;
}

function mustOwnNamed(session: SqlSession, kind: NamedKind, object: NamedObject): void {
  mustOwn(session, WORDS[kind], object.number, object.name);
}

export function takenName(session: SqlSession, kind: NamedKind, schema: string, name: string): boolean {
  for (const each of objectsOf(session, kind)) if (each.schema === schema && each.name === name) return true;
  return false;
}

export function dropNamedObjects(session: SqlSession, kind: NamedKind, objects: readonly ObjectName[], ifExists: boolean, cascade: boolean): StatementResult {
  session.startStatement();
  return define(session, `DROP ${kind.toUpperCase()}`, (ddl) => {
    const numbers: number[] = [];
    for (const { name } of objects) {
      const found = findNamedObject(session, kind, name);
      if (found === null) refuseSystemObject(kind, name);
      if (found === null) {
        if (!ifExists) throw noSuch(session, kind, name);
        ddl.notice('00000', `${missingSchema(session, name) ?? `${WORDS[kind]} "${name.join('.')}" does not exist`}, skipping`);
        continue;
      }
      mustOwnNamed(session, kind, found);
      numbers.push(found.number);
    }
    const what = kind === 'statistics' ? 'extended statistics' : kind;
    if (numbers.length > 0)
      dropObjects(
        ddl,
        numbers.map((number) => ({ kind: what, number })),
        cascade,
      );
  });
}

/** Built-in conversions and text search objects are shared by all worlds. */
export function refuseSystemObject(kind: NamedKind, name: readonly string[]): void {
  const last = name[name.length - 1];
  if (name.length > 1 && name[name.length - 2] !== 'pg_catalog') return;
  if (kind === 'collation' || kind === 'statistics') return;
  const among = kind === 'text search dictionary' ? DICTIONARIES : CONFIGURATIONS;
  if (kind === 'conversion' ? conversionNamed(last) === null : !among.some((each) => each.name === last)) return;
  throw new SvcError('2BP01', `cannot drop ${kind} ${last} because it is required by the database system`);
}

function refuseTaken(session: SqlSession, kind: NamedKind, schema: string, name: string): void {
  if (!takenName(session, kind, schema, name)) return;
  throw new SvcError('42710', `${WORDS[kind]} "${name}" already exists in schema "${schema}"`);
}

export function renameNamedObject(session: SqlSession, ddl: Ddl, kind: NamedKind, object: ObjectName, to: string): void {
  const found = namedObject(session, kind, object);
  refuseTaken(session, kind, found.schema, to);
  mustCreateIn(session, found.schema);
  ddl.put({ ...found, name: to });
}

export function moveNamedObject(session: SqlSession, ddl: Ddl, kind: NamedKind, object: ObjectName, schema: string): void {
  const found = namedObject(session, kind, object);
  mustBeMovable(ddl.schema, found.schema, schema);
  mustCreateIn(session, schema);
  if (schema !== found.schema) refuseTaken(session, kind, schema, found.name);
  ddl.put({ ...found, schema });
}

type Locales = Pick<CollationObject, 'collate' | 'ctype' | 'icu'>;

function localesOf({ options }: CreateCollation): Locales {
  const given = new Map<string, string>();
  let deterministic = true;
  for (const option of options) {
    const { name, at } = option;
    if (!['locale', 'lc_collate', 'lc_ctype', 'provider', 'deterministic', 'version'].includes(name))
      throw new SvcError('42601', `collation attribute "${name}" not recognized`, { position: at + 1 });
    if (given.has(name)) throw new SvcError('42601', 'conflicting or redundant options', { position: at + 1 });
    if (name === 'deterministic') deterministic = isTrue(option);
    given.set(name, textOf(option));
  }
  const locale = given.get('locale');
  if (locale !== undefined && (given.has('lc_collate') || given.has('lc_ctype')))
    throw new SvcError('42601', 'conflicting or redundant options', { detail: 'LOCALE cannot be specified together with LC_COLLATE or LC_CTYPE.' });
  const provider = given.get('provider')?.toLowerCase() ?? 'libc';
  if (provider === 'icu') {
    if (locale === undefined) throw new SvcError('42P17', 'parameter "locale" must be specified');
    return icuLocales(locale, deterministic);
  }
  if (provider !== 'libc') throw new SvcError('42P17', `unrecognized collation provider: ${given.get('provider')}`);
  if (!deterministic) throw new SvcError('0A000', 'nondeterministic collations not supported with this provider');
  const collate = locale ?? given.get('lc_collate');
  const ctype = locale ?? given.get('lc_ctype');
  if (collate === undefined) throw new SvcError('42P17', 'parameter "lc_collate" must be specified');
  if (ctype === undefined) throw new SvcError('42P17', 'parameter "lc_ctype" must be specified');
  for (const each of [collate, ctype]) {
    if (LOCALES.has(each)) continue;
    throw new SvcError('22023', `could not create locale "${each}": No such file or directory`, {
      detail: `The operating system could not find any locale data for the locale name "${each}".`,
    });
  }
  return { collate, ctype };
}

function icuLocales(locale: string, deterministic: boolean): Locales {
  icuCollation(locale, deterministic);
  return { collate: '', ctype: '', icu: { locale, deterministic } };
}

function sourceOf(session: SqlSession, name: readonly string[]): Locales {
  const own = findNamedObject(session, 'collation', name);
  if (own?.what === 'collation') return { collate: own.collate, ctype: own.ctype, ...(own.icu === undefined ? {} : { icu: own.icu }) };
  const last = name[name.length - 1];
  const known = name.length === 1 || name[name.length - 2] === 'pg_catalog' ? collations().find((each) => each.name === last) : undefined;
  if (known === undefined) throw noSuch(session, 'collation', name);
  if (known.name === 'default') throw new SvcError('42P17', 'collation "default" cannot be copied');
  if (known.provider === 'i') return icuLocales(known.locale!, true);
  return { collate: known.locale!, ctype: known.locale! };
}

export function runCreateCollation(session: SqlSession, statement: CreateCollation): StatementResult {
  session.startStatement();
  const { name, from, ifNotExists, at } = statement;
  const last = name[name.length - 1];
  const { schema } = targetName(session, { catalog: null, schema: name.length > 1 ? name[name.length - 2] : null, name: last, at });
  const locales = from === null ? localesOf(statement) : sourceOf(session, from);
  return define(session, 'CREATE COLLATION', (ddl) => {
    schemaMustExist(ddl.schema, schema);
    if (takenName(session, 'collation', schema, last)) {
      // A copy of a collation for any encoding is one, too.
      const any = locales.icu !== undefined || (from !== null && (locales.collate === 'C' || locales.collate === 'POSIX'));
      const shown = `collation "${last}"${any ? '' : ' for encoding "UTF8"'} already exists`;
      if (!ifNotExists) throw new SvcError('42710', shown);
      return ddl.notice('42710', `${shown}, skipping`);
    }
    const object: CollationObject = { what: 'collation', number: 0, schema, name: last, ...locales };
    object.number = ddl.numberFor(object);
    ddl.put(object);
  });
}
