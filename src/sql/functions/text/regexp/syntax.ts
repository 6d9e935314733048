/** The tree of a Postgres regular expression, with the first characters and lengths of its parts. */

/** Characters: a JS class, with the ASCII ones as bits and whether it may hold others. */
export interface CharSet {
  readonly kind: 'set';
  /** Source of a JS expression (flag u) that matches one character. */
  readonly source: string;
  readonly ascii: bigint;
  readonly beyond: boolean;
}

/** `exact` is `{m}`, which has the preference of its body; every other quantifier has its own. */
export type Node =
  | CharSet
  | { readonly kind: 'empty' }
  /** Zero width: `^`, `\m` …; the source is JS. */
  | { readonly kind: 'constraint'; readonly source: string }
  | { readonly kind: 'look'; readonly ahead: boolean; readonly negative: boolean; readonly body: Node }
  | { readonly kind: 'group'; readonly index: number; readonly body: Node }
  | { readonly kind: 'back'; readonly index: number }
  | { readonly kind: 'concat'; readonly items: readonly Node[] }
  | { readonly kind: 'either'; readonly branches: readonly Node[] }
  | { readonly kind: 'repeat'; readonly body: Node; readonly min: number; readonly max: number; readonly greedy: boolean; readonly exact: boolean };

export interface Parsed {
  readonly root: Node;
  readonly groups: number;
  readonly ignoreCase: boolean;
}

export function nullable(node: Node): boolean {
  switch (node.kind) {
    case 'set':
      return false;
    case 'group':
      return nullable(node.body);
    case 'concat':
      return node.items.every(nullable);
    case 'either':
      return node.branches.some(nullable);
    case 'repeat':
      return node.min === 0 || nullable(node.body);
    default:
      return true;
  }
}

/** Length in characters of all matches of the node, or null if lengths differ. */
export function fixedLength(node: Node): number | null {
  switch (node.kind) {
    case 'set':
      return 1;
    case 'empty':
    case 'constraint':
    case 'look':
      return 0;
    case 'back':
      return null;
    case 'group':
      return fixedLength(node.body);
    case 'concat': {
      let sum = 0;
      for (const item of node.items) {
        const length = fixedLength(item);
        if (length === null) return null;
        sum += length;
      }
      return sum;
    }
    case 'either': {
      const first = fixedLength(node.branches[0] as Node);
      return node.branches.every((branch) => fixedLength(branch) === first) ? first : null;
    }
    case 'repeat': {
      const length = fixedLength(node.body);
      return length === 0 ? 0 : length !== null && node.min === node.max ? length * node.min : null;
    }
  }
}

export function some(node: Node, test: (node: Node) => boolean): boolean {
  if (test(node)) return true;
  switch (node.kind) {
    case 'group':
    case 'repeat':
    case 'look':
      return some(node.body, test);
    case 'concat':
      return node.items.some((item) => some(item, test));
    case 'either':
      return node.branches.some((branch) => some(branch, test));
    default:
      return false;
  }
}
