/** A call needs no parentheses in an index expression, nor do COALESCE, EXTRACT and similar: its last parenthesis closes its first. */
export function looksLikeCall(text: string): boolean {
  if (!/^(?:(?:(?:[a-z_][a-z0-9_]*|"(?:[^"]|"")+")\.)?(?:[a-z_][a-z0-9_]*|"(?:[^"]|"")+")|(?!ROW)[A-Z]+)\(/.test(text) || !text.endsWith(')')) return false;
  let depth = 0;
  let quote = '';
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === "'" || char === '"') quote = char;
    else if (char === '(') depth++;
    else if (char === ')' && --depth === 0 && i < text.length - 1) return false;
  }
  return true;
}
