/** Truncates a text to a number of characters without splitting a surrogate pair. */
export function bounded(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = /[\uD800-\uDBFF]/.test(text[most - 2]) ? most - 2 : most - 1;
  return `${text.slice(0, end)}…`;
}
