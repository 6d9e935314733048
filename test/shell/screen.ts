/** A terminal for views in a test: a size, keys, and the screen as text. */
import { join } from 'node:path';
import { render } from 'ink-testing-library';
import { createElement } from 'react';
import { KeyDecoder } from '../../src/shell/edit/keys.ts';
import { Frame } from '../../src/shell/view/ink-view.ts';
import type { View } from '../../src/shell/view/view.ts';
import { EventEmitter } from 'node:events';

export class Screen<Result> {
  readonly #ink: ReturnType<typeof render>;
  readonly #decoder: KeyDecoder;
  readonly #stdout: { columns: number; rows: number; write: () => boolean } & EventEmitter;
  result: Result | undefined;
  error: unknown;

  constructor(view: View<Result>, columns = 80, rows = 24) {
    this.#stdout = Object.assign(new EventEmitter(), { columns, rows, write: () => true });
    view.finish = (result) => (this.result = result);
    view.fail = (error) => (this.error = error);
    this.#decoder = new KeyDecoder((key) => view.key(key));
    this.#ink = render(createElement(Frame, { view: view as View<never>, stdout: this.#stdout as unknown as NodeJS.WriteStream, full: false }));
  }

  /** Raw keys of a terminal: `\r` is Enter, `\x1b[A` is up. */
  async keys(...all: string[]): Promise<void> {
    for (const keys of all) {
      this.#decoder.write(Buffer.from(keys));
      await this.idle();
    }
  }

  async idle(): Promise<void> {
    for (let i = 0; i < 6; i++) await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }

  async resize(columns: number, rows: number): Promise<void> {
    this.#stdout.columns = columns;
    this.#stdout.rows = rows;
    this.#stdout.emit('resize');
    await this.idle();
  }

  get text(): string {
    // oxlint-disable-next-line no-control-regex
    return (this.#ink.lastFrame() ?? '')
      .replaceAll(/\x1b\[[0-9;]*m/g, '')
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .trimEnd();
  }

  /** With its colours. */
  get coloured(): string {
    return this.#ink.lastFrame() ?? '';
  }

  close(): void {
    this.#ink.unmount();
  }
}

/** Where a screen is stored as text; a run with `-u` rewrites it. */
export function kept(name: string): string {
  return join(import.meta.dirname, 'screens', `${name}.txt`);
}
