/** Functions of the extension uuid-ossp. */
import { createHash } from 'node:crypto';
import { utf8Bytes } from '../../types/bytes-text.ts';
import { hyphenate } from '../../types/uuid.ts';
import type { Call, FunctionModule, ScalarFunction } from '../define.ts';

/** Steps of 100 ns from the start of the Gregorian calendar to 2000. */
const GREGORIAN_EPOCH = 131659776000000000n;

const NAMED = { dns: 0, url: 1, oid: 2, x500: 4 } as const;

function stamped(bytes: Uint8Array, version: number): string {
  bytes[6] = (bytes[6] & 0x0f) | (version << 4);
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return hyphenate(Buffer.from(bytes.subarray(0, 16)).toString('hex'));
}

/** From the time, and random bytes in place of a network address, marked as such. */
function ofTime({ env }: Call): string {
  const bytes = env.randomBytes(16);
  const steps = BigInt(env.clock()) * 10n + GREGORIAN_EPOCH;
  const hex = steps.toString(16).padStart(15, '0');
  Buffer.from(`${hex.slice(7)}${hex.slice(3, 7)}0${hex.slice(0, 3)}`, 'hex').copy(bytes);
  bytes[10] |= 1;
  return stamped(bytes, 1);
}

const ofName =
  (algorithm: 'md5' | 'sha1', version: number) =>
  (space: string, name: string): string => {
    const digest = createHash(algorithm)
      .update(Buffer.from(space.replaceAll('-', ''), 'hex'))
      .update(Buffer.from(utf8Bytes(name), 'latin1'))
      .digest();
    return stamped(digest, version);
  };

const constant = (name: string, value: string, doc: string): ScalarFunction => ({ kind: 'scalar', name, args: [], returns: 'uuid', doc, impl: () => value });
const made = (name: string, doc: string, impl: (call: Call) => string): ScalarFunction => ({
  kind: 'scalar',
  name,
  args: [],
  returns: 'uuid',
  volatility: 'volatile',
  needsCall: true,
  doc,
  impl,
});

export const UUID_OSSP: FunctionModule = {
  functions: [
    made('uuid_generate_v1', 'A uuid of the time and of random bytes in the place of a network card (uuid-ossp).', ofTime),
    made('uuid_generate_v1mc', 'A uuid of the time and of random bytes in the place of a network card (uuid-ossp).', ofTime),
    made('uuid_generate_v4', 'A random uuid (uuid-ossp).', ({ env }) => stamped(env.randomBytes(16), 4)),
    {
      kind: 'scalar',
      name: 'uuid_generate_v3',
      args: ['uuid', 'text'],
      returns: 'uuid',
      doc: 'The uuid of a name in a namespace, by MD5 (uuid-ossp).',
      impl: ofName('md5', 3),
    },
    {
      kind: 'scalar',
      name: 'uuid_generate_v5',
      args: ['uuid', 'text'],
      returns: 'uuid',
      doc: 'The uuid of a name in a namespace, by SHA-1 (uuid-ossp).',
      impl: ofName('sha1', 5),
    },
    constant('uuid_nil', '00000000-0000-0000-0000-000000000000', 'The uuid of zeros (uuid-ossp).'),
    ...Object.entries(NAMED).map(([name, digit]) =>
      constant(`uuid_ns_${name}`, `6ba7b81${digit}-9dad-11d1-80b4-00c04fd430c8`, `The namespace of names of ${name.toUpperCase()} (uuid-ossp).`),
    ),
  ],
};
