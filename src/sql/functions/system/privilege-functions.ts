/** Privilege inquiry functions (manual, section 9.26.2), with Postgres's rules. A session that is no role (an agent) has all privileges here. */
import { refuseAbsentSchema } from '../../types/absent-schema.ts';
import { inQuotes } from '../../../base/quote-identifier.ts';
import { SvcError } from '../../../base/errors/svc-error.ts';
import { ArrayValue } from '../../types/array-value.ts';
import type { System } from '../../types/environment.ts';
import type { Value } from '../../types/value.ts';
import type { Call, FunctionModule, ScalarFunction, SetFunction } from '../define.ts';
import { aclContains } from './acl-functions.ts';
import { LANGUAGES, TABLESPACES } from './server-oids.ts';
import { systemOf } from './session-of.ts';

interface Kind {
  readonly name: string;
  readonly rights: readonly string[];
  /** The letter of its ACLs, or the rule for kinds without ACLs. */
  readonly acl: 'r' | 'S' | 'n' | 'f' | 'T' | 'd' | 'l' | 't' | 'F' | 'V' | 'superusers';
  /** By name: 42P01, 42704 … if there is none. */
  readonly find: (system: System, text: string) => number;
  /** null: the valid oids are unknown. */
  readonly exists: (system: System, oid: number) => boolean;
}

const always = (): boolean => true;
const anyName = (): number => 1;
/** Objects that cannot be created here. */
const oneOf =
  (kind: string, oids: Readonly<Record<string, number>>) =>
  (_system: System, text: string): number => {
    if (!Object.hasOwn(oids, text)) throw new SvcError('42704', `${kind} "${text}" does not exist`);
    return oids[text];
  };

const KINDS: readonly Kind[] = [
  {
    name: 'table',
    acl: 'r',
    rights: ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN'],
    find: requireRelation,
    exists: (system, oid) => system.definitions.relationKind(oid) !== null,
  },
  {
    name: 'any_column',
    acl: 'r',
    rights: ['SELECT', 'INSERT', 'UPDATE', 'REFERENCES'],
    find: requireRelation,
    exists: (system, oid) => system.definitions.relationKind(oid) !== null,
  },
  {
    name: 'sequence',
    acl: 'S',
    rights: ['USAGE', 'SELECT', 'UPDATE'],
    find: (system, text) => {
      const oid = requireRelation(system, text);
      if (system.definitions.relationKind(oid) !== 'S') throw new SvcError('42809', `"${text}" is not a sequence`);
      return oid;
    },
    exists: (system, oid) => system.definitions.relationKind(oid) === 'S',
  },
  {
    name: 'schema',
    acl: 'n',
    rights: ['CREATE', 'USAGE'],
    find: (system, text) => {
      const oid = system.schemaOid(inQuotes(text));
      if (oid === null) throw new SvcError('3F000', `schema "${text}" does not exist`);
      return oid;
    },
    exists: (system, oid) => system.schemaName(oid) !== null,
  },
  { name: 'database', acl: 'd', rights: ['CREATE', 'CONNECT', 'TEMPORARY', 'TEMP'], find: requireDatabase, exists: always },
  {
    name: 'function',
    acl: 'f',
    rights: ['EXECUTE'],
    find: (system, text) => {
      const oid = system.definitions.procedureOid(text);
      if (oid === null) refuseAbsentSchema(system, text);
      if (oid === null) throw new SvcError('42883', `function "${text}" does not exist`);
      return oid;
    },
    exists: (system, oid) => system.functionName(oid) !== null,
  },
  {
    name: 'type',
    acl: 'T',
    rights: ['USAGE'],
    find: (system, text) => {
      const oid = system.typeOid(text);
      if (oid === null) refuseAbsentSchema(system, text);
      if (oid === null) throw new SvcError('42704', `type "${text}" does not exist`);
      return oid;
    },
    exists: (system, oid) => system.typeTitle(oid, -1) !== null,
  },
  { name: 'language', acl: 'l', rights: ['USAGE'], find: oneOf('language', LANGUAGES), exists: (_system, oid) => Object.values(LANGUAGES).includes(oid) },
  {
    name: 'tablespace',
    acl: 't',
    rights: ['CREATE'],
    find: oneOf('tablespace', TABLESPACES),
    exists: (_system, oid) => Object.values(TABLESPACES).includes(oid),
  },
  {
    name: 'foreign_data_wrapper',
    acl: 'F',
    rights: ['USAGE'],
    find: foreignObject('foreign-data wrapper'),
    exists: (system, oid) => system.definitions.foreignObjectExists('foreign-data wrapper', oid),
  },
  {
    name: 'server',
    acl: 'V',
    rights: ['USAGE'],
    find: foreignObject('server'),
    exists: (system, oid) => system.definitions.foreignObjectExists('server', oid),
  },
  { name: 'parameter', acl: 'superusers', rights: ['SET', 'ALTER SYSTEM'], find: anyName, exists: always },
];

