/**
 * Parses PL/pgSQL's own statements. Embedded SQL is cut out as text: up to the keyword or sign that ends it, outside of parentheses.
 * (libpg-query's own parser of PL/pgSQL does not know user-defined types, and does not report the block of a variable.)
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { TOKEN } from '../parse/scanner.ts';
import { parseDeclarations } from './parse-declarations.ts';
import { Checks, type RoutineFacts } from './checks.ts';
import { cursorArguments, parseDirection, parseOpen } from './parse-cursor.ts';
import { mustBeCondition, parseRaise, parseState } from './parse-raise.ts';
import { parseTarget, parseTargets, Reader } from './reader.ts';
import type { Block, Direction, Fragment, Handler, Into, Routine, Statement, Target } from './syntax.ts';

const DEPTH_MAX = 100;

/** `facts`: at creation; errors have their position in the text, or the line that was reached. */
export function parseRoutine(text: string, facts: RoutineFacts | null = null): Routine {
  const reader = new Reader(text, facts === null ? null : new Checks(facts));
  try {
    return routine(reader);
  } catch (error) {
    if (!(error instanceof SvcError) || error.position !== undefined || error.data?.line !== undefined) throw error;
    const { code, message, detail, hint } = error;
    const parts = { ...(detail === undefined ? {} : { detail }), ...(hint === undefined ? {} : { hint }), cause: error };
    throw new SvcError(code, message, { ...parts, data: { line: reader.latestLine } });
  }
}

function routine(reader: Reader): Routine {
  let conflict: Routine['conflict'] = null;
  let printStrict: boolean | null = null;
  while (reader.take('#')) {
    const option = reader.name();
    const value = reader.name();
    if (option === 'variable_conflict') {
      if (value !== 'error' && value !== 'use_variable' && value !== 'use_column') reader.fail();
      conflict = value === 'error' ? 'error' : value === 'use_variable' ? 'variable' : 'column';
    } else if (option === 'print_strict_params') printStrict = value === 'on';
    else if (option === 'option') continue;
    else reader.fail();
  }
  const block = parseBlock(reader, takeLabel(reader));
  reader.take(';');
  if (reader.kind !== TOKEN.end) reader.fail();
  return { block, conflict, printStrict };
}

function takeLabel(reader: Reader): string | null {
  if (!reader.take('<<')) return null;
  const label = reader.name();
  reader.expect('>>');
  return label;
}

/** After END: nothing, or the label again. */
function endLabel(reader: Reader, label: string | null): void {
  if (!reader.isName) return;
  const at = reader.start;
  const again = reader.name();
  if (label === null) reader.error(`end label "${again}" specified for unlabeled block`, at);
  if (again !== label) reader.error(`end label "${again}" differs from block's label "${label}"`, at);
}

function parseBlock(reader: Reader, label: string | null): Block {
  if (++reader.depth > DEPTH_MAX) throw new SvcError('54001', 'PL/pgSQL blocks are nested too deeply', { hint: `At most ${DEPTH_MAX} deep.` });
  reader.checks?.enter(label, 'block');
  const declarations = reader.take('declare') ? parseDeclarations(reader) : [];
  const { line } = reader;
  reader.expect('begin');
  const body = parseStatements(reader, 'end', 'exception');
  const handlers: Handler[] = [];
  if (reader.is('exception')) {
    reader.latestLine = reader.line;
    reader.next();
    reader.checks?.put('sqlstate', { kind: 'scalar', constant: true });
    reader.checks?.put('sqlerrm', { kind: 'scalar', constant: true });
    while (reader.take('when')) {
      const conditions: string[] = [];
      do conditions.push(condition(reader));
      while (reader.take('or'));
      reader.expect('then');
      handlers.push({ conditions, body: parseStatements(reader, 'end', 'when') });
    }
    if (handlers.length === 0) reader.fail();
  }
  reader.expect('end');
  endLabel(reader, label);
  reader.checks?.leave();
  reader.depth--;
  return { kind: 'block', label, declarations, body, handlers, line };
}

