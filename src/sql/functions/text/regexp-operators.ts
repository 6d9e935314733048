/** ~, ~*, !~ and !~*. */
import type { FunctionModule, SqlOperator } from '../define.ts';
import { PLAIN_OPTIONS } from './regexp/parse.ts';
import { IGNORE_CASE, regexp } from './regexp/regexp.ts';

const matches = (text: string, pattern: string): boolean => regexp(pattern, PLAIN_OPTIONS).test(text);
const fails = (text: string, pattern: string): boolean => !regexp(pattern, PLAIN_OPTIONS).test(text);
const matchesFolded = (text: string, pattern: string): boolean => regexp(pattern, IGNORE_CASE).test(text);
const failsFolded = (text: string, pattern: string): boolean => !regexp(pattern, IGNORE_CASE).test(text);

function operator(name: string, left: string, proc: string, negator: string, impl: (text: string, pattern: string) => boolean): SqlOperator {
  return { name, left, right: 'text', returns: 'bool', proc, negator, impl };
}

function family(type: string): SqlOperator[] {
  return [
    operator('~', type, `${type}regexeq`, '!~', matches),
    operator('!~', type, `${type}regexne`, '~', fails),
    operator('~*', type, `${type}icregexeq`, '!~*', matchesFolded),
    operator('!~*', type, `${type}icregexne`, '~*', failsFolded),
  ];
}

export const regexpMatching: FunctionModule = { operators: [...family('text'), ...family('name'), ...family('bpchar')] };
