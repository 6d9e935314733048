/**
 * Tab completion by position: after FROM, tables; after `t.`, columns of t; after USE or WORLD, worlds; in a command, its
 * arguments; otherwise columns of the statement's tables, functions and keywords.
 */
import { inQuotes } from '../../base/quote-identifier.ts';
import { quoteIdentifier } from '../../base/quote-identifier.ts';
import { Scanner, TOKEN } from '../../sql/parse/scanner.ts';

export type CandidateKind = 'keyword' | 'table' | 'column' | 'function' | 'world' | 'agent' | 'policy' | 'command' | 'field' | 'value' | 'schema';

export interface Candidate {
  readonly text: string;
  readonly kind: CandidateKind;
}

export interface Names {
  readonly keywords: readonly string[];
  /** Tables and views that need no schema, and `schema.table` for the others. */
  readonly tables: readonly string[];
  readonly columns: ReadonlyMap<string, readonly string[]>;
  readonly functions: readonly string[];
  readonly worlds: readonly string[];
  readonly agents: readonly string[];
  readonly policies: readonly string[];
}

export const NO_NAMES: Names = { keywords: [], tables: [], columns: new Map(), functions: [], worlds: [], agents: [], policies: [] };

/** What a command accepts at a position of its line. */
export interface ArgumentHint {
  /** `world`, `table`, `agent`, `policy`, or literal words. */
  readonly kinds: readonly CandidateKind[];
  readonly values: readonly string[];
  readonly fields: readonly string[];
}

export interface CommandSyntax {
  readonly names: readonly string[];
  isCommand(line: string): boolean;
  /** For the words before the current one; null if the line is not a command. */
  hint(words: readonly string[]): ArgumentHint | null;
}

export interface Completion {
  /** Start of the text that candidates replace. */
  readonly from: number;
  readonly to: number;
  readonly candidates: readonly Candidate[];
}

const CANDIDATES_MAX = 200;

const BEHIND_TABLE = new Set(['from', 'join', 'into', 'update', 'table', 'only', 'truncate', 'describe', 'copy', 'references', 'analyze']);
const BEHIND_WORLD = new Set(['world', 'use', 'fork']);

/** Keywords before an expression. */
const BEHIND_OPERAND = new Set(
  `select where and or on by having set returning distinct when then else case not between like ilike in values using limit offset filter over all any`.split(
    ' ',
  ),
);
/** Keywords that begin an expression, or replace one. */
const OPERANDS = new Set(
  `case not null true false exists distinct cast coalesce nullif greatest least current_date current_time current_timestamp current_user interval array row select
  all any default extract substring trim position overlay`.split(/\s+/),
);

