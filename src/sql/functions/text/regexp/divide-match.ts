/**
 * Spans and groups of a match as Postgres chooses them, where JS would choose others. The start is known; the reachable ends of each
 * part from a position are computed as sets and memoised, so the work is polynomial in the text. Expressions with back references
 * are not handled here.
 */
import { divide, type Division } from './division.ts';
import type { CharSet, Node } from './syntax.ts';
import { toJavaScript } from './to-javascript.ts';

type Test = (character: string) => boolean;

export class Divider {
  readonly #division: Division;
  readonly #ignoreCase: boolean;
  readonly #groups: number;
  readonly #tests = new Map<CharSet, Test>();
  readonly #constraints = new Map<Node, RegExp>();
  #text = '';
  #ends = new Map<Node, Map<number, readonly number[]>>();
  #spans: number[] = [];

  constructor(root: Node, groups: number, ignoreCase: boolean) {
    this.#division = divide(root);
    this.#groups = groups;
    this.#ignoreCase = ignoreCase;
  }

  /** Start and end of the match at `start` and of each group (-1 for none). */
  divide(text: string, start: number): number[] {
    if (text !== this.#text) this.#ends = new Map();
    this.#text = text;
    const ends = this.#endsOf(this.#division.node, start);
    const end = (this.#division.shortest ? ends[0] : ends[ends.length - 1]) as number;
    this.#spans = [start, end];
    for (let group = 1; group <= this.#groups; group++) this.#spans.push(-1, -1);
    this.#dissect(this.#division, start, end);
    return this.#spans;
  }

  #dissect(part: Division, start: number, end: number): void {
    switch (part.op) {
      case 'whole':
        return;
      case 'group':
        this.#spans[2 * part.index] = start;
        this.#spans[2 * part.index + 1] = end;
        this.#dissect(part.child, start, end);
        return;
      case 'pair': {
        const middles = this.#endsOf(part.left.node, start);
        const count = middles.length;
        for (let i = 0; i < count; i++) {
          const middle = middles[part.left.shortest ? i : count - 1 - i] as number;
          if (middle > end || !this.#endsOf(part.right.node, middle).includes(end)) continue;
          this.#dissect(part.left, start, middle);
          this.#dissect(part.right, middle, end);
          return;
        }
        return;
      }
      case 'either':
        for (const branch of part.branches) {
          if (!this.#endsOf(branch.node, start).includes(end)) continue;
          this.#dissect(branch, start, end);
          return;
        }
        return;
      case 'loop': {
        if (start === end) {
          // On an empty match, Postgres lets a greedy body match once and a lazy one not at all.
          if (!part.child.shortest && this.#endsOf(part.child.node, start)[0] === start) this.#dissect(part.child, start, start);
          return;
        }
        const last = this.#lastRound(part, start, end);
        if (last !== undefined) this.#dissect(part.child, last, end);
      }
    }
  }

  /** Start of the last iteration of a loop from a position to `end`, trying the first choice of each iteration first. */
  #lastRound(part: Division & { op: 'loop' }, start: number, end: number): number | undefined {
    const counted = part.max !== Infinity;
    const failed = new Set<number>();
    const width = this.#text.length + 1;
    const stack = [{ from: start, done: 0, tried: 0 }];
    for (;;) {
      const round = stack[stack.length - 1];
      if (round === undefined) return undefined;
      const ends = this.#endsOf(part.child.node, round.from);
      if (round.tried >= ends.length) {
        failed.add(round.done * width + round.from);
        stack.pop();
        continue;
      }
      const next = ends[part.child.shortest ? round.tried : ends.length - 1 - round.tried] as number;
      round.tried++;
      if (next <= round.from || next > end) continue;
      if (next === end) return round.from;
      const done = counted ? round.done + 1 : 0;
      if (done < part.max && !failed.has(done * width + next)) stack.push({ from: next, done, tried: 0 });
    }
  }

  /** The possible ends of a match of the node from a position, ascending. */
  #endsOf(node: Node, start: number): readonly number[] {
    let known = this.#ends.get(node);
    if (known === undefined) this.#ends.set(node, (known = new Map<number, readonly number[]>()));
    let ends = known.get(start);
    if (ends === undefined) known.set(start, (ends = this.#advance(node, start)));
    return ends;
  }

  #advance(node: Node, start: number): readonly number[] {
    switch (node.kind) {
      case 'empty':
        return [start];
      case 'set': {
        const point = this.#text.codePointAt(start);
        if (point === undefined) return [];
        const character = String.fromCodePoint(point);
        return this.#testOf(node)(character) ? [start + character.length] : [];
      }
      case 'constraint':
      case 'look':
        return this.#holds(node, start) ? [start] : [];
      case 'group':
        return this.#endsOf(node.body, start);
      case 'concat':
        return node.items.reduce<readonly number[]>((starts, item) => this.#each(item, starts), [start]);
      case 'either':
        return union(node.branches.map((branch) => this.#endsOf(branch, start)));
      case 'repeat':
        return this.#repeat(node, start);
      case 'back':
        return [];
    }
  }

  #each(node: Node, starts: readonly number[]): readonly number[] {
    return starts.length === 1 ? this.#endsOf(node, starts[0] as number) : union(starts.map((start) => this.#endsOf(node, start)));
  }

  #repeat(node: Node & { kind: 'repeat' }, start: number): readonly number[] {
    let current: readonly number[] = [start];
    for (let round = 0; round < node.min; round++) current = this.#each(node.body, current);
    const all = new Set(current);
    for (let round = node.min; round < node.max && current.length > 0; round++) {
      const next: number[] = [];
      for (const end of this.#each(node.body, current)) {
        if (all.has(end)) continue;
        all.add(end);
        next.push(end);
      }
      current = next;
    }
    return [...all].sort((a, b) => a - b);
  }

  #testOf(set: CharSet): Test {
    let test = this.#tests.get(set);
    if (test === undefined) {
      const expression = new RegExp(`^${set.source}$`, this.#ignoreCase ? 'iu' : 'u');
      const known = new Map<string, boolean>();
      test = (character) => {
        let result = known.get(character);
        if (result === undefined) known.set(character, (result = expression.test(character)));
        return result;
      };
      this.#tests.set(set, test);
    }
    return test;
  }

  #holds(node: Node, position: number): boolean {
    let expression = this.#constraints.get(node);
    if (expression === undefined) {
      expression = new RegExp(toJavaScript(node), this.#ignoreCase ? 'iuy' : 'uy');
      this.#constraints.set(node, expression);
    }
    expression.lastIndex = position;
    return expression.test(this.#text);
  }
}

function union(lists: readonly (readonly number[])[]): readonly number[] {
  if (lists.length === 1) return lists[0] as readonly number[];
  const all = new Set<number>();
  for (const list of lists) for (const each of list) all.add(each);
  return [...all].sort((a, b) => a - b);
}
