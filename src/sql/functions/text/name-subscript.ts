/** Subscripts of `name`, a 0-based array of 64 bytes in Postgres. */
import type { FunctionModule } from '../define.ts';

const BYTES = 64;

export const NAME_SUBSCRIPT: FunctionModule = {
  functions: [
    {
      kind: 'scalar',
      name: 'name_subscript',
      args: ['name', 'int4'],
      returns: 'char',
      doc: 'Byte of a name, from 0: what name[i] calls.',
      impl: (name: string, index: number) => {
        if (index < 0 || index >= BYTES) return null;
        const byte = Buffer.from(name)[index] ?? 0;
        return byte === 0 ? '' : String.fromCharCode(byte);
      },
    },
  ],
};
