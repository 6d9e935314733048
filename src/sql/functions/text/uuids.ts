/** Creating uuids and extracting their fields. */
import { hyphenate } from '../../types/uuid.ts';
import { whole, type Whole } from '../../types/value.ts';
import type { Call, FunctionModule, ScalarFunction } from '../define.ts';
import { scalar } from './declare.ts';

/** Microseconds from 1970 to 2000, and from the start of the Gregorian calendar to 2000. */
const UNIX_EPOCH = 946684800000000n;
const GREGORIAN_EPOCH = 13165977600000000n;

function withVersion(bytes: Uint8Array, version: number): string {
  bytes[6] = ((bytes[6] as number) & 0x0f) | (version << 4);
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return hyphenate(Buffer.from(bytes).toString('hex'));
}

function version4(call: Call): string {
  return withVersion(call.env.randomBytes(16), 4);
}

/** Milliseconds since 1970, then the microseconds in 12 bits, then random ones. */
function version7(call: Call): string {
  const bytes = call.env.randomBytes(16);
  const micros = BigInt(call.env.clock()) + UNIX_EPOCH;
  let rest = micros / 1000n;
  for (let i = 5; i >= 0; i--) {
    bytes[i] = Number(rest & 255n);
    rest >>= 8n;
  }
  const fraction = Number(((micros % 1000n) << 12n) / 1000n);
  bytes[6] = fraction >> 8;
  bytes[7] = fraction & 255;
  return withVersion(bytes, 7);
}

/** Null if the variant is not that of RFC 9562. */
function versionOf(uuid: string): number | null {
  return /^[89ab]/.test(uuid.slice(19)) ? Number.parseInt(uuid[14] as string, 16) : null;
}

function timestampOf(uuid: string): Whole | null {
  const version = versionOf(uuid);
  if (version === 7) return whole(BigInt(`0x${uuid.slice(0, 8)}${uuid.slice(9, 13)}`) * 1000n - UNIX_EPOCH);
  if (version !== 1) return null;
  const ticks = BigInt(`0x${uuid.slice(15, 18)}${uuid.slice(9, 13)}${uuid.slice(0, 8)}`);
  return whole(ticks / 10n - GREGORIAN_EPOCH);
}

function generator(name: string, doc: string, impl: ScalarFunction['impl']): ScalarFunction {
  return { ...scalar(name, [], 'uuid', doc, impl), volatility: 'volatile', needsCall: true };
}

export const uuidFunctions: FunctionModule = {
  functions: [
    generator('gen_random_uuid', 'A random uuid (version 4).', version4),
    generator('uuidv4', 'A random uuid (version 4).', version4),
    generator('uuidv7', 'A uuid that begins with the time (version 7).', version7),
    scalar('uuid_extract_version', ['uuid'], 'int2', 'The version of the uuid.', versionOf),
    scalar('uuid_extract_timestamp', ['uuid'], 'timestamptz', 'The time in a uuid of version 1 or 7.', timestampOf),
  ],
};