function foreignObject(kind: 'foreign-data wrapper' | 'server'): (system: System, text: string) => number {
  return (system, text) => {
    const oid = system.definitions.foreignObjectOid(kind, text);
    if (oid === null) throw new SvcError('42704', `${kind} "${text}" does not exist`);
    return oid;
  };
}

/** Privileges of other databases are unknown: the current one's are used. */
function requireDatabase(system: System, text: string): number {
  if (!system.hasDatabase(text)) throw new SvcError('3D000', `database "${text}" does not exist`);
  return 1;
}

function requireRelation(system: System, text: string): number {
  const oid = system.relationOid(text);
  if (oid === null) refuseAbsentSchema(system, text);
  if (oid === null) throw new SvcError('42P01', `relation "${text}" does not exist`);
  return oid;
}

interface Wanted {
  readonly right: string;
  readonly grantable: boolean;
}

/** `SELECT, INSERT WITH GRANT OPTION`: any of them suffices. */
function wantedRights(rights: readonly string[], text: string): Wanted[] {
  return text.split(',').map((part) => {
    const words = part.trim().toUpperCase();
    const right = words.replace(/ WITH GRANT OPTION$/, '');
    if (!rights.includes(right)) throw new SvcError('22023', `unrecognized privilege type: "${part.trim()}"`);
    return { right, grantable: right !== words };
  });
}

/** Oid of the role in question; null: not a role, with all privileges. */
function userOf(system: System, user: Value | undefined): number | null {
  const { rights } = system;
  if (user === undefined) return rights === undefined || rights.role === 0 ? null : rights.role;
  if (typeof user !== 'string') return user as number;
  if (user === 'public') return 0;
  const oid = rights === undefined ? system.roleOid(inQuotes(user)) : rights.roleNamed(user);
  if (oid === null) throw new SvcError('42704', `role "${user}" does not exist`);
  return oid;
}

const USERS: readonly (string | null)[] = [null, 'name', 'oid'];

function tests(kind: Kind): ScalarFunction[] {
  const out: ScalarFunction[] = [];
  for (const user of USERS) {
    for (const object of kind.name === 'parameter' ? ['text'] : ['text', 'oid']) {
      out.push({
        kind: 'scalar',
        name: `has_${kind.name}_privilege`,
        args: [...(user === null ? [] : [user]), object, 'text'],
        returns: 'bool',
        doc: `Whether the role has a privilege on the ${kind.name.replaceAll('_', ' ')}.`,
        volatility: 'stable',
        needsCall: true,
        impl: (call: Call, ...args: Value[]) => {
          const system = systemOf(call);
          const { rights } = system;
          const text = args.pop() as string;
          const value = args.pop() as string | number;
          const role = userOf(system, args[0]);
          if (kind.name === 'parameter') {
            const wanted = wantedRights(kind.rights, text);
            if (rights === undefined || role === null) return true;
            return wanted.some(({ right, grantable }) => rights.heldOnParameter(role, String(value).toLowerCase(), right, grantable));
          }
          const oid = typeof value === 'string' ? kind.find(system, value) : value;
          const wanted = wantedRights(kind.rights, text);
          if (typeof value !== 'string' && !kind.exists(system, value)) return null;
          const acl = kind.acl === 'r' && system.definitions.relationKind(oid) === 'S' ? 'S' : kind.acl;
          if (rights === undefined || role === null) return true;
          if (acl === 'superusers') return rights.isSuperuser(role);
          return wanted.some(
            ({ right, grantable }) =>
              rights.held(role, acl, oid, right, grantable) ||
              (kind.name === 'any_column' && rights.columnsOf(oid).some((attnum) => rights.heldOnColumn(role, oid, attnum, right, grantable))),
          );
        },
      });
    }
  }
  return out;
}

