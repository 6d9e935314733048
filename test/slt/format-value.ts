/** How sqllogictest prints a value, and when two printed values count as equal. */

/** Classic formatting: `I` as C's atoi sees it, `R` as `%.3f`, `T` with an empty string named and unprintable characters as `@`. */
export function classicValue(letter: string, text: string | null): string {
  if (text === null) return 'NULL';
  if (letter === 'I') return integerText(text);
  if (letter === 'R') return threeDecimals(text);
  return text === '' ? '(empty)' : text.replaceAll(/[^ -~]/g, '@');
}

/** The other families print the value as it is. */
export function plainValue(text: string | null): string {
  return text === null ? 'NULL' : text === '' ? '(empty)' : text;
}

/** In our files a value stays on its line and in its column. */
export function ownValue(text: string | null): string {
  return plainValue(text).replaceAll('\t', '\\t').replaceAll('\r', '\\r').replaceAll('\n', '\\n');
}

function integerText(text: string): string {
  if (/^-?\d+$/.test(text)) return text === '-0' ? '0' : text;
  if (text === 't' || text === 'true') return '1';
  const value = Number.parseFloat(text);
  return Number.isFinite(value) ? BigInt(Math.trunc(value)).toString() : '0';
}

/** C rounds an exact tie to even where toFixed rounds it up: 0.0625 is 0.062. */
function threeDecimals(text: string): string {
  const value = Number.parseFloat(text);
  if (!Number.isFinite(value)) return /^-?(inf|nan)/i.test(text) ? text.toLowerCase().replace('infinity', 'inf') : '0.000';
  const scaled = Math.abs(value) * 8000;
  if (Number.isInteger(scaled) && scaled % 8 === 4 && Math.floor(scaled / 8) % 2 === 0) {
    return ((Math.sign(value) * Math.floor(scaled / 8)) / 1000).toFixed(3);
  }
  return value.toFixed(3);
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** One spelling for what counts as equal: `t` and `true`, `1` and `1.0`, `1e3` and `1000`. */
export function canonical(text: string): string {
  const lower = text.toLowerCase();
  if (lower === 'true' || lower === 't') return 't';
  if (lower === 'false' || lower === 'f') return 'f';
  if (lower === 'infinity') return 'inf';
  if (lower === '-infinity') return '-inf';
  if (lower === 'nan' || lower === 'inf' || lower === '-inf') return lower;
  if (!NUMBER.test(text)) return text;
  if (/[e]/i.test(text)) return String(Number(text));
  const trimmed = text.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1');
  const plain = trimmed.includes('.') ? trimmed.replace(/\.?0*$/, '') : trimmed;
  return plain === '-0' || plain === '' ? '0' : plain;
}

/** A numeric that no double holds counts as infinite, as a client that reads it as one sees it. */
function beyondDouble(text: string): string {
  return text.length > 308 && NUMBER.test(text) && !Number.isFinite(Number(text)) ? (text.startsWith('-') ? '-inf' : 'inf') : text;
}

/** Binary fractions are printed with different numbers of digits by different engines. */
export function sameValue(expected: string, got: string, letter = ''): boolean {
  if (expected === got) return true;
  // An I column is read as an integer, regardless of the expression's type.
  if (letter === 'I' && /^-?\d+$/.test(expected) && /^-?\d+\.\d+$/.test(got) && integerText(got) === expected) return true;
  const one = canonical(expected);
  const other = canonical(beyondDouble(got));
  if (one === other) return true;
  if ((one === '1' && other === 't') || (one === '0' && other === 'f')) return true;
  if (!NUMBER.test(one) || !NUMBER.test(other) || (!/[.e]/.test(one) && !/[.e]/.test(other))) return false;
  const a = Number(one);
  const b = Number(other);
  return Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
}
