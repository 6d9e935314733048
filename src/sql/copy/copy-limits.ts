/** What one row of COPY may take: all of it is in memory, and a text of more than 512 MiB is no string of V8's. */
import { SvcError } from '../../base/errors/svc-error.ts';

export const COPY_ROW_BYTES_MAX = 256 * 1024 * 1024;

export function rowTooLong(bytesMax: number): SvcError {
  return new SvcError('54000', 'a row of COPY is too long', { detail: `The limit is ${bytesMax} bytes.` });
}
