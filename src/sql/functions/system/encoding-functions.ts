/** Encodings by number and name: storage is UTF8. */
import { ENCODING_LENGTHS, encodingNumber, ENCODINGS } from '../../types/encodings.ts';
import type { Call, FunctionModule } from '../define.ts';

export const encodingFunctions: FunctionModule = {
  functions: [
    {
      kind: 'scalar',
      name: 'pg_encoding_to_char',
      args: ['int4'],
      returns: 'name',
      doc: 'Name of an encoding.',
      volatility: 'stable',
      impl: (number: number) => ENCODINGS[number] ?? '',
    },
    {
      kind: 'scalar',
      name: 'pg_char_to_encoding',
      args: ['name'],
      returns: 'int4',
      doc: 'Number of an encoding, -1 where there is none.',
      volatility: 'stable',
      impl: (name: string) => encodingNumber(name),
    },
    {
      kind: 'scalar',
      name: 'pg_encoding_max_length',
      args: ['int4'],
      returns: 'int4',
      doc: 'Bytes that a character can take.',
      impl: (number: number) => (ENCODINGS[number] === undefined ? null : (ENCODING_LENGTHS[number] ?? 1)),
    },
    { kind: 'scalar', name: 'getdatabaseencoding', args: [], returns: 'name', doc: 'UTF8.', volatility: 'stable', impl: () => 'UTF8' },
    {
      kind: 'scalar',
      name: 'pg_client_encoding',
      args: [],
      returns: 'name',
      doc: 'Encoding of texts to and from the client.',
      volatility: 'stable',
      needsCall: true,
      impl: ({ env }: Call) => env.setting('client_encoding') ?? 'UTF8',
    },
  ],
};