function condition(reader: Reader): string {
  const name = reader.name();
  if (name === 'sqlstate' && reader.kind === TOKEN.string) return parseState(reader);
  if (reader.checks !== null) mustBeCondition(name);
  return name;
}

function parseStatements(reader: Reader, ...ends: readonly string[]): Statement[] {
  const out: Statement[] = [];
  while (!ends.some((end) => reader.is(end))) {
    if (reader.kind === TOKEN.end) reader.fail();
    out.push(parseStatement(reader));
  }
  return out;
}

function parseStatement(reader: Reader): Statement {
  const label = takeLabel(reader);
  const { line } = reader;
  if (reader.is('declare') || reader.is('begin')) {
    const block = parseBlock(reader, label);
    reader.expect(';');
    return block;
  }
  if (reader.is('loop') || reader.is('while') || reader.is('for') || reader.is('foreach')) {
    if (++reader.depth > DEPTH_MAX) throw new SvcError('54001', 'PL/pgSQL blocks are nested too deeply', { hint: `At most ${DEPTH_MAX} deep.` });
    reader.checks?.enter(label, 'loop');
    const loop = parseLoop(reader, label, line);
    reader.checks?.leave();
    reader.depth--;
    return loop;
  }
  if (label !== null) reader.fail();
  const statement = parsePlain(reader, line);
  reader.expect(';');
  return statement;
}

function parsePlain(reader: Reader, line: number): Statement {
  const { start, kind, lexeme } = reader;
  // A variable's name at the start of an assignment takes precedence over a keyword.
  if (kind !== TOKEN.word) return assignmentOrSql(reader, line);
  switch (lexeme) {
    case 'if':
      return parseIf(reader, line);
    case 'case':
      return parseCase(reader, line);
    case 'exit':
    case 'continue': {
      reader.next();
      const labelAt = reader.start;
      const label = reader.isName && !reader.is('when') ? reader.name() : null;
      reader.checks?.exit(lexeme === 'continue', label, start, labelAt);
      const when = reader.take('when') ? reader.expression(';') : null;
      return { kind: 'exit', next: lexeme === 'continue', label, when, line };
    }
    case 'return':
      reader.next();
      return parseReturn(reader, line, start);
    case 'raise':
      reader.next();
      return parseRaise(reader, line);
    case 'assert': {
      reader.next();
      const [when, message] = reader.list(';');
      return { kind: 'assert', when, message: message ?? null, line };
    }
    case 'null':
      reader.next();
      if (!reader.is(';')) reader.fail();
      return { kind: 'null', line };
    case 'perform': {
      reader.next();
      const { text, at } = reader.expression(';');
      return { kind: 'perform', query: { text: `SELECT ${text}`, at }, line };
    }
    case 'execute':
      reader.next();
      return parseExecute(reader, line);
    case 'call': {
      const sql = reader.query(';');
      return { kind: 'call', sql, line };
    }
    case 'commit':
    case 'rollback':
      reader.next();
      return { kind: 'transaction', what: lexeme, chain: chained(reader), line };
    case 'get':
      return parseDiagnostics(reader, line);
    case 'open':
      reader.next();
      return parseOpen(reader, line);
    case 'fetch':
    case 'move': {
      reader.next();
      const { direction, cursor } = parseDirection(reader);
      reader.checks?.cursor(cursor);
      const targets = lexeme === 'fetch' ? (reader.expect('into'), parseTargets(reader)) : [];
      if (lexeme === 'fetch') {
        reader.checks?.targets(targets);
        if (manyRows(direction)) throw new SvcError('0A000', 'FETCH statement cannot return multiple rows', { position: start + 1 });
      }
      return { kind: 'fetch', cursor, move: lexeme === 'move', direction, targets, line };
    }
    case 'close': {
      reader.next();
      const cursor = parseTarget(reader);
      reader.checks?.cursor(cursor);
      return { kind: 'close', cursor, line };
    }
    default:
      reader.moveTo(start);
      return assignmentOrSql(reader, line);
  }
}

