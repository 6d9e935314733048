/** LIKE with a constant pattern: a comparison, or a prefix, suffix or substring search, if it has that form. */
import type { Emitter } from '../emitter.ts';
import type { Operand } from '../operand.ts';
import type { Inline } from './rule.ts';

function test(pattern: string, text: string): string | null {
  const parts = /^(%*)([^%_\\]*)(%*)$/.exec(pattern);
  if (parts === null) return null;
  const body = JSON.stringify(parts[2]);
  const before = parts[1] !== '';
  const after = parts[3] !== '' || (before && parts[2] === '');
  if (before && after) return parts[2] === '' ? 'true' : `${text}.includes(${body})`;
  if (before) return `${text}.endsWith(${body})`;
  if (after) return `${text}.startsWith(${body})`;
  return `${text} === ${body}`;
}

function like(negated: boolean): Inline {
  return (args: readonly Operand[]) => {
    const pattern = args[1].constant;
    if (typeof pattern !== 'string' || test(pattern, 'x') === null) return null;
    return { rep: 'bool', steps: (g: Emitter, [a], out) => g.line(`${out} = ${negated ? '!' : ''}(${test(pattern, a.v)});`) };
  };
}

export const LIKES = new Map<string, Inline>([
  ['textlike', like(false)],
  ['textnlike', like(true)],
  ['namelike', like(false)],
  ['namenlike', like(true)],
]);
