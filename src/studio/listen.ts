/** Where the console listens, and under which address browsers reach it: checked before anything is opened. */
import { SvcError } from '../base/errors/svc-error.ts';
import { isLoopback, parseListenAddress } from '../http/listen-address.ts';

export const STUDIO_ADDRESS = '127.0.0.1:7071';

export interface StudioPlaceOptions {
  readonly listen: string;
  readonly login?: boolean;
  /** Address under which browsers reach it. */
  readonly url?: string;
  readonly insecureNoTls?: boolean;
}

export interface StudioPlace {
  readonly host: string;
  readonly port: number;
  readonly origin?: string;
}

/** 22023 for an address that cannot be used, 28000 off loopback without TLS. */
export async function placeOfStudio({ listen, url, insecureNoTls }: StudioPlaceOptions, isTls: boolean): Promise<StudioPlace> {
  const { host, port } = parseListenAddress(listen);
  if (!(await isLoopback(host)) && !isTls && insecureNoTls !== true) {
    throw new SvcError('28000', `${host} is not a loopback address: a console that others reach needs TLS`, {
      hint: 'Give --tls-cert and --tls-key; or --insecure-no-tls where something else encrypts.',
    });
  }
  if (url !== undefined) return { host, port, origin: originOf(url) };
  if (host === '0.0.0.0' || host === '::') {
    throw new SvcError('22023', `${host} is every address of this machine, and browsers reach it by one`, {
      hint: 'Say by which: with --url (svc studio) or --studio-url (svc serve), for example https://studio.example.org:7071.',
    });
  }
  return { host, port };
}

function originOf(url: string): string {
  let parsed: URL | null = null;
  try {
    parsed = new URL(url);
  } catch {
    // Refused below.
  }
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol) || parsed.href !== `${parsed.origin}/` || parsed.username !== '')
    throw new SvcError('22023', `"${url.slice(0, 200)}" is not the address of a console`, {
      hint: 'Write it as https://studio.example.org:7071, without a path.',
    });
  return parsed.origin;
}
