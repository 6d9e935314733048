/** tsquery: words joined by & | ! and <N>. Manual, section 8.11.2. */
import { parseTsQuery } from './tsquery-parse.ts';
import { makeType } from './make-type.ts';
import { compareText } from './text-order.ts';
import { tsQuote } from './ts-word-reader.ts';
import type { SqlType } from './type.ts';
import type { Value } from './value.ts';
import { type TsNode, TsQuery, tsOperands } from './tsquery-tree.ts';

const PRIORITY = { or: 1, and: 2, phrase: 3, not: 4 } as const;

export function tsQueryText(query: TsQuery): string {
  return query.root === null ? '' : infix(query.root, 0, false);
}

function infix(node: TsNode, outer: number, rightOfPhrase: boolean): string {
  if (node.kind === 'word') {
    const { text, weight, prefix } = node;
    let out = tsQuote(text);
    if (weight !== 0 || prefix) out += `:${prefix ? '*' : ''}${weight & 8 ? 'A' : ''}${weight & 4 ? 'B' : ''}${weight & 2 ? 'C' : ''}${weight & 1 ? 'D' : ''}`;
    return out;
  }
  const priority = PRIORITY[node.kind];
  if (node.kind === 'not') {
    const out = `!${infix(node.right, priority, false)}`;
    return priority < outer ? `( ${out} )` : out;
  }
  const between = node.kind === 'and' ? '&' : node.kind === 'or' ? '|' : node.distance === 1 ? '<->' : `<${node.distance}>`;
  const out = `${infix(node.left, priority, false)} ${between} ${infix(node.right, priority, node.kind === 'phrase')}`;
  return priority < outer || (node.kind === 'phrase' && rightOfPhrase) ? `( ${out} )` : out;
}

const CRC: Int32Array = (() => {
  const table = new Int32Array(256);
  for (let i = 0; i < 256; i++) {
    let crc = i;
    for (let k = 0; k < 8; k++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    table[i] = crc;
  }
  return table;
})();

/** Postgres's legacy CRC, by which it orders the words of queries. */
export function tsCrc(text: string): number {
  let crc = -1;
  for (const byte of Buffer.from(text)) crc = CRC[((crc >>> 24) ^ byte) & 255] ^ (crc << 8);
  return ~crc;
}

const CODE = { not: 1, and: 2, or: 3, phrase: 4 } as const;

export function tsOperatorCode(kind: Exclude<TsNode['kind'], 'word'>): number {
  return CODE[kind];
}

/** Weights and prefixes are ignored. */
export function compareTsNodes(a: TsNode, b: TsNode): number {
  if (a === b) return 0;
  if (a.kind === 'word' || b.kind === 'word') {
    if (a.kind !== 'word') return -1;
    if (b.kind !== 'word') return 1;
    if (a.text === b.text) return 0;
    return tsCrc(b.text) - tsCrc(a.text) || compareText(a.text, b.text);
  }
  if (a.kind !== b.kind) return CODE[b.kind] - CODE[a.kind];
  const order = compareTsNodes(a.right, b.right);
  if (order !== 0 || a.kind === 'not' || b.kind === 'not') return order;
  const left = compareTsNodes(a.left, b.left);
  return left !== 0 || a.kind !== 'phrase' || b.kind !== 'phrase' ? left : b.distance - a.distance;
}

export function tsQueryBytes(query: TsQuery): number {
  let bytes = 0;
  for (const { text } of tsOperands(query.root)) bytes += Buffer.byteLength(text) + 1;
  return bytes;
}

export function compareTsQueries(a: TsQuery, b: TsQuery): number {
  const bySize = a.size - b.size || tsQueryBytes(a) - tsQueryBytes(b);
  if (bySize !== 0 || a.root === null || b.root === null) return bySize;
  return compareTsNodes(a.root, b.root);
}

/** Equal for equal queries. */
function keyOf(node: TsNode | null): string {
  if (node === null) return '';
  if (node.kind === 'word') return tsQuote(node.text);
  return `(${node.kind === 'phrase' ? `<${node.distance}>` : node.kind}${node.kind === 'not' ? '' : keyOf(node.left)}${keyOf(node.right)})`;
}

export const TSQUERY: SqlType = makeType({
  oid: 3615,
  name: 'tsquery',
  title: 'tsquery',
  category: 'U',
  length: -1,
  repr: 'object',
  arrayOid: 3645,
  parse: (text) => parseTsQuery(text),
  format: (value) => tsQueryText(value as TsQuery),
  compare: (a, b) => compareTsQueries(a as TsQuery, b as TsQuery),
  hashKey: (value: Value) => keyOf((value as TsQuery).root),
});
