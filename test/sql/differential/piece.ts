/**
 * SQL text as a tree that knows how it may be made smaller.
 *
 *   text     words as they stand
 *   literal  a constant that a parameter of the type may stand for
 *   group    parts in a row; `simpler` are texts and subtrees that may stand in its place and keep the statement valid
 *   list     items between separators, of which all but `min` may be dropped
 */
export type Piece = string | Literal | Group | List;

export interface Literal {
  kind: 'literal';
  sql: string;
  type: string;
}

export interface Group {
  kind: 'group';
  parts: Piece[];
  simpler: Piece[];
}

export interface List {
  kind: 'list';
  items: Piece[];
  separator: string;
  min: number;
}

export function group(parts: Piece[], simpler: Piece[] = []): Group {
  return { kind: 'group', parts, simpler };
}

export function list(items: Piece[], separator = ', ', min = 1): List {
  return { kind: 'list', items, separator, min };
}

/** A clause that may be left away. */
export function optional(parts: Piece[]): Group {
  return group(parts, ['']);
}

export function render(piece: Piece): string {
  return renderWith(piece, ({ sql }) => sql);
}

/** The text with `literal` written as the function says: as a parameter, for example. */
export function renderWith(piece: Piece, write: (literal: Literal) => string): string {
  if (typeof piece === 'string') return piece;
  if (piece.kind === 'literal') return write(piece);
  if (piece.kind === 'list') return piece.items.map((item) => renderWith(item, write)).join(piece.separator);
  return piece.parts.map((part) => renderWith(part, write)).join('');
}

/** Every tree that is one step smaller, the large steps first. */
export function* smaller(piece: Piece): Generator<Piece> {
  if (typeof piece === 'string' || piece.kind === 'literal') return;
  if (piece.kind === 'group') {
    yield* piece.simpler;
    for (const [at, part] of piece.parts.entries()) {
      for (const next of smaller(part)) yield { ...piece, parts: piece.parts.with(at, next) };
    }
    return;
  }
  if (piece.items.length > piece.min) {
    for (let at = 0; at < piece.items.length; at++) yield { ...piece, items: piece.items.toSpliced(at, 1) };
  }
  for (const [at, item] of piece.items.entries()) {
    for (const next of smaller(item)) yield { ...piece, items: piece.items.with(at, next) };
  }
}
