/** Rows of one table of the external Postgres, as a stream of COPY. */
import { inQuotes, quoteNames } from '../base/quote-identifier.ts';
import type { AttachedTable } from '../events/types/attached.ts';
import type { SourceConnection } from './source-connection.ts';

/** Columns of the source, masked ones as agents see them. */
export function selection({ columns }: Pick<AttachedTable, 'columns'>): string {
  return columns.map(({ name, mask }) => mask ?? `source.${inQuotes(name)}`).join(', ');
}

export function sourceName({ schema, table }: Pick<AttachedTable, 'schema' | 'table'>): string {
  return quoteNames([schema, table]);
}

export function copyOut(from: SourceConnection, table: AttachedTable, format: 'binary' | 'text'): Promise<AsyncIterable<Buffer>> {
  return from.copyOut(`COPY (SELECT ${selection(table)} FROM ONLY ${sourceName(table)} AS source) TO STDOUT (FORMAT ${format})`);
}

/** Rows of COPY's text format as texts, some at a time. */
export async function* copiedRows(chunks: AsyncIterable<Buffer>): AsyncGenerator<(string | null)[][]> {
  /** The beginning of a line whose end has not come. */
  let rest: Buffer[] = [];
  for await (const chunk of chunks) {
    const last = chunk.lastIndexOf(10);
    if (last < 0) {
      rest.push(chunk);
      continue;
    }
    const bytes = rest.length === 0 ? chunk : Buffer.concat([...rest, chunk]);
    const end = bytes.length - chunk.length + last;
    rest = end + 1 === bytes.length ? [] : [bytes.subarray(end + 1)];
    const lines = bytes.toString('utf8', 0, end).split('\n');
    yield lines.map(fieldsOf);
  }
}

function fieldsOf(line: string): (string | null)[] {
  const fields: (string | null)[] = line.split('\t');
  if (line.includes('\\')) for (let i = 0; i < fields.length; i++) fields[i] = fields[i] === '\\N' ? null : unescaped(fields[i]!);
  return fields;
}

const LETTERS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

function unescaped(text: string): string {
  return text.includes('\\') ? text.replace(/\\(.)/gs, (_, char: string) => LETTERS[char] ?? char) : text;
}
