/** Collects rows of figures and prints them as they come and as Markdown at the end. */
export class Report {
  readonly #sections: { title: string; note: string; rows: [string, string, string][] }[] = [];

  section(title: string, note = ''): void {
    this.#sections.push({ title, note, rows: [] });
    process.stdout.write(`\n${title}\n`);
  }

  row(what: string, figure: string, goal = ''): void {
    this.#sections.at(-1)!.rows.push([what, figure, goal]);
    process.stdout.write(`  ${what.padEnd(64)} ${figure.padStart(16)}   ${goal}\n`);
  }

  markdown(): string {
    return this.#sections
      .map(
        ({ title, note, rows }) =>
          `## ${title}\n${note === '' ? '' : `\n${note}\n`}\n| what | figure | goal |\n|---|---|---|\n${rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`,
      )
      .join('\n');
  }
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Median time of `runs` runs in milliseconds. */
export async function timed(runs: number, work: (run: number) => unknown): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const begun = performance.now();
    await work(run);
    times.push(performance.now() - begun);
  }
  return median(times);
}

export const ms = (value: number): string => (value < 1 ? `${(value * 1000).toFixed(1)} µs` : `${value.toFixed(2)} ms`);
export const times = (value: number): string => `${value.toFixed(2)} ×`;
export const perSecond = (value: number): string => `${Math.round(value).toLocaleString('en-US')} /s`;
