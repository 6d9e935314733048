/** Pieces and the rows of COPY between them, however the stream is cut into chunks. */
import { expect, test } from 'vitest';
import { PieceSource } from '../../src/shell/edit/piece-source.ts';
import { syntax } from '../../src/shell/commands/syntax.ts';

/** Takes all: a COPY FROM STDIN takes its rows. */
async function take(chunks: readonly string[]): Promise<string[]> {
  const waiting = [...chunks];
  const source = new PieceSource('', syntax(false).isCommand, async () => waiting.shift() ?? null);
  const out: string[] = [];
  for (let piece = await source.next(); piece !== null; piece = await source.next()) {
    out.push(`${piece.kind} ${piece.text}`);
    if (!/from stdin/i.test(piece.text)) continue;
    let data = '';
    for (let rows = await source.rows(); rows !== null; rows = await source.rows()) data += rows;
    out.push(data);
  }
  return out;
}

const TEXT = 'SELECT 1;\nCOPY t FROM STDIN;\n1\t;\n\\.5\n2\t\\.\n\\.\nSELECT 2;\nCOPY t FROM stdin ;  \n\\.\nworlds\nCOPY t FROM STDIN;\n3\n4';
const TAKEN = [
  'sql SELECT 1',
  'sql COPY t FROM STDIN',
  '1\t;\n\\.5\n2\t\\.\n',
  'sql SELECT 2',
  'sql COPY t FROM stdin',
  '',
  'command worlds',
  'sql COPY t FROM STDIN',
  '3\n4',
];

test('rows end at a line of \\. alone, or with the stream', async () => {
  expect(await take([TEXT])).toEqual(TAKEN);
  expect(await take([TEXT.replaceAll('\n', '\r\n')])).toEqual(TAKEN.map((each, i) => ([2, 5, 8].includes(i) ? each.replaceAll('\n', '\r\n') : each)));
});

test('wherever it is cut, it comes out the same', async () => {
  for (let at = 1; at < TEXT.length; at++) expect(await take([TEXT.slice(0, at), TEXT.slice(at)]), `cut at ${at}`).toEqual(TAKEN);
  expect(await take([...TEXT])).toEqual(TAKEN);
});

test('unwanted rows are skipped', async () => {
  const source = new PieceSource('COPY t FROM STDIN;\n1\n2\n\\.\nSELECT 1;\n', syntax(false).isCommand, async () => null);
  await source.next();
  expect(await source.rows()).toBe('1\n2\n');
  source.dropRows();
  expect((await source.next())?.text).toBe('SELECT 1');
  const open = new PieceSource('COPY t FROM STDIN;\n1\n2\n', syntax(false).isCommand, async () => null);
  await open.next();
  await open.rows();
  open.dropRows();
  expect(await open.next()).toBeNull();
});
