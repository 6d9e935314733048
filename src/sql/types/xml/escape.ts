/** Escaping of special characters in XML: as libxml prints its nodes, and as Postgres writes values. */

const IN_TEXT: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };
const IN_VALUE: Readonly<Record<string, string>> = { ...IN_TEXT, '\r': '&#x0d;' };
const IN_ATTRIBUTE: Readonly<Record<string, string>> = { ...IN_TEXT, '"': '&quot;', '\n': '&#10;', '\t': '&#9;' };

/** The text of a node. */
export function escapeText(text: string): string {
  return text.replace(/[&<>\r]/g, (c) => IN_TEXT[c]);
}

/** An SQL value (escape_xml of xml.c). */
export function escapeXml(text: string): string {
  return text.replace(/[&<>\r]/g, (c) => IN_VALUE[c]);
}

export function escapeAttribute(text: string): string {
  return text.replace(/[&<>"\n\t\r]/g, (c) => IN_ATTRIBUTE[c]);
}
