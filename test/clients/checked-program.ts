/** Programs in other languages that test a client and report in TAP lines: `ok name`, `not ok name: why`, `1..n`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { program, run } from './client-programs.ts';

export const PROGRAMS = join(import.meta.dirname, 'programs');

/** What went wrong, an empty list where all is well; `count` checks ran. */
export async function runChecks(path: string, args: readonly string[], env: Record<string, string> = {}): Promise<{ failed: string[]; count: number }> {
  const { out, err, code } = await run(path, args, '', env);
  const lines = out.split('\n');
  const failed = lines.filter((line) => line.startsWith('not ok '));
  const count = lines.filter((line) => line.startsWith('ok ')).length;
  const planned = /^1\.\.(\d+)$/m.exec(out);
  if (code !== 0 || planned === null) failed.push(`ended with ${code}: ${err}${out}`);
  else if (failed.length + count !== Number(planned[1])) failed.push(`${planned[1]} checks were planned, ${failed.length + count} ran`);
  return { failed, count };
}

/** A Python that has the module, null with a word on stderr. Debian's packages are those of its own Python. */
export async function pythonWith(module: string): Promise<string | null> {
  const pythons = ['/usr/bin/python3', program('python3')].filter((path) => path !== null && existsSync(path));
  for (const python of pythons) if ((await run(python!, ['-c', `import ${module}`])).code === 0) return python!;
  process.stderr.write(`SKIPPED: Python's ${module} is not installed; its tests did not run\n`);
  return null;
}
