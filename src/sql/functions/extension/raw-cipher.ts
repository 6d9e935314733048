/** encrypt and decrypt of pgcrypto: AES over bytes, `aes`, `aes-cbc/pad:pkcs`, `aes-ecb/pad:none`. Bytes are characters of a text. */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { SvcError } from '../../../base/errors/svc-error.ts';

interface Cipher {
  readonly mode: 'cbc' | 'ecb';
  readonly padding: boolean;
}

function cipherOf(text: string): Cipher {
  const [name, ...options] = text.toLowerCase().split('/');
  const [algorithm, mode = 'cbc'] = name.split('-');
  if (algorithm !== 'aes' && algorithm !== 'rijndael') throw new SvcError('22023', `Cannot use "${text}": No such cipher algorithm`);
  if (mode !== 'cbc' && mode !== 'ecb') throw new SvcError('22023', `Cannot use "${text}": No such cipher algorithm`);
  let padding = true;
  for (const option of options) {
    if (option === 'pad:none') padding = false;
    else if (option !== 'pad:pkcs') throw new SvcError('22023', `Cannot use "${text}": Bad option`);
  }
  return { mode, padding };
}

const KEY_BYTES = [16, 24, 32];
const BLOCK_BYTES = 16;

function filled(bytes: string, length: number): Buffer {
  const out = Buffer.alloc(length);
  out.write(bytes, 'latin1');
  return out;
}

/** Keys and initialization vectors are padded with zeros. */
function run(what: 'encrypt' | 'decrypt', data: string, key: string, iv: string, type: string): string {
  const { mode, padding } = cipherOf(type);
  const size = KEY_BYTES.find((each) => key.length <= each);
  if (size === undefined) throw new SvcError('39000', `${what} error: Key was too big`);
  const make = what === 'encrypt' ? createCipheriv : createDecipheriv;
  const cipher = make(`aes-${size * 8}-${mode}`, filled(key, size), mode === 'ecb' ? null : filled(iv.slice(0, BLOCK_BYTES), BLOCK_BYTES));
  cipher.setAutoPadding(padding);
  try {
    return cipher.update(data, 'latin1', 'latin1') + cipher.final('latin1');
  } catch (cause) {
    throw new SvcError('39000', `${what} error: ${what === 'encrypt' ? 'Encryption' : 'Decryption'} failed`, { cause });
  }
}

export const encrypted = (data: string, key: string, type: string): string => run('encrypt', data, key, '', type);
export const decrypted = (data: string, key: string, type: string): string => run('decrypt', data, key, '', type);
export const encryptedFrom = (data: string, key: string, iv: string, type: string): string => run('encrypt', data, key, iv, type);
export const decryptedFrom = (data: string, key: string, iv: string, type: string): string => run('decrypt', data, key, iv, type);
