/** Opens a target by its name on the command line. */
import { PGliteTarget } from './pglite-target.ts';
import { PostgresTarget } from './postgres-target.ts';
import { openSvc } from './svc-target.ts';
import type { Target } from './target.ts';

export async function openTarget(name: string): Promise<Target> {
  if (name === 'pglite') return PGliteTarget.open();
  if (name === 'svc') return openSvc();
  if (name.startsWith('postgres:')) return PostgresTarget.open(name);
  throw new Error(`no target ${name}: svc, pglite or postgres://user@host:port/database`);
}
