/** Which member of a JSON column an index over an expression has: `(a -> 'b')`, `(a ->> 'b')`, `(a #>> '{b,c}')`, `a['b']['c']`, and chains of these. */

export interface IndexedPath {
  /** Of the column. */
  readonly name: string;
  /** Names of members, from the outside in. */
  readonly path: readonly string[];
  /** Whether the index has the member's text, by `->>` or `#>>`; else its JSON. */
  readonly isText: boolean;
}

/** Names, texts, operators, brackets and casts that change nothing; parentheses mean nothing here, as all operators are read from the left. */
const TOKEN =
  /\s*(?:"((?:[^"]|"")+)"|([a-z_\u0080-\uffff][a-z0-9_$\u0080-\uffff]*)|'((?:[^']|'')*)'|(->>|->|#>>|#>)|(\[)|([()\]]|::\s*(?:text|jsonb)(?:\[\])?)|$)/y;
/** Elements of an array that need no quotes. */
const PLAIN_ELEMENTS = /^\{[A-Za-z0-9_$-]+(?:,[A-Za-z0-9_$-]+)*\}$/;

const known = new Map<string, IndexedPath | null>();
const KNOWN_MAX = 1000;

/** `sql`: the text of the index's expression. null if it is none of these. */
export function indexedPath(sql: string): IndexedPath | null {
  let found = known.get(sql);
  if (found === undefined) {
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(sql, (found = read(sql)));
  }
  return found;
}

function read(sql: string): IndexedPath | null {
  let name: string | null = null;
  let operator: string | null = null;
  let isText = false;
  const path: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < sql.length) {
    const token = TOKEN.exec(sql);
    if (token === null) return null;
    const [, quoted, plain, text, sign, bracket] = token;
    if (quoted !== undefined || plain !== undefined) {
      if (name !== null) return null;
      name = quoted === undefined ? plain : quoted.replaceAll('""', '"');
    } else if (sign !== undefined || bracket !== undefined) {
      // A text has no members.
      if (name === null || operator !== null || isText) return null;
      operator = sign ?? bracket;
    } else if (text !== undefined) {
      if (operator === null) return null;
      const given = text.replaceAll("''", "'");
      if (operator.startsWith('#')) {
        if (!PLAIN_ELEMENTS.test(given) || /\bnull\b/i.test(given)) return null;
        path.push(...given.slice(1, -1).split(','));
      } else path.push(given);
      isText = operator.endsWith('>>');
      operator = null;
    }
  }
  return name === null || path.length === 0 || operator !== null ? null : { name, path, isText };
}
