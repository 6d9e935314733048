/**
 * Rights (manual, section 9.26.2). What a session may do is decided at its entrance, so whoever gets as far as asking has
 * every right; objects and names of rights are checked as Postgres does.
 */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { ArrayValue } from '../../types/array-value.ts';
import type { System } from '../../types/environment.ts';
import type { Value } from '../../types/value.ts';
import type { Call, FunctionModule, ScalarFunction, SetFunction } from '../define.ts';
import { systemOf } from './session-of.ts';

interface Kind {
  readonly name: string;
  readonly rights: readonly string[];
  /** By name: 42P01, 42704 … where there is none. */
  readonly find: (system: System, text: string) => void;
  /** null: it is not known which oids there are. */
  readonly exists: (system: System, oid: number) => boolean;
}

const always = (): boolean => true;
const anyName = (): void => {};

const KINDS: readonly Kind[] = [
  {
    name: 'table',
    rights: ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN'],
    find: requireRelation,
    exists: (system, oid) => system.definitions.relationKind(oid) !== null,
  },
  {
    name: 'any_column',
    rights: ['SELECT', 'INSERT', 'UPDATE', 'REFERENCES'],
    find: requireRelation,
    exists: (system, oid) => system.definitions.relationKind(oid) !== null,
  },
  {
    name: 'sequence',
    rights: ['USAGE', 'SELECT', 'UPDATE'],
    find: (system, text) => {
      const oid = requireRelation(system, text);
      if (system.definitions.relationKind(oid) !== 'S') throw new SvcError('42809', `"${text}" is not a sequence`);
    },
    exists: (system, oid) => system.definitions.relationKind(oid) === 'S',
  },
  {
    name: 'schema',
    rights: ['CREATE', 'USAGE'],
    find: (system, text) => {
      if (system.schemaOid(text) === null) throw new SvcError('3F000', `schema "${text}" does not exist`);
    },
    exists: (system, oid) => system.schemaName(oid) !== null,
  },
  { name: 'database', rights: ['CREATE', 'CONNECT', 'TEMPORARY', 'TEMP'], find: anyName, exists: always },
  {
    name: 'function',
    rights: ['EXECUTE'],
    find: (system, text) => {
      if (system.definitions.procedureOid(text) === null) throw new SvcError('42883', `function "${text}" does not exist`);
    },
    exists: (system, oid) => system.functionName(oid) !== null,
  },
  {
    name: 'type',
    rights: ['USAGE'],
    find: (system, text) => {
      if (system.typeOid(text) === null) throw new SvcError('42704', `type "${text}" does not exist`);
    },
    exists: (system, oid) => system.typeTitle(oid, -1) !== null,
  },
  { name: 'language', rights: ['USAGE'], find: anyName, exists: always },
  { name: 'tablespace', rights: ['CREATE'], find: anyName, exists: always },
  { name: 'foreign_data_wrapper', rights: ['USAGE'], find: anyName, exists: always },
  { name: 'server', rights: ['USAGE'], find: anyName, exists: always },
  { name: 'parameter', rights: ['SET', 'ALTER SYSTEM'], find: anyName, exists: always },
];

function requireRelation(system: System, text: string): number {
  const oid = system.relationOid(text);
  if (oid === null) throw new SvcError('42P01', `relation "${text}" does not exist`);
  return oid;
}

function checkRights(rights: readonly string[], text: string): void {
  for (const part of text.split(',')) {
    const right = part
      .trim()
      .toUpperCase()
      .replace(/ WITH GRANT OPTION$/, '');
    if (!rights.includes(right)) throw new SvcError('22023', `unrecognized privilege type: "${part.trim()}"`);
  }
}

