/** The maximum size of one row of COPY: it is held in memory, and V8's strings are limited to 512 MiB. */
import { SvcError } from '../../base/errors/svc-error.ts';

export const COPY_ROW_BYTES_MAX = 256 * 1024 * 1024;

export function rowTooLong(bytesMax: number): SvcError {
  return new SvcError('54000', 'a row of COPY is too long', { detail: `The limit is ${bytesMax} bytes.` });
}
