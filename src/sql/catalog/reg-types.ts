/**
 * The reg… types: oids with the names of objects as text, along the session's search path. Without a session (stored texts) they are
 * parsed and printed as numbers, so nothing stored depends on names.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { refuseAbsentSchema } from '../types/absent-schema.ts';
import { arrayType } from '../types/array-type.ts';
import type { Environment, System } from '../types/environment.ts';
import * as plain from '../types/identifiers.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';

type Find = (system: System, text: string) => number;
type Show = (system: System, oid: number) => string | null;

const NUMBER = /^\s*\d+\s*$/;

/** `none`: the text of oid 0. */
function registered(base: SqlType, find: Find, show: Show, none = '-'): SqlType {
  return {
    ...base,
    parse: (text, typmod, env) => (env.system === undefined || text === '-' || NUMBER.test(text) ? base.parse(text, typmod, env) : find(env.system, text)),
    format: (value: Value, env: Environment) => {
      if (value === 0) return none;
      return (env.system === undefined ? null : show(env.system, value as number)) ?? String(value);
    },
    json: (value, env) => (value === 0 ? none : ((env.system === undefined ? null : show(env.system, value as number)) ?? String(value))),
  };
}

function missing(system: System, code: SvcError['code'], what: string, text: string): SvcError {
  refuseAbsentSchema(system, text);
  return new SvcError(code, `${what} "${text}" does not exist`);
}

/** The name as its unquoted parts, for errors. */
function bare(text: string): string {
  return text
    .trim()
    .replace(/"((?:[^"]|"")*)"|([^".]+)/g, (_, quoted: string | undefined, word: string | undefined) =>
      quoted === undefined ? word!.toLowerCase() : quoted.replaceAll('""', '"'),
    );
}

export const REGCLASS: SqlType = registered(
  plain.REGCLASS,
  (system, text) => {
    const oid = system.relationOid(text);
    if (oid === null) throw missing(system, '42P01', 'relation', bare(text));
    return oid;
  },
  (system, oid) => system.relationName(oid),
);

export const REGTYPE: SqlType = registered(
  plain.REGTYPE,
  (system, text) => {
    const oid = system.typeOid(text);
    if (oid === null) throw missing(system, '42704', 'type', bare(text));
    return oid;
  },
  (system, oid) => system.typeTitle(oid, null),
);

export const REGPROC: SqlType = registered(
  plain.REGPROC,
  (system, text) => {
    const oid = system.functionOid(text);
    if (oid !== null) return oid;
    if (system.definitions.functionCount(text) > 1) throw new SvcError('42725', `more than one function named "${bare(text)}"`);
    throw missing(system, '42883', 'function', bare(text));
  },
  (system, oid) => system.functionName(oid),
);

export const REGPROCEDURE: SqlType = registered(
  plain.REGPROCEDURE,
  (system, text) => {
    if (!/\)\s*$/.test(text)) throw new SvcError('22P02', text.includes('(') ? 'expected a right parenthesis' : 'expected a left parenthesis');
    const oid = system.definitions.procedureOid(text);
    if (oid === null) throw missing(system, '42883', 'function', text);
    return oid;
  },
  (system, oid) => system.definitions.procedureName(oid),
);

export const REGOPER: SqlType = registered(
  plain.REGOPER,
  (system, text) => {
    const oid = system.operatorOid(text);
    if (oid !== null) return oid;
    if (system.definitions.operatorCount(text) > 1) throw new SvcError('42725', `more than one operator named ${text.trim()}`);
    refuseAbsentSchema(system, text);
    throw new SvcError('42883', `operator does not exist: ${text.trim()}`);
  },
  (system, oid) => system.operatorName(oid),
  '0',
);

export const REGOPERATOR: SqlType = registered(
  plain.REGOPERATOR,
  (system, text) => {
    const oid = system.definitions.operatorSignatureOid(text);
    if (oid !== null) return oid;
    throw new SvcError('42883', `operator does not exist: ${text.trim()}`);
  },
  (system, oid) => system.definitions.operatorSignature(oid),
  '0',
);

export const REGNAMESPACE: SqlType = registered(
  plain.REGNAMESPACE,
  (system, text) => {
    const oid = system.schemaOid(text);
    if (oid === null) throw new SvcError('3F000', `schema "${bare(text)}" does not exist`);
    return oid;
  },
  (system, oid) => system.schemaName(oid),
);

export const REGROLE: SqlType = registered(
  plain.REGROLE,
  (system, text) => {
    const oid = system.roleOid(text);
    if (oid === null) throw missing(system, '42704', 'role', bare(text));
    return oid;
  },
  (system, oid) => system.roleName(oid),
);

export const REGCOLLATION: SqlType = registered(
  plain.REGCOLLATION,
  (system, text) => {
    const oid = system.definitions.collationOid(text);
    if (oid !== null) return oid;
    refuseAbsentSchema(system, text);
    throw new SvcError('42704', `collation "${bare(text)}" for encoding "UTF8" does not exist`);
  },
  (system, oid) => system.definitions.collationName(oid),
);

const BASE = [REGCLASS, REGTYPE, REGPROC, REGPROCEDURE, REGOPER, REGOPERATOR, REGNAMESPACE, REGROLE, REGCOLLATION];

/** With their array types; they replace the plain ones of types/identifiers.ts. */
export const REG_TYPES: readonly SqlType[] = [...BASE, ...BASE.map((type) => arrayType(type, type.arrayOid))];