function checkUser(system: System, user: Value | undefined): void {
  if (typeof user === 'string' && user !== 'public' && system.roleOid(`"${user.replaceAll('"', '""')}"`) === null) {
    throw new SvcError('42704', `role "${user}" does not exist`);
  }
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
        doc: 'True: what a session may do is decided at its entrance.',
        volatility: 'stable',
        needsCall: true,
        impl: (call: Call, ...args: Value[]) => {
          const system = systemOf(call);
          const rights = args.pop() as string;
          const value = args.pop() as string | number;
          checkUser(system, args[0]);
          if (typeof value === 'string') kind.find(system, value);
          checkRights(kind.rights, rights);
          return typeof value === 'string' || kind.exists(system, value) ? true : null;
        },
      });
    }
  }
  return out;
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
          doc: 'True: what a session may do is decided at its entrance.',
          volatility: 'stable',
          needsCall: true,
          impl: (call: Call, ...args: Value[]) => {
            const system = systemOf(call);
            const rights = args.pop() as string;
            const named = args.pop() as string | number;
            const relation = args.pop() as string | number;
            checkUser(system, args[0]);
            const oid = typeof relation === 'string' ? requireRelation(system, relation) : relation;
            if (system.definitions.relationKind(oid) === null) return null;
            if (typeof named === 'string' && system.definitions.columnNumber(oid, named) === null) {
              throw new SvcError('42703', `column "${named}" of relation "${system.relationName(oid)}" does not exist`);
            }
            checkRights(COLUMN_RIGHTS, rights);
            return true;
          },
        });
      }
    }
  }
  return out;
}

const ROLE_RIGHTS = ['USAGE', 'MEMBER', 'SET', 'USAGE WITH ADMIN OPTION', 'MEMBER WITH ADMIN OPTION'];

function roleTests(): ScalarFunction[] {
  return USERS.flatMap((user) =>
    ['name', 'oid'].map((role): ScalarFunction => ({
      kind: 'scalar',
      name: 'pg_has_role',
      args: [...(user === null ? [] : [user]), role, 'text'],
      returns: 'bool',
      doc: 'True: what a session may do is decided at its entrance.',
      volatility: 'stable',
      needsCall: true,
      impl: (call: Call, ...args: Value[]) => {
        const system = systemOf(call);
        checkRights(ROLE_RIGHTS, args.pop() as string);
        for (const each of args) checkUser(system, each);
        return true;
      },
    })),
  );
}

/** Rights of an owner, and of everybody, by the kind of object, in the letters of ACLs. */
const DEFAULT_RIGHTS: Readonly<Record<string, readonly [owner: string, everybody: string]>> = {
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
    needsCall: true,
    impl: (call: Call, kind: string, owner: number) => {
      const rights = DEFAULT_RIGHTS[kind];
      if (rights === undefined) throw new SvcError('22023', `unrecognized object type abbreviation: ${kind}`);
      const name = systemOf(call).roleName(owner) ?? String(owner);
      return new ArrayValue([...(rights[1] === '' ? [] : [`=${rights[1]}/${name}`]), `${name}=${rights[0]}/${name}`]);
    },
  },
  {
    kind: 'set',
    name: 'aclexplode',
    args: ['_aclitem'],
    returns: 'record',
    doc: 'Rights one by one.',
    volatility: 'stable',
    needsCall: true,
    columns: [
      { name: 'grantor', type: 'oid' },
      { name: 'grantee', type: 'oid' },
      { name: 'privilege_type', type: 'text' },
      { name: 'is_grantable', type: 'bool' },
    ],
    impl: (call: Call, { elements }: ArrayValue): Value[][] => {
      const system = systemOf(call);
      const rows: Value[][] = [];
      for (const item of elements as readonly string[]) {
        const [, grantee, rights, grantor] = /^(.*)=([A-Za-z*]*)\/(.*)$/.exec(item) ?? [];
        for (const [, letter, star] of rights?.matchAll(/([A-Za-z])(\*?)/g) ?? []) {
          rows.push([system.roleOid(grantor) ?? 0, grantee === '' ? 0 : (system.roleOid(grantee) ?? 0), LETTERS[letter] ?? letter, star === '*']);
        }
      }
      return rows;
    },
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
      (elements as readonly string[]).map((option) => {
        const at = option.indexOf('=');
        return at < 0 ? [option, null] : [option.slice(0, at), option.slice(at + 1)];
      }),
  },
];

export const privilegeFunctions: FunctionModule = { functions: [...KINDS.flatMap(tests), ...columnTests(), ...roleTests(), ...acl] };
