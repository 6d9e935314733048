/** Errors of the pgp functions: one code, and the texts of pgcrypto. */
import { SvcError } from '../../../../base/errors/svc-error.ts';

const TEXTS = {
  argument: 'Illegal argument to function',
  corrupt: 'Wrong key or corrupt data',
  armor: 'Corrupt ascii-armor',
  cipher: 'Unsupported cipher algorithm',
  digest: 'Unsupported digest algorithm',
  compression: 'Unsupported compression algorithm',
  notText: 'Not text data',
} as const;

export function pgpError(what: keyof typeof TEXTS): SvcError {
  return new SvcError('39000', TEXTS[what]);
}
