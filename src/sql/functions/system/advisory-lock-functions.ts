/**
 * Advisory locks (manual, section 9.27.10): numbers that sessions agree upon. Keys of one int8 and of two int4 are separate
 * namespaces; both are written as pg_locks shows them, `classid,objid,objsubid`.
 */
import type { Value, Whole } from '../../types/value.ts';
import type { Call, FunctionModule, ScalarFunction } from '../define.ts';
import { systemOf } from './session-of.ts';

function keyOf(key: readonly Whole[]): string {
  if (key.length === 2) return `${Number(key[0]) >>> 0},${Number(key[1]) >>> 0},2`;
  const bits = BigInt.asUintN(64, BigInt(key[0]));
  return `${bits >> 32n},${bits & 0xffffffffn},1`;
}

function lockFunctions(name: string, returns: string, doc: string, impl: (call: Call, key: string) => Value): ScalarFunction[] {
  return [['int8'], ['int4', 'int4']].map((args) => ({
    kind: 'scalar',
    name,
    args,
    returns,
    doc,
    volatility: 'volatile',
    needsCall: true,
    mayWait: true,
    impl: (call: Call, ...key: Whole[]) => impl(call, keyOf(key)),
  }));
}

function family(suffix: '' | '_shared'): ScalarFunction[] {
  const shared = suffix !== '';
  const take =
    (forTransaction: boolean, wait: boolean) =>
    (call: Call, key: string): Value => {
      const taken = systemOf(call).takeAdvisory(key, shared, forTransaction, wait);
      return wait ? '' : taken;
    };
  return [
    ...lockFunctions(`pg_advisory_lock${suffix}`, 'void', "Takes a lock of the session's own, waiting for it.", take(false, true)),
    ...lockFunctions(`pg_try_advisory_lock${suffix}`, 'bool', "Takes a lock of the session's own; false where another has it.", take(false, false)),
    ...lockFunctions(`pg_advisory_unlock${suffix}`, 'bool', 'Gives a lock back; false where it was not held.', (call, key) =>
      systemOf(call).giveAdvisory(key, shared),
    ),
    ...lockFunctions(`pg_advisory_xact_lock${suffix}`, 'void', 'Takes a lock until the transaction ends, waiting for it.', take(true, true)),
    ...lockFunctions(`pg_try_advisory_xact_lock${suffix}`, 'bool', 'Takes a lock until the transaction ends; false where another has it.', take(true, false)),
  ];
}

export const advisoryLockFunctions: FunctionModule = {
  functions: [
    ...family(''),
    ...family('_shared'),
    {
      kind: 'scalar',
      name: 'pg_advisory_unlock_all',
      args: [],
      returns: 'void',
      doc: 'Gives back all locks of the session.',
      volatility: 'volatile',
      needsCall: true,
      impl: (call: Call) => {
        systemOf(call).giveAllAdvisory();
        return '';
      },
    },
  ],
};
