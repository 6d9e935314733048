/**
 * Messages that a passphrase encrypts (RFC 4880): a packet that says how the key is made, and one with the encrypted contents.
 *
 *   [session key: cipher, s2k (, encrypted key)] [encrypted: prefix, (compressed:) literal (, checksum)]
 */
import { createHash } from 'node:crypto';
import { deflateRawSync, deflateSync, inflateRawSync, inflateSync } from 'node:zlib';
import { decryptCfb, decryptResynced, encryptCfb, encryptResynced, type PgpCipher, pgpCipher } from './pgp-cipher.ts';
import { pgpError } from './pgp-error.ts';
import type { PgpOptions } from './pgp-options.ts';
import { packet, packets, TAG } from './pgp-packets.ts';
import { byteOfCount, keyFrom, S2K, SALT_BYTES, type StringToKey } from './string-to-key.ts';

type Random = (count: number) => Uint8Array;

const VERSION = 4;
/** The head of the checksum's packet; a SHA-1 follows. */
const CHECK_HEAD = Buffer.from([0xd3, 20]);
const CHECK_BYTES = CHECK_HEAD.length + 20;
/** Counts without an option: 65,536 to 253,952, as pgcrypto. */
const USUAL_COUNT = 96;
/** What a compressed message may become; a value has at most that. */
const INFLATED_BYTES_MAX = 1 << 28;

export type LiteralKind = 'b' | 't' | 'u';

export function encryptMessage(data: Buffer, kind: LiteralKind, passphrase: Buffer, options: PgpOptions, random: Random): Buffer {
  if (passphrase.length === 0) throw pgpError('argument');
  const keyCipher = pgpCipher(options.keyCipher ?? options.cipher);
  const s2k: StringToKey = {
    mode: options.s2kMode,
    digest: options.digest,
    salt: Buffer.from(random(SALT_BYTES)),
    count: options.s2kCount === null ? USUAL_COUNT + (random(1)[0] & 31) : byteOfCount(options.s2kCount),
  };
  const own = keyFrom(s2k, passphrase, keyCipher.keyBytes);
  const cipher = options.sessionKey ? pgpCipher(options.cipher) : keyCipher;
  const key = options.sessionKey ? Buffer.from(random(cipher.keyBytes)) : own;
  const head: Buffer[] = [Buffer.from([VERSION, keyCipher.algorithm, s2k.mode, s2k.digest])];
  if (s2k.mode !== S2K.simple) head.push(s2k.salt);
  if (s2k.mode === S2K.iterated) head.push(Buffer.from([s2k.count]));
  if (options.sessionKey) head.push(encryptCfb(keyCipher, own, Buffer.concat([Buffer.from([cipher.algorithm]), key])));
  return Buffer.concat([packet(TAG.sessionKey, Buffer.concat(head)), encryptedPacket(contents(data, kind, options), cipher, key, options.check, random)]);
}

function contents(data: Buffer, kind: LiteralKind, { compression, level, crlf }: PgpOptions): Buffer {
  const bytes = crlf && kind !== 'b' ? Buffer.from(data.toString('latin1').replaceAll('\n', '\r\n'), 'latin1') : data;
  // No file name, and no time.
  const literal = packet(TAG.literal, Buffer.concat([Buffer.from([kind.charCodeAt(0), 0, 0, 0, 0, 0]), bytes]));
  if (compression === 0 || level === 0) return literal;
  if (compression > 2) throw pgpError('compression');
  return packet(TAG.compressed, Buffer.concat([Buffer.from([compression]), (compression === 1 ? deflateRawSync : deflateSync)(literal, { level })]));
}

function encryptedPacket(inner: Buffer, cipher: PgpCipher, key: Buffer, check: boolean, random: Random): Buffer {
  const start = Buffer.from(random(cipher.blockBytes));
  const prefix = Buffer.concat([start, start.subarray(-2)]);
  if (!check) return packet(TAG.encrypted, encryptResynced(cipher, key, Buffer.concat([prefix, inner])));
  const checked = Buffer.concat([prefix, inner, CHECK_HEAD]);
  const sum = createHash('sha1').update(checked).digest();
  return packet(TAG.encryptedWithCheck, Buffer.concat([Buffer.from([1]), encryptCfb(cipher, key, Buffer.concat([checked, sum]))]));
}

