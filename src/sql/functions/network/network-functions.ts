/** Operators, functions and casts of addresses. Manual, section 9.12. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import {
  addressOf,
  bytesOf,
  compareAddresses,
  familyOf,
  hostText,
  maskOf,
  networkMask,
  networkOf,
  numberOf,
  sharedBits,
  sizeOf,
  withNumber,
} from '../../types/ip-address.ts';
import { cidrText, inetText, widened } from '../../types/network-types.ts';
import { type Whole, whole } from '../../types/value.ts';
import { sixOperators, type Tests } from '../comparison/six-operators.ts';
import { UNITS } from '../comparison/text-comparison.ts';
import { type AggregateFunction, defineAggregate, type FunctionModule, type SqlOperator } from '../define.ts';
import { scalar } from '../text/declare.ts';

const ADDRESSES: Tests = {
  eq: (a: string, b: string) => a === b,
  ne: (a: string, b: string) => a !== b,
  lt: (a: string, b: string) => compareAddresses(a, b) < 0,
  le: (a: string, b: string) => compareAddresses(a, b) <= 0,
  gt: (a: string, b: string) => compareAddresses(a, b) > 0,
  ge: (a: string, b: string) => compareAddresses(a, b) >= 0,
};

/** Whether the network of `a` is in that of `b`; `strict`: and differs. */
function within(a: string, b: string, strict: boolean): boolean {
  if (familyOf(a) !== familyOf(b)) return false;
  const [inner, outer] = [maskOf(a), maskOf(b)];
  return (strict ? inner > outer : inner >= outer) && sharedBits(a, b, outer) >= outer;
}

function overlaps(a: string, b: string): boolean {
  if (familyOf(a) !== familyOf(b)) return false;
  const shorter = Math.min(maskOf(a), maskOf(b));
  return sharedBits(a, b, shorter) >= shorter;
}

function both(word: string, a: string, b: string, one: (x: bigint, y: bigint) => bigint): string {
  if (familyOf(a) !== familyOf(b)) throw new SvcError('22023', `cannot ${word} inet values of different sizes`);
  return withNumber(a, one(numberOf(a), numberOf(b)), Math.max(maskOf(a), maskOf(b)));
}

function plus(a: string, by: Whole): string {
  const sum = numberOf(a) + BigInt(by);
  if (sum < 0n || sum >= 1n << BigInt(sizeOf(a))) throw new SvcError('22003', 'result is out of range');
  return withNumber(a, sum);
}

function minus(a: string, b: string): Whole {
  if (familyOf(a) !== familyOf(b)) throw new SvcError('22023', 'cannot subtract inet values of different sizes');
  const difference = numberOf(a) - numberOf(b);
  if (difference !== BigInt.asIntN(64, difference)) throw new SvcError('22003', 'result is out of range');
  return whole(difference);
}

function setMask(value: string, given: number, cidr: boolean): string {
  const mask = given === -1 ? sizeOf(value) : given;
  if (mask < 0 || mask > sizeOf(value)) throw new SvcError('22023', `invalid mask length: ${given}`);
  const out = addressOf(familyOf(value), mask, bytesOf(value));
  return cidr ? networkOf(out) : out;
}

function hostMask(value: string): string {
  return withNumber(value, ~networkMask(value) & ((1n << BigInt(sizeOf(value))) - 1n), sizeOf(value));
}

function broadcast(value: string): string {
  return withNumber(value, numberOf(value) | (~networkMask(value) & ((1n << BigInt(sizeOf(value))) - 1n)));
}

function merge(a: string, b: string): string {
  if (familyOf(a) !== familyOf(b)) throw new SvcError('22023', 'cannot merge addresses from different families');
  const shared = sharedBits(a, b, Math.min(maskOf(a), maskOf(b)));
  return networkOf(addressOf(familyOf(a), shared, bytesOf(a)));
}

