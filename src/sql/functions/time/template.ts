/** Templates of `to_char`, `to_timestamp` and `to_date` (manual, table 9.26), parsed to a list of patterns and literals. */

/** Pattern in upper case if its case does not matter, otherwise as written: `Month`, `am`. */
export interface Pattern {
  readonly kind: 'pattern';
  readonly id: string;
  /** As written in the template, for errors. */
  readonly name: string;
  /** Whether its text consists of digits. */
  readonly digits: boolean;
  readonly calendar: 'gregorian' | 'iso-week' | null;
  readonly fillMode: boolean;
  /** TM: names in the language of lc_time, which is always C here; they are not padded. */
  readonly translated: boolean;
  readonly ordinal: 'TH' | 'th' | null;
}

export interface Literal {
  readonly kind: 'character' | 'separator' | 'space';
  readonly text: string;
  readonly quoted: boolean;
}

export type TemplateNode = Pattern | Literal;

interface Keyword {
  readonly name: string;
  readonly id: string;
  readonly digits: boolean;
  readonly calendar: Pattern['calendar'];
}

/** Patterns of digits, case-insensitive. A longer one comes before its prefixes. */
const DIGITS = 'CC FF1 FF2 FF3 FF4 FF5 FF6 HH24 HH12 HH J MI MS Q SSSSS SSSS SS TZM US';
const GREGORIAN_DIGITS = 'DDD DD D MM WW W Y,YYY YYYY YYY YY Y';
const ISO_WEEK_DIGITS = 'IDDD ID IW IYYY IYY IY I';
/** Patterns whose case shows in the output. */
const WORDS = 'A.D. a.d. A.M. a.m. AD ad AM am B.C. b.c. BC bc P.M. p.m. PM pm DAY Day day DY Dy dy TZ tz';
const GREGORIAN_WORDS = 'MONTH Month month MON Mon mon RM rm';
const OTHERS = 'FX OF TZH';

function keywords(names: string, digits: boolean, calendar: Pattern['calendar'], bothCases: boolean): Keyword[] {
  return names.split(' ').flatMap((name) => {
    const keyword = { name, id: name, digits, calendar };
    return bothCases ? [keyword, { ...keyword, name: name.toLowerCase() }] : [keyword];
  });
}

/** By first character, longest first. */
const KEYWORDS = new Map<string, Keyword[]>();
for (const keyword of [
  ...keywords(DIGITS, true, null, true),
  ...keywords(GREGORIAN_DIGITS, true, 'gregorian', true),
  ...keywords(ISO_WEEK_DIGITS, true, 'iso-week', true),
  ...keywords(WORDS, false, null, false),
  ...keywords(GREGORIAN_WORDS, false, 'gregorian', false),
  ...keywords(OTHERS, false, null, true),
].sort((a, b) => b.name.length - a.name.length)) {
  const first = keyword.name[0]!;
  const list = KEYWORDS.get(first);
  if (list === undefined) KEYWORDS.set(first, [keyword]);
  else list.push(keyword);
}

/** Printable ASCII that is neither letter nor digit. */
export function isSeparator(code: number): boolean {
  return code > 32 && code < 127 && !(code >= 65 && code <= 90) && !(code >= 97 && code <= 122) && !(code >= 48 && code <= 57);
}

export function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

function parseTemplate(text: string): TemplateNode[] {
  const nodes: TemplateNode[] = [];
  let at = 0;
  const character = (): string => {
    const one = String.fromCodePoint(text.codePointAt(at)!);
    at += one.length;
    return one;
  };
  while (at < text.length) {
    const prefix = text.slice(at, at + 2);
    const fillMode = prefix === 'FM' || prefix === 'fm';
    const translated = prefix === 'TM' || prefix === 'tm';
    if (fillMode || translated) at += 2;
    if (at >= text.length) break;
    const keyword = KEYWORDS.get(text[at]!)?.find(({ name }) => text.startsWith(name, at));
    if (keyword !== undefined) {
      at += keyword.name.length;
      const suffix = text.slice(at, at + 2);
      const ordinal = suffix === 'TH' || suffix === 'th' ? suffix : null;
      // SP (spelled out) is taken and ignored.
      if (ordinal !== null || suffix === 'SP') at += 2;
      nodes.push({ kind: 'pattern', ...keyword, fillMode, translated, ordinal });
    } else if (text[at] === '"') {
      at++;
      while (at < text.length) {
        if (text[at] === '"') {
          at++;
          break;
        }
        if (text[at] === '\\' && at + 1 < text.length) at++;
        nodes.push({ kind: 'character', text: character(), quoted: true });
      }
    } else {
      if (text[at] === '\\' && text[at + 1] === '"') at++;
      const code = text.charCodeAt(at);
      nodes.push({ kind: isSeparator(code) ? 'separator' : isSpace(code) ? 'space' : 'character', text: character(), quoted: false });
    }
  }
  return nodes;
}

const templates = new Map<string, readonly TemplateNode[]>();
/** Templates come from users, so the cache is bounded. */
const TEMPLATES_REMEMBERED_MAX = 500;

export function templateOf(text: string): readonly TemplateNode[] {
  let nodes = templates.get(text);
  if (nodes === undefined) {
    nodes = parseTemplate(text);
    if (templates.size >= TEMPLATES_REMEMBERED_MAX) templates.clear();
    templates.set(text, nodes);
  }
  return nodes;
}

export const MONTH_NAMES = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
export const DAY_NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
export const ROMAN_MONTHS = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII'];
