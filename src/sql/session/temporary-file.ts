/**
 * Temporary files for spilling: unlinked while open, so that nothing is left behind. In an encrypted folder they are encrypted, too,
 * with a key that is never stored: ChaCha20 by position, because rows are read back in any order. There is no authentication tag,
 * since no process can write to a file without a name.
 */
import { createCipheriv, randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SpillFile } from '../exec/context.ts';

const BLOCK_BYTES = 64;
/** Blocks per nonce. */
const COUNTED = 2 ** 32;

export function temporaryFile(sealed: boolean): SpillFile {
  const folder = mkdtempSync(join(process.env['SVC_SPILL_DIR'] || tmpdir(), 'svc-spill-'));
  const file = openSync(join(folder, 'rows'), 'w+', 0o600);
  rmSync(folder, { recursive: true });
  const mask = sealed ? keyStream() : null;
  let size = 0;
  return {
    write(plain) {
      const bytes = mask === null ? plain : mask(plain, size);
      for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done, bytes.length - done, size + done);
      size += bytes.length;
    },
    read(from, length) {
      const bytes = new Uint8Array(Math.max(0, Math.min(length, size - from)));
      let done = 0;
      while (done < bytes.length) {
        const n = readSync(file, bytes, done, bytes.length - done, from + done);
        if (n === 0) break;
        done += n;
      }
      return mask === null ? bytes : mask(bytes, from);
    },
    close: () => closeSync(file),
  };
}

/** Each byte of a file is written once, so no byte of the key stream is reused. */
function keyStream(): (bytes: Uint8Array, at: number) => Uint8Array {
  const key = randomBytes(32);
  return (bytes, at) => {
    if (bytes.length === 0) return bytes;
    const block = Math.floor(at / BLOCK_BYTES);
    // The counter is the first word; its overflow goes into the nonce.
    const start = Buffer.alloc(16);
    start.writeUInt32LE(block % COUNTED, 0);
    start.writeUInt32LE(Math.floor(block / COUNTED), 4);
    const stream = createCipheriv('chacha20', key, start);
    const before = at % BLOCK_BYTES;
    if (before > 0) stream.update(Buffer.alloc(before));
    return stream.update(bytes);
  };
}