/** `text`: a message of bytes is refused. */
export function decryptMessage(message: Buffer, passphrase: Buffer, text: boolean, { crlf }: PgpOptions): Buffer {
  const all = packets(message).filter(({ tag }) => tag !== TAG.marker);
  if (all.length !== 2 || all[0].tag !== TAG.sessionKey) throw pgpError('corrupt');
  const { cipher, key } = sessionKey(all[0].body, passphrase);
  const data = literalOf(decrypted(all[1].tag, all[1].body, cipher, key), true);
  const kind = String.fromCharCode(data[0]);
  if (data.length < 6 || !'btu'.includes(kind)) throw pgpError('corrupt');
  const start = 2 + data[1] + 4;
  if (start > data.length) throw pgpError('corrupt');
  if (text && kind === 'b') throw pgpError('notText');
  const bytes = data.subarray(start);
  return text && crlf ? Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1') : bytes;
}

function sessionKey(body: Buffer, passphrase: Buffer): { cipher: PgpCipher; key: Buffer } {
  if (body.length < 4 || body[0] !== VERSION) throw pgpError('corrupt');
  const [, algorithm, mode, digest] = body;
  if (mode !== S2K.simple && mode !== S2K.salted && mode !== S2K.iterated) throw pgpError('corrupt');
  const salted = mode === S2K.simple ? 4 : 4 + SALT_BYTES;
  const end = mode === S2K.iterated ? salted + 1 : salted;
  if (body.length < end) throw pgpError('corrupt');
  const cipher = pgpCipher(algorithm);
  const key = keyFrom({ mode, digest, salt: body.subarray(4, salted), count: body[salted] ?? 0 }, passphrase, cipher.keyBytes);
  if (body.length === end) return { cipher, key };
  const own = decryptCfb(cipher, key, body.subarray(end));
  // A wrong passphrase gives any number here.
  const used = own[0] === 2 || (own[0] >= 7 && own[0] <= 9) ? pgpCipher(own[0]) : null;
  if (used === null || own.length !== 1 + used.keyBytes) throw pgpError('corrupt');
  return { cipher: used, key: own.subarray(1) };
}

/** The packets inside, without prefix and checksum. */
function decrypted(tag: number, body: Buffer, cipher: PgpCipher, key: Buffer): Buffer {
  const checked = tag === TAG.encryptedWithCheck;
  if (!checked && tag !== TAG.encrypted) throw pgpError('corrupt');
  if (checked && body[0] !== 1) throw pgpError('corrupt');
  const plain = checked ? decryptCfb(cipher, key, body.subarray(1)) : decryptResynced(cipher, key, body);
  const { blockBytes } = cipher;
  const prefix = blockBytes + 2;
  if (plain.length < prefix || plain.readUInt16BE(blockBytes - 2) !== plain.readUInt16BE(blockBytes)) throw pgpError('corrupt');
  if (!checked) return plain.subarray(prefix);
  const end = plain.length - CHECK_BYTES;
  if (end < prefix || !plain.subarray(end, end + CHECK_HEAD.length).equals(CHECK_HEAD)) throw pgpError('corrupt');
  const sum = createHash('sha1')
    .update(plain.subarray(0, end + CHECK_HEAD.length))
    .digest();
  if (!sum.equals(plain.subarray(end + CHECK_HEAD.length))) throw pgpError('corrupt');
  return plain.subarray(prefix, end);
}

/** The body of the literal packet. `compressed`: it may be inside a compressed one. */
function literalOf(inner: Buffer, compressed: boolean): Buffer {
  const [first, ...more] = packets(inner);
  if (first === undefined || more.length > 0) throw pgpError('corrupt');
  if (first.tag === TAG.literal) return first.body;
  if (first.tag !== TAG.compressed || !compressed) throw pgpError('corrupt');
  const [algorithm] = first.body;
  const bytes = first.body.subarray(1);
  if (algorithm === 0) return literalOf(bytes, false);
  if (algorithm > 2) throw pgpError(algorithm === 3 ? 'compression' : 'corrupt');
  return literalOf(inflated(algorithm, bytes), false);
}

function inflated(algorithm: number, bytes: Buffer): Buffer {
  try {
    return (algorithm === 1 ? inflateRawSync : inflateSync)(bytes, { maxOutputLength: INFLATED_BYTES_MAX });
  } catch {
    throw pgpError('corrupt');
  }
}

/** What a message is encrypted for, as pgp_key_id says it. */
export function keyIdOf(message: Buffer): string {
  const all = packets(message);
  const forKey = all.find(({ tag }) => tag === TAG.publicSessionKey);
  if (forKey !== undefined) {
    if (forKey.body.length < 9) throw pgpError('corrupt');
    const id = forKey.body.subarray(1, 9);
    return id.every((byte) => byte === 0) ? 'ANYKEY' : id.toString('hex').toUpperCase();
  }
  if (all.some(({ tag }) => tag === TAG.sessionKey)) return 'SYMKEY';
  throw pgpError('corrupt');
}
