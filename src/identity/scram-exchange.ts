/**
 * The server's side of one SCRAM-SHA-256 exchange (RFC 5802, section 5):
 *
 *   client-first ──► first ──► server-first ──► client-final ──► final ──► identity, and server-final
 *
 * Several verifiers with one salt may be tried at once: a server's token and its admin token accept the same names. A name
 * without a credential goes through the same steps. A malformed message is 08P01; a failed proof is not an error but null.
 */
import { timingSafeEqual } from 'node:crypto';
import { SvcError } from '../base/errors/svc-error.ts';
import { hmac, type ScramVerifier, sha256 } from './scram.ts';

export const SCRAM = 'SCRAM-SHA-256';
export const SCRAM_PLUS = 'SCRAM-SHA-256-PLUS';

export interface ScramCandidate<T> {
  readonly verifier: ScramVerifier;
  readonly who: T;
}

export interface ScramParts<T> {
  /** All have the salt and iterations below. */
  readonly candidates: readonly ScramCandidate<T>[];
  readonly salt: Buffer;
  readonly iterations: number;
  /** Hash of the server's certificate, if channel binding is available (RFC 5929, tls-server-end-point). */
  readonly binding: Buffer | null;
  /** Base64, fresh for each exchange. */
  readonly nonce: string;
}

const ENDPOINT = 'tls-server-end-point';
const malformed = (detail: string): SvcError => new SvcError('08P01', 'malformed SCRAM message', { detail });

export class ScramExchange<T> {
  readonly #parts: ScramParts<T>;
  #header = '';
  #bound = false;
  #clientFirst = '';
  #serverFirst = '';
  #nonce = '';

  constructor(parts: ScramParts<T>) {
    this.#parts = parts;
  }

  get mechanisms(): readonly string[] {
    return this.#parts.binding === null ? [SCRAM] : [SCRAM_PLUS, SCRAM];
  }

  /** Returns server-first. */
  first(mechanism: string, message: string): string {
    if (!this.mechanisms.includes(mechanism)) throw new SvcError('08P01', 'client selected an invalid SASL authentication mechanism');
    const found = /^(n|y|p=([^,]*)),(a=[^,]*)?,(.*)$/s.exec(message);
    if (found === null) throw malformed('The message does not begin with a channel-binding flag.');
    const [, flag, binding, authorization, bare] = found;
    this.#bound = binding !== undefined;
    if (mechanism === SCRAM_PLUS && !this.#bound) {
      throw malformed('The client selected SCRAM-SHA-256-PLUS, but the SCRAM message does not include channel binding data.');
    }
    if (mechanism === SCRAM && this.#bound) {
      throw malformed('The client selected SCRAM-SHA-256 without channel binding, but the SCRAM message includes channel binding data.');
    }
    if (flag === 'y' && this.#parts.binding !== null) {
      throw new SvcError('28000', 'SCRAM channel binding negotiation error', {
        detail: 'The client supports SCRAM channel binding but thinks the server does not.  However, this server does support channel binding.',
      });
    }
    if (this.#bound && binding !== ENDPOINT) throw new SvcError('08P01', `unsupported SCRAM channel-binding type "${binding}"`);
    if (authorization !== undefined) throw new SvcError('0A000', 'client uses authorization identity, but it is not supported');
    if (bare.startsWith('m=')) throw new SvcError('0A000', 'client requires an unsupported SCRAM extension');
    // The name in the message is ignored in favour of the startup packet's.
    const nonce = /^n=[^,]*,r=([\x21-\x2b\x2d-\x7e]+)(?:,.*)?$/s.exec(bare)?.[1];
    if (nonce === undefined) throw malformed('The message has no name and nonce.');
    this.#header = message.slice(0, message.length - bare.length);
    this.#clientFirst = bare;
    this.#nonce = nonce + this.#parts.nonce;
    const { salt, iterations } = this.#parts;
    this.#serverFirst = `r=${this.#nonce},s=${salt.toString('base64')},i=${iterations}`;
    return this.#serverFirst;
  }

  /** The identity that the proof is valid for, with server-final; null if it is not valid. */
  final(message: string): { readonly who: T; readonly message: string } | null {
    const found = /^(c=([A-Za-z0-9+/=]+),r=([^,]*)(?:,.*)?),p=([A-Za-z0-9+/=]+)$/s.exec(message);
    if (found === null) throw malformed('The message has no channel binding, nonce and proof.');
    const [, withoutProof, binding, nonce, proof] = found;
    const expected = Buffer.concat([Buffer.from(this.#header, 'utf8'), this.#bound ? this.#parts.binding! : Buffer.alloc(0)]);
    if (binding !== expected.toString('base64')) {
      if (this.#bound) throw new SvcError('28000', 'SCRAM channel binding check failed');
      throw new SvcError('08P01', 'unexpected SCRAM channel-binding attribute in client-final-message');
    }
    if (nonce !== this.#nonce) throw new SvcError('08P01', 'invalid SCRAM response', { detail: 'Nonce does not match.' });
    const given = Buffer.from(proof, 'base64');
    if (given.length !== 32) throw malformed('The proof has a wrong length.');
    const text = `${this.#clientFirst},${this.#serverFirst},${withoutProof}`;
    let out: { who: T; message: string } | null = null;
    for (const { verifier, who } of this.#parts.candidates) {
      const signature = hmac(verifier.storedKey, text);
      for (let i = 0; i < signature.length; i++) signature[i] ^= given[i];
      // All candidates are tried, for constant time.
      const proven = timingSafeEqual(sha256(signature), verifier.storedKey);
      if (proven) out ??= { who, message: `v=${hmac(verifier.serverKey, text).toString('base64')}` };
    }
    return out;
  }
}
