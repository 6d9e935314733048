/** Worlds of a simulation, best first: distribution of scores, and diffs between any two. */
import type { Key } from '../edit/keys.ts';
import { visible } from '../text/cell.ts';
import { histogram } from '../text/histogram.ts';
import type { Style } from '../text/style.ts';
import { type TableColumn, tableLines } from '../text/table.ts';
import { duration } from '../text/time-text.ts';
import { cutLine, padEnd, padStart } from '../text/width.ts';
import { View } from './view.ts';

export interface SimulatedWorld {
  readonly world: string;
  readonly index: number;
  readonly seed: number;
  readonly score: number | null;
  readonly error: string | null;
  readonly kept: boolean;
}

export interface SimulationReply {
  readonly worlds: readonly SimulatedWorld[];
  readonly base?: unknown;
  readonly at?: unknown;
  readonly timings?: Record<string, number>;
}

const COLUMNS: readonly TableColumn[] = [{ name: '#', right: true }, { name: 'world' }, { name: 'score', right: true }, { name: 'kept' }, { name: 'error' }];

/** Best worlds and a histogram, as plain lines. */
export function simulationLines({ worlds, timings }: SimulationReply, style: Style, width: number | null, most: number): string[] {
  const rows = worlds
    .slice(0, most)
    .map(({ world, score, kept, error }, i) => [String(i + 1), world, score === null ? null : String(score), kept ? 'yes' : '', error ?? '']);
  const scores = worlds.flatMap(({ score }) => (score === null ? [] : [Number(score)]));
  const failed = worlds.filter(({ error }) => error !== null && error !== undefined).length;
  const bars = histogram(scores, Math.min(width ?? 80, 80));
  return [
    ...tableLines(COLUMNS, rows, { width, style, expanded: false }),
    ...(worlds.length > most ? [style.dim(` … ${worlds.length - most} more`)] : []),
    ...(bars.length === 0 ? [] : ['', style.bold('scores'), ...bars]),
    '',
    `${worlds.length} worlds, ${worlds.filter(({ kept }) => kept).length} kept${failed === 0 ? '' : `, ${failed} failed`}${timings?.['total_ms'] === undefined ? '' : ` in ${duration(timings['total_ms'])}`}`,
  ];
}

/** The selected diff: of one world to its base, or between two. */
export type SimulationChoice = { readonly branch: string; readonly to?: string } | null;

export class SimulationView extends View<SimulationChoice> {
  readonly #reply: SimulationReply;
  readonly #style: Style;
  readonly #scores: readonly number[];
  readonly #nameWidth: number;
  #chosen: number;
  #marked: string | null = null;
  #message = '';

  constructor(reply: SimulationReply, style: Style, chosen = 0) {
    super();
    this.#reply = reply;
    this.#style = style;
    this.#scores = reply.worlds.flatMap(({ score }) => (score === null ? [] : [Number(score)]));
    this.#nameWidth = reply.worlds.reduce((widest, { world }) => Math.max(widest, world.length), 5);
    this.#chosen = chosen;
  }

  get chosen(): number {
    return this.#chosen;
  }

  key(key: Key): void {
    for (const letter of this.letters(key)) this.#key(letter);
  }

  #key(letter: string): void {
    const { worlds } = this.#reply;
    const here = worlds[this.#chosen];
    this.#message = '';
    switch (letter) {
      case 'q':
      case 'escape':
      case 'ctrl-c':
      case 'ctrl-d':
        this.finish(null);
        return;
      case 'down':
      case 'j':
        this.#chosen = Math.min(worlds.length - 1, this.#chosen + 1);
        break;
      case 'up':
      case 'k':
        this.#chosen = Math.max(0, this.#chosen - 1);
        break;
      case 'home':
      case 'g':
        this.#chosen = 0;
        break;
      case 'end':
      case 'G':
        this.#chosen = worlds.length - 1;
        break;
      case ' ':
        if (this.#mayDiffer(here)) this.#marked = this.#marked === here.world ? null : here.world;
        break;
      case 'enter':
      case 'd':
        if (!this.#mayDiffer(here)) break;
        this.finish(this.#marked === null || this.#marked === here.world ? { branch: here.world } : { branch: this.#marked, to: here.world });
        return;
      default:
    }
    this.draw();
  }

  #mayDiffer({ world, kept }: SimulatedWorld): boolean {
    if (!kept) this.#message = `${world} was not kept, so it cannot be shown`;
    return kept;
  }

  lines(width: number, height: number): string[] {
    const style = this.#style;
    const { worlds } = this.#reply;
    const bars = histogram(this.#scores, Math.min(width, 72), Math.max(2, Math.min(8, Math.floor(height / 3))));
    const page = Math.max(1, height - bars.length - 4);
    const top = Math.max(0, Math.min(this.#chosen - Math.floor(page / 2), worlds.length - page));
    const names = Math.min(Math.floor(width / 2), this.#nameWidth);
    const list = worlds.slice(top, top + page).map(({ world, score, kept, error }, i) => {
      const mark = this.#marked === world ? '●' : ' ';
      const line = `${mark} ${padStart(String(top + i + 1), 5)}  ${padEnd(visible(world), names)}  ${padStart(score === null ? 'NULL' : String(score), 12)}  ${error === null || error === undefined ? (kept ? '' : 'not kept') : visible(error)}`;
      return top + i === this.#chosen ? style.inverse(padEnd(cutLine(line, width), width)) : error === null || error === undefined ? line : style.red(line);
    });
    const blank = new Array<string>(Math.max(0, page - list.length)).fill('');
    return [
      style.bold(`${worlds.length} worlds, best first`),
      ...list,
      ...blank,
      '',
      ...bars,
      this.#message === '' ? '' : style.yellow(this.#message),
      style.inverse(cutLine(' ↑↓ choose · space mark · enter difference to the base, or to the marked one · q quit ', width - 1)),
    ].map((line) => cutLine(line, width));
  }
}
