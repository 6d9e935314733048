/** Names that Postgres chooses for unnamed objects of a statement (makeObjectName, ChooseRelationName). */

/** NAMEDATALEN - 1. */
export const NAME_BYTES_MAX = 63;

/** `name1_name2_label`, truncating the longer name first. */
export function objectName(name1: string, name2: string | null, label: string | null): string {
  const overhead = (name2 === null ? 0 : 1) + (label === null ? 0 : Buffer.byteLength(label) + 1);
  const room = NAME_BYTES_MAX - overhead;
  let bytes1 = Buffer.byteLength(name1);
  let bytes2 = name2 === null ? 0 : Buffer.byteLength(name2);
  while (bytes1 + bytes2 > room) {
    if (bytes1 > bytes2) bytes1--;
    else bytes2--;
  }
  return [clip(name1, bytes1), ...(name2 === null ? [] : [clip(name2, bytes2)]), ...(label === null ? [] : [label])].join('_');
}

/** The first unused one of `a_b_label`, `a_b_label1`, `a_b_label2` …. */
export function chooseName(name1: string, name2: string | null, label: string, taken: (name: string) => boolean): string {
  for (let pass = 0; ; pass++) {
    const name = objectName(name1, name2, pass === 0 ? label : `${label}${pass}`);
    if (!taken(name)) return name;
  }
}

/** The columns' part of an index name: joined and truncated; an expression is `expr`. */
export function indexNameAddition(columns: readonly (string | null)[]): string {
  const seen = new Set<string>();
  const names = columns.map((column) => {
    const plain = column ?? 'expr';
    let name = plain;
    for (let n = 1; seen.has(name); n++) name = `${plain}${n}`;
    seen.add(name);
    return name;
  });
  let out = '';
  for (const name of names) {
    out = out === '' ? name : `${out}_${name}`;
    if (Buffer.byteLength(out) >= NAME_BYTES_MAX) break;
  }
  return clip(out, NAME_BYTES_MAX);
}

/** The longest prefix of at most `bytesMax` bytes that ends at a character boundary. */
export function clip(text: string, bytesMax: number): string {
  if (Buffer.byteLength(text) <= bytesMax) return text;
  let out = '';
  let bytes = 0;
  for (const char of text) {
    bytes += Buffer.byteLength(char);
    if (bytes > bytesMax) break;
    out += char;
  }
  return out;
}
