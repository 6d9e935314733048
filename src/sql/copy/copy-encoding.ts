/** Bytes of COPY in another encoding: they become UTF-8 before lines are looked for, since some encodings have a byte of `\` within a character. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { converts, cutCharacter, decodeBytes, encodeText, encodingNumber, SQL_ASCII, UTF8 } from '../types/encodings.ts';

/** By Postgres's number; null for what goes through as it is. */
export type CopyEncoding = number | null;

/** undefined for a name that is none; 0A000 for an encoding of Postgres's that is not known here. */
export function encodingByName(name: string): CopyEncoding | undefined {
  const encoding = encodingNumber(name);
  if (encoding < 0) return undefined;
  if (!converts(encoding)) throw new SvcError('0A000', `encoding "${name}" is not supported`);
  return encoding === UTF8 || encoding === SQL_ASCII ? null : encoding;
}

/** Bytes of the encoding as UTF-8, block by block: a character may be cut between two. */
export class ToUtf8 {
  readonly #encoding: CopyEncoding;
  #cut = '';

  constructor(encoding: CopyEncoding) {
    this.#encoding = encoding;
  }

  take(block: Uint8Array): Uint8Array {
    if (this.#encoding === null) return block;
    const bytes = this.#cut + Buffer.from(block.buffer, block.byteOffset, block.length).latin1Slice();
    const whole = bytes.length - cutCharacter(bytes, this.#encoding);
    this.#cut = bytes.slice(whole);
    return Buffer.from(decodeBytes(bytes.slice(0, whole), this.#encoding), 'utf8');
  }

  /** 22021 where the last character is not whole. */
  end(): void {
    if (this.#encoding !== null) decodeBytes(this.#cut, this.#encoding);
  }
}

/** A text in the encoding. */
export function fromText(encoding: CopyEncoding, text: string): Buffer {
  return encoding === null ? Buffer.from(text, 'utf8') : Buffer.from(encodeText(text, encoding), 'latin1');
}
