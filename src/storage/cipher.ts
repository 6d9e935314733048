/**
 * Encryption at rest: ChaCha20-Poly1305 (RFC 8439) over frames of the log and pages of the cache; see
 * docs/decisions/009-encryption.md.
 *
 *   sealed = epoch 12 bytes, counter u32, ciphertext, tag 16 bytes
 *   key    = HKDF-SHA256(the folder's key, salt = epoch, info = purpose)      nonce = counter, 8 zero bytes
 *
 * A random epoch is drawn when a cipher is created and when its counter is used up, so no pair of key and nonce occurs
 * twice, even if a sequence or page number is written again after a crash or a failed write.
 */
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { SvcError } from '../base/errors/svc-error.ts';

const ALGORITHM = 'chacha20-poly1305';
const EPOCH_BYTES = 12;
const HEAD_BYTES = 16;
const TAG_BYTES = 16;
const TAG = { authTagLength: TAG_BYTES };
const COUNTER_MAX = 0xffffffff;
/** Keys of recently read epochs: one per run of the database. */
const KEYS_MAX = 256;

export const SEALED_OVERHEAD_BYTES = HEAD_BYTES + TAG_BYTES;

/** What is sealed. Each has keys of its own. */
export type Purpose = 'log' | 'page' | 'segment';

export class Cipher {
  readonly #master: Uint8Array;
  readonly #purpose: Purpose;
  readonly #keys = new Map<string, KeyObject>();
  readonly #nonce = Buffer.alloc(12);
  readonly #openNonce = Buffer.alloc(12);
  #epoch!: Buffer;
  #key!: KeyObject;
  #counter = 0;

  constructor(master: Uint8Array, purpose: Purpose) {
    this.#master = master;
    this.#purpose = purpose;
    this.#begin();
  }

  #begin(): void {
    this.#epoch = randomBytes(EPOCH_BYTES);
    this.#key = this.#derive(this.#epoch);
    this.#counter = 0;
  }

  #derive(epoch: Uint8Array): KeyObject {
    return createSecretKey(Buffer.from(hkdfSync('sha256', this.#master, epoch, `svc ${this.#purpose} v1`, 32)));
  }

  /** Encrypts `plain` into `out` at `at`; returns its end. `bound` is authenticated but not stored. `out` may hold `plain` itself after `at`. */
  seal(out: Buffer, at: number, plain: Uint8Array, bound: Uint8Array): number {
    if (this.#counter === COUNTER_MAX) this.#begin();
    this.#nonce.writeUInt32LE(++this.#counter, 0);
    const cipher = createCipheriv(ALGORITHM, this.#key, this.#nonce, TAG);
    cipher.setAAD(bound, { plaintextLength: plain.length });
    const bytes = cipher.update(plain);
    cipher.final();
    this.#epoch.copy(out, at);
    out.writeUInt32LE(this.#counter, at + EPOCH_BYTES);
    bytes.copy(out, at + HEAD_BYTES);
    cipher.getAuthTag().copy(out, at + HEAD_BYTES + bytes.length);
    return at + HEAD_BYTES + bytes.length + TAG_BYTES;
  }

  /** The plain bytes; null if they were encrypted with another key or bound to something else. */
  open(sealed: Uint8Array, bound: Uint8Array): Buffer | null {
    if (sealed.length < SEALED_OVERHEAD_BYTES) return null;
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.length);
    bytes.copy(this.#openNonce, 0, EPOCH_BYTES, HEAD_BYTES);
    const decipher = createDecipheriv(ALGORITHM, this.#keyOf(bytes), this.#openNonce, TAG);
    const end = bytes.length - TAG_BYTES;
    decipher.setAAD(bound, { plaintextLength: end - HEAD_BYTES });
    decipher.setAuthTag(bytes.subarray(end));
    const plain = decipher.update(bytes.subarray(HEAD_BYTES, end));
    try {
      decipher.final();
    } catch {
      return null;
    }
    return plain;
  }

  #keyOf(sealed: Buffer): KeyObject {
    if (sealed.compare(this.#epoch, 0, EPOCH_BYTES, 0, EPOCH_BYTES) === 0) return this.#key;
    const name = sealed.latin1Slice(0, EPOCH_BYTES);
    let key = this.#keys.get(name);
    if (key === undefined) {
      key = this.#derive(sealed.subarray(0, EPOCH_BYTES));
      if (this.#keys.size >= KEYS_MAX) this.#keys.clear();
      this.#keys.set(name, key);
    }
    return key;
  }
}

/** Error for bytes whose tag does not match. */
export function notAuthentic(what: string): SvcError {
  return new SvcError('XX001', `${what} cannot be authenticated: it was changed, or sealed with another key`, {
    hint: 'Restore the folder from a backup; nothing was changed.',
  });
}