/** Attnums of a user-defined relation; null if unknown. */
function rightsColumns({ rights }: System, oid: number): readonly number[] | null {
  const columns = rights?.columnsOf(oid) ?? [];
  return columns.length === 0 ? null : columns;
}

const COLUMN_RIGHTS = ['SELECT', 'INSERT', 'UPDATE', 'REFERENCES'];

function columnTests(): ScalarFunction[] {
  const out: ScalarFunction[] = [];
  for (const user of USERS) {
    for (const table of ['text', 'oid']) {
      for (const column of ['text', 'int2']) {
        out.push({
          kind: 'scalar',
          name: 'has_column_privilege',
          args: [...(user === null ? [] : [user]), table, column, 'text'],
          returns: 'bool',
          doc: 'Whether the role has a privilege on the column, of its own or through the table.',
          volatility: 'stable',
          needsCall: true,
          impl: (call: Call, ...args: Value[]) => {
            const system = systemOf(call);
            const text = args.pop() as string;
            const named = args.pop() as string | number;
            const relation = args.pop() as string | number;
            const role = userOf(system, args[0]);
            const oid = typeof relation === 'string' ? requireRelation(system, relation) : relation;
            if (system.definitions.relationKind(oid) === null) return null;
            const attnum = typeof named === 'string' ? system.definitions.columnNumber(oid, named) : named;
            // As in Postgres, an unused attribute number is not an error.
            if (typeof named !== 'string' && !(rightsColumns(system, oid)?.includes(named) ?? true)) return null;
            if (attnum === null) {
              throw new SvcError('42703', `column "${named}" of relation "${system.definitions.relationBareName(oid)}" does not exist`);
            }
            const wanted = wantedRights(COLUMN_RIGHTS, text);
            const { rights } = system;
            if (rights === undefined || role === null) return true;
            return wanted.some(
              ({ right, grantable }) => rights.held(role, 'r', oid, right, grantable) || rights.heldOnColumn(role, oid, attnum, right, grantable),
            );
          },
        });
      }
    }
  }
  return out;
}

const ROLE_RIGHTS = ['USAGE', 'MEMBER', 'SET'];

function roleTests(): ScalarFunction[] {
  return USERS.flatMap((user) =>
    ['name', 'oid'].map((role): ScalarFunction => ({
      kind: 'scalar',
      name: 'pg_has_role',
      args: [...(user === null ? [] : [user]), role, 'text'],
      returns: 'bool',
      doc: 'Whether one role has the rights of another, or is its member.',
      volatility: 'stable',
      needsCall: true,
      impl: (call: Call, ...args: Value[]) => {
        const system = systemOf(call);
        const { rights } = system;
        const wanted = wantedRights(ROLE_RIGHTS, (args.pop() as string).replace(/ WITH ADMIN OPTION/gi, ' WITH GRANT OPTION'));
        const of = userOf(system, args.pop()!);
        const role = userOf(system, args[0]);
        if (rights === undefined || role === null || of === null) return true;
        return wanted.some(({ right, grantable }) => rights.hasRole(role, of, right === 'USAGE' ? 'usage' : 'member', grantable));
      },
    })),
  );
}

/** Default privileges of the owner and PUBLIC by kind of object, in ACL letters. */
const DEFAULT_RIGHTS: Readonly<Record<string, readonly [owner: string, others: string]>> = {
  c: ['', ''],
  r: ['arwdDxt', ''],
  s: ['rwU', ''],
  d: ['CTc', 'Tc'],
  f: ['X', 'X'],
  l: ['U', 'U'],
  L: ['rw', ''],
  n: ['UC', ''],
  p: ['sA', ''],
  t: ['C', ''],
  F: ['U', ''],
  S: ['U', ''],
  T: ['U', 'U'],
};

