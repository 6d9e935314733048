/** CREATE and ALTER TEXT SEARCH DICTIONARY and CONFIGURATION. Parsers and templates are built in. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { SearchConfigurationObject, SearchDictionaryObject } from '../../worlds/definition.ts';
import type { AlterSearchConfiguration, AlterSearchDictionary, CreateSearchObject, Option } from '../ast/define.ts';
import { CONFIGURATIONS, DICTIONARIES } from '../functions/search/configurations.ts';
import { lexizerOf, TEMPLATE_NAMES } from '../functions/search/templates.ts';
import { tokenNumber } from '../functions/search/token-types.ts';
import type { Ddl } from '../schema/ddl.ts';
import { schemaMustExist } from '../schema/object-errors.ts';
import { findNamedObject, namedObject, takenName } from './create-collation.ts';
import { targetName } from './define-table.ts';
import { define } from './define.ts';
import { mustCreateIn } from './ownership.ts';
import type { StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

type Kind = 'text search dictionary' | 'text search configuration';

export function runCreateSearch(session: SqlSession, statement: CreateSearchObject): StatementResult {
  switch (statement.kind) {
    case 'dictionary':
      return createDictionary(session, statement);
    case 'configuration':
      return createConfiguration(session, statement);
    case 'parser':
    case 'template':
      if (!session.authority.superuser) throw new SvcError('42501', `must be superuser to create text search ${statement.kind}s`);
      throw new SvcError('0A000', `CREATE TEXT SEARCH ${statement.kind.toUpperCase()} is not supported`, {
        detail: 'It takes functions over internal values, which nothing here can make.',
      });
  }
}

function placeOf(session: SqlSession, name: readonly string[], at: number): { schema: string; name: string } {
  const last = name[name.length - 1];
  const { schema } = targetName(session, { catalog: null, schema: name.length > 1 ? name[name.length - 2] : null, name: last, at });
  mustCreateIn(session, schema);
  return { schema, name: last };
}

/** Raised like a duplicate row of the catalog. */
function refuseTaken(session: SqlSession, ddl: Ddl, kind: Kind, schema: string, name: string): void {
  schemaMustExist(ddl.schema, schema);
  if (!takenName(session, kind, schema, name)) return;
  const [table, prefix] = kind === 'text search dictionary' ? ['pg_ts_dict', 'dict'] : ['pg_ts_config', 'cfg'];
  throw new SvcError('23505', `duplicate key value violates unique constraint "${table}_${prefix}name_index"`, {
    detail: `Key (${prefix}name, ${prefix}namespace)=(${name}, ${ddl.schema.schemas.get(schema) ?? 0}) already exists.`,
  });
}

/** A name as the value of an option. */
function namesOf({ name, value, at }: Option): string[] {
  if (value?.type === 'string') return [value.value];
  if (value?.type === 'typeName') return value.value.schema === null ? [value.value.name] : [value.value.schema, value.value.name];
  throw new SvcError('42601', `${name} requires a parameter`, { position: at + 1 });
}

function isSystems(name: readonly string[], last: string): boolean {
  return name[name.length - 1] === last && (name.length === 1 || name[name.length - 2] === 'pg_catalog');
}

function valueOf({ name, value, at }: Option): { name: string; value: string; bare?: true } {
  if (value?.type === 'integer') return { name, value: String(value.value), bare: true };
  if (value?.type === 'number') return { name, value: value.text, bare: true };
  if (value?.type === 'string') return { name, value: value.value };
  if (value?.type === 'boolean') return { name, value: String(value.value) };
  if (value?.type === 'typeName') return { name, value: namesOf({ namespace: null, name, value, action: 'none', at }).join('.') };
  throw new SvcError('42601', `${name} requires a parameter`, { position: at + 1 });
}

function createDictionary(session: SqlSession, { name, options, at }: CreateSearchObject): StatementResult {
  session.startStatement();
  const place = placeOf(session, name, at);
  let template: string | null = null;
  const own: SearchDictionaryObject['options'] = [];
  for (const option of options) {
    if (option.name !== 'template') {
      own.push(valueOf(option));
      continue;
    }
    const given = namesOf(option);
    template = TEMPLATE_NAMES.find((each) => isSystems(given, each)) ?? null;
    if (template === null) throw new SvcError('42704', `text search template "${given.join('.')}" does not exist`);
  }
  if (template === null) throw new SvcError('42P17', 'text search template is required');
  lexizerOf(template, own);
  return define(session, 'CREATE TEXT SEARCH DICTIONARY', (ddl) => {
    refuseTaken(session, ddl, 'text search dictionary', place.schema, place.name);
    const object: SearchDictionaryObject = { what: 'text search dictionary', number: 0, ...place, template, options: own };
    object.number = ddl.numberFor(object);
    ddl.put(object);
  });
}

export function runAlterSearchDictionary(session: SqlSession, { name, options }: AlterSearchDictionary): StatementResult {
  session.startStatement();
  return define(session, 'ALTER TEXT SEARCH DICTIONARY', (ddl) => {
    const found = ownObject(session, 'text search dictionary', name) as SearchDictionaryObject;
    let next = [...found.options];
    for (const option of options) {
      next = next.filter((each) => each.name !== option.name);
      if (option.value !== null) next.push(valueOf(option));
    }
    lexizerOf(found.template, next);
    ddl.put({ ...found, options: next });
  });
}

