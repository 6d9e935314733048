/** DECLARE: variables, aliases and cursors. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Reader } from './reader.ts';
import type { Declaration } from './syntax.ts';

/** Up to BEGIN. */
export function parseDeclarations(reader: Reader): Declaration[] {
  const out: Declaration[] = [];
  while (!reader.is('begin')) {
    // DECLARE may be repeated.
    if (reader.take('declare')) continue;
    const { line, start: at, end } = reader;
    const name = reader.name();
    if (out.some((each) => each.name === name)) reader.error(`duplicate declaration at or near "${reader.text.slice(at, end)}"`, at);
    const made = declaration(reader, name, line);
    out.push(made);
    if (reader.checks === null) continue;
    if (made.kind === 'variable') reader.checks.declare(name, { kind: reader.checks.kindOf(made.type), constant: made.constant }, at);
    else if (made.kind === 'cursor') reader.checks.declare(name, { kind: 'refcursor', args: made.args.map((arg) => arg.name) }, at);
    else aliasKnown(reader, made.of, name, at);
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
  const notNullAt = reader.start;
  const notNull = reader.take('not');
  if (notNull) reader.expect('null');
  const value = reader.take('default') || reader.take(':=') || reader.take('=') ? reader.expression(';') : null;
  reader.expect(';');
  if (notNull && value === null) {
    throw new SvcError('22004', `variable "${name}" must have a default value, since it's declared NOT NULL`, { position: notNullAt + 1 });
  }
  return { kind: 'variable', name, type, constant, notNull, value, line };
}

function typeText(reader: Reader, ...ends: readonly string[]): string {
  if (ends.some((end) => reader.is(end))) reader.failAs('missing data type declaration');
  const at = reader.start;
  const text = reader.until(...ends).text.trim();
  if (reader.checks !== null) mustBeType(reader, text, at);
  return text;
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
  const query = reader.query(';');
  reader.expect(';');
  return { kind: 'cursor', name, scroll, args, query, line };
}

/** 42704 and 42601 at the type's position. */
function mustBeType(reader: Reader, text: string, at: number): void {
  try {
    reader.checks!.kindOf(text);
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const { code, message, hint, position } = error;
    const data = code === '42601' && position !== undefined ? { where: `invalid type name "${text}"` } : undefined;
    throw new SvcError(code, message, {
      position: at + (position ?? 1),
      cause: error,
      ...(hint === undefined ? {} : { hint }),
      ...(data === undefined ? {} : { data }),
    });
  }
}

function aliasKnown(reader: Reader, of: readonly string[], name: string, at: number): void {
  const known = reader.checks!.find(of[of.length - 1]);
  if (known === null) throw new SvcError('42704', `variable "${of.join('.')}" does not exist`, { position: at + 1 });
  else reader.checks!.declare(name, known, at);
}
