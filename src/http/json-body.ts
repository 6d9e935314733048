/** Parses a JSON body without loss: numbers stay as they were written; invalid UTF-8 and non-objects are refused instead of repaired. */
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { exactInput } from '../base/exact-json.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { LIMITS } from '../base/limits.ts';

/** Bodies with numbers that a double cannot hold. */
const exact = new WeakSet<object>();

export function hasExactNumbers(body: unknown): boolean {
  return typeof body === 'object' && body !== null && exact.has(body);
}

/** A server's validation of bodies: nothing in them is converted, added or left out. */
export const JSON_VALIDATION = {
  customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, allErrors: false, strict: false, validateFormats: false },
} as const;

/** The server takes JSON bodies and no others. */
export function takeJsonAlone(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJsonBody(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}

export function parseJsonBody(body: Buffer): unknown {
  if (body.length === 0) throw new SvcError('22P02', 'the body is empty; it must be a JSON object', { hint: 'Send `{}` where an operation needs no fields.' });
  if (!isUtf8(body)) throw new SvcError('22P02', 'the body is not valid UTF-8');
  const text = body.utf8Slice(0, body.length);
  const { isDeep, isInexact } = scanned(body, LIMITS.jsonDepthMax + 8);
  if (isDeep) {
    throw new SvcError('54001', `the body is nested deeper than ${LIMITS.jsonDepthMax} levels`, { hint: 'Flatten the value, or store it as text.' });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new SvcError('22P02', `the body is not JSON: ${(error as Error).message}`);
  }
  const written = isInexact ? exactInput(text) : null;
  if (written !== null) value = written;
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new SvcError('22P02', 'the body must be a JSON object');
  if (written !== null) exact.add(value);
  return value;
}

interface Scanned {
  readonly isDeep: boolean;
  /** A number may be one that a double does not give back as it was written. */
  readonly isInexact: boolean;
}

/** One pass over the bytes: the values inside texts are skipped, so times and hexadecimal ids cost nothing. */
function scanned(body: Buffer, most: number): Scanned {
  let depth = 0;
  let inString = false;
  let isInexact = false;
  /** Digits of the number at hand. Up to 15 of them a double gives back. */
  let digits = 0;
  let hasPoint = false;
  for (let i = 0; i < body.length; i++) {
    const byte = body[i];
    if (inString) {
      if (byte === 0x5c) i++;
      else if (byte === 0x22) inString = false;
    } else if (byte >= 0x30 && byte <= 0x39) {
      if (++digits >= 16) isInexact = true;
    } else if (byte === 0x2e && digits > 0) hasPoint = true;
    else {
      if (digits > 0) {
        if (byte === 0x65 || byte === 0x45 || (hasPoint && body[i - 1] === 0x30)) isInexact = true;
        digits = 0;
        hasPoint = false;
      }
      if (byte === 0x22) inString = true;
      else if (byte === 0x7b || byte === 0x5b) {
        if (++depth > most) return { isDeep: true, isInexact };
      } else if (byte === 0x7d || byte === 0x5d) depth--;
    }
  }
  return { isDeep: false, isInexact };
}
