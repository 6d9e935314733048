/** The value of a string token or a quoted name. Strings continued over lines are one. */

const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** For a scanner token: `'…'`, `E'…'`, `U&'…'`, `$tag$…$tag$`. */
export function stringValue(token: string): string {
  const first = token.charCodeAt(0);
  if (first === 36) {
    const tagEnd = token.indexOf('$', 1) + 1;
    return token.slice(tagEnd, token.length - tagEnd);
  }
  const quote = token.indexOf("'");
  const prefix = token.slice(0, quote).toLowerCase();
  const body = joinContinued(token, quote, prefix === 'e');
  if (prefix === 'e') return unescape(body);
  const plain = body.replaceAll("''", "'");
  return prefix === 'u&' ? unicodeValue(plain) : plain;
}

/** Of `"…"` or `U&"…"`. */
export function quotedNameValue(token: string): string {
  const quote = token.indexOf('"');
  const body = token.slice(quote + 1, -1).replaceAll('""', '"');
  return quote === 0 ? body : unicodeValue(body);
}

/** The characters between the quotes, with doubled quotes. */
function joinContinued(token: string, quote: number, escapes: boolean): string {
  let body = '';
  let from = quote + 1;
  for (let at = from; at < token.length; at++) {
    const c = token[at];
    if (c === '\\' && escapes) at++;
    else if (c === "'") {
      if (token[at + 1] === "'") {
        at++;
        continue;
      }
      body += token.slice(from, at);
      // Comments between the parts may contain quotes: a part starts at the first quote outside them.
      at++;
      while (at < token.length && token[at] !== "'") {
        if (token.startsWith('--', at)) while (at < token.length && token[at] !== '\n' && token[at] !== '\r') at++;
        else at++;
      }
      from = at + 1;
    }
  }
  return body;
}

function unescape(body: string): string {
  return body.replaceAll(/''|\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([^]))/g, (whole, octal, hex, short, long, other) => {
    if (whole === "''") return "'";
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    if (short !== undefined) return String.fromCharCode(Number.parseInt(short, 16));
    if (long !== undefined) return codePoint(Number.parseInt(long, 16));
    return ESCAPES[other as string] ?? (other as string);
  });
}

function unicodeValue(body: string): string {
  return body.replaceAll(/\\(?:([0-9a-fA-F]{4})|\+([0-9a-fA-F]{6})|(\\))/g, (_whole, short, long) => {
    if (short !== undefined) return String.fromCharCode(Number.parseInt(short, 16));
    return long === undefined ? '\\' : codePoint(Number.parseInt(long, 16));
  });
}

function codePoint(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}
