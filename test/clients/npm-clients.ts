/** Programs over npm's clients of `npm/package.json`, which `.ci/npm-clients` installs beside the checkout; what is missing is skipped, and said by name. */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAMS = join(import.meta.dirname, 'npm');
const INSTALLED = join(process.env['SVC_NPM_CLIENTS'] ?? join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'svc-npm-clients'), 'node_modules');
const PINNED = (JSON.parse(readFileSync(join(PROGRAMS, 'package.json'), 'utf8')) as { dependencies: Record<string, string> }).dependencies;

/** Written last: an installation that was cut off lacks it. */
const COMPLETE = existsSync(join(INSTALLED, '..', 'installed.json'));

function versionOf(name: string): string | null {
  const file = join(INSTALLED, name, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : null;
}

/** Whether the packages are installed at the pinned versions; a word on stderr where not. */
export function installed(...names: readonly string[]): boolean {
  const missing = names.filter((name) => !COMPLETE || versionOf(name) !== PINNED[name]);
  for (const name of missing) process.stderr.write(`SKIPPED: ${name} ${PINNED[name]} is not installed (.ci/npm-clients); its tests did not run\n`);
  return missing.length === 0;
}

/** A new folder with the files of a client's programs, which find the installed packages there. */
export function programFolder(client: string): string {
  const folder = mkdtempSync(join(tmpdir(), `svc-${client}-`));
  cpSync(join(PROGRAMS, client), folder, { recursive: true });
  symlinkSync(INSTALLED, join(folder, 'node_modules'));
  return folder;
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
