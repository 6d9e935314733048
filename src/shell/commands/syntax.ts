/** Distinguishes commands from SQL, and knows the arguments of commands. */
import { fieldOf } from '../../base/json.ts';
import type { ArgumentHint, CandidateKind, CommandSyntax } from '../edit/completion.ts';
import type { Command } from './command.ts';
import { COMMANDS } from './commands.ts';
import type { Field } from './fields.ts';
import { closest, UsageError } from './usage-error.ts';
import { wordsOf } from './words.ts';

const BY_NAME = new Map(COMMANDS.flatMap((command) => [command.name, ...(command.shape.aliases ?? [])].map((name) => [name, command] as const)));

/** First keywords of statements, Postgres's and those of worlds. */
const STATEMENTS = new Set(
  `abort alter analyze begin call checkpoint close cluster comment commit copy create deallocate declare delete discard do drop end execute explain fetch
  grant import insert listen load lock merge move notify prepare reassign refresh reindex release reset revoke rollback savepoint security select set show
  start table truncate unlisten update vacuum values with fork use diff rebase restore undo review simulate replay claim ack retry backup`.split(/\s+/),
);

/** null: the line is SQL. */
export function commandOf(line: string): Command | null {
  const found = /^(\\?[^\s;(]+)\s*([^]*)$/.exec(line.trim());
  if (found === null) return null;
  const [, name, rest] = found;
  const command = BY_NAME.get(name.toLowerCase());
  if (command === undefined || command.shape.sql?.test(rest) === true) return null;
  return command;
}

/** A line that is neither a command nor the beginning of SQL: waiting for its `;` would not help with a typing error. */
export function isStray(line: string): boolean {
  const text = line.trim();
  if (text.startsWith('\\')) return commandOf(text) === null;
  const [word] = /^[\p{L}_][\p{L}\p{N}_]*/u.exec(text) ?? [''];
  return word !== '' && !text.includes(';') && !STATEMENTS.has(word.toLowerCase()) && commandOf(text) === null;
}

export function strayError(line: string): UsageError {
  const [word] = /^\S+/.exec(line.trim())!;
  const meant = closest(word, [...BY_NAME.keys(), ...STATEMENTS]);
  return new UsageError(`there is no command "${word}"`, `${meant === null ? '' : `Did you mean ${meant}? `}help lists the commands; SQL ends with ;`);
}

export function parseLine(line: string): { command: Command; input: Record<string, unknown> } | null {
  const command = commandOf(line);
  if (command === null) return null;
  const rest = line.trim().replace(/^\S+/, '').replace(/;\s*$/, '');
  if (command.shape.raw === true) return { command, input: { text: rest.trim() } };
  return { command, input: command.parse(wordsOf(rest.startsWith(';') ? rest.slice(1) : rest)) };
}

export function syntax(interactive: boolean): CommandSyntax {
  return {
    names: COMMANDS.map(({ name }) => name),
    isCommand: (line) => commandOf(line) !== null || (interactive && isStray(line)),
    hint,
  };
}

/** Kinds of values by field name. */
const KINDS: Record<string, CandidateKind> = {
  branch: 'world',
  from: 'world',
  into: 'world',
  to: 'world',
  world: 'world',
  table: 'table',
  only_tables: 'table',
  tables: 'table',
  agent: 'agent',
  policy: 'policy',
  command: 'command',
};

function hint(words: readonly string[]): ArgumentHint | null {
  const command = commandOf(words.join(' '));
  if (command === null) return null;
  const given = words.slice(1);
  const last = given.at(-1) ?? '';
  const byName = new Map(command.fields.map((field) => [field.name, field]));
  const fields = command.fields.map(({ name }) => name.replaceAll('_', '-'));
  if (last.startsWith('--')) {
    const field = byName.get(last.slice(2).replaceAll('-', '_'));
    if (field !== undefined && !field.flag) return valuesOf(command, field, []);
  }
  const preposition = fieldOf(command.shape.words, last.toLowerCase());
  if (preposition !== undefined) {
    const field = byName.get(preposition);
    if (field !== undefined) return valuesOf(command, field, []);
  }
  let place = 0;
  for (let i = 0; i < given.length; i++) {
    const word = given[i];
    if (word.startsWith('--')) {
      if (!word.includes('=') && byName.get(word.slice(2).replaceAll('-', '_'))?.flag !== true) i++;
    } else if (fieldOf(command.shape.words, word.toLowerCase()) !== undefined) i++;
    else if (!word.includes('=')) place++;
  }
  const field = byName.get(command.positional[place] ?? '');
  return field === undefined ? { kinds: [], values: [], fields } : valuesOf(command, field, fields);
}

function valuesOf(command: Command, field: Field, fields: readonly string[]): ArgumentHint {
  const named =
    command.name.endsWith('_agent') && field.name === 'name' && !command.name.startsWith('create')
      ? 'agent'
      : command.name.endsWith('_policy') && field.name === 'name'
        ? 'policy'
        : KINDS[field.name];
  return { kinds: named === undefined ? [] : [named], values: field.choices, fields };
}
