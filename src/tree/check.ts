/** Invariants of a tree, for tests and `verify`: order, bounds, counts and optionally content hashes. */
import { hash } from 'node:crypto';
import { SvcError } from '../base/errors/svc-error.ts';
import { CacheDamage } from '../storage/page-store.ts';
import type { Key } from './datum.ts';
import type { Node } from './node.ts';
import type { Pager } from './pager.ts';

export interface TreeCheck {
  rows: number;
  nodes: number;
}

export function checkTree(pager: Pager, root: Node): TreeCheck {
  let nodes = 0;
  const walk = (node: Node, low: Key | null, high: Key | null): number => {
    nodes++;
    if (node.isLeaf) {
      for (let i = 0; i < node.count; i++) {
        const key = node.key(i);
        if ((low !== null && key < low) || (high !== null && key >= high) || (i > 0 && node.key(i - 1) >= key)) {
          throw new SvcError('XX001', `key ${JSON.stringify(key)} of page ${node.id} is out of order`);
        }
      }
      return node.count;
    }
    let rows = 0;
    for (let i = 0; i < node.keys.length; i++) {
      const lower = i === 0 ? low : node.keys[i];
      const upper = i + 1 < node.keys.length ? node.keys[i + 1] : high;
      const below = walk(pager.kid(node, i), lower, upper);
      if (below !== node.counts[i]) throw new SvcError('XX001', `page ${node.id} counts ${node.counts[i]} rows below child ${i}, there are ${below}`);
      rows += below;
    }
    return rows;
  };
  const rows = walk(root, null, null);
  return { rows, nodes };
}

/** Compares a stored page with the hash kept by its parent. */
export function checkHash(bytes: Uint8Array, expected: Uint8Array, id: number): void {
  const found = hash('sha256', bytes, 'buffer');
  if (Buffer.compare(found, expected) !== 0) {
    throw new CacheDamage(`page ${id} of the page cache does not match its hash`);
  }
}
