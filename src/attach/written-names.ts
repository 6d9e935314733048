/** Names of tables as options write them: `table`, `schema.table`, each part as it is, or in double quotes where it has dots, commas or quotes. */
import { SvcError } from '../base/errors/svc-error.ts';

const PART = '"(?:[^"]|"")+"|[^".,]+';
const NAME = new RegExp(`^(?:(${PART})\\.)?(${PART})$`);
const LIST = new RegExp(`\\s*((?:${PART})(?:\\.(?:${PART}))*)\\s*(?:,|$)`, 'gy');
const COLUMN = new RegExp(`^((?:${PART})(?:\\.(?:${PART}))?)\\.(${PART})$`);

function plain(part: string): string {
  return part.startsWith('"') ? part.slice(1, -1).replaceAll('""', '"') : part;
}

/** `schema`: null if none is written. Upper case stays as it is. 22023 for what is no name. */
export function writtenName(text: string): { schema: string | null; table: string } {
  const found = NAME.exec(text.trim());
  if (found === null) {
    throw new SvcError('22023', `"${text.slice(0, 80)}" is no name of a table`, {
      hint: 'Write table or schema.table, and names with dots, commas or quotes in double quotes.',
    });
  }
  return { schema: found[1] === undefined ? null : plain(found[1]), table: plain(found[2]) };
}

/** Names of a list that is separated by commas. */
export function writtenNames(text: string): string[] {
  const names: string[] = [];
  let end = 0;
  for (const match of text.matchAll(LIST)) {
    names.push(match[1].trim());
    end = match.index + match[0].length;
  }
  const rest = text.slice(end).replaceAll(',', '').trim();
  return rest === '' ? names : [...names, rest];
}

/** Table and column of `table.column` or `schema.table.column`; null for anything else. */
export function writtenColumn(text: string): { table: string; column: string } | null {
  const found = COLUMN.exec(text.trim());
  return found === null ? null : { table: found[1], column: plain(found[2]) };
}
