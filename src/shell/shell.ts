/**
 * The shell: reads typed or piped input piece by piece, runs it, and shows the results. At a terminal by views,
 * otherwise as plain lines.
 *
 *   prompt or stdin ──pieces──► command ──► operation ──► its view
 *                           └─► SQL ──► the session ──► a table, paged
 */
import { inQuotes } from '../base/quote-identifier.ts';
import { spawnSync } from 'node:child_process';
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync, type WriteStream, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { exactJsonText } from '../base/exact-json.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import type { RunControl, WorldView } from '../commands/contract.ts';
import { toWire } from '../socket/greeting.ts';
import { cancelled } from '../socket/running-calls.ts';
import type { Command, Input } from './commands/command.ts';
import type { BusyOptions, Stage } from './commands/stage.ts';
import { fileError } from './commands/copy-command.ts';
import { isStray, parseLine, strayError, syntax } from './commands/syntax.ts';
import { UsageError } from './commands/usage-error.ts';
import { type CommandSyntax, NO_NAMES, type Names } from './edit/completion.ts';
import { History } from './edit/history.ts';
import { PieceSource } from './edit/piece-source.ts';
import type { Piece } from './edit/pieces.ts';
import type { Answer, CopyEnds, Notification, Place, ShellLink } from './link/link.ts';
import { loadNames } from './load-names.ts';
import { RowSource } from './row-source.ts';
import { visible } from './text/cell.ts';
import { errorLines } from './text/error-text.ts';
import { notificationText } from './text/notification-text.ts';
import { PLAIN, type Style } from './text/style.ts';
import { countLine, headLines, layOut, rowLines } from './text/table.ts';
import { duration } from './text/time-text.ts';
import { cutLine } from './text/width.ts';
import { AskView } from './view/ask-view.ts';
import { type LineSource, PagerView } from './view/pager-view.ts';
import { ProgressView } from './view/progress-view.ts';
import { CANCELLED, PromptView } from './view/prompt-view.ts';
import { columnsOf, rowsOf, type Terminal } from './view/terminal.ts';
import type { View } from './view/view.ts';

/** Rows fetched at first; the pager fetches more. */
const ROWS_AT_ONCE = 500;
/** Longer calls show progress. */
const PROGRESS_MS = 500;
/** Nesting limit of included files. */
const INCLUDES_MAX = 50;

export interface ShellOptions {
  readonly link: ShellLink;
  /** Opens a new link after the other end has gone. */
  reconnect(): Promise<ShellLink>;
  readonly branch: string;
  readonly out: Writable;
  readonly err: Writable;
  readonly style: Style;
  /** null: not interactive, or a terminal that takes lines only. */
  readonly terminal: Terminal | null;
  /** Source of keys while a view is shown. */
  readonly keys: Readable | null;
  /** null: lines are not bounded. */
  width(): number | null;
  readonly json: boolean;
  readonly history?: History;
  /** Rows for one command's COPY FROM STDIN; omitted if a person types them. */
  readonly input?: Readable;
}

/** The error has been shown; the caller stops. */
class Stopped extends Error {}

export class Shell implements Stage {
  readonly #style: Style;
  #link: ShellLink;
  place: Place;
  expanded = false;
  lastSql = '';
  restricted: string | null = null;
  /** Source of pieces and rows. */
  #source: PieceSource | null = null;
  #includes = 0;
  /** Redirected output. */
  #redirected: WriteStream | null = null;
  /** Long output is not paged. */
  #repeating = false;
  readonly #notifications: Notification[] = [];
  /** The waiting prompt. */
  #prompting: PromptView | null = null;
  #detach: () => void = () => {};
  /** Clears the progress line permanently. */
  #quiet: (() => Promise<void>) | null = null;
  timing = false;
  readonly #options: ShellOptions;
  #left = false;
  #parent = 'main';
  #names: Names = NO_NAMES;
  /** What the names were read for; cleared by anything that may have changed them. */
  #namesOf: string | null = null;
  #attached = false;
  #cancelled = false;
  /** Cancels the running command. */
  #stop: (() => void) | null = null;

  constructor(options: ShellOptions) {
    this.#options = options;
    this.#style = options.style;
    this.#link = options.link;
    this.#hear(options.link);
    this.place = { branch: options.branch, transaction: 'none', gone: false };
  }