function chained(reader: Reader): boolean {
  if (!reader.take('and')) return false;
  const not = reader.take('no');
  reader.expect('chain');
  return !not;
}

/** `x := …`, `x.y[1] = …`, or an SQL statement. */
function assignmentOrSql(reader: Reader, line: number): Statement {
  const { start } = reader;
  if (reader.isName || reader.kind === TOKEN.parameter) {
    const target = parseTarget(reader);
    if (reader.is(':=') || reader.is('=')) {
      reader.checks?.target(target);
      reader.next();
      const value = reader.expression(';');
      const whole = reader.text.slice(start, value.at + value.text.length);
      return { kind: 'assign', target, value: { ...value, assignment: { text: whole, offset: value.at - start } }, line };
    }
    reader.moveTo(start);
  }
  if (!reader.isName && !reader.is('(')) reader.fail();
  return parseSql(reader, line);
}

function parseInto(reader: Reader): Into {
  const strict = reader.take('strict');
  const targets = parseTargets(reader);
  reader.checks?.targets(targets);
  return { strict, targets };
}

/** Keywords whose INTO names a table. */
const OWN_INTO: readonly string[] = ['insert', 'merge', 'import'];

/** The text without its INTO, which may be in several positions. */
function parseSql(reader: Reader, line: number): Statement {
  const from = reader.start;
  const pieces: string[] = [];
  let into: Into | null = null;
  let piece = from;
  let open = 0;
  let atomic = 0;
  let previous = '';
  for (;;) {
    if (reader.kind === TOKEN.end || reader.kind === TOKEN.unfinished) reader.fail();
    if (reader.is(';') && open === 0 && atomic === 0) break;
    if (reader.is('(')) open++;
    else if (reader.is(')')) open--;
    // A function created inside has statements of its own.
    if (reader.is('atomic') && previous === 'begin') atomic++;
    else if (atomic > 0 && reader.is('case')) atomic++;
    else if (atomic > 0 && reader.is('end')) atomic--;
    if (reader.is('into') && !OWN_INTO.includes(previous)) {
      if (into !== null) reader.failAs('INTO specified more than once');
      const at = reader.start;
      pieces.push(reader.text.slice(piece, at));
      reader.next();
      into = parseInto(reader);
      piece = reader.start;
      // Later text keeps its position.
      pieces.push(' '.repeat(piece - at));
      previous = '';
      continue;
    }
    previous = reader.lexeme;
    reader.next();
  }
  pieces.push(reader.text.slice(piece, reader.start));
  if (from === reader.start) reader.fail();
  const sql = { text: pieces.join('').trimEnd(), at: from };
  reader.checks?.statement(sql);
  return { kind: 'sql', sql, into, line };
}

function manyRows({ direction, count }: Direction): boolean {
  return (direction === 'forward' || direction === 'backward') && count !== 1;
}

function parseIf(reader: Reader, line: number): Statement {
  const branches: { when: Fragment; body: Statement[] }[] = [];
  let otherwise: Statement[] = [];
  reader.next();
  for (;;) {
    const when = reader.expression('then');
    reader.next();
    branches.push({ when, body: parseStatements(reader, 'elsif', 'elseif', 'else', 'end') });
    if (reader.take('elsif') || reader.take('elseif')) continue;
    if (reader.take('else')) otherwise = parseStatements(reader, 'end');
    break;
  }
  reader.expect('end');
  reader.expect('if');
  return { kind: 'if', branches, otherwise, line };
}

