/** Whether a text is XML: a document, or content, which may be several elements and text (manual, section 8.13.1; xml_parse of xml.c). */
import { type ErrorParts, SvcError } from '../../../base/errors/svc-error.ts';
import { declarationOf } from './declaration.ts';
import { PARSE_OPTION, withLibxml, type XmlFault, type XmlWork } from './libxml.ts';

/** Codes of xmlParserErrors. */
const CODE = { undeclaredEntity: 27, tagMismatch: 76, tagNotFinished: 77, namespaceDeclaration: 35 } as const;
/** Of xmlErrorDomain: none, parser, memory, I/O. */
const STRICT_DOMAINS = new Set([0, 1, 6, 8]);
/** Namespace errors that are reported as the parser's. */
const NAMESPACE_CODES = new Set([35, 99, 100, 106, 200, 201, 202, 203, 204, 205]);
const ERROR_LEVEL = 2;
/** Of a line that an error shows (xmlParserPrintFileContext). */
const SHOWN_CHARACTERS_MAX = 80;

const SAFE = PARSE_OPTION.NO_XXE | PARSE_OPTION.NONET;

/** Throws 2200M or 2200N unless the text is XML. */
export function checkXml(text: string, document: boolean): void {
  const code = document ? '2200M' : '2200N';
  const message = document ? 'invalid XML document' : 'invalid XML content';
  if (text.includes('\u0000')) throw new SvcError(code, message);
  let start = 0;
  if (!document) {
    start = declarationOf(text).length;
    if (start === text.length) return;
    if (!startsWithDoctype(text, start)) {
      const detail = faultsOfContent(text.slice(start));
      if (detail !== null) throw new SvcError(code, message, detailOf(detail));
      return;
    }
  }
  const detail = withLibxml((work) => {
    const read = readDocument(work, text, PARSE_OPTION.NOENT | PARSE_OPTION.DTDATTR, 'form');
    return read.document === 0 || read.detail !== '' ? read.detail : null;
  });
  if (detail !== null) throw new SvcError(code, message, detailOf(detail));
}

export function isXml(text: string, document: boolean): boolean {
  try {
    checkXml(text, document);
    return true;
  } catch (error) {
    if (error instanceof SvcError && error.code.startsWith('2200')) return false;
    throw error;
  }
}

function detailOf(detail: string): ErrorParts {
  return detail === '' ? {} : { detail };
}

/**
 * The document (0 if there is none) and the errors as a DETAIL, '' without any. `strictness` form: namespaces are not checked, as
 * for a value; all: as for XPath.
 */
export function readDocument(work: XmlWork, text: string, options: number, strictness: 'form' | 'all'): { readonly document: number; readonly detail: string } {
  const { document, faults } = read(work, text, options);
  const counted = faults.filter((fault) => counts(fault, strictness));
  return { document, detail: counted.map((fault) => described(fault, text, 0)).join('\n') };
}

function read(work: XmlWork, text: string, options: number): { document: number; faults: XmlFault[] } {
  const { lib } = work;
  const { pointer, size } = work.text(text);
  const context = lib._xmlNewParserCtxt();
  work.later(() => lib._xmlFreeParserCtxt(context));
  lib._xmlCtxtSetErrorHandler(context, work.handler, 0);
  const document = lib._xmlCtxtReadMemory(context, pointer, size, 0, work.text('UTF-8').pointer, options | SAFE);
  if (document !== 0) work.later(() => lib._xmlFreeDoc(document));
  return { document, faults: work.takeFaults() };
}

function counts(fault: XmlFault, strictness: 'form' | 'all'): boolean {
  if (fault.level < ERROR_LEVEL || fault.code === CODE.undeclaredEntity) return false;
  return strictness === 'all' || (STRICT_DOMAINS.has(fault.domain) && !NAMESPACE_CODES.has(fault.code));
}

/**
 * Content is parsed as that of an element whose start tag precedes it and whose end tag is missing: well-formed content leaves
 * exactly the error that this tag is not finished. The content cannot close it, by its name.
 */
function faultsOfContent(content: string): string | null {
  let name = 'r';
  while (content.includes(`</${name}`)) name += name.length % 2 === 0 ? 'r' : '_';
  const opening = `<${name}>`;
  return withLibxml((work) => {
    const { faults } = read(work, opening + content, PARSE_OPTION.NOENT);
    const own = (fault: XmlFault): boolean => fault.code === CODE.tagNotFinished && fault.message.includes(` in tag ${name} line`);
    const wrong = faults.filter((fault) => counts(fault, 'form') && !own(fault));
    if (wrong.length === 0) return faults.some(own) ? null : '';
    const closesNothing = wrong.findIndex(({ code, message }) => code === CODE.tagMismatch && message.includes(`mismatch: ${name} line`));
    const shown = closesNothing === -1 ? wrong : wrong.slice(0, closesNothing);
    const lines = shown.map((fault) => described(fault, content, opening.length));
    if (closesNothing !== -1) {
      const fault = wrong[closesNothing];
      const end = offsetOf(fault, content, opening.length);
      const start = Math.max(content.lastIndexOf('</', end), 0);
      lines.push(`line ${fault.line}: chunk is not well balanced\n${context(content, start)}`);
    }
    return lines.join('\n');
  });
}

function described(fault: XmlFault, text: string, before: number): string {
  const message = fault.message.replace(/\n+$/, '');
  return fault.line === 0 ? message : `line ${fault.line}: ${message}\n${context(text, offsetOf(fault, text, before))}`;
}

/** `before`: characters before the text on its first line. */
function offsetOf({ line, column }: XmlFault, text: string, before: number): number {
  let start = 0;
  for (let at = 1; at < line; at++) {
    const next = text.indexOf('\n', start);
    if (next === -1) break;
    start = next + 1;
  }
  return Math.min(Math.max(start + column - 1 - (line === 1 ? before : 0), 0), text.length);
}

/** The line with a caret below it. */
function context(text: string, offset: number): string {
  const ends = (at: number): boolean => text[at] === '\n' || text[at] === '\r';
  let start = offset;
  while (start > 0 && ends(start)) start--;
  for (let count = 0; count < SHOWN_CHARACTERS_MAX && start > 0 && !ends(start); count++) start--;
  if (ends(start)) start++;
  let end = start;
  while (end < text.length && !ends(end) && end - start < SHOWN_CHARACTERS_MAX) end++;
  const line = text.slice(start, end);
  return `${line}\n${line.slice(0, Math.max(offset - start, 0)).replaceAll(/[^\t]/g, ' ')}^`;
}

/** Whether <!DOCTYPE comes before the first element, after comments and processing instructions. */
function startsWithDoctype(text: string, from: number): boolean {
  for (let at = from; ;) {
    while (at < text.length && ' \t\r\n'.includes(text[at])) at++;
    if (text[at] !== '<') return false;
    if (text.startsWith('<!DOCTYPE', at)) return true;
    const end = text.startsWith('<!--', at) ? text.indexOf('-->', at + 4) + 3 : text.startsWith('<?', at) ? text.indexOf('?>', at) + 2 : 0;
    if (end < 4) return false;
    at = end;
  }
}
