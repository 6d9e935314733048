/**
 * The package as a newcomer gets it: packed, and installed into an empty project by `npm install --engine-strict --omit=dev`. Where the registry cannot
 * be reached, the dependencies of this checkout are linked instead.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');
export const isBuilt = existsSync(join(ROOT, 'dist/bin/svc.js'));
if (!isBuilt) console.warn('SKIPPED: the package is not tested, because nothing was built. `npm run build` first.');

export interface LockedPackage {
  version: string;
  dev?: boolean;
  engines?: { node?: string };
}

/** Packages of the lock file that are installed with this one, by their paths. Some are for other platforms. */
export function production(): [path: string, LockedPackage][] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, LockedPackage> };
  return Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true);
}

export class InstalledPackage {
  readonly home: string;
  readonly name: string;
  /** Paths in the tarball. */
  readonly files: readonly string[];
  /** False: dependencies are links into this checkout. */
  readonly isReal: boolean;

  private constructor(home: string, name: string, files: readonly string[], isReal: boolean) {
    this.home = home;
    this.name = name;
    this.files = files;
    this.isReal = isReal;
  }

  static make(): InstalledPackage {
    makeTypes();
    const home = mkdtempSync(join(tmpdir(), 'svc-package-'));
    const [packed] = JSON.parse(npm(ROOT, 'pack', '--json', '--ignore-scripts', '--pack-destination', home)) as {
      name: string;
      filename: string;
      files: { path: string }[];
    }[];
    const files = packed.files.map(({ path }) => path);
    const tarball = join(home, packed.filename);
    writeFileSync(join(home, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }));
    try {
      npm(home, 'install', '--engine-strict', '--omit=dev', '--prefer-offline', '--fetch-retries=0', '--no-audit', '--no-fund', tarball);
      return new InstalledPackage(home, packed.name, files, true);
    } catch (error) {
      if (/EBADENGINE|ENOTSUP/.test((error as Error).message)) throw error;
      console.warn('The registry cannot be reached: the dependencies of this checkout are linked instead of installed.');
      rmSync(join(home, 'node_modules'), { recursive: true, force: true });
      link(home, packed.name, tarball);
      return new InstalledPackage(home, packed.name, files, false);
    } finally {
      rmSync(tarball);
    }
  }

  get folder(): string {
    return join(this.home, 'node_modules', this.name);
  }

  get command(): string {
    return join(this.folder, 'dist/bin/svc.js');
  }

  /** What is installed, links followed. */
  size(): { packages: number; bytes: number } {
    const folders: string[] = [];
    const modules = join(this.home, 'node_modules');
    for (const path of readdirSync(modules, { recursive: true, encoding: 'utf8' })) {
      if (/(^|node_modules\/)(@[^/]+\/)?[^@./][^/]*\/package\.json$/.test(path)) folders.push(path);
    }
    let bytes = 0;
    for (const path of readdirSync(modules, { recursive: true, encoding: 'utf8' })) {
      const stat = statSync(join(modules, path));
      if (stat.isFile()) bytes += stat.size;
    }
    return { packages: folders.length, bytes };
  }

  /** Runs a program or a command of the project. */
  node(...words: string[]): { status: number | null; stdout: string; stderr: string } {
    return spawnSync(process.execPath, words, { cwd: this.home, encoding: 'utf8', timeout: 120_000 });
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** They are not part of a build, which they would make half a minute longer. */
function makeTypes(): void {
  const made = statSync(join(ROOT, 'dist/types/index.d.ts'), { throwIfNoEntry: false });
  if (made !== undefined && made.mtimeMs > statSync(join(ROOT, 'dist/src/database.d.ts')).mtimeMs) return;
  execFileSync(process.execPath, ['types.js'], { cwd: ROOT });
}

/** Unpacks the tarball, and links what `npm install` would install. */
function link(home: string, name: string, tarball: string): void {
  const modules = join(home, 'node_modules');
  mkdirSync(modules);
  execFileSync('tar', ['xzf', tarball, '-C', modules]);
  execFileSync('mv', [join(modules, 'package'), join(modules, name)]);
  for (const [path] of production()) {
    const from = join(ROOT, path);
    const to = join(modules, relative('node_modules', path));
    // A package inside another one is there with it.
    if (!existsSync(from) || existsSync(to)) continue;
    mkdirSync(dirname(to), { recursive: true });
    symlinkSync(from, to);
  }
}

function npm(folder: string, ...words: string[]): string {
  const { status, stdout, stderr } = spawnSync('npm', words, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`npm ${words[0]}: ${stderr}`);
  return stdout;
}
