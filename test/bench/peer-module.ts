/** Other databases that the benchmark needs as packages: installed beside it when first asked for, never with the project. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const here = join(process.cwd(), 'test/bench');

export async function peerModule(name: string): Promise<unknown> {
  if (!existsSync(join(here, 'node_modules', name))) {
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock'], { cwd: here, stdio: 'ignore' });
  }
  return createRequire(join(here, 'package.json'))(name);
}
