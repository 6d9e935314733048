/**
 * Where the step of WITH RECURSIVE may reference its own query: once, in FROM of the step itself, not inside a subquery of an
 * expression, not on the nullable side of an outer join, not in the right side of EXCEPT.
 */
import type { CommonTable, Query, With } from '../ast/query.ts';
import { fail } from './binder.ts';

type Place = 'plain' | 'subquery' | 'outerJoin' | 'intersect' | 'except';

const REASONS: Record<Exclude<Place, 'plain'>, string> = {
  subquery: 'must not appear within a subquery',
  outerJoin: 'must not appear within an outer join',
  intersect: 'must not appear within INTERSECT',
  except: 'must not appear within EXCEPT',
};

interface Node {
  readonly type?: string;
  readonly [key: string]: unknown;
}

/** 42P19. */
export function checkRecursiveStep(step: Query, name: string): void {
  let seen = 0;
  const visit = (value: unknown, place: Place): void => {
    if (value === null || typeof value !== 'object') return;
    if (Array.isArray(value)) {
      for (const each of value as unknown[]) visit(each, place);
      return;
    }
    const node = value as Node;
    switch (node.type) {
      case 'table': {
        if (!namesTable(node, name)) return;
        const at = (node['name'] as { at: number }).at;
        if (place !== 'plain') fail('42P19', `recursive reference to query "${name}" ${REASONS[place]}`, at);
        if (++seen > 1) fail('42P19', `recursive reference to query "${name}" must not appear more than once`, at);
        return;
      }
      case 'join': {
        const kind = node['kind'] as string;
        visit(node['left'], kind === 'right' || kind === 'full' ? outer(place) : place);
        visit(node['right'], kind === 'left' || kind === 'full' ? outer(place) : place);
        visit(node['on'], place);
        return;
      }
      case 'setOperation': {
        const [first, ...rest] = node['inputs'] as unknown[];
        const operator = node['operator'] as string;
        const all = node['all'] === true;
        const inner = operator === 'intersect' && all ? 'intersect' : operator === 'except' && all ? 'except' : place;
        visit(first, inner);
        for (const each of rest) visit(each, operator === 'except' ? 'except' : inner);
        visit(node['with'], place);
        return;
      }
      case 'subquery':
      case 'exists':
      case 'arrayQuery':
      case 'quantifiedQuery':
      case 'inQuery':
        for (const each of Object.values(node)) visit(each, 'subquery');
        return;
      default:
        // An inner WITH may shadow the name.
        if (hides(node['with'] as With | null | undefined, name)) return;
        for (const each of Object.values(node)) visit(each, place);
    }
  };
  visit(step, 'plain');
}

function outer(place: Place): Place {
  return place === 'plain' ? 'outerJoin' : place;
}

function hides(clause: With | null | undefined, name: string): boolean {
  return clause?.tables?.some((table) => table.name === name) ?? false;
}

function namesTable(node: Node, name: string): boolean {
  const own = node['name'] as { name: string; schema: string | null } | undefined;
  return own?.name === name && own.schema === null;
}

/** Whether a query references the table anywhere. */
export function names(root: unknown, name: string): boolean {
  return placeOf(root, name) >= 0;
}

/** The position of its reference to the table; -1 if there is none. */
export function placeOf(root: unknown, name: string): number {
  const stack: unknown[] = [root];
  while (stack.length > 0) {
    const next = stack.pop();
    if (next === null || typeof next !== 'object') continue;
    if (Array.isArray(next)) {
      stack.push(...(next as unknown[]));
      continue;
    }
    if ((next as Node).type === 'table' && namesTable(next as Node, name)) return (next as unknown as { name: { at: number } }).name.at;
    stack.push(...Object.values(next));
  }
  return -1;
}

/** Tables of WITH RECURSIVE, each after those it references; they may reference one another in any order but not in a cycle. */
export function inOrderOfUse(tables: readonly CommonTable[]): CommonTable[] {
  const out: CommonTable[] = [];
  const open = new Set<CommonTable>();
  const visit = (table: CommonTable): void => {
    if (out.includes(table)) return;
    if (open.has(table)) fail('0A000', 'mutual recursion between WITH items is not implemented', table.at);
    open.add(table);
    for (const other of tables) if (other !== table && names(table.body, other.name)) visit(other);
    open.delete(table);
    out.push(table);
  };
  for (const table of tables) visit(table);
  return out;
}