/** A network without the bytes beyond its mask. */
function abbreviated(value: string): string {
  const mask = maskOf(value);
  if (familyOf(value) === 6) return cidrText(value);
  const bytes = bytesOf(value).slice(0, Math.max(1, Math.ceil(mask / 8)));
  return `${mask === 0 ? '0' : bytes.join('.')}/${mask}`;
}

function comparing(left: string, name: string, proc: string, impl: (a: string, b: string) => boolean, commutator?: string): SqlOperator {
  return { name, left, right: left, returns: 'bool', proc, ...(commutator === undefined ? {} : { commutator }), impl };
}

const toCidr = (value: string): string => networkOf(value);

function macBytes(value: string): number[] {
  return value.split(':').map((byte) => Number.parseInt(byte, 16));
}

function macText(bytes: readonly number[]): string {
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(':');
}

function macOperators(type: string): SqlOperator[] {
  const each = (name: string, proc: string, one: (x: number, y: number) => number): SqlOperator => ({
    name,
    left: type,
    right: type,
    returns: type,
    proc: `${type}_${proc}`,
    impl: (a: string, b: string) => {
      const other = macBytes(b);
      return macText(macBytes(a).map((byte, i) => one(byte, other[i])));
    },
  });
  return [
    ...sixOperators(type, type, (test) => `${type}_${test}`, UNITS),
    each('&', 'and', (x, y) => x & y),
    each('|', 'or', (x, y) => x | y),
    { name: '~', left: null, right: type, returns: type, proc: `${type}_not`, impl: (a: string) => macText(macBytes(a).map((byte) => 255 - byte)) },
  ];
}

function narrowed(value: string): string {
  const bytes = macBytes(value);
  if (bytes[3] !== 255 || bytes[4] !== 254) {
    throw new SvcError('22003', 'macaddr8 data out of range to convert to macaddr', {
      hint: 'Only addresses that have FF and FE as values in the 4th and 5th bytes from the left, for example xx:xx:xx:ff:fe:xx:xx:xx, are eligible to be converted from macaddr8 to macaddr.',
    });
  }
  return macText([...bytes.slice(0, 3), ...bytes.slice(5)]);
}

function extreme(name: 'min' | 'max', doc: string): AggregateFunction<{ value: string | null }> {
  const sign = name === 'min' ? -1 : 1;
  return defineAggregate<{ value: string | null }>({
    name,
    args: ['inet'],
    returns: 'inet',
    strict: true,
    doc,
    init: () => ({ value: null }),
    step: (state, value: string) => {
      if (state.value === null || compareAddresses(value, state.value) * sign > 0) state.value = value;
      return state;
    },
    finish: ({ value }) => value,
  });
}

