/** The tree of a tsquery. Trees are immutable. */

export interface TsOperand {
  readonly kind: 'word';
  readonly text: string;
  /** Bits of the accepted weights: 8 A, 4 B, 2 C, 1 D; 0 for all. */
  readonly weight: number;
  readonly prefix: boolean;
}
export interface TsNot {
  readonly kind: 'not';
  readonly right: TsNode;
}
export interface TsPair {
  readonly kind: 'and' | 'or' | 'phrase';
  readonly left: TsNode;
  readonly right: TsNode;
  /** The distance of `right`; 0 except for phrases. */
  readonly distance: number;
}
export type TsNode = TsOperand | TsNot | TsPair;

export class TsQuery {
  /** null if it has no words. */
  readonly root: TsNode | null;
  /** Number of operators and words. */
  readonly size: number;

  constructor(root: TsNode | null) {
    this.root = root;
    this.size = nodeCount(root);
  }
}

export const EMPTY_QUERY = new TsQuery(null);
/** A query of stop words only. */
export const STOPPED_QUERY = new TsQuery(null);

function nodeCount(node: TsNode | null): number {
  if (node === null) return 0;
  if (node.kind === 'word') return 1;
  return 1 + nodeCount(node.right) + (node.kind === 'not' ? 0 : nodeCount(node.left));
}

export function tsWord(text: string, weight = 0, prefix = false): TsOperand {
  return { kind: 'word', text, weight, prefix };
}

export function tsPair(kind: TsPair['kind'], left: TsNode, right: TsNode, distance = kind === 'phrase' ? 1 : 0): TsPair {
  return { kind, left, right, distance };
}

/** Words in the order of Postgres's form: the right operand of an operator first. */
export function tsOperands(node: TsNode | null, out: TsOperand[] = []): TsOperand[] {
  if (node === null) return out;
  if (node.kind === 'word') out.push(node);
  else {
    tsOperands(node.right, out);
    if (node.kind !== 'not') tsOperands(node.left, out);
  }
  return out;
}
