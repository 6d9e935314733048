/** The options of pgp_sym_encrypt and pgp_sym_decrypt: `cipher-algo=aes256, compress-algo=1`. Manual, F.28.3.8. */
import { pgpError } from './pgp-error.ts';
import { S2K } from './string-to-key.ts';

export interface PgpOptions {
  readonly cipher: number;
  /** That of the passphrase's key; null: the same. */
  readonly keyCipher: number | null;
  readonly digest: number;
  readonly s2kMode: number;
  /** null: a random one of the usual size. */
  readonly s2kCount: number | null;
  readonly compression: number;
  readonly level: number;
  readonly crlf: boolean;
  readonly check: boolean;
  readonly sessionKey: boolean;
  readonly unicode: boolean;
}

const CIPHERS: Readonly<Record<string, number>> = {
  '3des': 2,
  cast5: 3,
  bf: 4,
  blowfish: 4,
  aes: 7,
  aes128: 7,
  aes192: 8,
  aes256: 9,
  twofish: 10,
};
const DIGESTS: Readonly<Record<string, number>> = { md5: 1, sha1: 2, 'sha-1': 2, ripemd160: 3, sha256: 8, sha384: 9, sha512: 10 };
const COUNT_MIN = 1024;
const COUNT_MAX = 65_011_712;

const DEFAULTS: PgpOptions = {
  cipher: CIPHERS['aes128'],
  keyCipher: null,
  digest: DIGESTS['sha1'],
  s2kMode: S2K.iterated,
  s2kCount: null,
  compression: 0,
  level: 6,
  crlf: false,
  check: true,
  sessionKey: false,
  unicode: false,
};

function known(list: Readonly<Record<string, number>>, name: string, what: 'cipher' | 'digest'): number {
  if (!Object.hasOwn(list, name)) throw pgpError(what);
  return list[name];
}

/** As C's atoi. */
function integer(text: string): number {
  return Number(/^[+-]?\d+/.exec(text)?.[0] ?? 0);
}

function within(value: number, ok: boolean): number {
  if (!ok) throw pgpError('argument');
  return value;
}

/** Checks of a decryption against what it expects; they only make notices in pgcrypto. */
const EXPECTATIONS = /^expect-(?:cipher-algo|disable-mdc|sess-key|s2k-mode|s2k-count|s2k-digest-algo|s2k-cipher-algo|compress-algo|unicode-mode)$/;

export function pgpOptions(text: string): PgpOptions {
  let options = DEFAULTS;
  const item = /[ \t\r\n]*([^=,\s]*)[ \t\r\n]*=[ \t\r\n]*([^=,\s]+)[ \t\r\n]*(?:,|$)/y;
  const lower = text.toLowerCase();
  while (item.lastIndex < lower.length) {
    const found = item.exec(lower);
    if (found === null) throw pgpError('argument');
    options = { ...options, ...option(found[1], found[2], options) };
  }
  return options;
}

function option(name: string, text: string, { s2kMode }: PgpOptions): Partial<PgpOptions> {
  const number = integer(text);
  switch (name) {
    case 'cipher-algo':
      return { cipher: known(CIPHERS, text, 'cipher') };
    case 's2k-cipher-algo':
      return { keyCipher: known(CIPHERS, text, 'cipher') };
    case 's2k-digest-algo':
      return { digest: known(DIGESTS, text, 'digest') };
    case 's2k-mode':
      return { s2kMode: within(number, number === S2K.simple || number === S2K.salted || number === S2K.iterated) };
    case 's2k-count':
      return { s2kCount: within(number, s2kMode === S2K.iterated && number >= COUNT_MIN && number <= COUNT_MAX) };
    case 'compress-algo':
      return { compression: within(number, number >= 0 && number <= 3) };
    case 'compress-level':
      return { level: within(number, number >= 0 && number <= 9) };
    case 'convert-crlf':
      return { crlf: number !== 0 };
    case 'disable-mdc':
      return { check: number === 0 };
    case 'sess-key':
      return { sessionKey: number !== 0 };
    case 'unicode-mode':
      return { unicode: number !== 0 };
    default:
      if (name !== 'debug' && !EXPECTATIONS.test(name)) throw pgpError('argument');
      return {};
  }
}
