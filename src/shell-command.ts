/**
 * `svc <folder> [command …]`: the shell on a folder, or one command. If another process has the folder open, it connects
 * through the folder's socket; otherwise it opens the folder and its socket.
 */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { tuneCollector } from './base/collector.ts';
import { optimizeWebAssemblyLater } from './base/v8-flags.ts';
import { fieldOf } from './base/json.ts';
import { SvcError } from './base/errors/svc-error.ts';
import { RELEASE } from './release.ts';
import type { ReviewView } from './commands/contract.ts';
import { isDecided } from './shell/text/review-text.ts';
import { COMMANDS } from './shell/commands/commands.ts';
import type { Input, Command } from './shell/commands/command.ts';
import { isStray, commandOf, strayError } from './shell/commands/syntax.ts';
import { closest, UsageError } from './shell/commands/usage-error.ts';
import { historyPath, openHistory } from './shell/edit/history-file.ts';
import { Keyboard } from './shell/edit/keyboard.ts';
import type { ShellLink } from './shell/link/link.ts';
import { socketLink } from './shell/link/socket-link.ts';
import { helpLines } from './shell/commands/help.ts';
import { Shell } from './shell/shell.ts';
import { errorLines } from './shell/text/error-text.ts';
import { COLOURED, PLAIN, type Style, UNCOLOURED } from './shell/text/style.ts';
import { columnsOf } from './shell/view/terminal.ts';
import { connectTo } from './socket/socket-client.ts';
import { nodeFileSystem } from './storage/node-file-system.ts';
import { refuseForeign } from './storage/own-folder.ts';
import { socketPath } from './socket/socket-path.ts';

/** A starting or stopping process holds the folder without answering. */
const TRIES = 30;
const BETWEEN_TRIES_MS = 200;

interface Arguments {
  readonly folder: string;
  readonly json: boolean;
  readonly branch: string;
  readonly help: boolean;
  readonly acceptLoss: boolean;
  readonly words: readonly string[];
}

/** The exit code: 0, 1 if something failed, 2 for usage errors. */
export async function shellCommand(argv: readonly string[], subcommands: readonly string[]): Promise<number> {
  const person = process.stdin.isTTY === true && process.stdout.isTTY === true;
  const style = styleOf(process.stdout);
  const errorStyle = styleOf(process.stderr);
  let given: Arguments;
  let one: string | { command: Command; input: Input } | null;
  try {
    given = parseArguments(argv, subcommands);
    if (given.help) {
      process.stdout.write(`${shellHelp(style)}\n`);
      return 0;
    }
    checkFolder(given.folder, subcommands);
    one = oneCommand(given.words);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return usage(error);
  }
  const { folder, branch, json, acceptLoss } = given;
  const opening: Opening = { folder, acceptLoss, refused: false };
  if (one !== null) optimizeWebAssemblyLater();
  const made = !existsSync(join(folder, 'log'));
  let link: ShellLink | null = null;
  let shell: Shell | null = null;
  try {
    link = await openLink(opening, branch);
    const dumb = process.env['TERM'] === 'dumb';
    const conversing = person && !dumb && one === null;
    // Interactive, whatever the environment says: ink would draw nothing with CI set.
    if (person) process.env['CI'] = 'false';
    shell = new Shell({
      link,
      reconnect: () => openLink(opening, 'main'),
      branch,
      out: process.stdout,
      err: process.stderr,
      style,
      terminal: person && !dumb && !json ? { stdout: process.stdout, keyboard: new Keyboard(), style } : null,
      keys: person ? process.stdin : null,
      width: () => (process.stdout.isTTY === true ? columnsOf(process.stdout) : null),
      json,
      ...(process.stdin.isTTY === true ? {} : { input: process.stdin }),
      ...(conversing ? { history: openHistory(historyPath(folder)) } : {}),
    });
    endOnSignals(shell);
    if (one !== null) {
      const done = await shell.one(one);
      opening.refused = !done;
      if (done && made && link.kind === 'folder') process.stderr.write(`svc: made a new database in ${folder}\n`);
      return done ? 0 : 1;
    }
    if (conversing) {
      process.stdout.write(`${(await welcome(folder, made, link, style)).join('\n')}\n`);
      await shell.converse();
      return 0;
    }
    process.stdout.on('error', () => process.exit(0));
    const done = await shell.stream(process.stdin, person);
    // Removes the folder only if it was made here and nothing was written to it.
    opening.refused = true;
    return done ? 0 : 1;
  } catch (error) {
    opening.refused = true;
    if (error instanceof UsageError) return usage(error);
    process.stderr.write(`${errorLines(error, null, errorStyle, null).join('\n')}\n`);
    return 1;
  } finally {
    await (shell?.link ?? link)?.close().catch(() => {});
  }
}

