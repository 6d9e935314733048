/** Types and other objects by name (manual, section 9.26.4): format_type, pg_typeof, to_reg…, pg_input_is_valid. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { System } from '../../types/environment.ts';
import type { Value } from '../../types/value.ts';
import type { Call, FunctionModule, ScalarFunction } from '../define.ts';
import { systemOf } from './session-of.ts';

/** null if it does not exist; an invalid name is an error all the same. */
function finder(name: string, returns: string, what: string, find: (system: System, text: string) => number | null): ScalarFunction {
  return {
    kind: 'scalar',
    name,
    args: ['text'],
    returns,
    doc: `Oid of a ${what} by name, null where there is none.`,
    volatility: 'stable',
    needsCall: true,
    impl: (call: Call, text: string) => (/^\d+$/.test(text) ? null : find(systemOf(call), text)),
  };
}

export const typeFunctions: FunctionModule = {
  functions: [
    {
      kind: 'scalar',
      name: 'format_type',
      args: ['oid', 'int4'],
      returns: 'text',
      doc: 'SQL name of a type with its modifier.',
      volatility: 'stable',
      strict: false,
      needsCall: true,
      impl: (call: Call, oid: number | null, typmod: number | null) => (oid === null ? null : (systemOf(call).typeTitle(oid, typmod) ?? '???')),
    },
    {
      kind: 'scalar',
      name: 'pg_typeof',
      args: ['any'],
      returns: 'regtype',
      doc: 'Type of the argument.',
      volatility: 'stable',
      strict: false,
      needsCall: true,
      impl: (call: Call) => call.argTypes[0].oid,
    },
    {
      kind: 'scalar',
      name: 'pg_basetype',
      args: ['regtype'],
      returns: 'regtype',
      doc: 'The type itself: there are no domains.',
      volatility: 'stable',
      impl: (oid: number) => oid,
    },
    {
      kind: 'scalar',
      name: 'pg_collation_for',
      args: ['any'],
      returns: 'text',
      doc: 'Collation of a text.',
      volatility: 'stable',
      strict: false,
      needsCall: true,
      impl: (call: Call) => {
        const [type] = call.argTypes;
        if (type.name === 'unknown') return null;
        if (type.category === 'S') return '"default"';
        throw new SvcError('42804', `collations are not supported by type ${type.title}`);
      },
    },
    finder('to_regclass', 'regclass', 'relation', (system, text) => system.relationOid(text)),
    finder('to_regtype', 'regtype', 'type', (system, text) => system.typeOid(text)),
    finder('to_regproc', 'regproc', 'function', (system, text) => system.functionOid(text)),
    finder('to_regprocedure', 'regprocedure', 'function with types of arguments', (system, text) => system.definitions.procedureOid(text)),
    finder('to_regoper', 'regoper', 'operator', (system, text) => system.operatorOid(text)),
    finder('to_regoperator', 'regoperator', 'operator with types of operands', (system, text) => system.definitions.operatorSignatureOid(text)),
    finder('to_regnamespace', 'regnamespace', 'schema', (system, text) => system.schemaOid(text)),
    finder('to_regrole', 'regrole', 'role', (system, text) => system.roleOid(text)),
    finder('to_regcollation', 'regcollation', 'collation', (system, text) => system.definitions.collationOid(text)),
    {
      kind: 'scalar',
      name: 'pg_input_is_valid',
      args: ['text', 'text'],
      returns: 'bool',
      doc: 'Whether a text can be read as a value of the type.',
      volatility: 'stable',
      needsCall: true,
      impl: (call: Call, text: string, type: string) => inputError(call, text, type) === null,
    },
    {
      kind: 'set',
      name: 'pg_input_error_info',
      args: ['text', 'text'],
      returns: 'record',
      doc: 'Why a text cannot be read as a value of the type; nulls where it can.',
      volatility: 'stable',
      needsCall: true,
      columns: ['message', 'detail', 'hint', 'sql_error_code'].map((name) => ({ name, type: 'text' })),
      impl: (call: Call, text: string, type: string): Value[][] => {
        const error = inputError(call, text, type);
        return [error === null ? [null, null, null, null] : [error.message, error.detail ?? null, error.hint ?? null, error.code]];
      },
    },
  ],
};

function inputError(call: Call, text: string, name: string): SvcError | null {
  const system = systemOf(call);
  const oid = system.typeOid(name);
  const type = oid === null ? null : system.definitions.type(oid);
  if (type === null) throw new SvcError('42704', `type "${name}" does not exist`);
  const typmod = modifierOf(name, type.name);
  try {
    const value = type.parse(text, -1, call.env);
    if (value !== null && typmod >= 0) type.coerce(value, typmod, false);
    return null;
  } catch (error) {
    if (error instanceof SvcError) return error;
    throw error;
  }
}

/** For the types whose length or precision is often given this way. */
function modifierOf(name: string, type: string): number {
  const found = /\(\s*(\d+)\s*(?:,\s*(-?\d+)\s*)?\)/.exec(name);
  if (found === null) return -1;
  const first = Number(found[1]);
  switch (type) {
    case 'varchar':
    case 'bpchar':
      return first + 4;
    case 'numeric':
      return ((first << 16) | (Number(found[2] ?? 0) & 0x7ff)) + 4;
    case 'time':
    case 'timetz':
    case 'timestamp':
    case 'timestamptz':
      return first;
    default:
      return -1;
  }
}
