/** The context of lowering one parse tree, and shared accessors of raw nodes. */
import type * as pg from '@pgsql/types';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { AsOf } from '../ast/query.ts';
import { STATEMENT_LIMITS } from './statement-limits.ts';
import { characterPosition, type ByteMap } from './text-offsets.ts';

/** The body of a raw node of one kind: `Body<'A_Expr'>` is `A_Expr`. */
export type Body<Kind extends string> = pg.Node extends infer N ? (N extends { [K in Kind]: infer B } ? B : never) : never;

/** Finds the AS OF that was blanked after a table. */
export interface AsOfFinder {
  /** `hasAlias`, `hasColumns`: what the table has between its name and AS OF. */
  claim(tableAt: number, hasAlias: boolean, hasColumns: boolean): AsOf | null;
  /** An AS OF that no table claimed, after all tables. */
  readonly misplaced: { valueAt: number; valueEnd: number } | null;
}

export class Lowering {
  /** The whole list, for error positions. */
  readonly text: string;
  readonly asOf: AsOfFinder | null;
  /** Start of the current statement: for nodes without a location. */
  statementAt = 0;
  readonly #map: ByteMap;
  readonly #base: number;
  #depth = 0;

  /** `base` is the offset in `text` of the piece that was parsed, `map` the piece's. */
  constructor(text: string, base: number, map: ByteMap, asOf: AsOfFinder | null) {
    this.text = text;
    this.asOf = asOf;
    this.#map = map;
    this.#base = base;
  }

  /** The tree omits 0 and writes -1 for "no location". */
  at(location: number | undefined): number {
    const byte = location ?? 0;
    if (byte < 0) return this.statementAt;
    return this.#base + (this.#map === null ? byte : this.#map(byte));
  }

  enter(): void {
    if (++this.#depth > STATEMENT_LIMITS.treeDepthMax) throw tooDeep();
  }
  leave(): void {
    this.#depth--;
  }

  syntaxError(message: string, at: number): SvcError {
    return new SvcError('42601', message, { position: characterPosition(this.text, at) });
  }
  /** libpg-query's grammar accepts parameters where Postgres's accepts only constants. */
  misplacedParameter(raw: pg.ParamRef): SvcError {
    return this.syntaxError(`syntax error at or near "$${raw.number ?? 0}"`, this.at(raw.location));
  }
  unsupported(what: string, at: number): SvcError {
    return new SvcError('0A000', `${what} is not supported`, { position: characterPosition(this.text, at) });
  }
}

export function tooDeep(): SvcError {
  return new SvcError('54001', 'stack depth limit exceeded', {
    hint: `Write the statement with less nesting: at most ${STATEMENT_LIMITS.nestingMax} levels of parentheses and ${STATEMENT_LIMITS.operatorChainMax} operators in a row.`,
  });
}

/** Runs a recursion over a tree; a caller with little stack left gets the same error as for too deep a tree. */
export function guardStack<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError && error.message.includes('call stack')) throw tooDeep();
    throw error;
  }
}

/** The single key of a raw node; '' for the empty object that represents a null. */
export function kindOf(node: pg.Node): string {
  for (const key in node) return key;
  return '';
}

/** The body of a node known to be of this kind. */
export function bodyOf<Kind extends string>(node: pg.Node, kind: Kind): Body<Kind> {
  return (node as unknown as Record<Kind, Body<Kind>>)[kind];
}

export function stringOf(node: pg.Node): string {
  return bodyOf(node, 'String').sval ?? '';
}

/** Names in a list of String nodes. */
export function strings(nodes: pg.Node[] | undefined): string[] {
  return nodes === undefined ? [] : nodes.map(stringOf);
}

export function stringsOrNull(nodes: pg.Node[] | undefined): string[] | null {
  return nodes === undefined || nodes.length === 0 ? null : nodes.map(stringOf);
}

export function listItems(node: pg.Node | undefined): pg.Node[] {
  return node === undefined ? [] : (bodyOf(node, 'List').items ?? []);
}
