/** Prints JSON paths as Postgres does: keys quoted, parentheses by precedence, and at the top. */
import { numberText } from './json-number.ts';
import { quoteJson } from './json-string.ts';
import type { JsonPath, PathNode, PathStep } from './jsonpath-syntax.ts';
import { Numeric } from './numeric.ts';

export function printJsonPath({ lax, root }: JsonPath): string {
  return `${lax ? '' : 'strict '}${printed(root, true)}`;
}

function priority(node: PathNode): number {
  switch (node.kind) {
    case 'or':
      return 0;
    case 'and':
      return 1;
    case 'compare':
    case 'startsWith':
      return 2;
    case 'arithmetic':
      return node.op === '+' || node.op === '-' ? 3 : 4;
    case 'sign':
      return 5;
    default:
      return 6;
  }
}

/** `enclosed`: an operator gets parentheses. */
function printed(node: PathNode, enclosed: boolean): string {
  const wrap = (text: string): string => (enclosed ? `(${text})` : text);
  const operand = (child: PathNode): string => printed(child, priority(child) <= priority(node));
  const binary = (left: PathNode, sign: string, right: PathNode): string => wrap(`${operand(left)} ${sign} ${operand(right)}`);
  switch (node.kind) {
    case 'root':
      return '$';
    case 'current':
      return '@';
    case 'last':
      return 'last';
    case 'variable':
      return `$${quoteJson(node.name)}`;
    case 'literal': {
      const { value } = node;
      if (typeof value === 'string') return quoteJson(value);
      return typeof value === 'number' || value instanceof Numeric ? numberText(value) : String(value);
    }
    case 'steps': {
      const { base } = node;
      const number = base.kind === 'literal' && (typeof base.value === 'number' || base.value instanceof Numeric);
      return `${number ? `(${printed(base, true)})` : printed(base, true)}${node.steps.map(step).join('')}`;
    }
    case 'arithmetic':
      return binary(node.left, node.op, node.right);
    case 'sign':
      return wrap(`${node.op}${operand(node.arg)}`);
    case 'and':
      return binary(node.left, '&&', node.right);
    case 'or':
      return binary(node.left, '||', node.right);
    case 'compare':
      return binary(node.left, node.op, node.right);
    case 'startsWith':
      return binary(node.left, 'starts with', node.right);
    case 'not':
      return `!(${printed(node.arg, false)})`;
    case 'isUnknown':
      return `(${printed(node.arg, false)}) is unknown`;
    case 'exists':
      return `exists (${printed(node.arg, false)})`;
    case 'likeRegex':
      return wrap(`${operand(node.arg)} like_regex ${quoteJson(node.pattern)}${node.flags === '' ? '' : ` flag "${node.flags}"`}`);
  }
}

function step(each: PathStep): string {
  switch (each.kind) {
    case 'key':
      return `.${quoteJson(each.name)}`;
    case 'anyKey':
      return '.*';
    case 'anyItem':
      return '[*]';
    case 'items':
      return `[${each.subscripts.map(({ from, to }) => printed(from, false) + (to === null ? '' : ` to ${printed(to, false)}`)).join(',')}]`;
    case 'levels': {
      const level = (value: number | null): string => (value === null ? 'last' : String(value));
      if (each.first === 0 && each.last === null) return '.**';
      return each.first === each.last ? `.**{${level(each.first)}}` : `.**{${level(each.first)} to ${level(each.last)}}`;
    }
    case 'filter':
      return `?(${printed(each.condition, false)})`;
    case 'method':
      return `.${each.name}()`;
    case 'datetime':
      return `.datetime(${each.template === null ? '' : quoteJson(each.template)})`;
  }
}
