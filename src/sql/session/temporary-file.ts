/** Temporary files for what does not fit in memory: unlinked while open, so that nothing is left behind. */
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SpillFile } from '../exec/context.ts';

export function temporaryFile(): SpillFile {
  const folder = mkdtempSync(join(process.env['SVC_SPILL_DIR'] || tmpdir(), 'svc-spill-'));
  const file = openSync(join(folder, 'rows'), 'w+', 0o600);
  rmSync(folder, { recursive: true });
  let size = 0;
  return {
    write(bytes) {
      for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done, bytes.length - done, size + done);
      size += bytes.length;
    },
    read(from, length) {
      const bytes = new Uint8Array(Math.max(0, Math.min(length, size - from)));
      for (let done = 0; done < bytes.length;) {
        const n = readSync(file, bytes, done, bytes.length - done, from + done);
        if (n === 0) break;
        done += n;
      }
      return bytes;
    },
    close: () => closeSync(file),
  };
}
