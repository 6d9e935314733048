/** `addr:port` as given to `--listen`, and whether it is this machine's own. */
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { SvcError } from '../base/errors/svc-error.ts';

export interface ListenAddress {
  host: string;
  port: number;
}

export function parseListenAddress(text: string): ListenAddress {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port > 65535)
    throw new SvcError('22023', `"${text}" is not an address to listen on`, { hint: 'Write host:port, for example 127.0.0.1:7070.' });
  return { host: match[1] ?? (match[2] === '' ? '127.0.0.1' : match[2]), port };
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Loopback means that the name resolves to loopback addresses only. */
export async function isLoopback(host: string): Promise<boolean> {
  const addresses = isIP(host) !== 0 ? [{ address: host, family: isIP(host) }] : await lookup(host, { all: true });
  return addresses.length > 0 && addresses.every(({ address, family }) => LOOPBACK.check(address, family === 6 ? 'ipv6' : 'ipv4'));
}
