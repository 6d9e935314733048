/**
 * Advisory locks (manual, section 9.27.10). Each session has its own: taking one never waits and keeps nobody else out,
 * until sessions share a table of locks. Those of a transaction are given by name only and count as nothing.
 */
import type { System } from '../../types/environment.ts';
import type { Value, Whole } from '../../types/value.ts';
import type { Call, FunctionModule, ScalarFunction } from '../define.ts';
import { systemOf } from './session-of.ts';

/** How often the session holds a lock. */
const held = new WeakMap<System, Map<string, number>>();

function locksOf(call: Call): Map<string, number> {
  const system = systemOf(call);
  let locks = held.get(system);
  if (locks === undefined) held.set(system, (locks = new Map()));
  return locks;
}

function take(call: Call, key: string): void {
  const locks = locksOf(call);
  locks.set(key, (locks.get(key) ?? 0) + 1);
}

function release(call: Call, key: string): boolean {
  const locks = locksOf(call);
  const count = locks.get(key);
  if (count === undefined) return false;
  if (count === 1) locks.delete(key);
  else locks.set(key, count - 1);
  return true;
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
    impl: (call: Call, ...key: Whole[]) => impl(call, `${name.includes('shared') ? 's' : 'x'}${key.join(' ')}`),
  }));
}

function family(shared: '' | '_shared'): ScalarFunction[] {
  const taken = (call: Call, key: string): Value => {
    take(call, key);
    return '';
  };
  const tried = (call: Call, key: string): Value => {
    take(call, key);
    return true;
  };
  return [
    ...lockFunctions(`pg_advisory_lock${shared}`, 'void', "Takes a lock of the session's own.", taken),
    ...lockFunctions(`pg_try_advisory_lock${shared}`, 'bool', "Takes a lock of the session's own: true.", tried),
    ...lockFunctions(`pg_advisory_unlock${shared}`, 'bool', 'Gives a lock back; false where it was not held.', release),
    ...lockFunctions(`pg_advisory_xact_lock${shared}`, 'void', 'Takes a lock until the transaction ends.', () => ''),
    ...lockFunctions(`pg_try_advisory_xact_lock${shared}`, 'bool', 'Takes a lock until the transaction ends: true.', () => true),
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
        locksOf(call).clear();
        return '';
      },
    },
  ],
};
