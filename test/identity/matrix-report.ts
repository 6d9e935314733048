/** Results by way and statement, over all callers: a table of letters, and the list of statements that succeeded. */
import { BEYOND, type Beyond } from './beyond-the-world.ts';

/** From harmless to harmful: never asked, refused with 42501, failed otherwise or without an effect, THROUGH. */
const LETTERS = [' ', '.', 'h', 'T'] as const;
type Letter = (typeof LETTERS)[number];

export class MatrixReport {
  readonly #rows = new Map<string, Map<string, Letter>>();

  /** Notices of `x.boom()` and `runs()`. */
  noticed(way: string, notices: readonly string[]): void {
    for (const text of notices) {
      const refused = /^not (\S+) (.*)$/.exec(text);
      const ran = /^ran (.*)$/.exec(text);
      if (refused !== null) this.#worst(way, refused[2], refused[1] === '42501' ? '.' : 'h');
      else if (ran !== null) this.#worst(way, ran[1], 'h');
    }
  }

  /** Lines of snapshots that differ: the statements that did it, and lines that none is known for. */
  through(way: string, lines: readonly string[], statements: readonly Beyond[]): string[] {
    const found = new Set<string>();
    for (const line of lines) {
      const by = statements.filter(({ trace }) => trace.test(line));
      for (const { name } of by) {
        found.add(name);
        this.#worst(way, name, 'T');
      }
      if (by.length === 0) found.add(`? ${line}`);
    }
    return [...found];
  }

  #worst(way: string, statement: string, letter: Letter): void {
    let row = this.#rows.get(way);
    if (row === undefined) this.#rows.set(way, (row = new Map()));
    const before = row.get(statement) ?? ' ';
    if (LETTERS.indexOf(letter) > LETTERS.indexOf(before)) row.set(statement, letter);
  }

  count(letter: Letter): number {
    let count = 0;
    for (const row of this.#rows.values()) for (const each of row.values()) if (each === letter) count++;
    return count;
  }

  toString(): string {
    const names = BEYOND.map(({ name }) => name);
    const width = Math.max(0, ...[...this.#rows.keys()].map((name) => name.length));
    const lines = [...this.#rows].map(([way, row]) => `${way.padEnd(width)} ${names.map((name) => row.get(name) ?? ' ').join('')}`);
    const sums = names.map((name, n) => {
      const of = (letter: Letter): number => [...this.#rows.values()].filter((row) => row.get(name) === letter).length;
      return `${String(n + 1).padStart(3)} ${name.padEnd(34)} refused ${of('.')}, harmless ${of('h')}, THROUGH ${of('T')}`;
    });
    return [`T through, . refused with 42501, h harmless, blank not reached; columns as numbered below`, ...lines, ...sums].join('\n');
  }
}
