/** crypt() of pgcrypto: hashes of passwords by MD5 (`$1$`) and Blowfish (`$2a$`), in the forms that crypt(3) gives them. */
import { createHash } from 'node:crypto';
import { SvcError } from '../../../base/errors/svc-error.ts';
import { piWords } from './pi-words.ts';

const CRYPT_64 = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BLOWFISH_64 = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const invalidSalt = (): SvcError => new SvcError('22023', 'invalid salt');

export function crypt(password: string, setting: string): string {
  if (setting.startsWith('$1$')) return md5Crypt(Buffer.from(password, 'utf8'), setting);
  if (/^\$2[ax]\$/.test(setting)) return blowfishCrypt(Buffer.from(password, 'utf8'), setting);
  if (setting.startsWith('$2')) throw invalidSalt();
  throw new SvcError('0A000', 'crypt by DES is not supported', { hint: "Use gen_salt('bf')." });
}

// --- MD5, after Poul-Henning Kamp

const MD5_ROUNDS = 1000;

function md5(...parts: Uint8Array[]): Buffer {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function md5Crypt(password: Buffer, setting: string): string {
  const salt = /^\$1\$([^$]{0,8})/.exec(setting)![1];
  const saltBytes = Buffer.from(salt, 'utf8');
  const parts: Uint8Array[] = [password, Buffer.from('$1$'), saltBytes];
  const other = md5(password, saltBytes, password);
  for (let left = password.length; left > 0; left -= 16) parts.push(other.subarray(0, Math.min(16, left)));
  for (let i = password.length; i !== 0; i >>= 1) parts.push((i & 1) === 1 ? Buffer.alloc(1) : password.subarray(0, 1));
  let hash = md5(...parts);
  for (let i = 0; i < MD5_ROUNDS; i++) {
    const round: Uint8Array[] = [(i & 1) === 1 ? password : hash];
    if (i % 3 !== 0) round.push(saltBytes);
    if (i % 7 !== 0) round.push(password);
    round.push((i & 1) === 1 ? hash : password);
    hash = md5(...round);
  }
  const word = (value: number, count: number): string => {
    let out = '';
    for (let i = 0, rest = value; i < count; i++, rest >>= 6) out += CRYPT_64[rest & 63];
    return out;
  };
  let out = `$1$${salt}$`;
  for (const [a, b, c] of [
    [0, 6, 12],
    [1, 7, 13],
    [2, 8, 14],
    [3, 9, 15],
    [4, 10, 5],
  ])
    out += word((hash[a] << 16) | (hash[b] << 8) | hash[c], 4);
  return out + word(hash[11], 2);
}

// --- Blowfish with an expensive key schedule, after Provos and Mazières

class Blowfish {
  readonly p: Int32Array;
  readonly s: Int32Array;

  constructor() {
    const words = piWords();
    this.p = words.slice(0, 18);
    this.s = words.slice(18);
  }

  /** Left and right in place. */
  encrypt(block: Int32Array, at: number): void {
    const { p, s } = this;
    let left = block[at] ^ p[0];
    let right = block[at + 1];
    for (let i = 1; i < 17; i += 2) {
      right ^= ((((s[left >>> 24] + s[256 + ((left >>> 16) & 255)]) | 0) ^ s[512 + ((left >>> 8) & 255)]) + s[768 + (left & 255)]) ^ p[i];
      left ^= ((((s[right >>> 24] + s[256 + ((right >>> 16) & 255)]) | 0) ^ s[512 + ((right >>> 8) & 255)]) + s[768 + (right & 255)]) ^ p[i + 1];
    }
    block[at] = right ^ p[17];
    block[at + 1] = left;
  }

  expand(key: Int32Array, salt: Int32Array | null): void {
    const { p, s } = this;
    for (let i = 0; i < 18; i++) p[i] ^= key[i];
    const block = new Int32Array(2);
    let turn = 0;
    for (const target of [p, s]) {
      for (let i = 0; i < target.length; i += 2) {
        if (salt !== null) {
          block[0] ^= salt[turn];
          block[1] ^= salt[turn + 1];
          turn = (turn + 2) & 3;
        }
        this.encrypt(block, 0);
        target[i] = block[0];
        target[i + 1] = block[1];
      }
    }
  }
}

const COST_MIN = 4;
const COST_MAX = 31;
const BLOWFISH_SALT = 22;
const CTEXT = 'OrpheanBeholderScryDoubt';

function blowfishCrypt(password: Buffer, setting: string): string {
  const found = /^\$2[ax]\$(\d\d)\$([./A-Za-z0-9]{22})/.exec(setting);
  const cost = Number(found?.[1]);
  if (found === null || cost < COST_MIN || cost > COST_MAX) throw invalidSalt();
  const saltBytes = fromBlowfish64(found[2]);
  const salt = wordsOf(saltBytes, 4);
  // The key is repeated, including its terminating zero.
  const key = wordsOf(Buffer.concat([password.subarray(0, 72), Buffer.alloc(1)]), 18);
  const cipher = new Blowfish();
  cipher.expand(key, salt);
  const saltKey = wordsOf(saltBytes, 18);
  for (let i = 0, rounds = 2 ** cost; i < rounds; i++) {
    cipher.expand(key, null);
    cipher.expand(saltKey, null);
  }
  const text = wordsOf(Buffer.from(CTEXT, 'latin1'), 6);
  for (let i = 0; i < 6; i += 2) for (let turn = 0; turn < 64; turn++) cipher.encrypt(text, i);
  const out = Buffer.alloc(24);
  text.forEach((word, i) => out.writeInt32BE(word, i * 4));
  return setting.slice(0, 7) + blowfish64(saltBytes) + blowfish64(out.subarray(0, 23));
}

function wordsOf(bytes: Uint8Array, count: number): Int32Array {
  let at = 0;
  return Int32Array.from({ length: count }, () => {
    let word = 0;
    for (let i = 0; i < 4; i++, at = (at + 1) % bytes.length) word = (word << 8) | bytes[at];
    return word;
  });
}

function blowfish64(bytes: Uint8Array): string {
  let out = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const [a, b, c] = [bytes[i], bytes[i + 1], bytes[i + 2]];
    out += BLOWFISH_64[a >> 2] + BLOWFISH_64[((a & 3) << 4) | ((b ?? 0) >> 4)];
    if (b === undefined) break;
    out += BLOWFISH_64[((b & 15) << 2) | ((c ?? 0) >> 6)];
    if (c !== undefined) out += BLOWFISH_64[c & 63];
  }
  return out;
}

