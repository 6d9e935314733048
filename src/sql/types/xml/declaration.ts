/** The declaration at the start of an XML text, parsed and printed as Postgres does (parse_xml_decl and print_xml_decl of xml.c). */
import { SvcError } from '../../../base/errors/svc-error.ts';

export interface XmlDeclaration {
  readonly version: string | null;
  /** 1 yes, 0 no, -1 not specified. */
  readonly standalone: number;
  /** Its length in characters; 0 if there is none. */
  readonly length: number;
}

const NONE: XmlDeclaration = { version: null, standalone: -1, length: 0 };

const FAULTS = {
  character: 'Invalid character value.',
  space: 'Space required.',
  standalone: "standalone accepts only 'yes' or 'no'.",
  version: 'Malformed declaration: missing version.',
  encoding: 'Missing encoding in text declaration.',
  unfinished: "Parsing XML declaration: '?>' expected.",
} as const;

export type DeclarationFault = keyof typeof FAULTS;

const SPACE = /[ \t\r\n]*/y;
const QUOTED = /[ \t\r\n]*=[ \t\r\n]*("[^"]*"|'[^']*')/y;
const STANDALONE = /[ \t\r\n]*=[ \t\r\n]*(?:"(yes|no)"|'(yes|no)')/y;

/** Its error, or its content. */
export function readDeclaration(text: string): XmlDeclaration | DeclarationFault {
  if (!text.startsWith('<?xml') || /^[\p{L}\p{N}\p{M}.\-_:\u00b7]/u.test(text.slice(5, 7))) return NONE;
  const spaces = (from: number): number => {
    SPACE.lastIndex = from;
    return SPACE.exec(text)![0].length;
  };
  const matched = (pattern: RegExp, from: number): RegExpExecArray | null => {
    pattern.lastIndex = from;
    return pattern.exec(text);
  };
  let at = 5;
  if (spaces(at) === 0) return 'space';
  at += spaces(at);
  if (!text.startsWith('version', at)) return 'version';
  const written = matched(QUOTED, at + 7);
  if (written === null) return 'version';
  const version = written[1].slice(1, -1);
  at += 7 + written[0].length;
  let gap = spaces(at);
  if (text.startsWith('encoding', at + gap)) {
    if (gap === 0) return 'space';
    const encoding = matched(QUOTED, at + gap + 8);
    if (encoding === null) return 'encoding';
    at += gap + 8 + encoding[0].length;
    gap = spaces(at);
  }
  let standalone = -1;
  if (text.startsWith('standalone', at + gap)) {
    if (gap === 0) return 'space';
    const said = matched(STANDALONE, at + gap + 10);
    if (said === null) return 'standalone';
    standalone = (said[1] ?? said[2]) === 'yes' ? 1 : 0;
    at += gap + 10 + said[0].length;
    gap = spaces(at);
  }
  if (!text.startsWith('?>', at + gap)) return 'unfinished';
  const length = at + gap + 2;
  // oxlint-disable-next-line no-control-regex -- the declaration is ASCII
  return /[^\x00-\x7f]/.test(text.slice(0, length)) ? 'character' : { version, standalone, length };
}

/** 2200N. */
export function declarationOf(text: string): XmlDeclaration {
  const read = readDeclaration(text);
  if (typeof read === 'string') throw new SvcError('2200N', 'invalid XML content: invalid XML declaration', { detail: FAULTS[read] });
  return read;
}

/** For texts that are known to be well formed. */
export function declarationOrNone(text: string): XmlDeclaration {
  const read = readDeclaration(text);
  return typeof read === 'string' ? NONE : read;
}

/** Empty if it would contain only defaults. */
export function printDeclaration(version: string | null, standalone: number): string {
  if ((version === null || version === '1.0') && standalone === -1) return '';
  const alone = standalone === 1 ? ' standalone="yes"' : standalone === 0 ? ' standalone="no"' : '';
  return `<?xml version="${version ?? '1.0'}"${alone}?>`;
}

/** Without the encoding of the declaration, which is the client's own. */
export function shownXml(text: string): string {
  if (!text.startsWith('<?xml')) return text;
  const { version, standalone, length } = declarationOrNone(text);
  const printed = printDeclaration(version, standalone);
  if (printed !== '') return printed + text.slice(length);
  return text.slice(text[length] === '\n' && length > 0 ? length + 1 : length);
}
