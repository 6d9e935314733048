/** COPY streams for an entrance that exchanges chunks of bytes of any size. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { BinaryWriter } from '../formats/binary-writer.ts';
import type { CopyStreams } from './copy.ts';

const CHUNK_BYTES = 64 * 1024;

/** `input` gives null at the end; a rejection ends the COPY (57014). */
export function chunkedCopy(input: () => Promise<Uint8Array | null>, output: (bytes: Uint8Array) => Promise<void>): CopyStreams {
  return {
    input: () => ({
      next: () =>
        input().catch((error: unknown) => {
          throw new SvcError('57014', `COPY from stdin failed: ${(error as Error).message}`);
        }),
    }),
    output: () => {
      const out = new BinaryWriter(CHUNK_BYTES);
      const flush = (): Promise<void> => output(Buffer.from(out.take()));
      return { out, begin: () => {}, end: () => (out.length < CHUNK_BYTES ? null : flush()), finish: flush };
    },
  };
}
