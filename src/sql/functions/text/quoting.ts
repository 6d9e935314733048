/** quote_ident, quote_literal, quote_nullable and parse_ident. */
import { inQuotes, quoteIdentifier } from '../../../base/quote-identifier.ts';
import { SvcError } from '../../../base/errors/svc-error.ts';
import { ArrayValue } from '../../types/array-value.ts';
import { lowerCase } from '../../types/letter-case.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import type { Call, FunctionModule } from '../define.ts';
import { scalar } from './declare.ts';
import { textOf } from './text-of.ts';

export function quoteLiteral(text: string): string {
  const quoted = text.replace(/['\\]/g, '$&$&');
  return text.includes('\\') ? `E'${quoted}'` : `'${quoted}'`;
}

/** According to `quote_all_identifiers`. */
export function quotedName({ env }: Call, name: string): string {
  return env.quotesAll ? inQuotes(name) : quoteIdentifier(name);
}

function quoteAny(call: Call, value: Value): string {
  return value === null ? 'NULL' : quoteLiteral(textOf(call.argTypes[0] as SqlType, value, call.env));
}

function notAnIdentifier(text: string, detail?: string): never {
  throw new SvcError('22023', `string is not a valid identifier: "${text}"`, detail === undefined ? {} : { detail });
}

const BLANKS = /^[ \t\n\v\f\r]*/;

/** The parts of a qualified name. Trailing text is an error if `strict`. */
function parseIdent(text: string, strict = true): ArrayValue {
  const parts: string[] = [];
  let rest = text.replace(BLANKS, '');
  let afterDot = false;
  for (;;) {
    if (rest.startsWith('"')) {
      const match = /^"((?:[^"]|"")*)"/.exec(rest);
      if (match === null) notAnIdentifier(text, 'String has unclosed double quotes.');
      if (match[1] === '') notAnIdentifier(text, 'Quoted identifier must not be empty.');
      parts.push((match[1] as string).replaceAll('""', '"'));
      rest = rest.slice(match[0].length);
    } else {
      // oxlint-disable-next-line no-control-regex
      const match = /^[A-Za-z_\u0080-\uffff][A-Za-z0-9_$\u0080-\uffff]*/.exec(rest);
      if (match === null) {
        if (rest.startsWith('.')) notAnIdentifier(text, 'No valid identifier before ".".');
        notAnIdentifier(text, afterDot ? 'No valid identifier after ".".' : undefined);
      }
      parts.push(match[0].replace(/[A-Z]+/g, lowerCase));
      rest = rest.slice(match[0].length);
    }
    rest = rest.replace(BLANKS, '');
    if (!rest.startsWith('.')) break;
    afterDot = true;
    rest = rest.slice(1).replace(BLANKS, '');
  }
  if (rest !== '' && strict) notAnIdentifier(text);
  return new ArrayValue(parts);
}

export const quoting: FunctionModule = {
  functions: [
    {
      ...scalar('quote_ident', ['text'], 'text', 'The text as a name in a statement, quoted where it must be.', (call: Call, name: string) =>
        quotedName(call, name),
      ),
      needsCall: true,
    },
    scalar('quote_literal', ['text'], 'text', 'The text as a literal in a statement.', quoteLiteral),
    { ...scalar('quote_literal', ['anyelement'], 'text', 'The value as a literal in a statement.', quoteAny), volatility: 'stable', needsCall: true },
    {
      ...scalar('quote_nullable', ['text'], 'text', 'The text as a literal in a statement, or NULL.', (text: string | null) =>
        text === null ? 'NULL' : quoteLiteral(text),
      ),
      strict: false,
    },
    {
      ...scalar('quote_nullable', ['anyelement'], 'text', 'The value as a literal in a statement, or NULL.', quoteAny),
      volatility: 'stable',
      strict: false,
      needsCall: true,
    },
    {
      ...scalar('parse_ident', ['text', 'bool'], '_text', 'The parts of a qualified name.', parseIdent),
      argNames: ['str', 'strict'],
      optional: 1,
    },
  ],
};
