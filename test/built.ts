/**
 * Tests run what was built. Source that each test file had compiled for itself took a fifth of the run's time, and ran slower than what
 * users run: every imported name was looked up in a module object. Where source is newer than what was built, or nothing was,
 * tests run the source, as in a loop of changes and tests.
 */
import { readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vitest/config';

const ROOT = resolve(import.meta.dirname, '..');
const BUILT = join(ROOT, 'dist');
const FOLDERS = ['src', 'projections'];

/** For plugins that list built modules: Node imports them itself. */
export const builtModules = new RegExp(`^${BUILT.replaceAll(/[.\\+*?^$()[\]{}|]/g, '\\$&')}/`);

let known: boolean | null = null;

export function built(): Plugin {
  const fresh = (known ??= isFresh());
  if (!fresh) console.warn('Tests run the source: what was built is older. `npm run build` makes them faster.');
  return {
    name: 'built',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!fresh || !source.endsWith('.ts')) return null;
      const path = source.startsWith('file:') ? fileURLToPath(source) : resolve(importer === undefined ? ROOT : dirname(importer), source);
      if (!FOLDERS.some((folder) => path.startsWith(join(ROOT, folder) + sep))) return null;
      return { id: `${join(BUILT, path.slice(ROOT.length + 1)).slice(0, -2)}js`, external: true };
    },
  };
}

function isFresh(): boolean {
  for (const folder of FOLDERS) {
    for (const entry of readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !entry.name.endsWith('.ts')) continue;
      const path = join(entry.parentPath, entry.name);
      const made = statSync(`${join(BUILT, path.slice(ROOT.length + 1)).slice(0, -2)}js`, { throwIfNoEntry: false });
      if (made === undefined || made.mtimeMs < statSync(path).mtimeMs) return false;
    }
  }
  return true;
}
