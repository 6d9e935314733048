/** Packets of OpenPGP (RFC 4880, 4.2): a tag, a length and a body, which may come in parts. */
import { pgpError } from './pgp-error.ts';

export const TAG = { publicSessionKey: 1, sessionKey: 3, compressed: 8, encrypted: 9, marker: 10, literal: 11, encryptedWithCheck: 18 } as const;

export interface Packet {
  readonly tag: number;
  readonly body: Buffer;
}

export function packet(tag: number, body: Buffer): Buffer {
  const { length } = body;
  if (length < 192) return Buffer.concat([Buffer.from([0xc0 | tag, length]), body]);
  if (length < 8384) return Buffer.concat([Buffer.from([0xc0 | tag, 192 + ((length - 192) >> 8), (length - 192) & 255]), body]);
  const head = Buffer.from([0xc0 | tag, 255, 0, 0, 0, 0]);
  head.writeUInt32BE(length, 2);
  return Buffer.concat([head, body]);
}

export function packets(bytes: Buffer): Packet[] {
  const out: Packet[] = [];
  let at = 0;
  const take = (count: number): Buffer => {
    if (at + count > bytes.length) throw pgpError('corrupt');
    at += count;
    return bytes.subarray(at - count, at);
  };
  while (at < bytes.length) {
    const [head] = take(1);
    if ((head & 0x80) === 0) throw pgpError('corrupt');
    if ((head & 0x40) !== 0) {
      const parts: Buffer[] = [];
      for (;;) {
        const [first] = take(1);
        const partial = first >= 224 && first < 255;
        const length = partial ? 2 ** (first & 31) : first < 192 ? first : first < 224 ? ((first - 192) << 8) + 192 + take(1)[0] : take(4).readUInt32BE();
        parts.push(take(length));
        if (!partial) break;
      }
      out.push({ tag: head & 63, body: parts.length === 1 ? parts[0] : Buffer.concat(parts) });
    } else {
      const kind = head & 3;
      const length = kind === 3 ? bytes.length - at : take(2 ** kind).readUIntBE(0, 2 ** kind);
      out.push({ tag: (head >> 2) & 15, body: take(length) });
    }
  }
  return out;
}
