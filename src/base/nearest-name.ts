/** The known name closest to a wrong one, for hints; null if none is close. */
export function nearestName(given: string, known: readonly string[]): string | null {
  const plain = folded(given);
  if (plain === '' || plain.length > 64) return null;
  let best: string | null = null;
  // A third of the letters may be wrong, and `column` is near `columns`.
  let least = Math.max(1, Math.floor(plain.length / 3)) + 1;
  for (const name of known) {
    const other = folded(name);
    const apart = other === plain ? 0 : other.startsWith(plain) || plain.startsWith(other) ? 1 : distance(plain, other);
    if (apart < least) {
      least = apart;
      best = name;
    }
  }
  return best;
}

/** Treats camelCase, kebab-case and snake_case alike. */
function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length];
}
