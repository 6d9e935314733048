/** What is wrong with a field of an operation's input, in the words of every entrance that names fields as HTTP does. `path` is `a.b.0`, empty for the input itself. */

export const isMissing = (path: string): string => `field \`${path}\` is missing`;
export const isUnknown = (path: string): string => `field \`${path}\` is not known here`;
export const mustBeOfType = (path: string, type: string): string => `${place(path)} must be ${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
export const tooFewCharacters = (path: string, least: number): string =>
  least === 1 ? `${place(path)} must not be empty` : `${place(path)} must have at least ${least} characters`;
export const mustMatch = (path: string, pattern: string): string =>
  pattern === '^\\S+$' ? `${place(path)} must not hold white space` : `${place(path)} does not have the right form`;
export const hasNoneOf = (path: string, allowed: readonly string[]): string =>
  `${place(path)} has none of the values allowed: ${[...new Set(allowed)].join(', ')}`;
export const mustBe = (path: string, what: string): string => `${place(path)} must ${what}`;

export function place(path: string): string {
  return path === '' ? 'the body' : `field \`${path}\``;
}
