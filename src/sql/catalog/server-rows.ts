/** Catalogs of the server rather than of a world: roles, databases, settings, sessions, time zones, languages. */
import type { Role } from '../../identity/roles.ts';
import { ALL, PUBLIC, PRIVILEGE } from '../schema/acl.ts';
import { WORLD_OBJECT } from '../schema/privileges.ts';
import { TABLESPACES } from '../functions/system/server-oids.ts';
import { ArrayValue } from '../types/array-value.ts';
import { parseAddress } from '../types/ip-address.ts';
import type { Value } from '../types/value.ts';
import type { CatalogSession } from './catalog-session.ts';
import { databasesOf, rolesOf } from './catalog-session.ts';
import { SETTINGS_DATA } from './data/settings.ts';
import { EXTENSIONS } from './extensions.ts';
import { CLASS, DEFAULT_TABLESPACE, INFORMATION_SCHEMA, OWNER, PG_CATALOG, PG_TOAST, PLPGSQL_LANGUAGE } from './fixed-oids.ts';
import type { Row } from './made-relation.ts';
import { aclValue } from './rights-rows.ts';
import type { Schema } from '../schema/schema.ts';

export function namespaceRows(schema: Schema): Row[] {
  const aclOfAll = aclValue([
    { grantee: OWNER, grantor: OWNER, privileges: ALL.n, grantable: 0 },
    { grantee: PUBLIC, grantor: OWNER, privileges: PRIVILEGE.USAGE, grantable: 0 },
  ]);
  const rows: Row[] = [
    [PG_CATALOG, 'pg_catalog', OWNER, aclOfAll],
    [PG_TOAST, 'pg_toast', OWNER, null],
    [INFORMATION_SCHEMA, 'information_schema', OWNER, aclOfAll],
  ];
  for (const [name, oid] of schema.schemas) rows.push([oid, name, schema.ownerOf(oid), aclValue(schema.aclOf(oid))]);
  return rows;
}

// --- roles

/** Microseconds from 1970 to 2000. */
const EPOCH_MICROS = 946_684_800_000_000;

function until({ validUntil }: Role): Value {
  return validUntil === null ? null : validUntil.micros === null ? Infinity : validUntil.micros - EPOCH_MICROS;
}

function settingsOf({ settings }: Role): Value {
  return settings.length === 0 ? null : new ArrayValue(settings);
}

export function authidRows(session: CatalogSession): Row[] {
  return [...rolesOf(session).all()].map((role) => [
    role.oid,
    role.name,
    role.superuser,
    role.inherit,
    role.createRole,
    role.createDatabase,
    role.login,
    role.replication,
    role.bypassRowSecurity,
    role.connectionLimit,
    role.password,
    until(role),
  ]);
}

export function roleRows(session: CatalogSession): Row[] {
  return [...rolesOf(session).all()].map((role) => [
    role.name,
    role.superuser,
    role.inherit,
    role.createRole,
    role.createDatabase,
    role.login,
    role.replication,
    role.connectionLimit,
    '********',
    until(role),
    role.bypassRowSecurity,
    settingsOf(role),
    role.oid,
  ]);
}

export function memberRows(session: CatalogSession): Row[] {
  return rolesOf(session).memberships.map(({ role, member, grantor, admin }) => [role, member, grantor, admin]);
}

export function roleSettingRows(session: CatalogSession): Row[] {
  const roles = rolesOf(session);
  const rows: Row[] = [...roles.all()].filter(({ settings }) => settings.length > 0).map((role) => [0, role.oid, settingsOf(role)]);
  for (const { database, role, settings } of roles.defaults) {
    const oid = database === 0 ? 0 : worldOid(session, database);
    if (oid !== null) rows.push([oid, role, new ArrayValue(settings)]);
  }
  return rows;
}

/** Oid of the world as a database; null if it was dropped. */
function worldOid(session: CatalogSession, number: number): number | null {
  return databasesOf(session).find((each) => each.world === number)?.oid ?? null;
}

export function parameterRows(session: CatalogSession): Row[] {
  return [...rolesOf(session).parameters].map(([name, acl], i) => [0xb800_0000 + i, name, new ArrayValue(acl)]);
}

/** pg_shdescription: comments on roles and databases. */
export function sharedDescriptionRows(session: CatalogSession): Row[] {
  return rolesOf(session).comments.flatMap(({ on, object, text }): Row[] => {
    const oid = on === 'role' ? object : worldOid(session, object);
    return oid === null ? [] : [[oid, on === 'role' ? CLASS.pg_authid : CLASS.pg_database, text]];
  });
}

export function shadowRows(session: CatalogSession): Row[] {
  return [...rolesOf(session).all()]
    .filter(({ login }) => login)
    .map((role) => [
      role.name,
      role.oid,
      role.createDatabase,
      role.superuser,
      role.replication,
      role.bypassRowSecurity,
      role.password,
      until(role),
      settingsOf(role),
    ]);
}

