/** The first packet of a connection: a request for encryption, a cancel request, or the start of a session with parameters. */
import { SvcError } from '../base/errors/svc-error.ts';
import { BrokenFraming, type MessageReader } from './message-reader.ts';
import { CANCEL_REQUEST, GSSENC_REQUEST, SSL_REQUEST, VERSION_3_2 } from './protocol.ts';

export type StartupPacket =
  | { readonly kind: 'ssl' | 'gssenc' }
  | { readonly kind: 'cancel'; readonly pid: number; readonly key: Buffer }
  | { readonly kind: 'start'; readonly startup: Startup };

export interface Startup {
  /** The requested version; the session uses the lower of it and 3.2. */
  readonly version: number;
  readonly user: string;
  /** null: not given. */
  readonly database: string | null;
  /** Settings, those of `options` first. */
  readonly settings: readonly (readonly [name: string, value: string])[];
  /** Unknown protocol options: reported in the negotiation. */
  readonly unknownOptions: readonly string[];
}

/** Reads a packet body of `length` bytes. */
export function readStartupPacket(reader: MessageReader, length: number): StartupPacket {
  const version = reader.int32();
  switch (version) {
    case SSL_REQUEST:
      return { kind: 'ssl' };
    case GSSENC_REQUEST:
      return { kind: 'gssenc' };
    case CANCEL_REQUEST: {
      if (length < 12 || length > 8 + 256) throw new BrokenFraming('08P01', 'invalid length of cancel request packet');
      const pid = reader.int32();
      return { kind: 'cancel', pid, key: Buffer.from(reader.bytesOf(reader.left)) };
    }
    default:
  }
  const major = version >>> 16;
  if (major !== 3) {
    throw new SvcError('0A000', `unsupported frontend protocol ${major}.${version & 0xffff}: server supports 3.0 to 3.${VERSION_3_2 & 0xffff}`);
  }
  return { kind: 'start', startup: readParameters(reader, version) };
}

function readParameters(reader: MessageReader, version: number): Startup {
  let user = '';
  let database: string | null = null;
  const settings: (readonly [string, string])[] = [];
  const fromOptions: (readonly [string, string])[] = [];
  const unknownOptions: string[] = [];
  for (;;) {
    if (reader.left === 0) throw new BrokenFraming('08P01', 'invalid startup packet layout: expected terminator as last byte');
    const name = reader.text();
    if (name === '') break;
    const value = reader.text();
    if (name === 'user') user = value;
    else if (name === 'database') database = value === '' ? null : value;
    else if (name === 'options') fromOptions.push(...commandLineSettings(value));
    else if (name === 'replication') {
      if (!/^(false|off|no|0)$/i.test(value)) throw new SvcError('0A000', 'replication connections are not supported');
    } else if (name.startsWith('_pq_.')) unknownOptions.push(name);
    else settings.push([name, value]);
  }
  if (reader.left > 0) throw new BrokenFraming('08P01', 'invalid startup packet layout: expected terminator as last byte');
  if (user === '') throw new SvcError('28000', 'no PostgreSQL user name specified in startup packet');
  return { version, user, database, settings: [...fromOptions, ...settings], unknownOptions };
}

/** `-c name=value`, `-cname=value`, `--name=value`; blanks inside are written `\ `. */
function commandLineSettings(text: string): (readonly [string, string])[] {
  const words = [...text.matchAll(/(?:\\.|[^\s\\])+/g)].map(([word]) => word.replace(/\\(.)/g, '$1'));
  const out: (readonly [string, string])[] = [];
  for (let i = 0; i < words.length; i++) {
    let word = words[i];
    if (word === '-c') word = words[++i] ?? '';
    else if (word.startsWith('-c')) word = word.slice(2);
    else if (word.startsWith('--')) word = word.slice(2);
    else throw new SvcError('42601', `invalid command-line argument for server process: ${word}`);
    const equals = word.indexOf('=');
    if (equals < 0) throw new SvcError('42601', `-c ${word} requires a value`);
    out.push([word.slice(0, equals).replaceAll('-', '_'), word.slice(equals + 1)]);
  }
  return out;
}
