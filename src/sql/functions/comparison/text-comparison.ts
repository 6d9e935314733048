/** Comparison of bool, texts, bytea and uuid. Texts order by code point; bpchar does so without its trailing blanks. */
import { compareBlankPadded, compareText } from '../../types/text-order.ts';
import type { FunctionModule, SqlOperator } from '../define.ts';
import { sixOperators, type Tests } from './six-operators.ts';

const BOOL: Tests = {
  eq: (a: boolean, b: boolean) => a === b,
  ne: (a: boolean, b: boolean) => a !== b,
  lt: (a: boolean, b: boolean) => !a && b,
  le: (a: boolean, b: boolean) => !a || b,
  gt: (a: boolean, b: boolean) => a && !b,
  ge: (a: boolean, b: boolean) => a || !b,
};

export const TEXT: Tests = {
  eq: (a: string, b: string) => a === b,
  ne: (a: string, b: string) => a !== b,
  lt: (a: string, b: string) => compareText(a, b) < 0,
  le: (a: string, b: string) => compareText(a, b) <= 0,
  gt: (a: string, b: string) => compareText(a, b) > 0,
  ge: (a: string, b: string) => compareText(a, b) >= 0,
};

const BLANK_PADDED: Tests = {
  eq: (a: string, b: string) => compareBlankPadded(a, b) === 0,
  ne: (a: string, b: string) => compareBlankPadded(a, b) !== 0,
  lt: (a: string, b: string) => compareBlankPadded(a, b) < 0,
  le: (a: string, b: string) => compareBlankPadded(a, b) <= 0,
  gt: (a: string, b: string) => compareBlankPadded(a, b) > 0,
  ge: (a: string, b: string) => compareBlankPadded(a, b) >= 0,
};

/** For strings whose order is that of their UTF-16 units: bytes, uuids and hardware addresses. */
export const UNITS: Tests = {
  eq: (a: string, b: string) => a === b,
  ne: (a: string, b: string) => a !== b,
  lt: (a: string, b: string) => a < b,
  le: (a: string, b: string) => a <= b,
  gt: (a: string, b: string) => a > b,
  ge: (a: string, b: string) => a >= b,
};

/** The order of `~<~` and similar is that of the bytes, as for all texts here. */
function patternOperators(type: string, tests: Tests): SqlOperator[] {
  const one = (name: string, test: 'lt' | 'le' | 'gt' | 'ge', commutator: string, negator: string): SqlOperator => ({
    name,
    left: type,
    right: type,
    returns: 'bool',
    proc: `${type}_pattern_${test}`,
    commutator,
    negator,
    impl: tests[test],
  });
  return [one('~<~', 'lt', '~>~', '~>=~'), one('~<=~', 'le', '~>=~', '~>~'), one('~>~', 'gt', '~<~', '~<=~'), one('~>=~', 'ge', '~<=~', '~<~')];
}

export const textComparison: FunctionModule = {
  operators: [
    ...sixOperators('bool', 'bool', (test) => `bool${test}`, BOOL),
    ...sixOperators('text', 'text', (test) => (test === 'eq' || test === 'ne' ? `text${test}` : `text_${test}`), TEXT),
    ...sixOperators('name', 'name', (test) => `name${test}`, TEXT),
    ...sixOperators('name', 'text', (test) => `name${test}text`, TEXT),
    ...sixOperators('text', 'name', (test) => `text${test}name`, TEXT),
    ...sixOperators('char', 'char', (test) => `char${test}`, UNITS),
    ...sixOperators('bpchar', 'bpchar', (test) => `bpchar${test}`, BLANK_PADDED),
    ...sixOperators('bytea', 'bytea', (test) => `bytea${test}`, UNITS),
    ...sixOperators('uuid', 'uuid', (test) => `uuid_${test}`, UNITS),
    ...patternOperators('text', TEXT),
    ...patternOperators('bpchar', BLANK_PADDED),
  ],
};