export function userRows(session: CatalogSession): Row[] {
  return shadowRows(session).map((row) => row.with(6, '********'));
}

export function groupRows(session: CatalogSession): Row[] {
  const roles = rolesOf(session);
  return [...roles.all()]
    .filter(({ login }) => !login)
    .map(({ oid, name }) => [name, oid, new ArrayValue(roles.memberships.filter(({ role }) => role === oid).map(({ member }) => member))]);
}

// --- databases and sessions

const ENCODING_UTF8 = 6;
/** pg_authid, pg_database. */

export function databaseRows(session: CatalogSession, schema: Schema): Row[] {
  const own = schema.aclOf(WORLD_OBJECT);
  return databasesOf(session).map(({ oid, name }) => [
    oid,
    name,
    name === session.database ? schema.ownerOf(WORLD_OBJECT) : OWNER,
    ENCODING_UTF8,
    'c',
    false,
    true,
    -1,
    3,
    1,
    DEFAULT_TABLESPACE,
    'C',
    'C.UTF-8',
    null,
    null,
    name === session.database ? aclValue(own) : null,
  ]);
}

export function databaseOid(session: CatalogSession, name: string): number {
  return databasesOf(session).find((each) => each.name === name)?.oid ?? 0;
}

function roleOid(session: CatalogSession, name: string): number | null {
  return rolesOf(session).byName(name)?.oid ?? null;
}

export function activityRows(session: CatalogSession): Row[] {
  return (session.backends?.() ?? []).map((each) => [
    databaseOid(session, each.database),
    each.database,
    each.pid,
    null,
    roleOid(session, each.user),
    each.user,
    each.applicationName,
    each.clientAddress === null ? null : parseAddress(each.clientAddress, false),
    null,
    each.clientPort,
    each.startedAt,
    each.transactionStart,
    each.queryStart,
    each.queryStart,
    each.state === null || each.state === 'active' ? null : 'Client',
    each.state === null || each.state === 'active' ? null : 'ClientRead',
    each.state,
    null,
    null,
    null,
    each.query,
    'client backend',
  ]);
}

/** Sessions whose clients are visible; there are no client certificates. */
export function encryptionRows(session: CatalogSession): Row[] {
  return (session.backends?.() ?? [])
    .filter(({ clientPort }) => clientPort !== null)
    .map(({ pid, encryption }) => [
      pid,
      encryption !== null,
      encryption?.version ?? null,
      encryption?.cipher ?? null,
      encryption?.bits ?? null,
      null,
      null,
      null,
    ]);
}

/** GSSAPI is not supported. */
export function gssapiRows(session: CatalogSession): Row[] {
  return (session.backends?.() ?? []).filter(({ clientPort }) => clientPort !== null).map(({ pid }) => [pid, false, null, false]);
}

export function lockRows(session: CatalogSession): Row[] {
  return (session.locks?.() ?? []).map((each) => [
    each.type,
    each.database,
    each.relation,
    null,
    null,
    each.virtual,
    each.transaction,
    each.object?.[0] ?? null,
    each.object?.[1] ?? null,
    each.object?.[2] ?? null,
    each.holder,
    each.pid,
    each.mode,
    each.granted,
    false,
    each.waitingSince,
  ]);
}

/** Blocks, scanned rows and times are not counted. */
export function statDatabaseRows(session: CatalogSession): Row[] {
  const backends = session.backends?.() ?? [];
  return databasesOf(session).map(({ oid, name, world }) => {
    const connected = backends.filter((each) => each.database === name).length;
    const counted = session.activity?.(world);
    const transactions = [counted?.commits ?? 0, counted?.rollbacks ?? 0];
    const written = [counted?.inserted ?? 0, counted?.updated ?? 0, counted?.deleted ?? 0];
    const rest = [0, counted?.temporaryFiles ?? 0, 0, counted?.deadlocks ?? 0];
    return [oid, name, connected, ...transactions, 0, 0, 0, 0, ...written, ...rest, null, null, ...new Array<Value>(9).fill(0), counted?.resetAt ?? null];
  });
}

export function preparedRows(session: CatalogSession): Row[] {
  return (session.prepared?.() ?? []).map(({ name, statement, preparedAt, parameters, fromSql }) => [
    name,
    statement,
    preparedAt,
    new ArrayValue(parameters),
    fromSql,
    0,
    0,
  ]);
}

export function cursorRows(session: CatalogSession): Row[] {
  return (session.cursors?.() ?? []).map(({ name, statement, hold, binary, scroll, at }) => [name, statement, hold, binary, scroll, at]);
}

// --- settings

