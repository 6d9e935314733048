/** At most so many characters; a pair that makes one character is not cut in two. */
export function bounded(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = /[\uD800-\uDBFF]/.test(text[most - 2]) ? most - 2 : most - 1;
  return `${text.slice(0, end)}…`;
}
