/** Distribution of numbers, as bars. */
import { padStart } from './width.ts';

const BLOCKS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

export function histogram(values: readonly number[], width: number, bucketsMax = 10): string[] {
  const finite = values.filter(Number.isFinite);
  if (finite.length === 0) return [];
  // Up to a million numbers: too many for arguments of a call.
  const low = finite.reduce((least, value) => Math.min(least, value), Infinity);
  const high = finite.reduce((most, value) => Math.max(most, value), -Infinity);
  const buckets = low === high ? 1 : Math.min(bucketsMax, Math.max(2, Math.ceil(Math.sqrt(finite.length))));
  const size = (high - low) / buckets || 1;
  const counts = new Array<number>(buckets).fill(0);
  for (const value of finite) counts[Math.min(buckets - 1, Math.floor((value - low) / size))]++;
  const most = Math.max(...counts);
  const labels = labelsOf(counts.map((_, i) => low + i * size));
  const widest = Math.max(...labels.map(({ length }) => length));
  const room = Math.max(8, width - widest - String(most).length - 5);
  return counts.map((count, i) => {
    const eighths = Math.round((count / most) * room * 8);
    return ` ${padStart(labels[i], widest)} │${'█'.repeat(Math.floor(eighths / 8))}${BLOCKS[eighths % 8]} ${count}`.trimEnd();
  });
}

/** Four digits, or as many as needed to distinguish them. */
function labelsOf(values: readonly number[]): string[] {
  for (let digits = 4; ; digits++) {
    const labels = values.map((value) => String(Number.isInteger(value) ? value : Number(value.toPrecision(digits))));
    if (digits === 15 || new Set(labels).size === labels.length) return labels;
  }
}
