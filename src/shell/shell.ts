/**
 * The shell: takes what is typed or piped piece by piece, runs it, and shows what comes of it. At a terminal by views,
 * else as plain lines.
 *
 *   prompt or stdin ──pieces──► command ──► operation ──► its view
 *                           └─► SQL ──► the session ──► a table, paged
 */
import type { Readable, Writable } from 'node:stream';
import { exactJsonText } from '../base/exact-json.ts';
import type { RunControl, WorldView } from '../commands/contract.ts';
import { toWire } from '../socket/greeting.ts';
import { givenUp } from '../socket/running-calls.ts';
import type { Command, Input } from './commands/command.ts';
import type { BusyOptions, Stage } from './commands/stage.ts';
import { isStray, parseLine, strayError, syntax } from './commands/syntax.ts';
import { UsageError } from './commands/usage-error.ts';
import { NO_NAMES, type Names } from './edit/completion.ts';
import { History } from './edit/history.ts';
import { type Piece, pieces } from './edit/pieces.ts';
import type { Answer, Place, ShellLink } from './link/link.ts';
import { loadNames } from './load-names.ts';
import { RowSource } from './row-source.ts';
import { visible } from './text/cell.ts';
import { errorLines } from './text/error-text.ts';
import type { Style } from './text/style.ts';
import { countLine, headLines, layOut, rowLines } from './text/table.ts';
import { duration } from './text/time-text.ts';
import { cutLine } from './text/width.ts';
import { AskView } from './view/ask-view.ts';
import { type LineSource, PagerView } from './view/pager-view.ts';
import { ProgressView } from './view/progress-view.ts';
import { PromptView } from './view/prompt-view.ts';
import { columnsOf, rowsOf, type Terminal } from './view/terminal.ts';
import type { View } from './view/view.ts';

/** Rows of a query that come at once; the pager asks for more. */
const ROWS_AT_ONCE = 500;
/** What takes longer says so. */
const PROGRESS_MS = 500;
/** A text that waits for its `;` is looked at again only when it has grown by so much, once it is long. */
const RESCAN_LENGTH = 1_000_000;
const RESCAN_GROWTH = 1.25;

export interface ShellOptions {
  readonly link: ShellLink;
  /** A new link where the other end is gone. */
  reconnect(): Promise<ShellLink>;
  readonly branch: string;
  readonly out: Writable;
  readonly err: Writable;
  readonly style: Style;
  /** null: no person, or a terminal that takes lines only. */
  readonly terminal: Terminal | null;
  /** Where keys come from while a view is shown. */
  readonly keys: Readable | null;
  /** null: lines are not bounded. */
  width(): number | null;
  readonly json: boolean;
  readonly history?: History;
}

export class Shell implements Stage {
  readonly style: Style;
  link: ShellLink;
  place: Place;
  expanded = false;
  timing = false;
  readonly #options: ShellOptions;
  #left = false;
  #parent = 'main';
  #names: Names = NO_NAMES;
  /** What the names were read for; anything that may have changed them empties it. */
  #namesOf: string | null = null;
  #attached = false;
  #cancelled = false;
  /** Gives up the command that runs. */
  #stop: (() => void) | null = null;

  constructor(options: ShellOptions) {
    this.#options = options;
    this.style = options.style;
    this.link = options.link;
    this.place = { branch: options.branch, transaction: 'none', gone: false };
  }

  get interactive(): boolean {
    return this.#options.terminal !== null && !this.#options.json;
  }

  get width(): number | null {
    return this.#options.width();
  }

  nowMs(): number {
    return Date.now();
  }

  leave(): void {
    this.#left = true;
  }

  // --- ways to run it