  get interactive(): boolean {
    return this.#options.terminal !== null && !this.#options.json && this.#redirected === null && !this.#repeating;
  }

  get link(): ShellLink {
    return this.#link;
  }

  get style(): Style {
    return this.#redirected === null ? this.#style : PLAIN;
  }

  get width(): number | null {
    return this.#redirected === null ? this.#options.width() : null;
  }

  get #out(): Writable {
    return this.#redirected ?? this.#options.out;
  }

  nowMs(): number {
    return Date.now();
  }

  leave(): void {
    this.#left = true;
  }

  // --- modes

  /** Prompts until the person leaves. */
  async converse(): Promise<void> {
    const terminal = this.#options.terminal!;
    this.#attach();
    const commands = syntax(true);
    try {
      void this.#refreshNames();
      while (!this.#left) {
        this.#prompting = new PromptView({
          prompt: `${this.#prompt()}> `,
          continuation: `${this.#prompt()}- `,
          history: this.#options.history ?? EMPTY,
          style: this.#style,
          syntax: commands,
          keywords: new Set(this.#names.keywords),
          names: () => this.#refreshNames(),
          clearScreen: () => void terminal.stdout.write('\x1b[2J\x1b[H'),
        });
        const entered = await this.#onScreen(this.#prompting);
        this.#prompting = null;
        if (entered === null) break;
        await this.#pieces(new PieceSource(`${entered}\n`, commands.isCommand, async (what) => (what === 'data' ? this.#askRows() : null)), true);
      }
    } finally {
      this.#detach();
      await this.redirect(null);
    }
  }

  /** Reads keys; pasted lines arrive together. */
  #attach(): void {
    const terminal = this.#options.terminal!;
    const detach = terminal.keyboard.attach(this.#options.keys!);
    this.#attached = true;
    terminal.stdout.write('\x1b[?2004h');
    this.#detach = () => {
      terminal.stdout.write('\x1b[?2004l');
      detach();
      this.#attached = false;
    };
  }

  /** Runs the pieces of a stream in order. True if none failed. `prompts`: a person types them, and continues after errors. */
  async stream(input: Readable, prompts: boolean): Promise<boolean> {
    input.setEncoding('utf8');
    const chunks = input[Symbol.asyncIterator]() as AsyncIterator<string>;
    const source: PieceSource = new PieceSource('', syntax(prompts).isCommand, async (what) => {
      if (prompts) this.#options.out.write(what === 'data' ? '>> ' : `${this.#prompt()}${source.waits ? '-' : '>'} `);
      const { done, value } = await chunks.next();
      if (done === true && prompts && what === 'piece') this.#options.out.write('\n');
      return done === true ? null : value;
    });
    try {
      return await this.#pieces(source, !prompts);
    } finally {
      await chunks.return?.();
      if (this.#includes === 0) await this.redirect(null);
    }
  }

  /** True if none failed. */
  async #pieces(source: PieceSource, stops: boolean): Promise<boolean> {
    const outer = this.#source;
    this.#source = source;
    try {
      for (let piece = await source.next(); piece !== null && !this.#left; piece = await source.next()) {
        if (!(await this.#try(piece)) && stops) return false;
      }
      return true;
    } finally {
      this.#source = outer;
    }
  }

  async typed(text: string): Promise<void> {
    const { isCommand } = syntax(false);
    if (!(await this.#pieces(new PieceSource(`${text}\n`, isCommand, async (what) => (what === 'data' ? this.#askRows() : null)), true))) throw new Stopped();
  }

  async include(path: string): Promise<void> {
    if (this.#includes >= INCLUDES_MAX) throw new UsageError(`${path}: more than ${INCLUDES_MAX} files run each other`);
    const file = createReadStream(path);
    try {
      await once(file, 'ready');
    } catch (error) {
      throw fileError(error, path);
    }
    this.#includes++;
    try {
      if (!(await this.stream(file, false))) throw new Stopped();
    } finally {
      this.#includes--;
    }
  }

  async redirect(path: string | null): Promise<void> {
    const before = this.#redirected;
    this.#redirected = null;
    if (before !== null) await new Promise((resolve) => before.end(resolve));
    if (path === null) return;
    const file = createWriteStream(path);
    try {
      await once(file, 'ready');
    } catch (error) {
      throw fileError(error, path);
    }
    this.#redirected = file;
  }

  async edit(text: string, path: string | null): Promise<string | null> {
    if (!this.#attached) throw new UsageError('an editor needs a terminal');
    const editor = process.env['PSQL_EDITOR'] ?? process.env['EDITOR'] ?? process.env['VISUAL'] ?? 'vi';
    const folder = path === null ? mkdtempSync(join(tmpdir(), 'svc-edit-')) : null;
    const file = path ?? join(folder!, 'statement.sql');
    try {
      if (folder !== null) writeFileSync(file, text === '' ? '' : `${text};\n`, { mode: 0o600 });
      this.#detach();
      // The file's name is a separate argument, so that nothing in it is interpreted as a command.
      const { status } = spawnSync('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' });
      this.#attach();
      if (status !== 0) throw new UsageError(`could not start editor "${editor}"`, 'Set EDITOR to one that is there.');
      return readFileSync(file, 'utf8');
    } catch (error) {
      if (error instanceof UsageError) throw error;
      throw fileError(error, file);
    } finally {
      if (folder !== null) rmSync(folder, { recursive: true, force: true });
    }
  }

  async repeat(act: () => Promise<void>, everyMs: number, times: number): Promise<void> {
    let stopped = false;
    let wake = (): void => {};
    const stop = (): void => {
      stopped = true;
      wake();
    };
    this.#repeating = true;
    try {
      for (let count = 0; count < times && !stopped;) {
        const nextMs = Date.now() + everyMs;
        await act();
        if (++count >= times) break;
        const unlisten = this.#attached ? this.#options.terminal!.keyboard.listen(stop, ['ctrl-c']) : (): void => {};
        this.#stop = stop;
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, Math.max(0, nextMs - Date.now()));
        });
        this.#stop = null;
        unlisten();
      }
    } finally {
      this.#stop = null;
      this.#repeating = false;
    }
  }

  /** Runs one command or text of SQL. Throws usage errors. */
  async one(text: string | { command: Command; input: Input }): Promise<boolean> {
    try {
      const parsed = typeof text === 'string' ? parseLine(text) : text;
      if (parsed !== null) await this.#command(parsed.command, parsed.input);
      else if (this.#options.json) this.#json(await this.#callSql(text as string));
      else await this.sql(text as string);
      return true;
    } catch (error) {
      if (error instanceof UsageError) throw error;
      this.#complain(error, typeof text === 'string' ? text : null);
      return false;
    } finally {
      this.#printNotifications();
    }
  }

  #prompt(): string {
    const { branch, transaction } = this.place;
    return `${visible(branch)}${transaction === 'none' ? '' : transaction === 'open' ? '*' : '!'}`;
  }

  // --- pieces

  async #try(piece: Piece): Promise<boolean> {
    let sql: string | null = null;
    try {
      if (this.link.lost) await this.#reconnect();
      if (piece.kind === 'held') this.lastSql = piece.text;
      else if (piece.kind === 'command') {
        const parsed = parseLine(piece.text);
        if (parsed === null) throw isStray(piece.text) ? strayError(piece.text) : new UsageError(`"${piece.text}" is not understood`);
        await this.#command(parsed.command, parsed.input);
      } else {
        sql = piece.text;
        if (this.#options.json) this.#json(await this.#callSql(sql));
        else await this.sql(sql);
      }
      return true;
    } catch (error) {
      this.#complain(error, sql);
      // The prompt shows a failed transaction.
      if (!this.link.lost) await this.#updatePlace().catch(() => {});
      return false;
    } finally {
      this.#printNotifications();
    }
  }

  async #command(command: Command, given: Input): Promise<void> {
    if (this.restricted !== null && command.name !== '\\unrestrict')
      throw new UsageError('commands are restricted; only \\unrestrict is allowed', 'pg_dump guards its output so: nothing in it may be a command.');
    const input = command.complete({ ...given }, this);
    const { operation } = command;
    const since = performance.now();
    if (this.#options.json && operation !== undefined) {
      this.#json(await this.busy(operation.name, (control) => this.link.call(operation.name, input, control)));
      return;
    }
    await command.shape.run(input, this);
    if (operation?.effect !== 'read') this.#namesOf = null;
    await this.#updatePlace();
    if (this.timing) await this.print([this.style.dim(`Time: ${duration(performance.now() - since)}`)]);
  }

  #callSql(sql: string): Promise<unknown> {
    return this.busy('sql', (control) => this.link.call('sql', { branch: this.place.branch, sql }, control));
  }

  #json(reply: unknown): void {
    this.#options.out.write(`${exactJsonText(reply)}\n`);
  }

  #complain(error: unknown, sql: string | null): void {
    const { out, err, json } = this.#options;
    if (error instanceof Stopped) return;
    if (json) {
      out.write(`${exactJsonText({ error: toWire(error) })}\n`);
      return;
    }
    if (error instanceof UsageError) {
      err.write(`${this.style.red(error.message)}\n${error.hint === undefined ? '' : `${error.hint}\n`}`);
      return;
    }
    err.write(`${errorLines(error, sql, this.style, this.width).join('\n')}\n`);
  }

  async #reconnect(): Promise<void> {
    const { branch, transaction } = this.place;
    this.#link = await this.#options.reconnect();
    this.#hear(this.#link);
    await this.#say(`The process that had the folder open is gone; ${this.link.kind === 'folder' ? 'it is open here now' : 'another one has it now'}.`);
    this.place = { branch: 'main', transaction: 'none', gone: false };
    if (branch !== 'main') await this.use(branch).catch(() => this.#say(`${visible(branch)} is not there: you are in main.`));
    if (transaction === 'none') return;
    // What follows was meant to be part of it, and would be a transaction of its own.
    throw new SvcError('08006', 'the transaction is gone: the process that ran it has ended, and nothing of it is kept', {
      hint: 'This statement was not run. Begin the transaction again.',
    });
  }

  #say(text: string): Promise<void> {
    this.#options.err.write(`${this.style.dim(text)}\n`);
    return Promise.resolve();
  }

  // --- SQL

  async sql(text: string, copy?: CopyEnds): Promise<void> {
    const since = performance.now();
    this.lastSql = text;
    const rows = this.#typedRows();
    let replied;
    try {
      replied = await this.#cancellable((onProgress) => this.link.run(text, ROWS_AT_ONCE, { onProgress, copy: copy ?? rows }));
    } finally {
      if (copy === undefined) this.#source?.dropRows();
    }
    const { answers, place } = replied;
    this.#namesOf = null;
    // For COPY to the output, the copied rows suffice.
    for (const answer of answers) if (!rows.wrote || !/^COPY \d+$/.test(answer.command)) await this.#show(answer);
    await this.#updatePlace(answers.some(({ more }) => more) ? undefined : place);
    if (this.timing) await this.print([this.style.dim(`Time: ${duration(performance.now() - since)}`)]);
  }

  /** Rows of COPY FROM STDIN follow the statement; those of COPY TO STDOUT go to the output. */
  #typedRows(): CopyEnds & { wrote: boolean } {
    const { input } = this.#options;
    let chunks: AsyncIterator<Uint8Array> | null = null;
    const ends: CopyEnds & { wrote: boolean } = {
      wrote: false,
      input: async () => {
        await this.#quiet?.();
        if (this.#source === null && input !== undefined) {
          chunks ??= input[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
          const { done, value } = await chunks.next();
          return done === true ? null : value;
        }
        this.#source ??= new PieceSource(
          '',
          () => false,
          () => this.#askRows(),
        );
        const text = await this.#source.rows();
        return text === null ? null : Buffer.from(text);
      },
      output: async (bytes) => {
        await this.#quiet?.();
        ends.wrote = true;
        const out = this.#out;
        // Control sequences are shown escaped.
        const shown =
          this.#options.terminal !== null && this.#redirected === null
            ? Buffer.from(bytes)
                .toString('utf8')
                .split('\n')
                .map((line) => line.split('\t').map(visible).join('\t'))
                .join('\n')
            : bytes;
        if (!out.write(shown) && !out.destroyed) await new Promise((resolve) => out.once('drain', resolve));
      },
    };
    return ends;
  }

  /** Lines typed by a person, until `\.` or Ctrl-D. */
  async #askRows(): Promise<string | null> {
    const { terminal, history } = this.#options;
    if (terminal === null) return null;
    if (this.#source?.dataBegins === true) {
      await this.#write(['Enter data to be copied followed by a newline.', 'End with a backslash and a period on a line by itself, or an EOF signal.']);
    }
    const entered = await this.#onScreen(
      new PromptView({
        prompt: '>> ',
        continuation: '>> ',
        history: history ?? EMPTY,
        style: this.#style,
        syntax: NO_SYNTAX,
        keywords: new Set(),
        names: () => Promise.resolve(NO_NAMES),
        clearScreen: () => {},
        rows: true,
      }),
    );
    if (entered === CANCELLED) throw new Error('canceled by user');
    return entered === null ? null : `${entered}\n`;
  }

  // --- notifications

  #hear(link: ShellLink): void {
    link.onNotification = (notification) => {
      this.#notifications.push(notification);
      if (this.#prompting !== null) this.#prompting.show(this.#notificationLines());
    };
  }

  #notificationLines(): string[] {
    return this.#notifications.splice(0).map(notificationText);
  }

  /** As psql does, after a statement. */
  #printNotifications(): void {
    const lines = this.#notificationLines();
    if (!this.#options.json) void this.#write(lines);
  }

  async #show(answer: Answer): Promise<void> {
    const { err } = this.#options;
    for (const { severity, message } of answer.notices) err.write(`${this.style.yellow(`${severity}:`)}  ${message}\n`);
    if (answer.columns === null) {
      await this.print([answer.command]);
      return;
    }
    if (this.interactive) {
      const source = new RowSource(answer, this.link, this.style, this.expanded ? true : 'auto');
      await this.page(source, [], '');
      if (source.loading) this.link.cancel();
      this.#out.write(`${this.style.dim(source.count)}\n`);
      return;
    }
    let { rows, more } = answer;
    const { columns } = answer;
    let count = 0;
    for (;;) {
      const options = {
        width: this.width,
        style: this.style,
        expanded: this.expanded ? true : this.width === null ? false : ('auto' as const),
        firstRow: count + 1,
      };
      const layout = layOut(columns, rows, options);
      const lines = [...(count === 0 ? headLines(columns, layout, this.style) : []), ...rowLines(columns, rows, layout, options)];
      await this.#write(lines);
      count += rows.length;
      if (!more) break;
      ({ rows, more } = await this.link.more(ROWS_AT_ONCE));
    }
    await this.#write([countLine(count, false)]);
  }

  /** Updates the session's place; if its world is gone, moves to the parent. */
  async #updatePlace(known?: Place): Promise<void> {
    const before = this.place.branch;
    this.place = known ?? (await this.link.stop());
    if (this.place.gone) {
      const gone = this.place.branch;
      for (const world of new Set([this.#parent, 'main'])) {
        try {
          this.place = (await this.link.run(`USE WORLD ${inQuotes(world)}`, 0)).place;
          await this.#say(`${visible(gone)} is gone: you are in ${visible(world)}.`);
          break;
        } catch {
          // The parent is gone as well.
        }
      }
    }
    if (this.place.branch !== before) await this.#moved();
  }

  async #moved(): Promise<void> {
    this.#namesOf = null;
    try {
      const { parent } = (await this.link.call('world', { branch: this.place.branch.split('@')[0] })) as WorldView;
      this.#parent = parent ?? 'main';
    } catch {
      this.#parent = 'main';
    }
  }

  async use(world: string): Promise<void> {
    const { place } = await this.link.run(`USE WORLD ${inQuotes(world)}`, 0);
    await this.#updatePlace(place);
    if (!this.interactive) await this.print([`now in ${visible(place.branch)}`]);
  }

  async #refreshNames(): Promise<Names> {
    const { branch } = this.place;
    if (this.#namesOf !== branch) {
      this.#names = await loadNames(this.link, branch);
      this.#namesOf = branch;
    }
    return this.#names;
  }

  // --- output

  async print(lines: readonly string[]): Promise<void> {
    const { terminal } = this.#options;
    if (!this.interactive || terminal === null || lines.length < rowsOf(terminal.stdout)) {
      await this.#write(lines);
      return;
    }
    const source: LineSource = { lines: (width) => lines.map((line) => cutLine(line, width)), more: false, load: () => Promise.resolve() };
    await this.show(new PagerView(source, this.style));
  }

  #write(lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      // Do not wait for a closed pipe (`| head`).
      const out = this.#out;
      if (out.destroyed) resolve();
      else if (out.write(`${lines.join('\n')}\n`)) resolve();
      else out.once('drain', resolve);
    });
  }

  async page(source: LineSource, head: readonly string[], title: string): Promise<void> {
    const { terminal } = this.#options;
    if (!this.interactive || terminal === null) {
      await this.#write(head);
      let shown = 0;
      for (;;) {
        const lines = source.lines((this.width ?? null) as number);
        await this.#write(lines.slice(shown));
        shown = lines.length;
        if (!source.more) return;
        await source.load();
      }
    }
    const width = columnsOf(terminal.stdout);
    const room = rowsOf(terminal.stdout) - 3 - head.length;
    while (source.more && source.lines(width).length < room) await source.load();
    const own = source.head?.(width) ?? [];
    if (!source.more && source.lines(width).length + own.length <= room) {
      await this.#write([...head, ...own, ...source.lines(width)]);
      return;
    }
    const shown: LineSource =
      head.length === 0
        ? source
        : {
            get more() {
              return source.more;
            },
            load: () => source.load(),
            lines: (columns) => [...head, '', ...source.lines(columns)],
          };
    await this.show(new PagerView(shown, this.style, title));
  }

  async show<Result>(view: View<Result>): Promise<Result> {
    return this.#onScreen(view, true);
  }

  ask(question: string): Promise<string | null> {
    return this.#onScreen(new AskView(question, this.style));
  }

  async #onScreen<Result>(view: View<Result>, full = false): Promise<Result> {
    const { terminal, keys } = this.#options;
    const detach = this.#attached ? (): void => {} : terminal!.keyboard.attach(keys!);
    try {
      const { showView } = await import('./view/ink-view.ts');
      return await showView(terminal!, view, { full });
    } finally {
      detach();
    }
  }

  // --- long calls

  async busy<T>(what: string, act: (control: RunControl) => Promise<T>, { unit = '', stops = true }: BusyOptions = {}): Promise<T> {
    const abort = new AbortController();
    const stop = (): void => abort.abort(cancelled());
    let far = '';
    const onProgress = (done: number, total: number): void => void (far = ` ${progressText(done, total, unit)}`);
    this.#stop = stop;
    try {
      return await this.#timed(
        () => (abort.signal.aborted ? 'stopping …' : `${what}${far} …${stops ? ' Ctrl-C stops it' : ''}`),
        () => act({ signal: abort.signal, onProgress }),
        stop,
      );
    } finally {
      this.#stop = null;
    }
  }

  #cancellable<T>(act: (onProgress: NonNullable<RunControl['onProgress']>) => Promise<T>): Promise<T> {
    this.#cancelled = false;
    let far = '';
    return this.#timed(
      () => (this.#cancelled ? 'stopping …' : `running${far} … Ctrl-C stops it`),
      () => act((done, total) => void (far = ` ${progressText(done, total, '')}`)),
      () => this.cancel(),
    );
  }

  /** Cancels the running command or statement. */
  cancel(): void {
    if (this.#stop !== null) {
      this.#stop();
      return;
    }
    this.#cancelled = true;
    this.link.cancel();
  }

  async #timed<T>(what: () => string, act: () => Promise<T>, interrupt: () => void): Promise<T> {
    const { terminal } = this.#options;
    if (terminal === null) return act();
    const since = performance.now();
    const unlisten = terminal.keyboard.listen(() => interrupt(), ['ctrl-c']);
    let view: ProgressView | null = null;
    let shown: Promise<void> | null = null;
    const timer = setTimeout(() => {
      view = new ProgressView(what, since, this.#style, () => interrupt());
      shown = this.#onScreen(view);
    }, PROGRESS_MS);
    const quiet = async (): Promise<void> => {
      clearTimeout(timer);
      (view as ProgressView | null)?.stop();
      await shown;
    };
    this.#quiet = quiet;
    try {
      return await act();
    } finally {
      this.#quiet = null;
      await quiet();
      unlisten();
    }
  }
}

const EMPTY = new History();
const NO_SYNTAX: CommandSyntax = { names: [], isCommand: () => false, hint: () => null };

/** `4,096 of 10,000 worlds (41 %)`; without a unit, only the percentage. */
function progressText(done: number, total: number, unit: string): string {
  const share = `${Math.floor((100 * done) / Math.max(1, total))} %`;
  return unit === '' ? share : `${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${unit} (${share})`;
}
