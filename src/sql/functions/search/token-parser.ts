/** The default parser: splits a text into consecutive tokens that cover it (compounds are returned whole and in parts). */
import { type Rule, STATES, stateNumber } from './token-states.ts';
import { TOKEN_TYPES } from './token-types.ts';

export interface Token {
  /** Number of its type. */
  readonly type: number;
  readonly text: string;
}

interface Place {
  state: number;
  at: number;
  /** Units consumed since the token began. */
  taken: number;
  /** The rule that pushed, after which to continue. */
  pushed: number;
  prev: Place | null;
}

const NUMBERS = new Map(TOKEN_TYPES.map(([alias], i) => [alias, i + 1]));
const BASE = stateNumber('base');
const URL_PATH_FIRST = stateNumber('urlPathFirst');
const HOST = NUMBERS.get('host')!;
const URL_PATH = NUMBERS.get('url_path')!;
const ASCII_WORD = NUMBERS.get('asciiword')!;
const BLANK = NUMBERS.get('blank')!;

const LETTER = /^[\p{Alphabetic}\p{Nd}]$/u;
const MARK = /^[\p{M}\p{Cf}]$/u;
const SPACE = /^[\t-\r \u0085\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]$/;
const NO_URL = '"<>\\^`{|}';

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
function isAscii(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}
function isLetter(code: number): boolean {
  return code < 128 ? isAscii(code) : LETTER.test(String.fromCodePoint(code));
}

/** Common words and blanks, which need no states: the following character certainly ends them. */
const PLAIN_WORD = /[A-Za-z]+(?=[ \t\n\r,;!?()"'*=$%+&]|$)/y;
const PLAIN_BLANK = /[ \t\n\r,;!?()"'][^A-Za-z0-9<\-+&/\u0080-\uffff]*/y;

export class TokenParser {
  readonly #text: string;
  #place: Place;
  #wantHost = false;
  #ignored = false;
  #start = 0;

  constructor(text: string, at = 0) {
    this.#text = text;
    this.#place = { state: BASE, at, taken: 0, pushed: -1, prev: null };
  }

  /** The next token; null at the end. */
  next(): Token | null {
    const place = this.#place;
    if (place.at >= this.#text.length) return null;
    if (place.state === BASE && !this.#ignored && place.prev === null) {
      const plain = this.#plain(place);
      if (plain !== null) return plain;
    }
    return this.#run();
  }

  #plain(place: Place): Token | null {
    const text = this.#text;
    const word = isAscii(text.charCodeAt(place.at));
    const expression = word ? PLAIN_WORD : PLAIN_BLANK;
    expression.lastIndex = place.at;
    if (!expression.test(text) || text.charCodeAt(expression.lastIndex) > 127) return null;
    const from = place.at;
    place.at = expression.lastIndex;
    return { type: word ? ASCII_WORD : BLANK, text: text.slice(from, place.at) };
  }

  #run(): Token | null {
    const text = this.#text;
    this.#start = this.#place.at;
    this.#place.pushed = -1;
    while (this.#place.at <= text.length) {
      const place = this.#place;
      const code = place.at < text.length ? text.codePointAt(place.at)! : -1;
      const rules = STATES[place.state];
      let i = place.pushed + 1;
      place.pushed = -1;
      while (!this.#fits(rules[i], code)) i++;
      const rule = rules[i];
      let found: Token | null = null;
      if (rule.special !== null) this.#special(rule);
      if (rule.token !== '') {
        found = { type: NUMBERS.get(rule.token)!, text: text.slice(this.#start, this.#start + place.taken) };
        place.taken = 0;
      }
      switch (rule.action) {
        case 'pop':
          this.#place = place.prev!;
          break;
        case 'push':
          place.pushed = i;
          this.#place = { state: place.state, at: place.at, taken: place.taken, pushed: -1, prev: place };
          break;
        case 'keep':
        case 'found1':
          place.prev = place.prev!.prev;
          break;
        case 'found*':
          place.prev = null;
          break;
        case 'join':
          this.#place = place.prev!;
          this.#place.at = place.at;
          this.#place.taken = place.taken;
          break;
        default:
      }
      const now = this.#place;
      if (rule.to >= 0) now.state = rule.to;
      if (found !== null) return found;
      if (now.at >= text.length && rule.action !== 'again') return null;
      if (rule.action === 'again' || rule.action === 'pop') continue;
      if (code >= 0) {
        const size = code > 0xffff ? 2 : 1;
        now.at += size;
        now.taken += size;
      }
    }
    return null;
  }

  #fits(rule: Rule, code: number): boolean {
    if (rule.characters !== null) return code > 0 && code < 128 && rule.characters.includes(String.fromCharCode(code));
    switch (rule.test) {
      case '*':
        return true;
      case 'end':
        return code < 0;
      case 'ascii':
        return isAscii(code);
      case 'digit':
        return isDigit(code);
      case 'letter':
        return code >= 0 && isLetter(code);
      case 'letterOrDigit':
        return code >= 0 && (isDigit(code) || isLetter(code));
      case 'other':
        return code < 0 || !(isDigit(code) || isLetter(code));
      case 'mark':
        return code >= 128 && MARK.test(String.fromCodePoint(code));
      case 'hex':
        return isDigit(code) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70);
      case 'blank':
        return code >= 0 && SPACE.test(String.fromCodePoint(code));
      case 'urlCharacter':
        return code > 32 && code < 127 && !NO_URL.includes(String.fromCharCode(code));
      case 'ignored':
        return this.#ignored;
      case 'hostWanted':
        if (!this.#wantHost) return false;
        this.#wantHost = false;
        return true;
      case 'hostFollows': {
        const inner = new TokenParser(this.#text, this.#place.at);
        inner.#wantHost = true;
        return this.#took(inner, HOST);
      }
      case 'urlFollows': {
        const inner = new TokenParser(this.#text, this.#place.at);
        inner.#place = { ...inner.#place, state: URL_PATH_FIRST, prev: inner.#place };
        return this.#took(inner, URL_PATH);
      }
    }
  }

  /** Whether the other parser's next token has the type; it is then consumed as a part of this one. */
  #took(inner: TokenParser, type: number): boolean {
    const token = inner.#run();
    if (token?.type !== type) return false;
    this.#place.at += token.text.length;
    this.#place.taken += token.text.length;
    return true;
  }

  #special({ special }: Rule): void {
    const place = this.#place;
    if (special === 'tags') {
      // The content of these is not text.
      const tag = this.#text.slice(this.#start, this.#start + place.taken).toLowerCase();
      if (tag === '<script' || tag === '<style') this.#ignored = true;
      else if (tag === '</script' || tag === '</style') this.#ignored = false;
      return;
    }
    if (special === 'fromStartWithHost') this.#wantHost = true;
    place.at -= place.taken;
    // The sign of what looked like a decimal is parsed again, as a token of its own.
    if (place.state === SIGNED_VERSION) place.taken = 0;
  }
}

const SIGNED_VERSION = stateNumber('signedVersion');

export function tokensOf(text: string): Token[] {
  const parser = new TokenParser(text);
  const out: Token[] = [];
  for (let token = parser.next(); token !== null; token = parser.next()) out.push(token);
  return out;
}
