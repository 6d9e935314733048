/** Sizes (manual, section 9.27.7). For relations they are estimates: leaves are shared between worlds. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { Numeric } from '../../types/numeric.ts';
import { formatNumeric } from '../../types/numeric-text.ts';
import type { System } from '../../types/environment.ts';
import type { Value, Whole } from '../../types/value.ts';
import { whole } from '../../types/value.ts';
import type { Call, FunctionModule, ScalarFunction } from '../define.ts';
import { systemOf } from './session-of.ts';

function sum(parts: readonly Whole[]): Whole {
  return whole(parts.reduce<bigint>((total, part) => total + BigInt(part), 0n));
}

function size(name: string, args: readonly string[], doc: string, impl: (system: System, oid: number) => Whole | null): ScalarFunction {
  return {
    kind: 'scalar',
    name,
    args,
    returns: 'int8',
    doc,
    volatility: 'volatile',
    needsCall: true,
    impl: (call: Call, oid: number) => impl(systemOf(call), oid),
  };
}

function own(system: System, oid: number): Whole | null {
  return system.definitions.relationKind(oid) === null ? null : system.relationSize(oid);
}

function indexes(system: System, oid: number): Whole {
  return sum(system.definitions.indexesOf(oid).map((index) => system.relationSize(index)));
}

function total(system: System, oid: number): Whole | null {
  const table = own(system, oid);
  return table === null ? null : sum([table, indexes(system, oid)]);
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** From 10 kB on in the next unit, from 20 MB on (of each) in the one after; halves are rounded away from zero. */
export function prettySize(bytes: bigint): string {
  const absolute = bytes < 0n ? -bytes : bytes;
  if (absolute < 10240n) return `${bytes} bytes`;
  let unit = 1;
  // Twice the size in the unit, so that the last bit is the half.
  let doubled = bytes / 512n;
  while (unit < UNITS.length - 1 && (doubled < 0n ? -doubled : doubled) >= 20479n) {
    doubled /= 1024n;
    unit++;
  }
  return `${(doubled + (doubled < 0n ? -1n : 1n)) / 2n} ${UNITS[unit]}`;
}

const POWERS: Readonly<Record<string, number>> = { b: 0, byte: 0, bytes: 0, '': 0, kb: 1, mb: 2, gb: 3, tb: 4, pb: 5 };

function sizeBytes(text: string): Whole {
  const found = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*([A-Za-z]*)\s*$/.exec(text);
  if (found === null) throw new SvcError('22023', `invalid size: "${text}"`);
  const power = POWERS[found[2].toLowerCase()];
  if (power === undefined || found[2].toLowerCase() === 'byte') {
    throw new SvcError('22023', `invalid size: "${text}"`, {
      detail: `Invalid size unit: "${found[2]}".`,
      hint: 'Valid units are "bytes", "kB", "MB", "GB", "TB", and "PB".',
    });
  }
  const value = Number(found[1]) * 1024 ** power;
  return Number.isSafeInteger(Math.round(value)) ? Math.round(value) : whole(BigInt(Math.round(value)));
}

/** A world without rows still has definitions, which take a page at least. */
function ofWorld(system: System): Whole {
  const bytes = system.relationSize(0) ?? 0;
  return bytes < 8192 ? 8192 : bytes;
}

export const sizeFunctions: FunctionModule = {
  functions: [
    size('pg_relation_size', ['regclass'], 'Bytes of a relation.', own),
    {
      kind: 'scalar',
      name: 'pg_relation_size',
      args: ['regclass', 'text'],
      returns: 'int8',
      doc: 'Bytes of a part of a relation: all are in main.',
      volatility: 'volatile',
      needsCall: true,
      impl: (call: Call, oid: number, fork: string) => {
        if (!['main', 'fsm', 'vm', 'init'].includes(fork)) {
          throw new SvcError('22023', 'invalid fork name', { hint: 'Valid fork names are "main", "fsm", "vm", and "init".' });
        }
        return fork === 'main' ? own(systemOf(call), oid) : 0;
      },
    },
    size('pg_table_size', ['regclass'], 'Bytes of a table without its indexes.', own),
    size('pg_indexes_size', ['regclass'], "Bytes of a table's indexes.", (system, oid) => (own(system, oid) === null ? null : indexes(system, oid))),
    size('pg_total_relation_size', ['regclass'], 'Bytes of a table with its indexes.', total),
    size('pg_database_size', ['oid'], 'Bytes of a world.', ofWorld),
    size('pg_database_size', ['name'], 'Bytes of a world.', ofWorld),
    size('pg_tablespace_size', ['oid'], 'Bytes of all worlds.', (system) => system.relationSize(0)),
    size('pg_tablespace_size', ['name'], 'Bytes of all worlds.', (system) => system.relationSize(0)),
    {
      kind: 'scalar',
      name: 'pg_size_pretty',
      args: ['int8'],
      returns: 'text',
      doc: 'A number of bytes in a unit that reads well.',
      impl: (bytes: Whole) => prettySize(BigInt(bytes)),
    },
    {
      kind: 'scalar',
      name: 'pg_size_pretty',
      args: ['numeric'],
      returns: 'text',
      doc: 'A number of bytes in a unit that reads well.',
      impl: (bytes: Numeric) => {
        const text = formatNumeric(bytes);
        if (!/^-?\d/.test(text)) return `${text} bytes`;
        const truncated = BigInt(text.replace(/\..*$/, ''));
        return (truncated < 0n ? -truncated : truncated) < 10240n ? `${text} bytes` : prettySize(truncated);
      },
    },
    { kind: 'scalar', name: 'pg_size_bytes', args: ['text'], returns: 'int8', doc: 'A size with a unit as a number of bytes.', impl: sizeBytes },
    {
      kind: 'scalar',
      name: 'pg_column_size',
      args: ['any'],
      returns: 'int4',
      doc: 'Bytes of a value as Postgres would hold it, estimated where its length varies.',
      volatility: 'stable',
      needsCall: true,
      impl: (call: Call, value: Value) => {
        const [type] = call.argTypes;
        if (type.length > 0) return type.length;
        const text = type.format(value, call.env);
        return Buffer.byteLength(text) + (type.length === -2 ? 1 : 4);
      },
    },
  ],
};
