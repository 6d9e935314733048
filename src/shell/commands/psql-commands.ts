/** Commands with the names and syntax of psql's. */
import type { CommandShape } from './command.ts';
import { openPlace, parseCopy } from './copy-command.ts';
import type { Stage } from './stage.ts';
import { UsageError } from './usage-error.ts';

const WATCH_SECONDS = 2;

export const PSQL_COMMANDS: readonly CommandShape[] = [
  {
    name: '\\copy',
    summary: 'COPY from or to a file of yours, a program, stdin or stdout.',
    raw: true,
    examples: ["\\copy items FROM 'items.csv' CSV HEADER", '\\copy (SELECT * FROM items) TO items.tsv'],
    async run({ text }, stage) {
      const command = parseCopy(text as string);
      const opened = await openPlace(command);
      try {
        await stage.sql(command.sql, opened?.ends);
      } finally {
        await opened?.close();
      }
    },
  },
  {
    name: '\\i',
    aliases: ['\\include'],
    summary: 'Runs what a file holds, up to the first error.',
    raw: true,
    run: ({ text }, stage) => stage.include(nameIn(text as string, '\\i wants a file')),
  },
  {
    name: '\\o',
    aliases: ['\\out'],
    summary: 'Output goes to a file; without one, to you again.',
    raw: true,
    run: ({ text }, stage) => stage.redirect(text === '' ? null : nameIn(text as string, '')),
  },
  {
    name: '\\e',
    aliases: ['\\edit'],
    summary: 'Changes the last SQL in your editor ($EDITOR), or a file, and runs it.',
    raw: true,
    async run({ text }, stage) {
      const changed = await stage.edit(stage.lastSql, text === '' ? null : nameIn(text as string, ''));
      if (changed !== null && changed.trim() !== '') await stage.typed(changed);
    },
  },
  { name: '\\g', summary: 'Runs the last SQL again.', raw: true, run: (_input, stage) => again(stage) },
  {
    name: '\\gx',
    summary: 'Runs the last SQL again, its rows as blocks.',
    raw: true,
    async run(_input, stage) {
      const { expanded } = stage;
      stage.expanded = true;
      try {
        await again(stage);
      } finally {
        stage.expanded = expanded;
      }
    },
  },
  {
    name: '\\watch',
    summary: 'Runs the last SQL again and again: \\watch [SECONDS] [c=TIMES]. Ctrl-C ends it.',
    raw: true,
    examples: ['\\watch', '\\watch 10', '\\watch i=0.5 c=20'],
    async run({ text }, stage) {
      let seconds = WATCH_SECONDS;
      let times = Infinity;
      for (const word of (text as string).split(/\s+/).filter((each) => each !== '')) {
        const [, name, value] = /^(?:([ic])=|(?:interval|count)=)?(.*)$/.exec(word)!;
        const number = Number(value);
        const counts = name === 'c' || word.startsWith('count=');
        if (value === '' || !(number >= 0) || (counts && !Number.isInteger(number)))
          throw new UsageError(`\\watch: incorrect ${counts ? 'iteration count' : 'interval value'} "${value}"`);
        if (counts) times = number;
        else seconds = number;
      }
      const sql = lastOf(stage);
      await stage.repeat(
        async () => {
          await stage.print([`${new Date(stage.nowMs()).toUTCString()} (every ${seconds}s)`, '']);
          await stage.sql(sql);
          await stage.print(['']);
        },
        seconds * 1000,
        times,
      );
    },
  },
  { name: '\\echo', aliases: ['\\qecho'], summary: 'Prints its words.', raw: true, run: ({ text }, stage) => stage.print([unquoted(text as string)]) },
  {
    name: '\\restrict',
    summary: 'No other command is heard until \\unrestrict with the same word: pg_dump guards its output so.',
    raw: true,
    async run({ text }, stage) {
      stage.restricted = nameIn(text as string, '\\restrict wants a word');
    },
  },
  {
    name: '\\unrestrict',
    summary: 'Ends \\restrict.',
    raw: true,
    async run({ text }, stage) {
      if (stage.restricted === null) throw new UsageError('\\unrestrict: not currently in restricted mode');
      if (text !== stage.restricted) throw new UsageError('\\unrestrict: wrong key');
      stage.restricted = null;
    },
  },
];

function lastOf({ lastSql }: Stage): string {
  if (lastSql === '') throw new UsageError('no SQL has run yet');
  return lastSql;
}

function again(stage: Stage): Promise<void> {
  return stage.sql(lastOf(stage));
}

function unquoted(text: string): string {
  return /^'.*'$/.test(text) ? text.slice(1, -1).replaceAll("''", "'") : text;
}

function nameIn(text: string, complaint: string): string {
  if (text === '') throw new UsageError(complaint);
  return unquoted(text);
}
