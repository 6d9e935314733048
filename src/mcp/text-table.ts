/** Rows as a text table that a model can read: bounded widths, bounded length, and a last line that says what is missing. */
const CELL_MAX = 60;
const TEXT_MAX = 24_000;

export function textTable(columns: readonly string[], rows: readonly (readonly unknown[])[], total = rows.length): string {
  if (columns.length === 0) return `(${total} rows)`;
  const cells = rows.map((row) => columns.map((_, c) => cellText(row[c])));
  const widths = columns.map((name, c) => Math.max(name.length, ...cells.map((row) => row[c].length), 1));
  const line = (parts: readonly string[]): string =>
    parts
      .map((part, c) => part.padEnd(widths[c]))
      .join(' | ')
      .trimEnd();
  const out = [line(columns), widths.map((width) => '-'.repeat(width)).join('-+-')];
  let length = out.join('\n').length;
  let shown = 0;
  for (const row of cells) {
    const text = line(row);
    if (length + text.length > TEXT_MAX) break;
    out.push(text);
    length += text.length + 1;
    shown++;
  }
  out.push(shown === total ? `(${total} row${total === 1 ? '' : 's'})` : `(${shown} of ${total} rows)`);
  return out.join('\n');
}

/** null is empty, text as it is without line breaks, everything else JSON. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const flat = text.replaceAll(/[\n\r\t]+/g, ' ');
  return flat.length <= CELL_MAX ? flat : `${flat.slice(0, CELL_MAX - 1)}…`;
}
