/** The operator || over texts and bytea, and ^@. */
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import type { Call, FunctionModule } from '../define.ts';
import { textOf } from './text-of.ts';

const append = (a: string, b: string): string => a + b;

export const concatenation: FunctionModule = {
  operators: [
    { name: '||', left: 'text', right: 'text', returns: 'text', proc: 'textcat', impl: append },
    { name: '||', left: 'bytea', right: 'bytea', returns: 'bytea', proc: 'byteacat', impl: (a: string, b: string) => a + b },
    {
      name: '||',
      left: 'anynonarray',
      right: 'text',
      returns: 'text',
      proc: 'anytextcat',
      volatility: 'stable',
      needsCall: true,
      impl: (call: Call, a: Value, b: string) => textOf(call.argTypes[0] as SqlType, a, call.env) + b,
    },
    {
      name: '||',
      left: 'text',
      right: 'anynonarray',
      returns: 'text',
      proc: 'textanycat',
      volatility: 'stable',
      needsCall: true,
      impl: (call: Call, a: string, b: Value) => a + textOf(call.argTypes[1] as SqlType, b, call.env),
    },
    { name: '^@', left: 'text', right: 'text', returns: 'bool', proc: 'starts_with', impl: (a: string, b: string) => a.startsWith(b) },
  ],
};