export const NETWORK_FUNCTIONS: FunctionModule = {
  functions: [
    scalar('abbrev', ['inet'], 'text', 'The address as short text.', inetText),
    scalar('abbrev', ['cidr'], 'text', 'The network as short text.', abbreviated),
    scalar('broadcast', ['inet'], 'inet', "The network's broadcast address.", broadcast),
    scalar('family', ['inet'], 'int4', '4 or 6.', familyOf),
    scalar('host', ['inet'], 'text', 'The address without its mask.', hostText),
    scalar('hostmask', ['inet'], 'inet', 'The bits that the mask leaves out.', hostMask),
    scalar('inet_merge', ['inet', 'inet'], 'cidr', 'The smallest network that holds both.', merge),
    scalar('inet_same_family', ['inet', 'inet'], 'bool', 'Whether both are of one family.', (a: string, b: string) => familyOf(a) === familyOf(b)),
    scalar('masklen', ['inet'], 'int4', 'How long the mask is.', maskOf),
    scalar('netmask', ['inet'], 'inet', 'The mask as an address.', (a: string) => withNumber(a, networkMask(a), sizeOf(a))),
    scalar('network', ['inet'], 'cidr', 'The network that the address is in.', networkOf),
    scalar('set_masklen', ['inet', 'int4'], 'inet', 'The address with another mask.', (a: string, mask: number) => setMask(a, mask, false)),
    scalar('set_masklen', ['cidr', 'int4'], 'cidr', 'The network with another mask.', (a: string, mask: number) => setMask(a, mask, true)),
    scalar('trunc', ['macaddr'], 'macaddr', 'The address with its last three bytes 0.', (a: string) => `${a.slice(0, 8)}:00:00:00`),
    scalar('trunc', ['macaddr8'], 'macaddr8', 'The address with its last five bytes 0.', (a: string) => `${a.slice(0, 8)}:00:00:00:00:00`),
    scalar('macaddr8_set7bit', ['macaddr8'], 'macaddr8', 'The address with its seventh bit set.', (a: string) => {
      const bytes = macBytes(a);
      bytes[0] |= 2;
      return macText(bytes);
    }),
    extreme('min', 'The least value.'),
    extreme('max', 'The greatest value.'),
  ],
  operators: [
    ...sixOperators('inet', 'inet', (test) => `network_${test}`, ADDRESSES),
    comparing('inet', '<<', 'network_sub', (a, b) => within(a, b, true), '>>'),
    comparing('inet', '<<=', 'network_subeq', (a, b) => within(a, b, false), '>>='),
    comparing('inet', '>>', 'network_sup', (a, b) => within(b, a, true), '<<'),
    comparing('inet', '>>=', 'network_supeq', (a, b) => within(b, a, false), '<<='),
    comparing('inet', '&&', 'network_overlap', overlaps, '&&'),
    {
      name: '~',
      left: null,
      right: 'inet',
      returns: 'inet',
      proc: 'inetnot',
      impl: (a: string) => withNumber(a, ~numberOf(a) & ((1n << BigInt(sizeOf(a))) - 1n)),
    },
    { name: '&', left: 'inet', right: 'inet', returns: 'inet', proc: 'inetand', impl: (a: string, b: string) => both('AND', a, b, (x, y) => x & y) },
    { name: '|', left: 'inet', right: 'inet', returns: 'inet', proc: 'inetor', impl: (a: string, b: string) => both('OR', a, b, (x, y) => x | y) },
    { name: '+', left: 'inet', right: 'int8', returns: 'inet', proc: 'inetpl', commutator: '+', impl: plus },
    { name: '+', left: 'int8', right: 'inet', returns: 'inet', proc: 'int8pl_inet', commutator: '+', impl: (by: Whole, a: string) => plus(a, by) },
    { name: '-', left: 'inet', right: 'int8', returns: 'inet', proc: 'inetmi_int8', impl: (a: string, by: Whole) => plus(a, whole(-BigInt(by))) },
    { name: '-', left: 'inet', right: 'inet', returns: 'int8', proc: 'inetmi', impl: minus },
    ...macOperators('macaddr'),
    ...macOperators('macaddr8'),
  ],
  casts: [
    { from: 'cidr', to: 'inet', context: 'implicit', method: 'binary' },
    { from: 'inet', to: 'cidr', context: 'assignment', method: 'function', impl: toCidr },
    { from: 'inet', to: 'text', context: 'assignment', method: 'function', impl: cidrText },
    { from: 'cidr', to: 'text', context: 'assignment', method: 'function', impl: cidrText },
    { from: 'inet', to: 'varchar', context: 'assignment', method: 'function', impl: cidrText },
    { from: 'inet', to: 'bpchar', context: 'assignment', method: 'function', impl: cidrText },
    { from: 'cidr', to: 'varchar', context: 'assignment', method: 'function', impl: cidrText },
    { from: 'cidr', to: 'bpchar', context: 'assignment', method: 'function', impl: cidrText },
    { from: 'macaddr', to: 'macaddr8', context: 'implicit', method: 'function', impl: (a: string) => widened(a.split(':')).join(':') },
    { from: 'macaddr8', to: 'macaddr', context: 'implicit', method: 'function', impl: narrowed },
  ],
};
