/** Opens a target by its name on the command line. The one over our engine is found at run time: it may not be there yet. */
import { existsSync } from 'node:fs';
import { PGliteTarget } from './pglite-target.ts';
import { PostgresTarget } from './postgres-target.ts';
import type { SqlTarget } from './target.ts';

export const ENGINE_MISSING = 'the SQL engine is not there yet';

const enginePath = new URL(`./engine-target${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

/** True once `test/slt/engine-target.ts` exists; it exports `openEngine(): Promise<SqlTarget>`. */
export const engineExists = existsSync(enginePath);

export async function openTarget(name: string): Promise<SqlTarget> {
  if (name === 'pglite') return PGliteTarget.open();
  if (name.startsWith('postgres:')) return PostgresTarget.open(name);
  if (name !== 'engine') throw new Error(`no target ${name}: engine, pglite or postgres://user@host:port/database`);
  if (!engineExists) throw new Error(ENGINE_MISSING);
  const engine = (await import(enginePath.href)) as { openEngine: () => Promise<SqlTarget> };
  return engine.openEngine();
}
