/** Lengths of texts and bytea, and upper and lower case. */
import { byteCount, characterCount } from '../../types/characters.ts';
import { trimBlanks } from '../../types/text-order.ts';
import type { FunctionModule } from '../define.ts';
import { scalar } from './declare.ts';
import { capitalize, lowerCase, upperCase } from '../../types/letter-case.ts';

const CHARACTERS = 'Number of characters.';
const blankless = (text: string): number => characterCount(trimBlanks(text));
const bytes = (text: string): number => text.length;

export const textLengths: FunctionModule = {
  functions: [
    ...['length', 'char_length', 'character_length'].flatMap((name) => [
      scalar(name, ['text'], 'int4', CHARACTERS, characterCount),
      scalar(name, ['bpchar'], 'int4', 'Number of characters without trailing blanks.', blankless),
    ]),
    scalar('length', ['bytea'], 'int4', 'Number of bytes.', bytes),
    scalar('octet_length', ['text'], 'int4', 'Number of bytes in UTF-8.', byteCount),
    scalar('octet_length', ['bpchar'], 'int4', 'Number of bytes in UTF-8, with trailing blanks.', byteCount),
    scalar('octet_length', ['bytea'], 'int4', 'Number of bytes.', bytes),
    scalar('bit_length', ['text'], 'int4', 'Number of bits in UTF-8.', (text: string) => 8 * byteCount(text)),
    scalar('bit_length', ['bytea'], 'int4', 'Number of bits.', (value: string) => 8 * value.length),
    scalar('lower', ['text'], 'text', 'The text in lower case.', lowerCase),
    scalar('upper', ['text'], 'text', 'The text in upper case.', upperCase),
    scalar('initcap', ['text'], 'text', 'The text with the first letter of each word in upper case.', capitalize),
    scalar('casefold', ['text'], 'text', 'The text in a form for comparison without regard to case.', lowerCase),
  ],
};
