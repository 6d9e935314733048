#!/usr/bin/env node
/** The `svc` command: its subcommands, and otherwise the shell, whose first argument is a folder. */
import type { Command } from 'commander';
import { RELEASE } from './release.ts';
import type { AttachCommandOptions } from './attach-command.ts';
import type { McpOptions } from './mcp-command.ts';
import type { ServeOptions } from './serve.ts';
import type { StudioOptions } from './studio-command.ts';
import type { VerifyOptions } from './verify-command.ts';

/** Of `commandLine`. */
const SUBCOMMANDS = ['serve', 'studio', 'mcp', 'attach', 'verify', 'keygen'];

function isSubcommand(word: string): boolean {
  return word === 'help' || SUBCOMMANDS.includes(word);
}

const ACCEPT_LOSS = 'open a log that has lost acknowledged events, and continue without them';

/** The parser of command lines is loaded for subcommands only. */
async function commandLine(): Promise<Command> {
  const { Command } = await import('commander');
  const program = new Command('svc')
    .description('A branching, event-sourced database in one folder: fork a world, change it, read the diff, merge it back.')
    .version(RELEASE, '-V, --version', 'print the version')
    .showHelpAfterError('(svc --help shows the commands)')
    .addHelpText(
      'after',
      `
  <folder>                                  the shell, made for people: svc ./data
  <folder> <command …>                      one command, or SQL; --json for machines

Examples:
  svc ./data                              SQL and worlds, with completion and a place to review merges
  svc ./data "SELECT 1"                   one statement; exit code 0 or 1
  svc ./data merge draft                  one command: svc ./data help lists them
  svc serve ./data                        serve the folder on http://127.0.0.1:7070
  svc serve ./data --listen 127.0.0.1:0   … on any free port

  curl -s localhost:7070/v1/fork -H 'Content-Type: application/json' -d '{"name":"draft"}'

  psql -h 127.0.0.1 -p 5433 -d main       SQL, by Postgres's wire protocol; the database is a world

  svc studio ./data                       the web console: worlds, reviews, merges
  svc attach ./data --tables users,orders copy tables of a Postgres, to which merges into main are written

  svc mcp ./data                          tools for a model over stdin and stdout, in safe mode`,
    );

  program
    .command('serve')
    .argument('<folder>', 'folder of the database; made if it is new')
    .description('serve the HTTP JSON API and the SQL wire protocol')
    .option('--listen <addr:port>', 'address of the HTTP API', '127.0.0.1:7070')
    .option('--pg <addr:port>', 'address of the SQL wire protocol, or `off`', '127.0.0.1:5433')
    .option('--tls-cert <file>', 'PEM certificate: both ports take encrypted connections only')
    .option('--tls-key <file>', 'PEM key of the certificate')
    .option('--token <token>', 'server token, at least 24 characters (or SVC_TOKEN); needed off loopback')
    .option('--safe', 'clients that are not agents are the guest: read, fork, change only worlds of the guest')
    .option('--metrics-token <token>', 'token that reads GET /metrics alone (or SVC_METRICS_TOKEN)')
    .option('--admin-token <token>', "with --safe: the token of the database's own user (or SVC_ADMIN_TOKEN)")
    .option('--insecure-no-tls', 'listen off loopback without TLS')
    .option('--studio [addr:port]', 'serve the web console, too (127.0.0.1:7071), and print the link that opens it')
    .option('--studio-login', 'roles of SQL sign in to the web console with their passwords')
    .option('--studio-url <origin>', 'address under which browsers reach the web console, where it is another')
    .option('--attach-url-env <name>', 'the variable with the address of the Postgres of which tables are attached (else SVC_ATTACH_URL or DATABASE_URL)')
    .option('--accept-loss', ACCEPT_LOSS)
    .action(async (folder: string, options: ServeOptions) => {
      const { serve } = await import('./serve.ts');
      process.exitCode = await serve(folder, options);
    });

  program
    .command('studio')
    .argument('<folder>', 'folder of the database; made if it is new')
    .description('serve the web console, and print the link that opens it')
    .option('--listen <addr:port>', 'address of the console', '127.0.0.1:7071')
    .option('--url <origin>', 'address under which browsers reach it, where it is another: https://studio.example.org')
    .option('--login', 'roles of SQL sign in with their passwords; without it the link has a key')
    .option('--tls-cert <file>', 'PEM certificate')
    .option('--tls-key <file>', 'PEM key of the certificate')
    .option('--insecure-no-tls', 'listen off loopback without TLS')
    .option('--no-open', 'do not open the link in a browser')
    .option('--accept-loss', ACCEPT_LOSS)
    .action(async (folder: string, options: StudioOptions) => {
      const { studio } = await import('./studio-command.ts');
      process.exitCode = await studio(folder, options);
    });

  program
    .command('mcp')
    .argument('<folder>', 'folder of the database; made if it is new')
    .description('serve MCP tools over stdin and stdout; in safe mode, unless an agent or --allow-merge is given')
    .option('--agent <name>', 'act as this agent')
    .option('--allow-merge', "act as the database's own user: everything is allowed")
    .option('-b, --branch <world>', 'a world that must exist')
    .option('--unmask', 'masked columns are read as they are')
    .option('--accept-loss', ACCEPT_LOSS)
    .action(async (folder: string, options: McpOptions) => {
      // Before anything else is loaded that might print.
      const output = (await import('./mcp/protocol-output.ts')).protocolOutput();
      const { serveModels } = await import('./mcp-command.ts');
      process.exitCode = await serveModels(folder, options, output);
    });

  program
    .command('attach')
    .argument('<folder>', 'folder of the database, which no process has open; made if it is new')
    .description('copy tables of an external Postgres into the folder; merges into main are written back to it')
    .option('--tables <list>', 'tables with a primary key: a,b,schema.c')
    .option('--schema <name>', 'all tables of a schema')
    .option('--url <url>', 'postgres://user:password@host:5432/database (else SVC_ATTACH_URL, DATABASE_URL, or PGHOST and its kind); not stored')
    .option('--url-env <name>', 'the variable that holds the address')
    .option('--mask <column>', 'table.column[=value|function]: what is copied in place of its values; may be repeated', repeated, [])
    .option('--refresh', 'read the attached tables again, and take rows that differ into main')
    .option('--detach', 'keep the tables that --tables names as tables of main alone')
    .option('--json', 'for machines')
    .action(async (folder: string, options: AttachCommandOptions) => {
      const { attachFolder } = await import('./attach-command.ts');
      process.exitCode = await attachFolder(folder, options);
    });

  program
    .command('verify')
    .argument('<folder>', 'folder of a database that no process has open')
    .description(
      'say what of a folder is whole, damaged or missing, and what can be had back; nothing is changed. Exit code 0 whole, 1 damaged, 2 not examined',
    )
    .option('--json', 'for machines')
    .action(async (folder: string, options: VerifyOptions) => {
      const { verifyFolder } = await import('./verify-command.ts');
      process.exitCode = await verifyFolder(folder, options);
    });

  program
    .command('keygen')
    .description('print a new key for encryption at rest: 64 hex digits, for SVC_KEY when a folder is made')
    .action(async () => {
      const { newKey } = await import('./storage/folder-key.ts');
      process.stdout.write(`${newKey()}\n`);
    });
  return program;
}