function fromBlowfish64(text: string): Uint8Array {
  const out: number[] = [];
  for (let i = 0; i < BLOWFISH_SALT; i += 4) {
    const [a, b, c, d] = Array.from(text.slice(i, i + 4), (char) => BLOWFISH_64.indexOf(char));
    out.push((a << 2) | (b >> 4));
    if (c !== undefined) out.push(((b & 15) << 4) | (c >> 2));
    if (d !== undefined) out.push(((c & 3) << 6) | d);
  }
  return Uint8Array.from(out);
}

export interface SaltSource {
  randomBytes(count: number): Uint8Array;
}

/** `rounds` 0: the method's default. */
export function genSalt(method: string, rounds: number, source: SaltSource): string {
  switch (method.toLowerCase()) {
    case 'md5': {
      if (rounds !== 0 && rounds !== MD5_ROUNDS) throw new SvcError('22023', 'gen_salt: Incorrect number of rounds');
      const bytes = source.randomBytes(6);
      let out = '$1$';
      for (let i = 0; i < 6; i += 3) {
        let word = bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16);
        for (let k = 0; k < 4; k++, word >>= 6) out += CRYPT_64[word & 63];
      }
      return out;
    }
    case 'bf': {
      const cost = rounds === 0 ? 6 : rounds;
      if (cost < COST_MIN || cost > COST_MAX) throw new SvcError('22023', 'gen_salt: Incorrect number of rounds');
      return `$2a$${String(cost).padStart(2, '0')}$${blowfish64(source.randomBytes(16))}`;
    }
    case 'des':
    case 'xdes':
      throw new SvcError('0A000', `salts for ${method.toLowerCase()} are not supported`, { hint: "Use gen_salt('bf')." });
    default:
      throw new SvcError('22023', 'gen_salt: Unknown salt algorithm');
  }
}
