/**
 * Nodes of libxml's tree as text, as xmlNodeDump prints a copy of one: prefixes that are declared above the node are declared on it.
 * Offsets are those of the structures of tree.h with four-byte pointers.
 */
import { escapeAttribute, escapeText } from './escape.ts';
import type { Libxml } from './libxml.ts';

export const NODE = { element: 1, attribute: 2, text: 3, cdata: 4, entityReference: 5, instruction: 7, comment: 8, document: 9, namespace: 18 } as const;

const OFFSET = { type: 4, name: 8, children: 12, next: 24, namespace: 36, content: 40, properties: 44, declarations: 48 } as const;
/** Of xmlNs. */
const NAMESPACE = { next: 0, uri: 8, prefix: 12 } as const;

const number = (lib: Libxml, pointer: number, offset: number): number => lib.HEAP32[(pointer + offset) >> 2];

function textAt(lib: Libxml, pointer: number, offset: number): string {
  const at = number(lib, pointer, offset);
  return at === 0 ? '' : lib.UTF8ToString(at);
}

export function typeOfNode(lib: Libxml, node: number): number {
  return number(lib, node, OFFSET.type);
}

/** The string-value of a node. */
export function contentOf(lib: Libxml, node: number): string {
  if (typeOfNode(lib, node) === NODE.namespace) return textAt(lib, node, NAMESPACE.uri);
  const pointer = lib._xmlNodeGetContent(node);
  if (pointer === 0) return '';
  const text = lib.UTF8ToString(pointer);
  lib._free(pointer);
  return text;
}

/** Of a namespace. */
interface Declaration {
  /** '' for the default one. */
  readonly prefix: string;
  readonly uri: string;
}

export function printNode(lib: Libxml, node: number): string {
  if (typeOfNode(lib, node) === NODE.namespace) return textAt(lib, node, NAMESPACE.uri);
  const missing: Declaration[] = [];
  if (typeOfNode(lib, node) === NODE.element) collectMissing(lib, node, [], missing);
  const out: string[] = [];
  print(lib, node, out, missing);
  return out.join('');
}

function declarationsOf(lib: Libxml, element: number): Declaration[] {
  const list: Declaration[] = [];
  for (let at = number(lib, element, OFFSET.declarations); at !== 0; at = number(lib, at, NAMESPACE.next)) {
    list.push({ prefix: textAt(lib, at, NAMESPACE.prefix), uri: textAt(lib, at, NAMESPACE.uri) });
  }
  return list;
}

/** Adds to `missing` the namespaces that elements and attributes below use and `scope` does not have. */
function collectMissing(lib: Libxml, element: number, scope: readonly Declaration[], missing: Declaration[]): void {
  const own = declarationsOf(lib, element);
  const here = own.length === 0 ? scope : [...scope, ...own];
  const use = (node: number): void => {
    const namespace = number(lib, node, OFFSET.namespace);
    if (namespace === 0) return;
    const prefix = textAt(lib, namespace, NAMESPACE.prefix);
    const finds = (each: Declaration): boolean => each.prefix === prefix;
    if (prefix === 'xml' || here.some(finds) || missing.some(finds)) return;
    missing.push({ prefix, uri: textAt(lib, namespace, NAMESPACE.uri) });
  };
  use(element);
  for (let at = number(lib, element, OFFSET.properties); at !== 0; at = number(lib, at, OFFSET.next)) use(at);
  for (let at = number(lib, element, OFFSET.children); at !== 0; at = number(lib, at, OFFSET.next)) {
    if (typeOfNode(lib, at) === NODE.element) collectMissing(lib, at, here, missing);
  }
}

function qualifiedName(lib: Libxml, node: number): string {
  const namespace = number(lib, node, OFFSET.namespace);
  const prefix = namespace === 0 ? '' : textAt(lib, namespace, NAMESPACE.prefix);
  const name = textAt(lib, node, OFFSET.name);
  return prefix === '' ? name : `${prefix}:${name}`;
}

function print(lib: Libxml, node: number, out: string[], missing: readonly Declaration[]): void {
  switch (typeOfNode(lib, node)) {
    case NODE.element: {
      const name = qualifiedName(lib, node);
      out.push('<', name);
      for (const { prefix, uri } of [...declarationsOf(lib, node), ...missing])
        out.push(prefix === '' ? ' xmlns="' : ` xmlns:${prefix}="`, escapeAttribute(uri), '"');
      for (let at = number(lib, node, OFFSET.properties); at !== 0; at = number(lib, at, OFFSET.next)) {
        out.push(' ', qualifiedName(lib, at), '="');
        printAttributeValue(lib, at, out);
        out.push('"');
      }
      if (number(lib, node, OFFSET.children) === 0) {
        out.push('/>');
        return;
      }
      out.push('>');
      printChildren(lib, node, out);
      out.push('</', name, '>');
      return;
    }
    case NODE.text:
      out.push(escapeText(textAt(lib, node, OFFSET.content)));
      return;
    case NODE.cdata:
      out.push('<![CDATA[', textAt(lib, node, OFFSET.content), ']]>');
      return;
    case NODE.entityReference:
      out.push('&', textAt(lib, node, OFFSET.name), ';');
      return;
    case NODE.comment:
      out.push('<!--', textAt(lib, node, OFFSET.content), '-->');
      return;
    case NODE.instruction: {
      const content = textAt(lib, node, OFFSET.content);
      out.push('<?', textAt(lib, node, OFFSET.name), content === '' ? '' : ` ${content}`, '?>');
      return;
    }
    case NODE.document:
      printDocument(lib, node, out);
      return;
    default:
  }
}

function printChildren(lib: Libxml, node: number, out: string[]): void {
  for (let at = number(lib, node, OFFSET.children); at !== 0; at = number(lib, at, OFFSET.next)) print(lib, at, out, []);
}

/** Each of its nodes is a line. */
function printDocument(lib: Libxml, node: number, out: string[]): void {
  out.push('<?xml version="1.0"?>\n');
  for (let at = number(lib, node, OFFSET.children); at !== 0; at = number(lib, at, OFFSET.next)) {
    print(lib, at, out, []);
    out.push('\n');
  }
}

function printAttributeValue(lib: Libxml, attribute: number, out: string[]): void {
  for (let at = number(lib, attribute, OFFSET.children); at !== 0; at = number(lib, at, OFFSET.next)) {
    if (typeOfNode(lib, at) === NODE.entityReference) out.push('&', textAt(lib, at, OFFSET.name), ';');
    else out.push(escapeAttribute(textAt(lib, at, OFFSET.content)));
  }
}
