/** A real terminal: a tmux of our own, typed into and read back. */
import { execFileSync } from 'node:child_process';
import { program } from '../clients/client-programs.ts';

export const tmux = program('tmux');

let count = 0;

export class Tmux {
  readonly #socket = `svc-test-${process.pid}-${++count}`;

  constructor(command: string, { columns = 80, rows = 24, environment = {} as Record<string, string>, folder = '/' } = {}) {
    const variables = Object.entries(environment).map(([name, value]) => `${name}='${value}'`);
    // The pane stays when the shell ends, with its exit code as the last line.
    const line = `cd '${folder}' && env ${variables.join(' ')} ${command}; echo "exit code $?"; sleep 600`;
    this.#run('-f', '/dev/null', 'new-session', '-d', '-s', 'it', '-x', String(columns), '-y', String(rows), 'sh', '-c', line);
  }

  #run(...words: string[]): string {
    return execFileSync(tmux!, ['-L', this.#socket, ...words], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: '/nonexistent', LC_ALL: 'C.UTF-8' },
    });
  }

  type(text: string): void {
    this.#run('send-keys', '-t', 'it', '-H', ...[...Buffer.from(text)].map((byte) => byte.toString(16)));
  }

  /** `Enter`, `Up`, `C-c` …, as tmux names them. */
  keys(...names: string[]): void {
    this.#run('send-keys', '-t', 'it', ...names);
  }

  line(text: string): void {
    this.type(`${text}\r`);
  }

  paste(text: string): void {
    this.#run('set-buffer', '--', text);
    this.#run('paste-buffer', '-p', '-t', 'it');
  }

  resize(columns: number, rows: number): void {
    this.#run('resize-window', '-t', 'it', '-x', String(columns), '-y', String(rows));
  }

  get screen(): string {
    return trimmed(this.#run('capture-pane', '-p', '-t', 'it'));
  }

  /** What has been scrolled away, too. */
  get scrollback(): string {
    return trimmed(this.#run('capture-pane', '-p', '-S', '-', '-t', 'it'));
  }

  get coloured(): string {
    return this.#run('capture-pane', '-p', '-e', '-t', 'it');
  }

  /** Waits until the screen shows it, for as long as a busy machine takes. */
  async shows(wanted: string | RegExp, ms = 30_000): Promise<string> {
    const until = Date.now() + ms;
    for (;;) {
      const { screen } = this;
      if (typeof wanted === 'string' ? screen.includes(wanted) : wanted.test(screen)) return screen;
      if (Date.now() > until) throw new Error(`the screen does not show ${String(wanted)}:\n${screen}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  close(): void {
    try {
      this.#run('kill-server');
    } catch {
      // It ended by itself.
    }
  }
}

function trimmed(screen: string): string {
  return screen
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();
}
