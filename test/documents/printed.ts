/** What a page shows as printed, compared with what was printed. `…` matches any text, in JSON any value. */

/** The first line of `shown` that is not in `printed`, in its order; undefined if all are. Blanks at the ends of lines do not count. */
export function missingLine(shown: string, printed: string): string | undefined {
  const lines = printed.split('\n').map((line) => line.trimEnd());
  let next = 0;
  for (const line of shown.split('\n').map((each) => each.trimEnd())) {
    if (line === '' || line === '…') continue;
    const pattern = new RegExp(`^${line.split('…').map(literal).join('.*')}$`, 'u');
    const found = lines.findIndex((each, index) => index >= next && pattern.test(each));
    if (found < 0) return line;
    next = found + 1;
  }
  return undefined;
}

/** Whether `shown` is `printed`; a text `…` is any value, and a field `…` any further fields. */
export function sameJson(shown: unknown, printed: unknown): boolean {
  if (typeof shown === 'string' && typeof printed === 'string') {
    return new RegExp(`^${shown.split('…').map(literal).join('[^]*')}$`, 'u').test(printed);
  }
  if (shown === '…') return true;
  if (typeof shown !== 'object' || shown === null || typeof printed !== 'object' || printed === null) return shown === printed;
  if (Array.isArray(shown) || Array.isArray(printed)) {
    return Array.isArray(shown) && Array.isArray(printed) && shown.length === printed.length && shown.every((each, index) => sameJson(each, printed[index]));
  }
  const fields = Object.entries(shown).filter(([name]) => name !== '…');
  const others = Object.keys(printed).filter((name) => !(name in shown));
  return (
    (others.length === 0 || '…' in shown) && fields.every(([name, value]) => name in printed && sameJson(value, (printed as Record<string, unknown>)[name]))
  );
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