function repeated(value: string, before: string[]): string[] {
  return [...before, value];
}

/** `svc --json verify ./data`: as before a folder, `--json` may come first. */
function jsonLast(words: string[]): string[] {
  const [first, second, ...rest] = words;
  return first === '--json' && second !== undefined && isSubcommand(second) ? [second, ...rest, first] : words;
}

async function run(): Promise<void> {
  const words = jsonLast(process.argv.slice(2));
  const [first, second] = words;
  /** `svc help merge`: a command of the shell. */
  const isShellHelp = first === 'help' && second !== undefined && !isSubcommand(second);
  if (first === undefined) {
    (await commandLine()).outputHelp({ error: true });
    process.exitCode = 2;
  } else if (isShellHelp) {
    const { commandHelp } = await import('./shell-command.ts');
    process.exitCode = commandHelp(second);
  } else if (words.length === 1 && ['-V', '--version'].includes(first)) {
    process.stdout.write(`${RELEASE}\n`);
  } else if (isSubcommand(first) || (words.length === 1 && ['-h', '--help'].includes(first))) {
    const program = await commandLine();
    // Exit code 2 for usage errors, as in the shell; 1 for failures.
    const withExit = [program, ...program.commands];
    for (const command of withExit) command.exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));
    await program.parseAsync(words, { from: 'user' });
  } else {
    const { shellCommand } = await import('./shell-command.ts');
    process.exitCode = await shellCommand(words, SUBCOMMANDS);
    // Open timers and handles must not keep a finished command running.
    process.stdin.destroy();
  }
}

void run();
