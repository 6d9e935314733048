/** Wrong usage of a command: exit code 2 on the command line. */
export class UsageError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.name = 'UsageError';
    this.hint = hint;
  }
}

/** The closest known word, if it is close enough. */
export function closest(word: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let least = word.length <= 3 ? 1.5 : word.length <= 6 ? 2.5 : 3.5;
  for (const each of known) {
    const apart = distance(word.toLowerCase(), each.toLowerCase());
    if (apart < least) {
      least = apart;
      best = each;
    }
  }
  return best;
}

/** Optimal string alignment distance: insertions, deletions, substitutions, transpositions. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, rows[i - 2][j - 2] + 1);
      row.push(least);
    }
    rows.push(row);
  }
  return rows[a.length][b.length];
}
