/** The tree of an SQL/JSON path expression. Manual, section 9.16.2. */
import type { Numeric } from './numeric.ts';

export type PathMethod = 'type' | 'size' | 'double' | 'ceiling' | 'floor' | 'abs' | 'keyvalue';

export type PathStep =
  | { readonly kind: 'key'; readonly name: string }
  | { readonly kind: 'anyKey' }
  | { readonly kind: 'anyItem' }
  | { readonly kind: 'items'; readonly subscripts: readonly { readonly from: PathNode; readonly to: PathNode | null }[] }
  /** `.**`: levels; null for `last`. */
  | { readonly kind: 'levels'; readonly first: number | null; readonly last: number | null }
  | { readonly kind: 'filter'; readonly condition: PathNode }
  | { readonly kind: 'method'; readonly name: PathMethod }
  | { readonly kind: 'datetime'; readonly template: string | null };

export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=';
export type Arithmetic = '+' | '-' | '*' | '/' | '%';

export type PathNode =
  | { readonly kind: 'root' | 'current' | 'last' }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'literal'; readonly value: null | boolean | string | number | Numeric }
  | { readonly kind: 'steps'; readonly base: PathNode; readonly steps: readonly PathStep[] }
  | { readonly kind: 'arithmetic'; readonly op: Arithmetic; readonly left: PathNode; readonly right: PathNode }
  | { readonly kind: 'sign'; readonly op: '+' | '-'; readonly arg: PathNode }
  | { readonly kind: 'and' | 'or'; readonly left: PathNode; readonly right: PathNode }
  | { readonly kind: 'not' | 'isUnknown' | 'exists'; readonly arg: PathNode }
  | { readonly kind: 'compare'; readonly op: Comparison; readonly left: PathNode; readonly right: PathNode }
  | { readonly kind: 'startsWith'; readonly left: PathNode; readonly right: PathNode }
  /** Flags in Postgres's order: i, s, m, q. */
  | { readonly kind: 'likeRegex'; readonly arg: PathNode; readonly pattern: string; readonly flags: string };

export interface JsonPath {
  readonly lax: boolean;
  readonly root: PathNode;
}

/** Whether it is a condition rather than a sequence of items. */
export function isPredicate({ kind }: PathNode): boolean {
  switch (kind) {
    case 'and':
    case 'or':
    case 'not':
    case 'isUnknown':
    case 'exists':
    case 'compare':
    case 'startsWith':
    case 'likeRegex':
      return true;
    default:
      return false;
  }
}
