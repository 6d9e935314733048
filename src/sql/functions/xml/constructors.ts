/** Implementation of XMLELEMENT, XMLCONCAT, XMLPI, XMLROOT and similar (manual, section 9.15.1). */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { declarationOrNone, printDeclaration } from '../../types/xml/declaration.ts';
import { escapeAttribute } from '../../types/xml/escape.ts';

/** `content`: null if there is none, in contrast to an empty text. */
export function xmlElement(name: string, attributes: readonly (readonly [name: string, value: string])[], content: string | null): string {
  const written = attributes.map(([attribute, value]) => ` ${attribute}="${escapeAttribute(value)}"`).join('');
  return content === null ? `<${name}${written}/>` : `<${name}${written}>${content}</${name}>`;
}

/** Concatenated, under one declaration that combines theirs (xmlconcat of xml.c). */
export function xmlConcat(parts: readonly string[]): string {
  let alone = 1;
  let version: string | null = null;
  let versionsDiffer = false;
  let body = '';
  for (const part of parts) {
    const said = declarationOrNone(part);
    if (said.standalone === 0 && alone === 1) alone = 0;
    if (said.standalone < 0) alone = -1;
    if (said.version === null) versionsDiffer = true;
    else if (version === null) version = said.version;
    else if (version !== said.version) versionsDiffer = true;
    body += part.slice(said.length);
  }
  return versionsDiffer && alone < 0 ? body : printDeclaration(versionsDiffer ? null : version, alone) + body;
}

export function xmlComment(text: string): string {
  if (text.includes('--') || text.endsWith('-')) throw new SvcError('2200S', 'invalid XML comment');
  return `<!--${text}-->`;
}

/** `content` undefined: without any. */
export function xmlInstruction(target: string, content: string | null | undefined): string | null {
  if (target.toLowerCase() === 'xml') {
    throw new SvcError('42601', 'invalid XML processing instruction', { detail: 'XML processing instruction target name cannot be "xml".' });
  }
  if (content === null) return null;
  if (content === undefined) return `<?${target}?>`;
  if (content.includes('?>')) {
    throw new SvcError('2200T', 'invalid XML processing instruction', { detail: 'XML processing instruction cannot contain "?>".' });
  }
  return `<?${target} ${content.replace(/^ +/, '')}?>`;
}

export type Standalone = 'yes' | 'no' | 'noValue' | 'omitted';

export function xmlRoot(text: string, version: string | null, standalone: Standalone): string {
  const said = declarationOrNone(text);
  const alone = { yes: 1, no: 0, noValue: -1, omitted: said.standalone }[standalone];
  return printDeclaration(version, alone) + text.slice(said.length);
}
