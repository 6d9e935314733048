/** Splits a script into statements at semicolons outside of quotes and comments; psql's own commands (`\c`) are left out. */
export function* splitScript(script: string): Generator<string> {
  let open = 0;
  const token = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[^]*?\*\/|^\\.*$|;/gm;
  let text = '';
  for (const match of script.matchAll(token)) {
    const [found] = match;
    if (found.startsWith('--') || found.startsWith('/*') || found.startsWith('\\')) {
      text += script.slice(open, match.index);
      open = match.index + found.length;
    } else if (found === ';') {
      text += script.slice(open, match.index);
      open = match.index + 1;
      if (text.trim() !== '') yield text.trim();
      text = '';
    }
  }
  text += script.slice(open);
  if (text.trim() !== '') yield text.trim();
}

/** From the first CREATE TABLE on: what stands before makes and enters a database. */
export function tableStatements(script: string): string[] {
  const statements = [...splitScript(script)];
  return statements.slice(statements.findIndex((sql) => /^create table/i.test(sql)));
}
