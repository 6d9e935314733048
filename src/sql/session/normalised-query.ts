/**
 * A statement's text with its constants as parameters, as pg_stat_statements shows it, and a number by which texts that differ in
 * constants, blanks, comments and letter case are one. Positions in ORDER BY and GROUP BY and modifiers of types are no constants.
 */
import { createHash } from 'node:crypto';
import type { Statement } from '../ast/statement.ts';
import { Scanner, TOKEN } from '../parse/scanner.ts';

export interface NormalisedQuery {
  readonly text: string;
  readonly id: bigint;
}

const CONSTANTS = new Set(['null', 'boolean', 'integer', 'number', 'string', 'bitString']);
const POSITIONS = new Set(['orderBy', 'groupBy']);

interface Found {
  readonly constants: Set<number>;
  parameters: number;
}

/** Iterative: chains of operators are thousands deep. */
function findConstants(statement: Statement): Found {
  const found: Found = { constants: new Set(), parameters: 0 };
  const waiting: unknown[] = [statement];
  for (let node = waiting.pop(); waiting.length > 0 || node !== undefined; node = waiting.pop()) {
    if (node === null || typeof node !== 'object') continue;
    const { type, at, number } = node as { type?: unknown; at?: unknown; number?: unknown };
    if (typeof type === 'string' && typeof at === 'number') {
      if (CONSTANTS.has(type)) found.constants.add(at);
      else if (type === 'parameter' && typeof number === 'number') found.parameters = Math.max(found.parameters, number);
    }
    for (const [key, value] of Object.entries(node)) {
      if (key === 'typmods' || value === null || typeof value !== 'object') continue;
      if (POSITIONS.has(key) && Array.isArray(value)) waiting.push(...value.filter((each) => !isPosition(each)));
      else waiting.push(value as unknown);
    }
  }
  return found;
}

/** An item that is a number alone. */
function isPosition(item: unknown): boolean {
  return (item as { value?: { type?: unknown } } | null)?.value?.type === 'integer';
}

/** `start` and `end`: the statement's range in the text. `constants`: whether they are replaced, as in queries and writes. */
export function normalisedQuery(source: string, start: number, end: number, statement: Statement, constants: boolean): NormalisedQuery {
  const found = constants ? findConstants(statement) : { constants: new Set<number>(), parameters: 0 };
  const scanner = new Scanner(source, start, end);
  let text = '';
  let key = '';
  let taken = start;
  let number = found.parameters;
  for (let kind = scanner.next(); kind !== TOKEN.end && kind !== TOKEN.unfinished; kind = scanner.next()) {
    const from = scanner.start;
    if (!found.constants.has(from) || !isConstant(scanner, kind)) {
      key += `${kind === TOKEN.word ? scanner.lexeme.toLowerCase() : scanner.lexeme} `;
      continue;
    }
    text += `${source.slice(taken, from)}$${++number}`;
    key += '$ ';
    // The sign of a number is part of it.
    if (kind === TOKEN.operator) scanner.next();
    taken = scanner.end;
  }
  text += source.slice(taken, end);
  return { text: text.trim(), id: createHash('sha1').update(key).digest().readBigInt64BE() };
}

/** Syntax that became a constant (`extract(year …)`) is left as it is written. */
function isConstant(scanner: Scanner, kind: number): boolean {
  if (kind === TOKEN.string || kind === TOKEN.number) return true;
  if (kind === TOKEN.word) return /^(?:null|true|false)$/i.test(scanner.lexeme) || /^[ebnxu]&?'/i.test(scanner.lexeme);
  return kind === TOKEN.operator && scanner.lexeme === '-' && /^\s*[0-9.]/.test(scanner.text.slice(scanner.end, scanner.end + 20));
}
