/** The JS expression (flag u) of a tree. It matches the same texts as the Postgres expression; spans-agree.ts decides whether also with the same spans. */
import type { Node } from './syntax.ts';

export function toJavaScript(node: Node): string {
  switch (node.kind) {
    case 'set':
    case 'constraint':
      return node.source;
    case 'empty':
      return '';
    case 'look':
      return `(?${node.ahead ? '' : '<'}${node.negative ? '!' : '='}${toJavaScript(node.body)})`;
    case 'group':
      return `(${toJavaScript(node.body)})`;
    case 'back':
      return `(?:\\${node.index})`;
    case 'concat':
      return node.items.map((item) => (item.kind === 'either' ? `(?:${toJavaScript(item)})` : toJavaScript(item))).join('');
    case 'either':
      return node.branches.map(toJavaScript).join('|');
    case 'repeat': {
      const { body, min, max } = node;
      const source = toJavaScript(body);
      const atom = body.kind === 'set' || body.kind === 'group' || body.kind === 'back' ? source : `(?:${source})`;
      const count = min === 0 && max === Infinity ? '*' : min === 1 && max === Infinity ? '+' : min === 0 && max === 1 ? '?' : bounds(min, max);
      return `${atom}${count}${node.greedy || min === max ? '' : '?'}`;
    }
  }
}

function bounds(min: number, max: number): string {
  return max === Infinity ? `{${min},}` : min === max ? `{${min}}` : `{${min},${max}}`;
}
