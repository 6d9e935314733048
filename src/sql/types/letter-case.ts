/**
 * Upper and lower case by character, as C's towupper and towlower do: one character maps to one. JS maps whole strings, where ß
 * becomes SS and a final Σ ς.
 */
const LOWER = new Map<string, string>();
const UPPER = new Map<string, string>();

function single(mapped: string, original: string): string {
  const point = mapped.codePointAt(0) as number;
  return mapped.length === (point > 0xffff ? 2 : 1) ? mapped : original;
}

function lowerOne(character: string): string {
  let mapped = LOWER.get(character);
  if (mapped === undefined) LOWER.set(character, (mapped = character === 'İ' ? 'i' : single(character.toLowerCase(), character)));
  return mapped;
}

function upperOne(character: string): string {
  let mapped = UPPER.get(character);
  if (mapped === undefined) UPPER.set(character, (mapped = single(character.toUpperCase(), character)));
  return mapped;
}

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\0-\x7f]*$/;

export function lowerCase(text: string): string {
  return ASCII.test(text)
    ? text.toLowerCase()
    : text.replace(/[^\0-\x7f]|[A-Z]+/gu, (part) => (part.charCodeAt(0) < 128 ? part.toLowerCase() : lowerOne(part)));
}

export function upperCase(text: string): string {
  return ASCII.test(text)
    ? text.toUpperCase()
    : text.replace(/[^\0-\x7f]|[a-z]+/gu, (part) => (part.charCodeAt(0) < 128 ? part.toUpperCase() : upperOne(part)));
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** The first letter of each run of letters and digits in upper case, the others in lower case. */
export function capitalize(text: string): string {
  return text.replace(WORD, (word) => {
    const first = String.fromCodePoint(word.codePointAt(0) as number);
    return upperCase(first) + lowerCase(word.slice(first.length));
  });
}