  /** Prompts until the person leaves. */
  async converse(): Promise<void> {
    const terminal = this.#options.terminal!;
    const detach = terminal.keyboard.attach(this.#options.keys!);
    this.#attached = true;
    // Pasted lines come as one piece.
    terminal.stdout.write('\x1b[?2004h');
    const commands = syntax(true);
    try {
      void this.#refreshNames();
      while (!this.#left) {
        const entered = await this.#onScreen(
          new PromptView({
            prompt: `${this.#prompt()}> `,
            continuation: `${this.#prompt()}- `,
            history: this.#options.history ?? EMPTY,
            style: this.style,
            syntax: commands,
            keywords: new Set(this.#names.keywords),
            names: () => this.#refreshNames(),
            clearScreen: () => void terminal.stdout.write('\x1b[2J\x1b[H'),
          }),
        );
        if (entered === null) break;
        for (const piece of pieces(`${entered}\n`, commands.isCommand)) if (this.#left || !(await this.#try(piece))) break;
      }
    } finally {
      terminal.stdout.write('\x1b[?2004l');
      detach();
    }
  }

  /** Pieces of a stream, one after the other. True where none failed. `prompts`: a person types them, and goes on after an error. */
  async stream(input: Readable, prompts: boolean): Promise<boolean> {
    const { isCommand } = syntax(prompts);
    let text = '';
    let looked = 0;
    const ask = (): void => {
      if (prompts && !this.#left) this.#options.out.write(`${this.#prompt()}${text.trim() === '' ? '>' : '-'} `);
    };
    /** What is left over behind the last whole piece; null after an error that ends it. */
    const take = async (last: boolean): Promise<boolean> => {
      const all = pieces(text, isCommand);
      let at = 0;
      for (const piece of all) {
        if (!piece.whole && !last) break;
        at = piece.end;
        const ok = await this.#try(piece);
        if (this.#left) return true;
        if (!ok && !prompts) return false;
      }
      text = text.slice(at);
      looked = text.length;
      return true;
    };
    ask();
    input.setEncoding('utf8');
    for await (const chunk of input) {
      text += chunk as string;
      if (text.length > RESCAN_LENGTH && text.length < looked * RESCAN_GROWTH) continue;
      if (!(await take(false))) return false;
      if (this.#left) return true;
      if (text.trim() === '') text = '';
      ask();
    }
    if (prompts) this.#options.out.write('\n');
    return take(true);
  }

  /** One command or text of SQL. Usage errors are raised. */
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
      if (piece.kind === 'command') {
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
      // What a failed statement did to its transaction shows in the prompt.
      if (!this.link.lost) await this.#settle().catch(() => {});
      return false;
    }
  }

  async #command(command: Command, given: Input): Promise<void> {
    const input = command.complete({ ...given }, this);
    const { operation } = command;
    const since = performance.now();
    if (this.#options.json && operation !== undefined) {
      this.#json(await this.busy(operation.name, (control) => this.link.call(operation.name, input, control)));
      return;
    }
    await command.shape.run(input, this);
    if (operation?.effect !== 'read') this.#namesOf = null;
    await this.#settle();
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
    const { branch } = this.place;
    this.link = await this.#options.reconnect();
    await this.#say(`The process that had the folder open is gone; ${this.link.kind === 'folder' ? 'it is open here now' : 'another one has it now'}.`);
    this.place = { branch: 'main', transaction: 'none', gone: false };
    if (branch !== 'main') await this.use(branch).catch(() => this.#say(`${visible(branch)} is not there: you are in main.`));
  }

  #say(text: string): Promise<void> {
    this.#options.err.write(`${this.style.dim(text)}\n`);
    return Promise.resolve();
  }

  // --- SQL

  async sql(text: string): Promise<void> {
    const since = performance.now();
    const { answers, place } = await this.#cancellable((onProgress) => this.link.run(text, ROWS_AT_ONCE, onProgress));
    this.#namesOf = null;
    for (const answer of answers) await this.#show(answer);
    await this.#settle(answers.some(({ more }) => more) ? undefined : place);
    if (this.timing) await this.print([this.style.dim(`Time: ${duration(performance.now() - since)}`)]);
  }

  async #show(answer: Answer): Promise<void> {
    const { out, err } = this.#options;
    for (const { severity, message } of answer.notices) err.write(`${this.style.yellow(`${severity}:`)}  ${message}\n`);
    if (answer.columns === null) {
      await this.print([answer.command]);
      return;
    }
    if (this.interactive) {
      const source = new RowSource(answer, this.link, this.style, this.expanded ? true : 'auto');
      await this.page(source, [], '');
      if (source.loading) this.link.cancel();
      out.write(`${this.style.dim(source.count)}\n`);
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

  /** Where the session stands now; where its world is gone, it moves on to the parent. */
  async #settle(known?: Place): Promise<void> {
    const before = this.place.branch;
    this.place = known ?? (await this.link.stop());
    if (this.place.gone) {
      const gone = this.place.branch;
      for (const world of new Set([this.#parent, 'main'])) {
        try {
          this.place = (await this.link.run(`USE WORLD ${quoted(world)}`, 0)).place;
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
    const { place } = await this.link.run(`USE WORLD ${quoted(world)}`, 0);
    await this.#settle(place);
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
      // What nobody reads any more (`| head`) is not waited for.
      if (this.#options.out.destroyed) resolve();
      else if (this.#options.out.write(`${lines.join('\n')}\n`)) resolve();
      else this.#options.out.once('drain', resolve);
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

  // --- what takes time

  async busy<T>(what: string, act: (control: RunControl) => Promise<T>, { unit = '', stops = true }: BusyOptions = {}): Promise<T> {
    const abort = new AbortController();
    const stop = (): void => abort.abort(givenUp());
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

  /** Ends the command or statement that runs. */
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
      view = new ProgressView(what, since, this.style, () => interrupt());
      shown = this.#onScreen(view);
    }, PROGRESS_MS);
    try {
      return await act();
    } finally {
      clearTimeout(timer);
      (view as ProgressView | null)?.stop();
      await shown;
      unlisten();
    }
  }
}

const EMPTY = new History();

/** `4,096 of 10,000 worlds (41 %)`; without a unit, the share alone. */
function progressText(done: number, total: number, unit: string): string {
  const share = `${Math.floor((100 * done) / Math.max(1, total))} %`;
  return unit === '' ? share : `${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${unit} (${share})`;
}

function quoted(world: string): string {
  return `"${world.replaceAll('"', '""')}"`;
}
