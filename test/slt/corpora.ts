/** Where sqllogictest files lie: the project's own, and the shared folder beside the project where there is one. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds package.json; from sources and from dist alike. */
export function projectFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

export function ownFolder(): string {
  return join(projectFolder(), 'test/sql/slt');
}

/** Beside the project, or where SVC_SHARED says. Null where it is absent; that is said, since a run without it proves less than it seems to. */
export function sharedFolder(name: string): string | null {
  const folder = resolve(projectFolder(), process.env['SVC_SHARED'] ?? '../shared', name);
  if (existsSync(folder)) return folder;
  process.stderr.write(`SKIPPED: ${folder} is not there, what needs it is not run\n`);
  return null;
}