interface Token {
  readonly kind: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export function complete(text: string, cursor: number, names: Names, syntax: CommandSyntax): Completion {
  const lineStart = text.lastIndexOf('\n', cursor - 1) + 1;
  const statement = statementStart(text, cursor);
  const line = text.slice(Math.max(lineStart, statement), cursor).trimStart();
  const head = text.slice(statement, cursor).trimStart();
  if (head !== '' && !head.includes('\n') && /\s/.test(head) && syntax.isCommand(head)) return inCommand(cursor, line, names, syntax);
  const word = /[\p{L}\p{N}_$"\\-]*$/u.exec(text.slice(statement, cursor))![0];
  // A hyphen belongs to names of worlds, and is otherwise an operator.
  const tokens = tokensOf(text, statement, cursor - word.length);
  const before = tokens.at(-1);
  const previous = before?.kind === TOKEN.word ? before.text.toLowerCase() : '';
  const typed = BEHIND_WORLD.has(previous) ? word : /[\p{L}\p{N}_$"\\]*$/u.exec(word)![0];
  const from = cursor - typed.length;
  const found = (candidates: readonly Candidate[]): Completion => ({ from, to: cursor, candidates: matching(candidates, typed) });

  if (tokens.length === 0) {
    return found([...syntax.names.map((name): Candidate => ({ text: name, kind: 'command' })), ...keywordsOf(names, typed)]);
  }
  if (before?.text === '.' && tokens.length > 1) return found(behindDot(tokens.at(-2)!, text, statement, names));
  if (BEHIND_WORLD.has(previous)) return found(namesOf(names.worlds, 'world'));
  if (previous === 'agent') return found(namesOf(names.agents, 'agent'));
  if (previous === 'policy') return found(namesOf(names.policies, 'policy'));
  if (BEHIND_TABLE.has(previous) || (before?.text === ',' && inFrom(tokens))) {
    const tables = matching(tablesOf(names), typed);
    return tables.length > 0 ? { from, to: cursor, candidates: tables } : found(keywordsOf(names, typed));
  }
  // After a name, a value or a closing parenthesis only keywords can follow.
  const wantsOperand = beginsOperand(before) && !(before?.text === '*' && beginsOperand(tokens.at(-2), '.'));
  if (!wantsOperand) return found(keywordsOf(names, typed));
  const columns = namedTables(text, statement, names).flatMap(({ table }) => names.columns.get(table) ?? []);
  const own = [...new Set(columns)].map((name): Candidate => ({ text: quoteIdentifier(name), kind: 'column' }));
  if (typed === '' && own.length > 0) return found(own);
  return found([
    ...own,
    ...names.functions.map((name): Candidate => ({ text: `${name}(`, kind: 'function' })),
    ...keywordsOf(names, typed).filter(({ text: word }) => OPERANDS.has(word.toLowerCase())),
    ...tablesOf(names),
  ]);
}

/** Whether an expression can follow the token: after `*` only if it is a multiplication. */
function beginsOperand(token: Token | undefined, also = ''): boolean {
  if (token === undefined) return false;
  const { kind, text } = token;
  return kind === TOKEN.operator || ['(', ',', '*', also].includes(text) || (kind === TOKEN.word && BEHIND_OPERAND.has(text.toLowerCase()));
}

/** Common prefix of all candidates, or the typed text if that is longer. */
export function commonPrefix(candidates: readonly Candidate[], typed: string): string {
  if (candidates.length === 0) return typed;
  let prefix = candidates[0].text;
  for (const { text } of candidates) {
    let length = 0;
    while (length < prefix.length && length < text.length && prefix[length].toLowerCase() === text[length].toLowerCase()) length++;
    prefix = prefix.slice(0, length);
  }
  return prefix.length >= typed.length ? prefix : typed;
}

function inCommand(cursor: number, line: string, names: Names, syntax: CommandSyntax): Completion {
  const typed = /[^\s=]*$/.exec(line)![0];
  const words = line
    .slice(0, line.length - typed.length)
    .split(/\s+/)
    .filter((word) => word !== '');
  const hint = syntax.hint(words);
  const from = cursor - typed.length;
  if (hint === null) return { from, to: cursor, candidates: [] };
  const values: Candidate[] = hint.values.map((value) => ({ text: value, kind: 'value' }));
  for (const kind of hint.kinds) {
    if (kind === 'world') values.push(...names.worlds.map((name): Candidate => ({ text: name, kind })));
    else if (kind === 'table') values.push(...names.tables.map((name): Candidate => ({ text: name, kind })));
    else if (kind === 'agent') values.push(...names.agents.map((name): Candidate => ({ text: name, kind })));
    else if (kind === 'policy') values.push(...names.policies.map((name): Candidate => ({ text: name, kind })));
    else if (kind === 'command') values.push(...syntax.names.map((name): Candidate => ({ text: name, kind })));
  }
  // Field names are offered when typed, or when nothing else is possible.
  if (typed.startsWith('-') || values.length === 0) values.push(...hint.fields.map((field): Candidate => ({ text: `--${field}`, kind: 'field' })));
  return { from, to: cursor, candidates: matching(values, typed) };
}

/** After the last statement's `;`. */
function statementStart(text: string, cursor: number): number {
  let start = 0;
  const scanner = new Scanner(text, 0, cursor);
  for (;;) {
    const kind = scanner.next();
    if (kind === TOKEN.end || kind === TOKEN.unfinished) return start;
    if (scanner.punctuation === 59) start = scanner.end;
  }
}

function tokensOf(text: string, from: number, to: number): Token[] {
  const tokens: Token[] = [];
  const scanner = new Scanner(text, from, to);
  for (;;) {
    const kind = scanner.next();
    if (kind === TOKEN.end) return tokens;
    tokens.push({ kind, text: scanner.lexeme, start: scanner.start, end: scanner.end });
    if (kind === TOKEN.unfinished) return tokens;
  }
}

const CLAUSES = new Set(['select', 'where', 'on', 'set', 'group', 'order', 'having', 'values', 'limit', 'returning', 'using', 'window']);

/** The last clause is a FROM, so that another table can follow a comma. */
function inFrom(tokens: readonly Token[]): boolean {
  for (let i = tokens.length - 1; i >= 0; i--) {
    const { kind, text } = tokens[i];
    if (text === '(' || text === ')') return false;
    if (kind !== TOKEN.word) continue;
    const word = text.toLowerCase();
    if (word === 'from') return true;
    if (CLAUSES.has(word)) return false;
  }
  return false;
}

/** Tables of the whole statement with their aliases, including those after the cursor. */
function namedTables(text: string, from: number, names: Names): { table: string; alias: string }[] {
  const tokens = tokensOf(text, from, text.length);
  const found: { table: string; alias: string }[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const here = tokens[i];
    if (here.kind !== TOKEN.word && here.kind !== TOKEN.quotedName) continue;
    let name = bare(here);
    let next = i + 1;
    if (tokens[next]?.text === '.' && tokens[next + 1] !== undefined) {
      name = `${name}.${bare(tokens[next + 1])}`;
      next += 2;
    }
    const table = names.columns.has(name) ? name : name.startsWith('public.') && names.columns.has(name.slice(7)) ? name.slice(7) : null;
    if (table === null) continue;
    if (tokens[next]?.text.toLowerCase() === 'as') next++;
    const alias = tokens[next];
    found.push({ table, alias: alias !== undefined && (alias.kind === TOKEN.word || alias.kind === TOKEN.quotedName) ? bare(alias) : table });
  }
  return found;
}

function behindDot(owner: Token, text: string, statement: number, names: Names): Candidate[] {
  const name = bare(owner);
  const tables = namedTables(text, statement, names).filter(({ table, alias }) => alias === name || table === name);
  const columns = [...new Set(tables.flatMap(({ table }) => names.columns.get(table) ?? []))];
  const inSchema = names.tables.filter((table) => table.startsWith(`${name}.`)).map((table) => table.slice(name.length + 1));
  return [
    ...columns.map((column): Candidate => ({ text: quoteIdentifier(column), kind: 'column' })),
    ...inSchema.map((table): Candidate => ({ text: quoteIdentifier(table), kind: 'table' })),
  ];
}

function bare({ kind, text }: Token): string {
  return kind === TOKEN.quotedName ? text.slice(1, -1).replaceAll('""', '"') : text.toLowerCase();
}

function namesOf(list: readonly string[], kind: CandidateKind): Candidate[] {
  return list.map((name) => ({ text: /^[\p{L}\p{N}_.-]+$/u.test(name) ? name : inQuotes(name), kind }));
}

function tablesOf(names: Names): Candidate[] {
  return names.tables.map((name) => ({ text: name.split('.').map(quoteIdentifier).join('.'), kind: 'table' }));
}

/** In the case of the typed prefix. */
function keywordsOf(names: Names, typed: string): Candidate[] {
  const upper = typed !== '' && typed === typed.toUpperCase() && typed !== typed.toLowerCase();
  return names.keywords.map((word) => ({ text: upper ? word.toUpperCase() : word, kind: 'keyword' }));
}

/** Names come before keywords. */
function matching(candidates: readonly Candidate[], typed: string): Candidate[] {
  const wanted = typed.toLowerCase();
  const seen = new Set<string>();
  const out: Candidate[] = [];
  for (const each of candidates) {
    const text = each.text.toLowerCase();
    if (!text.startsWith(wanted) && !(typed !== '' && !typed.startsWith('"') && text.startsWith(`"${wanted}`))) continue;
    if (seen.has(text)) continue;
    seen.add(text);
    out.push(each);
    if (out.length === CANDIDATES_MAX) break;
  }
  return out;
}