function usage({ message, hint }: UsageError): number {
  process.stderr.write(`svc: ${message}\n${hint === undefined ? '' : `${hint}\n`}`);
  return 2;
}

function styleOf(stream: NodeJS.WriteStream): Style {
  if (stream.isTTY !== true || process.env['TERM'] === 'dumb') return PLAIN;
  return (process.env['NO_COLOR'] ?? '') === '' ? COLOURED : UNCOLOURED;
}

// --- the command line

function parseArguments(argv: readonly string[], subcommands: readonly string[]): Arguments {
  let folder: string | null = null;
  let branch = 'main';
  let json = false;
  let help = false;
  let acceptLoss = false;
  const words: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i];
    const [name, value] = word.startsWith('--') && word.includes('=') ? [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] : [word, null];
    if (name === '--json') json = true;
    else if (name === '--accept-loss' && words.length === 0) acceptLoss = true;
    // After the command name, everything belongs to the command.
    else if (words.length > 0) words.push(word);
    else if (name === '-b' || name === '--branch') {
      const world = value ?? argv[++i];
      if (world === undefined || world === '') throw new UsageError(`${name} wants the name of a world`);
      branch = world;
    } else if (name === '-h' || name === '--help') help = true;
    else if (word.startsWith('-') && word.length > 1 && folder === null) throw new UsageError(`unknown option ${word}`, 'svc --help shows the options.');
    else if (word.startsWith('--') || (word.startsWith('-') && word.length > 1))
      throw new UsageError(`the shell has no option ${word}`, 'It has --json, --branch WORLD and --accept-loss; options of a command stand behind it.');
    else if (folder === null) folder = word;
    else words.push(word);
  }
  if (folder === null && !help) throw new UsageError('which folder?', `svc <folder>, or one of: ${subcommands.join(', ')}. svc --help says more.`);
  return { folder: folder ?? '.', json, branch, help, acceptLoss, words };
}

/** A typing error must not turn another folder into a database. */
function checkFolder(folder: string, subcommands: readonly string[]): void {
  try {
    if (!statSync(folder).isDirectory()) throw new UsageError(`${folder} is a file`, 'A database is a folder.');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    refuseCommandWord(folder);
    const meant = closestSubcommand(folder, subcommands);
    if (meant !== null) throw new UsageError(`there is no folder "${folder}"`, `Did you mean svc ${meant}? A new database of this name: svc ./${folder}`);
    return;
  }
  try {
    refuseForeign(nodeFileSystem, folder);
  } catch (error) {
    const { message, hint } = error as SvcError;
    throw new UsageError(message, hint);
  }
}

/** Commands of other releases and tools, which this one does not have. */
const ABSENT: Readonly<Record<string, string>> = {
  studio: 'There is no web console: svc <folder> is the shell, and svc serve <folder> opens the HTTP and SQL ports.',
};

/** `svc backup worlds`: the command stands where the folder belongs. */
function refuseCommandWord(folder: string): void {
  const absent = fieldOf(ABSENT, folder);
  if (absent !== undefined) throw new UsageError(`svc has no command "${folder}"`, `${absent} A new database of this name: svc ./${folder}`);
  const command = /^[a-z_]+$/i.test(folder) ? commandOf(folder) : null;
  if (command === null) return;
  throw new UsageError(`there is no folder "${folder}"`, `The folder comes first: svc <folder> ${folder} …. A new database of this name: svc ./${folder}`);
}

function closestSubcommand(folder: string, subcommands: readonly string[]): string | null {
  return /^[a-z]+$/i.test(folder) ? closest(folder, subcommands) : null;
}

/** A path begins no statement: `svc serv ./data`. `/*` begins a comment. */
const PATH = /^(\.|~|\/(?!\*))/;

/** null: the shell. Usage errors are raised before the folder is opened. */
function oneCommand(words: readonly string[]): string | { command: Command; input: Input } | null {
  const [first] = words;
  if (first === undefined) return null;
  if (words.length === 1) {
    const text = first.trim();
    if (text === '') throw new UsageError('the command is empty');
    // A single unknown word is a usage error; text with blanks may be any SQL.
    if (!/\s/.test(text) && (isStray(text) || PATH.test(text))) throw strayError(text);
    return text;
  }
  const command = commandOf(words.join(' '));
  if (command === null) {
    if (isStray(first) || PATH.test(first)) throw strayError(first);
    return words.join(' ');
  }
  return { command, input: command.parse(words.slice(1).map((text) => ({ text, quoted: false }))) };
}

// --- the folder