/** A user-defined object; built-in ones are the same everywhere. */
function ownObject(session: SqlSession, kind: Kind, name: string[]): SearchDictionaryObject | SearchConfigurationObject {
  const among = kind === 'text search dictionary' ? DICTIONARIES : CONFIGURATIONS;
  const word = kind === 'text search dictionary' ? 'dictionary' : 'configuration';
  if (among.some((each) => isSystems(name, each.name)) && findNamedObject(session, kind, name) === null) {
    throw new SvcError('0A000', `text search ${word} "${name[name.length - 1]}" belongs to the system and cannot be changed`, {
      hint: `CREATE TEXT SEARCH ${word.toUpperCase()} makes one that can.`,
    });
  }
  return namedObject(session, kind, { name }) as SearchDictionaryObject | SearchConfigurationObject;
}

function mappingsOf(session: SqlSession, name: readonly string[]): SearchConfigurationObject['mappings'] {
  const system = CONFIGURATIONS.find((each) => isSystems(name, each.name));
  if (system !== undefined)
    return system.dictionaries.flatMap((each, token): SearchConfigurationObject['mappings'] => (each === null ? [] : [{ token, dictionaries: [each.oid] }]));
  const found = findNamedObject(session, 'text search configuration', name);
  if (found?.what !== 'text search configuration') throw new SvcError('42704', `text search configuration "${name.join('.')}" does not exist`);
  return found.mappings;
}

function createConfiguration(session: SqlSession, { name, options, at }: CreateSearchObject): StatementResult {
  session.startStatement();
  const place = placeOf(session, name, at);
  let parser = false;
  let mappings: SearchConfigurationObject['mappings'] | null = null;
  for (const option of options) {
    if (option.name === 'parser') {
      const given = namesOf(option);
      if (!isSystems(given, 'default')) throw new SvcError('42704', `text search parser "${given.join('.')}" does not exist`);
      parser = true;
    } else if (option.name === 'copy') mappings = mappingsOf(session, namesOf(option));
    else throw new SvcError('42601', `text search configuration parameter "${option.name}" not recognized`);
  }
  if (parser && mappings !== null) throw new SvcError('42601', 'cannot specify both PARSER and COPY options');
  if (!parser && mappings === null) throw new SvcError('42P17', 'text search parser is required');
  return define(session, 'CREATE TEXT SEARCH CONFIGURATION', (ddl) => {
    refuseTaken(session, ddl, 'text search configuration', place.schema, place.name);
    const object: SearchConfigurationObject = { what: 'text search configuration', number: 0, ...place, mappings: mappings ?? [] };
    object.number = ddl.numberFor(object);
    ddl.put(object);
  });
}

function dictionaryOid(session: SqlSession, name: readonly string[]): number {
  const system = DICTIONARIES.find((each) => isSystems(name, each.name));
  const oid = system?.oid ?? findNamedObject(session, 'text search dictionary', name)?.number;
  if (oid === undefined) throw new SvcError('42704', `text search dictionary "${name.join('.')}" does not exist`);
  return oid;
}

export function runAlterSearchConfiguration(session: SqlSession, statement: AlterSearchConfiguration): StatementResult {
  session.startStatement();
  const { name, action, ifExists } = statement;
  return define(session, 'ALTER TEXT SEARCH CONFIGURATION', (ddl) => {
    const found = ownObject(session, 'text search configuration', name) as SearchConfigurationObject;
    const tokens = statement.tokens?.map((alias) => {
      const token = tokenNumber(alias);
      if (token === 0) throw new SvcError('22023', `token type "${alias}" does not exist`);
      return { alias, token };
    });
    const named = (token: number): boolean => tokens === undefined || tokens.some((each) => each.token === token);
    const dictionaries = statement.dictionaries.map((each) => dictionaryOid(session, each));
    let mappings = [...found.mappings];
    switch (action) {
      case 'drop':
        for (const { alias, token } of tokens ?? []) {
          if (mappings.some((each) => each.token === token)) continue;
          if (!ifExists) throw new SvcError('42704', `mapping for token type "${alias}" does not exist`);
          ddl.notice('00000', `mapping for token type "${alias}" does not exist, skipping`);
        }
        mappings = mappings.filter(({ token }) => !named(token));
        break;
      case 'replace': {
        const [from, to] = dictionaries;
        mappings = mappings.map((each) => (named(each.token) ? { ...each, dictionaries: each.dictionaries.map((one) => (one === from ? to : one)) } : each));
        break;
      }
      case 'add':
      case 'alter':
        for (const { token } of tokens ?? []) {
          if (action === 'add' && mappings.some((each) => each.token === token)) {
            throw new SvcError('23505', 'duplicate key value violates unique constraint "pg_ts_config_map_index"', {
              detail: `Key (mapcfg, maptokentype, mapseqno)=(${found.number}, ${token}, 1) already exists.`,
            });
          }
          mappings = [...mappings.filter((each) => each.token !== token), { token, dictionaries }];
        }
    }
    ddl.put({ ...found, mappings: mappings.sort((a, b) => a.token - b.token) });
  });
}