const LETTERS: Readonly<Record<string, string>> = {
  a: 'INSERT',
  r: 'SELECT',
  w: 'UPDATE',
  d: 'DELETE',
  D: 'TRUNCATE',
  x: 'REFERENCES',
  t: 'TRIGGER',
  X: 'EXECUTE',
  U: 'USAGE',
  C: 'CREATE',
  T: 'TEMPORARY',
  c: 'CONNECT',
  s: 'SET',
  A: 'ALTER SYSTEM',
  m: 'MAINTAIN',
};

const acl: readonly (ScalarFunction | SetFunction)[] = [
  {
    kind: 'scalar',
    name: 'acldefault',
    args: ['char', 'oid'],
    returns: '_aclitem',
    doc: 'Rights that a new object has, by its kind and owner.',
    impl: (kind: string, owner: number) => {
      const rights = DEFAULT_RIGHTS[kind];
      if (rights === undefined) throw new SvcError('XX000', `unrecognized objtype abbreviation: ${kind}`);
      return new ArrayValue([...(rights[1] === '' ? [] : [`=${rights[1]}/${owner}`]), ...(rights[0] === '' ? [] : [`${owner}=${rights[0]}/${owner}`])]);
    },
  },
  {
    kind: 'set',
    name: 'aclexplode',
    args: ['_aclitem'],
    argNames: ['acl'],
    returns: 'record',
    doc: 'Rights one by one.',
    volatility: 'stable',
    columns: [
      { name: 'grantor', type: 'oid' },
      { name: 'grantee', type: 'oid' },
      { name: 'privilege_type', type: 'text' },
      { name: 'is_grantable', type: 'bool' },
    ],
    impl: ({ elements }: ArrayValue): Value[][] => {
      const rows: Value[][] = [];
      for (const item of elements as readonly string[]) {
        const [, grantee, rights, grantor] = /^(.*)=([A-Za-z*]*)\/(.*)$/.exec(item) ?? [];
        for (const [, letter, star] of rights?.matchAll(/([A-Za-z])(\*?)/g) ?? []) {
          rows.push([Number(grantor), Number(grantee), LETTERS[letter] ?? letter, star === '*']);
        }
      }
      return rows;
    },
  },
  {
    kind: 'scalar',
    name: 'makeaclitem',
    args: ['oid', 'oid', 'text', 'bool'],
    returns: 'aclitem',
    doc: 'One item of a list of privileges: grantee, grantor, a privilege, whether it may be passed on.',
    impl: (grantee: number, grantor: number, rights: string, grantable: boolean) => {
      const name = rights.trim().toUpperCase();
      const letter = Object.keys(LETTERS).find((each) => LETTERS[each] === (name === 'TEMP' ? 'TEMPORARY' : name));
      if (letter === undefined || letter === 'm') throw new SvcError('22023', `unrecognized privilege type: "${rights}"`);
      return `${grantee === 0 ? '' : grantee}=${letter}${grantable ? '*' : ''}/${grantor}`;
    },
  },
  {
    kind: 'scalar',
    name: 'aclcontains',
    args: ['_aclitem', 'aclitem'],
    returns: 'bool',
    doc: 'Whether a list of privileges gives what an item says.',
    impl: aclContains,
  },
  {
    kind: 'set',
    name: 'pg_options_to_table',
    args: ['_text'],
    argNames: ['options_array'],
    returns: 'record',
    doc: 'Options as rows of name and value.',
    volatility: 'stable',
    columns: [
      { name: 'option_name', type: 'text' },
      { name: 'option_value', type: 'text' },
    ],
    impl: ({ elements }: ArrayValue): Value[][] =>
      (elements as readonly (string | null)[]).map((option) => {
        if (option === null) throw new SvcError('22004', 'null array element not allowed in this context');
        const at = option.indexOf('=');
        return at < 0 ? [option, null] : [option.slice(0, at), option.slice(at + 1)];
      }),
  },
];

export const privilegeFunctions: FunctionModule = { functions: [...KINDS.flatMap(tests), ...columnTests(), ...roleTests(), ...acl] };
