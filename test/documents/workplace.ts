/**
 * A new folder in which blocks of a page run as a reader runs them: `sh` by bash, with `svc` on the path as it was built; `svc` and `sql` typed into the
 * shell over `./data`; `ts` by Node, beside the installed package. What a block starts in the background keeps running for the blocks after it. The ports of
 * the documentation are replaced by free ones, in texts and in the defaults of `svc serve` and `svc studio`, so that it meets no other server of the machine.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { transform } from 'esbuild';
import type { Block } from './blocks.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const { name: PACKAGE } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { name: string };

/** What a block may take: the longest ones wait some seconds on purpose. */
const TIMEOUT_MS = 150_000;

export class Workplace {
  readonly #home = mkdtempSync(join(tmpdir(), 'svc-documents-'));
  readonly #folder = join(this.#home, 'work');
  readonly #ports: ReadonlyMap<string, string>;
  readonly #more: ReadonlyMap<string, string>;
  readonly #started: ChildProcess[] = [];

  /** `more`: further replacements in texts of blocks. */
  static async make(more: ReadonlyMap<string, string> = new Map()): Promise<Workplace> {
    const ports = new Map<string, string>();
    for (const port of ['7070', '5433', '7071']) ports.set(port, String(await freePort()));
    return new Workplace(ports, more);
  }

  private constructor(ports: ReadonlyMap<string, string>, more: ReadonlyMap<string, string>) {
    this.#ports = ports;
    this.#more = new Map([...more, ['/backups/', `${join(this.#home, 'backups')}/`]]);
    mkdirSync(join(this.#home, 'backups'));
    const modules = join(this.#folder, 'node_modules');
    const programs = join(this.#home, 'bin');
    for (const folder of [modules, programs]) mkdirSync(folder, { recursive: true });
    symlinkSync(ROOT, join(modules, PACKAGE));
    writeFileSync(
      join(programs, 'svc'),
      `#!/bin/bash
program=(${JSON.stringify(process.execPath)} ${JSON.stringify(join(ROOT, 'dist/bin/svc.js'))})
default() { case " $all " in *" $1 "*|*" $1="*) ;; *) more+=("$1" "127.0.0.1:$2") ;; esac }
all="$*" more=()
case "$1" in
  serve) default --listen ${ports.get('7070')}; default --pg ${ports.get('5433')} ;;
  studio) default --listen ${ports.get('7071')} ;;
esac
exec "\${program[@]}" "$@" "\${more[@]}"
`,
    );
    chmodSync(join(programs, 'svc'), 0o755);
  }

  /** Runs it and gives what it printed, with the documentation's ports; an error names what it printed. */
  async run(block: Block): Promise<string> {
    const fails = block.run.includes('fails');
    switch (block.language) {
      case 'sh':
        writeFileSync(join(this.#home, 'block.sh'), this.#replaced(block.text));
        return this.#process('bash', ['-eu', '-o', 'pipefail', join(this.#home, 'block.sh')], '', fails);
      case 'svc':
      case 'sql':
        return this.#shell(block.text, fails);
      case 'ts': {
        const { code } = await transform(block.text, { loader: 'ts', target: 'node20', format: 'esm' });
        writeFileSync(join(this.#folder, 'program.mjs'), this.#replaced(code));
        return this.#process(process.execPath, ['program.mjs'], '', fails);
      }
      default:
        throw new Error(`blocks of the language "${block.language}" cannot be run: say why with <!-- not run: … -->`);
    }
  }

  #shell(text: string, fails: boolean): Promise<string> {
    return this.#process(join(this.#home, 'bin/svc'), ['./data'], text, fails);
  }

  /** Output goes to a file: a server in the background keeps it open. */
  async #process(program: string, words: readonly string[], input: string, fails: boolean): Promise<string> {
    const path = join(this.#home, `output-${this.#started.length}`);
    const output = openSync(path, 'w');
    const child = spawn(program, words, {
      cwd: this.#folder,
      detached: true,
      stdio: ['pipe', output, output],
      env: {
        ...process.env,
        PATH: `${join(this.#home, 'bin')}:${process.env['PATH']}`,
        HOME: this.#home,
        XDG_STATE_HOME: this.#home,
        TERM: 'dumb',
        PGCONNECT_TIMEOUT: '10',
      },
    });
    closeSync(output);
    this.#started.push(child);
    const ended = new Promise<number | null>((done, failed) => child.once('exit', done).once('error', failed));
    child.stdin!.on('error', () => undefined);
    child.stdin!.end(this.#replaced(input));
    const timer = setTimeout(() => kill(child, 'SIGKILL'), TIMEOUT_MS);
    const status = await ended;
    clearTimeout(timer);
    const printed = this.#documented(readFileSync(path, 'utf8'));
    if ((status === 0) === fails) throw new Error(`it ended with ${status ?? 'a signal'}, after it had printed:\n${printed}`);
    return printed;
  }

  #replaced(text: string): string {
    for (const [documented, used] of [...this.#ports, ...this.#more]) text = text.replaceAll(documented, used);
    return text;
  }

  #documented(text: string): string {
    for (const [documented, used] of this.#ports) text = text.replaceAll(used, documented);
    return text;
  }

  /** Ends what blocks have started, with all that it started, and removes the folder. */
  async close(): Promise<void> {
    for (const child of this.#started) kill(child, 'SIGTERM');
    for (const child of this.#started) {
      for (let tries = 0; kill(child, 0); tries++) {
        if (tries > 200) kill(child, 'SIGKILL');
        await new Promise((done) => setTimeout(done, 50));
      }
    }
    rmSync(this.#home, { recursive: true, force: true });
  }
}

/** Of a whole process group; false if none of it is left. */
function kill(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-child.pid!, signal);
    return true;
  } catch {
    return false;
  }
}

function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const server = createServer();
    server.once('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}
