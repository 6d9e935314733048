/** DECLARE: variables, aliases and cursors. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Reader } from './reader.ts';
import type { Declaration } from './syntax.ts';

/** Up to BEGIN. */
export function parseDeclarations(reader: Reader): Declaration[] {
  const out: Declaration[] = [];
  while (!reader.is('begin')) {
    // DECLARE may be said again.
    if (reader.take('declare')) continue;
    const { line } = reader;
    const name = reader.name();
    if (out.some((each) => each.name === name)) throw new SvcError('42601', `duplicate declaration at or near "${name}"`);
    out.push(declaration(reader, name, line));
  }
  return out;
}

function declaration(reader: Reader, name: string, line: number): Declaration {
  if (reader.take('alias')) {
    reader.expect('for');
    const parameter = reader.lexeme.startsWith('$') ? [reader.lexeme] : null;
    if (parameter !== null) reader.next();
    const of = parameter ?? [reader.name()];
    while (parameter === null && reader.take('.')) of.push(reader.name());
    reader.expect(';');
    return { kind: 'alias', name, of, line };
  }
  if (reader.is('cursor') || reader.is('scroll') || reader.is('no')) return cursor(reader, name, line);
  const constant = reader.take('constant');
  const type = typeText(reader, 'not', 'default', ':=', '=', 'collate', ';');
  if (reader.take('collate')) {
    reader.name();
    if (reader.take('.')) reader.name();
  }
  const notNull = reader.take('not');
  if (notNull) reader.expect('null');
  const value = reader.take('default') || reader.take(':=') || reader.take('=') ? reader.until(';') : null;
  reader.expect(';');
  if (notNull && value === null) throw new SvcError('22004', `variable "${name}" must have a default value, since it's declared NOT NULL`);
  return { kind: 'variable', name, type, constant, notNull, value, line };
}

function typeText(reader: Reader, ...ends: readonly string[]): string {
  if (ends.some((end) => reader.is(end))) throw new SvcError('42601', `missing data type declaration at or near "${reader.lexeme}"`);
  return reader.until(...ends).text.trim();
}

function cursor(reader: Reader, name: string, line: number): Declaration {
  let scroll: boolean | null = null;
  if (reader.take('no')) {
    reader.expect('scroll');
    scroll = false;
  } else if (reader.take('scroll')) scroll = true;
  reader.expect('cursor');
  const args: { name: string; type: string }[] = [];
  if (reader.take('(')) {
    do args.push({ name: reader.name(), type: typeText(reader, ',', ')') });
    while (reader.take(','));
    reader.expect(')');
  }
  if (!reader.take('for')) reader.expect('is');
  const query = reader.until(';');
  reader.expect(';');
  return { kind: 'cursor', name, scroll, args, query, line };
}
