/** Files of the client as the build made them: a page, and scripts and styles whose names have a hash of their content. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { SvcError } from '../base/errors/svc-error.ts';

export interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  /** Made when it is first asked for. */
  readonly gzip: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export const PAGE = 'index.html';

/** Beside the built command, or where the build puts it, seen from the source. */
function clientFolder(): string {
  const folders = ['./studio/', '../../bin/studio/', '../../dist/bin/studio/'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  const found = folders.find((folder) => existsSync(join(folder, PAGE)));
  if (found === undefined) throw new SvcError('58P01', 'the files of the web console are missing', { hint: 'Build them: npm run build.' });
  return found;
}

/** By name. */
export function clientAssets(folder = clientFolder()): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>();
  for (const name of readdirSync(folder)) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const bytes = readFileSync(join(folder, name));
    let small: Buffer | null = null;
    assets.set(name, {
      type,
      bytes,
      get gzip() {
        return (small ??= gzipSync(bytes, { level: 9 }));
      },
    });
  }
  return assets;
}
