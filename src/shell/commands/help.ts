/** Help: one screen by topic, and a page for each command from its operation. */
import { exactJsonText } from '../../base/exact-json.ts';
import { SQLSTATES } from '../../base/errors/sqlstate.ts';
import type { Style } from '../text/style.ts';
import { cutLine, padEnd, wrapWords } from '../text/width.ts';
import type { Command } from './command.ts';
import { closest, UsageError } from './usage-error.ts';

/** The overview: each command's arguments and a short description. */
const OVERVIEW: readonly (readonly [topic: string, lines: readonly (readonly [command: string, use: string, words: string])[]])[] = [
  [
    'Worlds',
    [
      ['fork', 'fork NAME [FROM]', 'an instant private copy of a world'],
      ['use', 'use WORLD', 'work in it; use main@-10m reads the past'],
      ['worlds', 'worlds', 'all of them, as a tree'],
      ['diff', 'diff [WORLD] [TO]', 'what changed, row by row'],
      ['merge', 'merge WORLD', 'into its parent'],
      ['discard', 'discard WORLD', 'throw it away'],
    ],
  ],
  [
    'Time',
    [
      ['history', 'history [WORLD]', 'what happened'],
      ['checkpoint', 'checkpoint NAME', 'name this moment'],
      ['restore', 'restore WHEN', 'back to -10m, a time, checkpoint NAME'],
      ['undo', 'undo WORLD', 'take its merge back'],
    ],
  ],
  [
    'People',
    [
      ['reviews', 'reviews', 'merges that wait: look, approve, reject'],
      ['review', 'review WORLD', 'one of them'],
      ['audit', 'audit [AGENT]', 'what agents did'],
    ],
  ],
  [
    'Rows',
    [
      ['describe', 'describe [TABLE]', 'tables, or columns and keys of one'],
      ['find', 'find TABLE "WORDS"', 'rows by words, the best first; or by fields: a=b'],
    ],
  ],
  [
    'Futures',
    [
      ['simulate', 'simulate N PREFIX …', 'many worlds from one moment, scored'],
      ['replay', 'replay WORLD', 'a simulated world once more'],
    ],
  ],
];

export function helpLines(commands: readonly Command[], wanted: string | undefined, style: Style, width: number): string[] {
  return wanted === undefined ? overview(commands, style, width) : page(commands, wanted, style, width);
}

function overview(commands: readonly Command[], style: Style, width: number): string[] {
  const lines = [`${style.bold('SQL')}       any statement, over several lines, ends with ;`];
  const shown = new Set<string>(['help', 'exit', 'expanded', 'timing']);
  for (const [topic, all] of OVERVIEW) {
    const there = all.filter(([name]) => commands.some((command) => command.name === name));
    there.forEach(([name, use, words], i) => {
      shown.add(name);
      lines.push(`${padEnd(i === 0 ? style.bold(topic) : '', 10)}${padEnd(style.cyan(use), 21)}${words}`);
    });
  }
  lines.push(`${padEnd(style.bold('Shell'), 10)}${padEnd(style.cyan('help COMMAND'), 21)}its fields and examples; exit leaves; \\x \\timing`);
  lines.push(`${padEnd(style.bold('Keys'), 10)}Tab completes · ↑ Ctrl-R history · Ctrl-C stops · Ctrl-D leaves`);
  const others = commands.map(({ name }) => name).filter((name) => !shown.has(name));
  const also = wrapWords(others.join(' '), Math.max(20, width - 11));
  // One screen: Tab shows more.
  lines.push(
    ...also
      .slice(0, 3)
      .map(
        (line, i) =>
          `${padEnd(i === 0 ? style.bold('Also') : '', 10)}${style.dim(i === 1 && also.length > 2 ? `${line.split(' ').slice(0, -1).join(' ')} …` : line)}`,
      ),
  );
  return lines.map((line) => cutLine(line, width));
}

function page(commands: readonly Command[], wanted: string, style: Style, width: number): string[] {
  const command = commands.find(({ name, shape }) => name === wanted.toLowerCase() || shape.aliases?.includes(wanted.toLowerCase()) === true);
  if (command === undefined) {
    const meant = closest(
      wanted,
      commands.map(({ name }) => name),
    );
    throw new UsageError(`there is no command "${wanted}"`, meant === null ? 'help lists them.' : `Did you mean help ${meant}?`);
  }
  const { operation, shape, fields } = command;
  const lines = [
    style.bold(command.usage),
    ...wrapWords(`${command.summary}${operation?.description === undefined ? '' : ` ${operation.description}`}`, width),
  ];
  if (shape.aliases !== undefined) lines.push(style.dim(`also: ${shape.aliases.join(' ')}`));
  if (fields.length > 0) {
    lines.push('', style.bold('Fields'));
    const names = Math.max(...fields.map(({ name }) => name.length)) + 2;
    const forms = Math.min(24, Math.max(...fields.map(({ form }) => form.length)));
    for (const { name, form, description, required } of fields) {
      const lead = `  ${padEnd(command.positional.includes(name) ? name : `--${name}`, names)}  ${padEnd(form, forms)}  `;
      const text = `${required ? 'Needed. ' : ''}${description}`.replaceAll('`', '').trim();
      const rest = wrapWords(text, Math.max(16, width - lead.length));
      lines.push(...rest.map((line, i) => `${i === 0 ? lead : ' '.repeat(lead.length)}${line}`.trimEnd()));
    }
  }
  const words = Object.entries(shape.words ?? {});
  if (words.length > 0)
    lines.push('', style.dim(`Words for fields: ${words.map(([word, field]) => (word === field ? word : `${word} (${field})`)).join(', ')}`));
  const examples = shape.examples ?? (operation?.examples ?? []).map(({ input }) => exampleLine(command, input as Record<string, unknown>));
  if (examples.length > 0) lines.push('', style.bold('Examples'), ...examples.map((example) => `  ${style.cyan(example)}`));
  if (operation !== undefined) {
    lines.push(
      '',
      style.dim(
        `Operation ${operation.name}: needs ${[operation.capability, operation.also ?? []].flat().join(' and ')}, ${operation.effect === 'read' ? 'changes nothing' : 'is written to the log'}.`,
      ),
    );
    if (operation.errors.length > 0)
      lines.push(
        ...wrapWords(`Errors: ${operation.errors.map((code) => `${code} ${SQLSTATES[code].name.replaceAll('_', ' ')}`).join(', ')}`, width).map(style.dim),
      );
  }
  return lines;
}

/** An example of the table in command syntax. */
function exampleLine(command: Command, input: Record<string, unknown>): string {
  const words = [command.name];
  const text = (value: unknown): string => {
    const plain = typeof value === 'string' ? value : exactJsonText(value);
    return /^[^\s'"{}[\]]+$/.test(plain) ? plain : `'${plain.replaceAll("'", "''")}'`;
  };
  let inOrder = true;
  for (const name of command.positional) {
    inOrder &&= name in input;
    if (inOrder) words.push(text(input[name]));
  }
  for (const [name, value] of Object.entries(input)) {
    if (command.positional.slice(0, words.length - 1).includes(name)) continue;
    words.push(value === true ? `--${name}` : `--${name} ${text(value)}`);
  }
  return words.join(' ');
}
