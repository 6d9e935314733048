/** Words of queries over ltree, with their flags: `@` case-insensitive, `*` prefix, `%` words within a label, separated by `_`. */

export interface TreeWord {
  readonly text: string;
  readonly anyCase: boolean;
  readonly anyEnd: boolean;
  readonly parts: boolean;
}

export function treeWord(text: string, flags: string): TreeWord {
  return { text, anyCase: flags.includes('@'), anyEnd: flags.includes('*'), parts: flags.includes('%') };
}

export function printTreeWord({ text, anyCase, anyEnd, parts }: TreeWord): string {
  return `${text}${parts ? '%' : ''}${anyCase ? '@' : ''}${anyEnd ? '*' : ''}`;
}

const partsOf = (label: string): string[] => label.split('_').filter((part) => part !== '');

export function fitsLabel({ text, anyCase, anyEnd, parts }: TreeWord, label: string): boolean {
  const wanted = anyCase ? text.toLowerCase() : text;
  const given = anyCase ? label.toLowerCase() : label;
  const fits = (own: string, word: string): boolean => (anyEnd ? own.startsWith(word) : own === word);
  if (!parts) return fits(given, wanted);
  const own = partsOf(given);
  return partsOf(wanted).every((word) => own.some((part) => fits(part, word)));
}
