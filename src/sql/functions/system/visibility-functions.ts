/** Whether the search path finds an object by its name alone (manual, section 9.26.3). */
import type { NamedKind } from '../../types/environment.ts';
import type { Call, FunctionModule, ScalarFunction } from '../define.ts';
import { systemOf } from './session-of.ts';

const KINDS: readonly (readonly [name: string, kind: NamedKind])[] = [
  ['table', 'relation'],
  ['type', 'type'],
  ['function', 'function'],
  ['operator', 'operator'],
  ['opclass', 'opclass'],
  ['opfamily', 'opfamily'],
  ['collation', 'collation'],
  ['conversion', 'other'],
  ['statistics_obj', 'other'],
  ['ts_config', 'other'],
  ['ts_dict', 'other'],
  ['ts_parser', 'other'],
  ['ts_template', 'other'],
];

export const visibilityFunctions: FunctionModule = {
  functions: KINDS.map(([name, kind]): ScalarFunction => ({
    kind: 'scalar',
    name: `pg_${name}_is_visible`,
    args: ['oid'],
    returns: 'bool',
    doc: 'Whether the search path finds the object by its name alone.',
    volatility: 'stable',
    needsCall: true,
    impl: (call: Call, oid: number) => systemOf(call).definitions.visible(kind, oid),
  })),
};