function parseCase(reader: Reader, line: number): Statement {
  reader.next();
  const value = reader.is('when') ? null : reader.expression('when');
  const branches: { when: Fragment; body: Statement[] }[] = [];
  let otherwise: Statement[] | null = null;
  while (reader.take('when')) {
    const when = reader.until('then');
    reader.next();
    branches.push({ when, body: parseStatements(reader, 'when', 'else', 'end') });
  }
  if (reader.take('else')) otherwise = parseStatements(reader, 'end');
  reader.expect('end');
  reader.expect('case');
  return { kind: 'case', value, branches, otherwise, line };
}

function parseLoop(reader: Reader, label: string | null, line: number): Statement {
  if (reader.take('loop')) return { kind: 'loop', label, body: loopBody(reader, label), line };
  if (reader.take('while')) {
    const when = reader.expression('loop');
    reader.next();
    return { kind: 'while', label, when, body: loopBody(reader, label), line };
  }
  if (reader.take('foreach')) {
    const targets = parseTargets(reader);
    if (reader.checks !== null && reader.checks.find(targets[0].parts[0]) === null && targets[0].parts.length === 1) {
      reader.error('loop variable of FOREACH must be a known variable or list of variables', targets[0].at);
    }
    reader.checks?.targets(targets);
    const slice = reader.take('slice') ? Number(reader.lexeme) : 0;
    if (slice > 0 || reader.kind === TOKEN.number) reader.next();
    reader.expect('in');
    reader.expect('array');
    const array = reader.expression('loop');
    reader.next();
    return { kind: 'foreach', label, targets, slice, array, body: loopBody(reader, label), line };
  }
  reader.expect('for');
  const targets = parseTargets(reader);
  reader.expect('in');
  if (reader.take('execute')) {
    reader.checks?.loopTargets(targets);
    const query = reader.expression('using', 'loop');
    const using = reader.take('using') ? reader.list('loop') : [];
    reader.expect('loop');
    return { kind: 'forExecute', label, targets, query, using, body: loopBody(reader, label), line };
  }
  const at = reader.start;
  const reverse = reader.is('reverse');
  const query = reader.until('loop');
  const loopAt = reader.start;
  reader.moveTo(at);
  const range = countRange(reader, reverse, loopAt);
  if (range !== null) {
    if (targets.length > 1 || targets[0].parts.length > 1 || targets[0].path !== null)
      reader.error('integer FOR loop must have only one target variable', targets[1]?.at ?? targets[0].at);
    reader.checks?.put(targets[0].parts[0], { kind: 'scalar' });
    reader.expect('loop');
    return { kind: 'count', label, name: targets[0].parts[0], reverse, ...range, body: loopBody(reader, label), line };
  }
  reader.moveTo(at);
  const words = /^\s*(select|with|values|table|insert|update|delete|merge|execute|explain|show|fetch|\()/i;
  if (!words.test(query.text) && reader.isName) {
    const cursorAt = reader.start;
    const cursor = reader.name();
    if (reader.checks !== null) {
      const known = reader.checks.find(cursor);
      if (known === null || known.kind !== 'refcursor') reader.checks.statement(query);
      else if (known.args === undefined) reader.error('cursor FOR loop must use a bound cursor variable', cursorAt);
      else cursorArguments(reader, cursor, known.args);
      reader.checks.put(targets[0].parts[0], { kind: 'row' });
    }
    const args = reader.is('(') ? reader.until('loop') : null;
    reader.expect('loop');
    return { kind: 'forCursor', label, targets, cursor, args, body: loopBody(reader, label), line };
  }
  reader.checks?.loopTargets(targets);
  reader.checks?.statement(query);
  reader.moveTo(loopAt);
  reader.expect('loop');
  return { kind: 'forQuery', label, targets, query, body: loopBody(reader, label), line };
}

/** `from .. to BY step`; null without two dots before LOOP. */
function countRange(reader: Reader, reverse: boolean, end: number): { from: Fragment; to: Fragment; step: Fragment | null } | null {
  if (reverse) reader.next();
  const begin = reader.start;
  let open = 0;
  while (reader.start < end && !(open === 0 && reader.is('..'))) {
    if (reader.is('(') || reader.is('[')) open++;
    else if (reader.is(')') || reader.is(']')) open--;
    reader.next();
  }
  if (reader.start >= end) return null;
  const from = { text: reader.text.slice(begin, reader.start), at: begin };
  reader.checks?.expression(from);
  reader.next();
  const to = reader.expression('by', 'loop');
  const step = reader.take('by') ? reader.expression('loop') : null;
  return { from, to, step };
}

function loopBody(reader: Reader, label: string | null): Statement[] {
  const body = parseStatements(reader, 'end');
  reader.expect('end');
  reader.expect('loop');
  endLabel(reader, label);
  reader.expect(';');
  return body;
}

function parseReturn(reader: Reader, line: number, at: number): Statement {
  const { checks } = reader;
  if (reader.is(';')) {
    if (checks !== null && checks.facts.returns === 'value' && !checks.facts.out) reader.failAs('missing expression');
    return { kind: 'return', value: null, line };
  }
  if (reader.take('next')) {
    checks?.returnsRows('NEXT', at);
    if (reader.is(';')) {
      if (checks !== null && !checks.facts.out) reader.failAs('missing expression');
      return { kind: 'returnNext', value: null, line };
    }
    if (checks?.facts.out === true) {
      throw new SvcError('42804', 'RETURN NEXT cannot have a parameter in function with OUT parameters', { position: reader.start + 1 });
    }
    return { kind: 'returnNext', value: reader.expression(';'), line };
  }
  if (!reader.take('query')) {
    checks?.returns(reader.start);
    return { kind: 'return', value: reader.expression(';'), line };
  }
  checks?.returnsRows('QUERY', at);
  if (!reader.take('execute')) return { kind: 'returnQuery', query: reader.query(';'), line };
  const query = reader.expression('using', ';');
  const using = reader.take('using') ? reader.list(';') : [];
  return { kind: 'returnExecute', query, using, line };
}

function parseExecute(reader: Reader, line: number): Statement {
  const query = reader.expression('into', 'using', ';');
  let into: Into | null = null;
  let using: Fragment[] = [];
  for (;;) {
    if (into === null && reader.take('into')) into = parseInto(reader);
    else if (using.length === 0 && reader.take('using')) using = reader.list('into', ';');
    else break;
  }
  return { kind: 'execute', query, into, using, line };
}

function parseDiagnostics(reader: Reader, line: number): Statement {
  const { start: at, checks } = reader;
  reader.next();
  const stacked = reader.take('stacked');
  if (!stacked) reader.take('current');
  reader.expect('diagnostics');
  const items: { target: Target; item: string }[] = [];
  do {
    const target = parseTarget(reader);
    checks?.target(target);
    if (!reader.take('=')) reader.expect(':=');
    const itemAt = reader.start;
    const item = reader.name();
    if (!(stacked ? STACKED : CURRENT).includes(item)) {
      if ([...STACKED, ...CURRENT].includes(item)) {
        reader.error(`diagnostics item ${item.toUpperCase()} is not allowed in GET ${stacked ? 'STACKED' : 'CURRENT'} DIAGNOSTICS`, at);
      }
      reader.error(`unrecognized GET DIAGNOSTICS item at or near "${item}"`, itemAt);
    }
    items.push({ target, item });
  } while (reader.take(','));
  return { kind: 'diagnostics', stacked, items, line };
}

const CURRENT = ['row_count', 'pg_context', 'pg_routine_oid'];
const STACKED = [
  'returned_sqlstate',
  'message_text',
  'pg_exception_detail',
  'pg_exception_hint',
  'pg_exception_context',
  'column_name',
  'constraint_name',
  'pg_datatype_name',
  'table_name',
  'schema_name',
];
