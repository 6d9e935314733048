/** Finds and reads sqllogictest files, plain or gzipped. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { dialectOf, parseSlt, type SltFile } from './parse-slt.ts';

/** Below each path, in the order of their names. */
export function sltFiles(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(slt|test|test_slow)(\.gz)?$/.test(name))
      .sort()
      .map((name) => join(path, name));
  });
}

export function readSlt(path: string): SltFile {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return parseSlt(text, dialectOf(path, text));
}