interface SettingFacts {
  readonly unit: string;
  readonly category: string;
  readonly context: string;
  readonly type: string;
  readonly min: string;
  readonly max: string;
  readonly values: string;
}
let settingFacts: ReadonlyMap<string, SettingFacts> | null = null;

export function settingRows(session: CatalogSession): Row[] {
  settingFacts ??= new Map(
    SETTINGS_DATA.split('\n').map((line) => {
      const [name, unit, category, context, type, min, max, values] = line.split('|');
      return [name.toLowerCase(), { unit, category, context, type, min, max, values }];
    }),
  );
  const text = (value: string | undefined): string | null => (value === undefined || value === '' ? null : value);
  const rows: Row[] = [];
  for (const { name, value, doc } of session.settings?.() ?? []) {
    const facts = settingFacts.get(name.toLowerCase());
    const values = text(facts?.values);
    const unit = text(facts?.unit);
    const shown = unit === null ? value : inUnit(value, unit);
    rows.push([
      name,
      shown ?? value,
      shown === null ? null : unit,
      facts?.category ?? 'Customized Options',
      doc,
      null,
      facts?.context ?? 'user',
      facts?.type ?? 'string',
      'default',
      text(facts?.min),
      text(facts?.max),
      values === null ? null : new ArrayValue(values.split(',')),
      shown ?? value,
      shown ?? value,
      null,
      null,
      false,
    ]);
  }
  return rows;
}

const UNITS: Readonly<Record<string, number>> = {
  B: 1,
  kB: 1024,
  '8kB': 8192,
  MB: 1024 ** 2,
  GB: 1024 ** 3,
  TB: 1024 ** 4,
  us: 0.001,
  ms: 1,
  s: 1000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** `4MB` in kB is 4096; null if the value is not numeric. */
function inUnit(value: string, unit: string): string | null {
  const found = /^(-?\d+(?:\.\d+)?)\s*([A-Za-z]*)$/.exec(value);
  if (found === null) return null;
  const [, number, own] = found;
  if (own === '' || own === unit) return number;
  return UNITS[own] === undefined || UNITS[unit] === undefined ? null : String((Number(number) * UNITS[own]) / UNITS[unit]);
}

// --- constant rows

export function languageRows(schema: Schema): Row[] {
  const row = (oid: number, name: string, trusted: boolean, validator: number): Row => [
    oid,
    name,
    OWNER,
    false,
    trusted,
    0,
    0,
    validator,
    aclValue(schema.aclOf(oid)),
  ];
  return [
    row(12, 'internal', false, 2246),
    row(13, 'c', false, 2247),
    row(14, 'sql', true, 2248),
    [
      PLPGSQL_LANGUAGE,
      'plpgsql',
      OWNER,
      true,
      true,
      PLPGSQL_LANGUAGE - 3,
      PLPGSQL_LANGUAGE - 2,
      PLPGSQL_LANGUAGE - 1,
      aclValue(schema.aclOf(PLPGSQL_LANGUAGE)),
    ],
  ];
}

const PLPGSQL_EXTENSION = 13559;

export function extensionRows(schema: Schema): Row[] {
  const { extensions, schemas } = schema;
  const rows: Row[] = [[PLPGSQL_EXTENSION, 'plpgsql', OWNER, PG_CATALOG, false, '1.0', null, null]];
  for (const { number, name, schema: own, version } of extensions.values()) {
    rows.push([number, name, schema.ownerOf(number), schemas.get(own) ?? PG_CATALOG, true, version, null, null]);
  }
  return rows;
}

const PLPGSQL = 'PL/pgSQL procedural language';

export function availableExtensionRows({ extensions }: Schema): Row[] {
  return [
    ['plpgsql', '1.0', '1.0', PLPGSQL],
    ...[...EXTENSIONS.values()].map(({ name, version, comment }): Row => [name, version, extensions.get(name)?.version ?? null, comment]),
  ];
}

export function extensionVersionRows({ extensions }: Schema): Row[] {
  return [
    ['plpgsql', '1.0', true, true, true, false, 'pg_catalog', null, PLPGSQL],
    ...[...EXTENSIONS.values()].map(({ name, version, comment }): Row => [name, version, extensions.has(name), false, true, true, null, null, comment]),
  ];
}

export function extensionComment(): readonly [oid: number, text: string] {
  return [PLPGSQL_EXTENSION, PLPGSQL];
}

export function tablespaceRows(schema: Schema): Row[] {
  return [
    [DEFAULT_TABLESPACE, 'pg_default', OWNER, aclValue(schema.aclOf(DEFAULT_TABLESPACE)), null],
    [TABLESPACES.pg_global, 'pg_global', OWNER, aclValue(schema.aclOf(TABLESPACES.pg_global)), null],
  ];
}
