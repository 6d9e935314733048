/** SQL's SIMILAR TO patterns and SUBSTRING … SIMILAR …, rewritten as regular expressions. */
import { SvcError } from '../../../base/errors/svc-error.ts';

/**
 * The regular expression of a SIMILAR TO pattern. Two escape-double-quotes split the pattern of SUBSTRING in three, the middle one
 * being the result; the first is as short and the middle as long as possible.
 */
export function similarToEscape(pattern: string, escape: string): string {
  const characters = [...pattern];
  if ([...escape].length > 1) {
    throw new SvcError('22025', 'invalid escape string', { hint: 'Escape string must be empty or one character.' });
  }
  let result = '^(?:';
  let afterEscape = false;
  let separators = 0;
  // Depth inside a bracket expression; where 1, the position after its opening still counts.
  let inBracket = false;
  let bracketStart = 0;
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] as string;
    if (afterEscape) {
      if (character === '"' && !inBracket) {
        if (separators === 0) result += '){1,1}?(';
        else if (separators === 1) result += '){1,1}(?:';
        else throw new SvcError('2200C', 'SQL regular expression may not contain more than two escape-double-quote separators');
        separators++;
      } else result += `\\${character}`;
      afterEscape = false;
    } else if (character === escape) {
      afterEscape = true;
    } else if (inBracket) {
      if (character === '\\') result += '\\';
      result += character;
      // A ] right after the opening (or its ^) is literal.
      if (character === ']' && i > bracketStart) inBracket = false;
      else if (character === '[' && /[.=:]/.test(characters[i + 1] ?? '')) {
        const mark = characters[i + 1] as string;
        let end = i + 2;
        while (end < characters.length && !(characters[end] === mark && characters[end + 1] === ']')) end++;
        if (end < characters.length) {
          result += characters.slice(i + 1, end + 2).join('');
          i = end + 1;
        }
      }
    } else if (character === '[') {
      result += '[';
      inBracket = true;
      bracketStart = i + 1;
      if (characters[i + 1] === '^') {
        result += '^';
        i++;
        bracketStart = i + 1;
      }
    } else if (character === '%') result += '.*';
    else if (character === '_') result += '.';
    else if (character === '(') result += '(?:';
    else if (character === '\\' || character === '.' || character === '^' || character === '$') result += `\\${character}`;
    else result += character;
  }
  return `${result})$`;
}
