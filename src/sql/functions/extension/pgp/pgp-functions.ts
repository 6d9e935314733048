/** The OpenPGP functions of the extension pgcrypto: encryption by a passphrase, and armor. Manual, F.28.3. */
import { SvcError } from '../../../../base/errors/svc-error.ts';
import type { ArrayValue } from '../../../types/array-value.ts';
import { utf8Bytes } from '../../../types/bytes-text.ts';
import type { Call, ScalarFunction, SetFunction } from '../../define.ts';
import { armored, armorHeaders, dearmored, headersOf } from './armor.ts';
import { decryptMessage, encryptMessage, keyIdOf } from './pgp-message.ts';
import { pgpOptions } from './pgp-options.ts';

/** Values of bytea have one character per byte. */
const bytesOf = (value: string): Buffer => Buffer.from(value, 'latin1');

function encrypt({ env }: Call, data: string, kind: 'b' | 't', passphrase: string, text: string): string {
  const options = pgpOptions(text);
  const bytes = bytesOf(kind === 'b' ? data : utf8Bytes(data));
  return encryptMessage(bytes, kind === 't' && options.unicode ? 'u' : kind, bytesOf(utf8Bytes(passphrase)), options, (count) =>
    env.randomBytes(count),
  ).toString('latin1');
}

function decrypt(data: string, passphrase: string, options: string, text: boolean): Buffer {
  return decryptMessage(bytesOf(data), bytesOf(utf8Bytes(passphrase)), text, pgpOptions(options));
}

function decryptText(data: string, passphrase: string, options = ''): string {
  const bytes = decrypt(data, passphrase, options, true);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new SvcError('22021', 'invalid byte sequence for encoding "UTF8"');
  }
}

const scalar = (name: string, args: readonly string[], returns: string, doc: string, impl: ScalarFunction['impl']): ScalarFunction => ({
  kind: 'scalar',
  name,
  args,
  returns,
  doc: `${doc} (pgcrypto).`,
  impl,
});
const volatile = (fn: ScalarFunction): ScalarFunction => ({ ...fn, volatility: 'volatile', needsCall: true });

const refused = (): never => {
  throw new SvcError('0A000', 'OpenPGP by public keys is not supported', { hint: 'pgp_sym_encrypt and pgp_sym_decrypt are.' });
};

/** By public keys: they exist, and say that they are not supported. */
const byPublicKeys: ScalarFunction[] = [
  ...['pgp_pub_encrypt', 'pgp_pub_encrypt_bytea'].flatMap((name) =>
    [[], ['text']].map((more): ScalarFunction => {
      const data = name === 'pgp_pub_encrypt' ? 'text' : 'bytea';
      return { ...scalar(name, [data, 'bytea', ...more], 'bytea', 'Not supported: 0A000', refused), volatility: 'volatile' };
    }),
  ),
  ...['pgp_pub_decrypt', 'pgp_pub_decrypt_bytea'].flatMap((name) =>
    [[], ['text'], ['text', 'text']].map((more) =>
      scalar(name, ['bytea', 'bytea', ...more], name === 'pgp_pub_decrypt' ? 'text' : 'bytea', 'Not supported: 0A000', refused),
    ),
  ),
];

const headers: SetFunction = {
  kind: 'set',
  name: 'pgp_armor_headers',
  args: ['text'],
  returns: 'record',
  columns: [
    { name: 'key', type: 'text' },
    { name: 'value', type: 'text' },
  ],
  doc: 'The headers of an armored message (pgcrypto).',
  impl: headersOf,
};

export const PGP_FUNCTIONS: readonly (ScalarFunction | SetFunction)[] = [
  ...[[], ['text']].flatMap((more) => [
    volatile(
      scalar(
        'pgp_sym_encrypt',
        ['text', 'text', ...more],
        'bytea',
        'A text as an OpenPGP message under a passphrase',
        (call: Call, data: string, key: string, options = '') => encrypt(call, data, 't', key, options),
      ),
    ),
    volatile(
      scalar(
        'pgp_sym_encrypt_bytea',
        ['bytea', 'text', ...more],
        'bytea',
        'Bytes as an OpenPGP message under a passphrase',
        (call: Call, data: string, key: string, options = '') => encrypt(call, data, 'b', key, options),
      ),
    ),
    scalar('pgp_sym_decrypt', ['bytea', 'text', ...more], 'text', 'The text of an OpenPGP message under a passphrase', decryptText),
    scalar(
      'pgp_sym_decrypt_bytea',
      ['bytea', 'text', ...more],
      'bytea',
      'The bytes of an OpenPGP message under a passphrase',
      (data: string, key: string, options = '') => decrypt(data, key, options, false).toString('latin1'),
    ),
  ]),
  ...byPublicKeys,
  scalar('pgp_key_id', ['bytea'], 'text', 'The key that an OpenPGP message is encrypted for, SYMKEY for a passphrase', (data: string) =>
    keyIdOf(bytesOf(data)),
  ),
  scalar('armor', ['bytea'], 'text', 'Bytes as ASCII text with a checksum', (data: string) => armored(bytesOf(data))),
  scalar(
    'armor',
    ['bytea', '_text', '_text'],
    'text',
    'Bytes as ASCII text with headers and a checksum',
    (data: string, names: ArrayValue, values: ArrayValue) => armored(bytesOf(data), armorHeaders(names, values)),
  ),
  scalar('dearmor', ['text'], 'bytea', 'The bytes of an armored text', (data: string) => dearmored(data).toString('latin1')),
  headers,
];