interface Opening {
  readonly folder: string;
  readonly acceptLoss: boolean;
  /** The command was refused: a folder created for it is removed again. */
  refused: boolean;
}

async function openLink(opening: Opening, branch: string): Promise<ShellLink> {
  const { folder } = opening;
  for (let tries = 1; ; tries++) {
    try {
      if (existsSync(socketPath(folder))) return socketLink(await connectTo(folder, { entrance: 'shell', as: { kind: 'owner' }, branch }));
    } catch (error) {
      // Left by a killed process, or not answering yet: opening the folder shows which.
      if (!(error instanceof SvcError) || error.code !== '55006') throw error;
    }
    try {
      return await openHere(opening, branch);
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== '55006' || tries === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS));
    }
  }
}

async function openHere(opening: Opening, branch: string): Promise<ShellLink> {
  const [{ open }, { localSession, openLocalEntrance }, { localLink }] = await Promise.all([
    import('./database.ts'),
    import('./local-entrance.ts'),
    import('./shell/link/local-link.ts'),
  ]);
  tuneCollector();
  const { folder, acceptLoss } = opening;
  const database = await open(folder, { acceptLoss, onNotice: (message) => process.stderr.write(`svc: ${message}\n`) });
  try {
    const session = localSession(database, { entrance: 'shell', as: { kind: 'owner' }, branch });
    const entrance = await openLocalEntrance(database);
    return localLink(session, database.session({ branch, principal: session.principal }), async () => {
      await entrance.close();
      await (opening.refused ? database.abandon() : database.close());
    });
  } catch (error) {
    await database.abandon().catch(() => {});
    throw error;
  }
}

// --- texts

/** Limit of the greeting's count, so that it does not read fifty thousand worlds. */
const COUNTED_WORLDS_MAX = 1000;

async function welcome(folder: string, made: boolean, link: ShellLink, style: Style): Promise<string[]> {
  if (made && link.kind === 'folder') {
    return [
      `Made a new database in ${style.bold(folder)}, with one empty world: main.`,
      '',
      `  ${style.cyan('CREATE TABLE items (id int PRIMARY KEY, name text);')}`,
      `  ${style.cyan('fork draft')}    a private copy at once: ${style.cyan('use draft')}, and ${style.cyan('merge draft')} at last`,
      `  ${style.cyan('help')}          all there is. Tab completes, Ctrl-D leaves.`,
      '',
    ];
  }
  const { branches, next } = (await link.call('branches', { limit: COUNTED_WORLDS_MAX })) as { branches: unknown[]; next: string | null };
  const worlds = `${next === null ? '' : 'over '}${branches.length} world${branches.length === 1 ? '' : 's'}`;
  const reviews = ((await link.call('reviews', {})) as { reviews: ReviewView[] }).reviews.filter((review) => !isDecided(review)).length;
  const lines = [`svc ${RELEASE}, ${style.bold(folder)}: ${worlds}. ${style.cyan('help')} shows the commands.`];
  if (link.kind === 'socket') lines.push(style.dim('Another process has the folder open; it is reached through its socket.'));
  if (reviews > 0) lines.push(`${style.yellow(`${reviews} merge${reviews === 1 ? ' waits' : 's wait'} for a person:`)} ${style.cyan('reviews')}`);
  return lines;
}

export function shellHelp(style: Style): string {
  return [
    'svc <folder> [--json] [-b WORLD]              an interactive shell; the folder is made if it is new',
    'svc <folder> [--json] [-b WORLD] <command …>  one command, or SQL: svc ./db "SELECT 1"',
    'svc <folder> < statements.sql                 stops at the first error',
    '',
    'Where another process has the folder open, it is reached there. Exit codes: 0, 1 after an error, 2 for usage.',
    '',
    ...helpLines(COMMANDS, undefined, style, 100),
  ].join('\n');
}

/** `svc help merge`. The exit code: 0, or 2 for a command that does not exist. */
export function commandHelp(name: string): number {
  const width = process.stdout.isTTY === true ? columnsOf(process.stdout) : 80;
  try {
    process.stdout.write(`${helpLines(COMMANDS, name, styleOf(process.stdout), width).join('\n')}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return usage(error);
  }
}

/** Closes the folder properly, however the shell ends. */
function endOnSignals(shell: Shell): void {
  let asked = false;
  process.on('SIGINT', () => {
    // At a terminal Ctrl-C is a key; here no keys are read.
    if (asked) process.exit(130);
    asked = true;
    process.exitCode = 130;
    shell.cancel();
  });
  for (const [signal, code] of [
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.once(signal, () => {
      void shell.link
        .close()
        .catch(() => {})
        .finally(() => process.exit(code));
    });
  }
}
