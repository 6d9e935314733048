/** COPY in another encoding: bytes are converted to UTF-8 before lines are searched, since in some encodings the byte of `\` occurs within characters. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { converts, cutCharacter, decodeBytes, encodeText, encodingNumber, SQL_ASCII, UTF8 } from '../types/encodings.ts';

/** By Postgres's number; null if no conversion is needed. */
export type CopyEncoding = number | null;

/** undefined for an unknown name; 0A000 for an encoding of Postgres that is not supported here. */
export function encodingByName(name: string): CopyEncoding | undefined {
  const encoding = encodingNumber(name);
  if (encoding < 0) return undefined;
  if (!converts(encoding)) throw new SvcError('0A000', `encoding "${name}" is not supported`);
  return encoding === UTF8 || encoding === SQL_ASCII ? null : encoding;
}

/** Converts bytes to UTF-8, block by block: a character may be split between two. */
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

  /** 22021 if the last character is incomplete. */
  end(): void {
    if (this.#encoding !== null) decodeBytes(this.#cut, this.#encoding);
  }
}

/** A text in the encoding. */
export function fromText(encoding: CopyEncoding, text: string): Buffer {
  return encoding === null ? Buffer.from(text, 'utf8') : Buffer.from(encodeText(text, encoding), 'latin1');
}
