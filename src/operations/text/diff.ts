/** `diff` as text for a model: counts, definitions, effects and readers first, then a page of changed rows; or statements. */
import { cellText, definitionsTable, ShownText, textTable } from './table.ts';
import { continueFrom, cutText } from './page.ts';
import type { DiffInput, DiffReply } from '../diff.ts';
import type { ModelCall } from '../model-tool.ts';

export async function diffText(first: DiffReply, call: ModelCall<DiffInput, DiffReply>): Promise<string> {
  const { given, page } = call;
  if (given.sql === true) return statementsText(first, page);
  const { limit, offset, room } = page;
  const parts = [
    `${first.total} changed rows, version ${first.version}`,
    textTable(
      ['table', 'deleted', 'updated', 'inserted'],
      (first.summary ?? []).map((each) => [each.table, each.deleted, each.updated, each.inserted]),
    ),
  ];
  if (first.definitions !== undefined) parts.push(definitionsTable(first.definitions, undefined, room));
  if ((first.effects ?? []).length > 0)
    parts.push(
      `effects of a merge:\n${textTable(
        ['channel', 'payload'],
        first.effects!.map((effect) => [effect.channel, effect.payload]),
        { room },
      )}`,
    );
  if (first.readers !== undefined) {
    parts.push(
      `readers:\n${textTable(
        ['table', 'columns', 'kind', 'reader', 'detail'],
        first.readers.map((reader) => [
          reader.table,
          reader.columns.length === 0 ? undefined : reader.columns.join(', '),
          reader.kind,
          reader.reader,
          reader.detail === '' ? undefined : reader.detail,
        ]),
        { room },
      )}\nlooked at: ${first.coverage!.analysed.join(', ')}`,
    );
  }
  if (given.count === true) return parts.join('\n\n');
  const { branch, to, after } = given;
  const { changes = [], next } = await call.ask({
    branch,
    ...(to === undefined ? {} : { to }),
    limit: offset + limit,
    ...(after === undefined ? {} : { after }),
  });
  const rows = changes.slice(offset);
  parts.push(
    textTable(
      ['key', 'change', 'before', 'after'],
      rows.map(({ key, before, after: now, columns }) => {
        const of = (row: typeof before): unknown =>
          row === null
            ? undefined
            : before === null || now === null
              ? row
              : new ShownText(columns.map((column) => `${column}=${Object.hasOwn(row, column) ? cellText(row[column], room) : ''}`).join(' '));
        return [key, before === null ? 'insert' : now === null ? 'delete' : 'update', of(before), of(now)];
      }),
      {
        total: next === null || next === undefined ? rows.length : 'open',
        more: (shown) => (shown === 0 ? 'call again with a higher limit' : `call again with after ${JSON.stringify(rows[shown - 1].key)}`),
        room,
      },
    ),
  );
  return parts.join('\n\n');
}

function statementsText({ sql = [] }: DiffReply, { limit, offset, room }: { limit: number; offset: number; room: number }): string {
  const shown: string[] = [];
  let length = 0;
  for (const statement of sql.slice(offset, offset + limit)) {
    if (length + statement.length > room && shown.length > 0) break;
    length += statement.length;
    shown.push(cutText(statement, room));
  }
  const rest = sql.length - offset - shown.length;
  return `${shown.join('\n')}\n(${shown.length} of ${sql.length} statements)${rest > 0 ? `\nmore: ${continueFrom(offset)(shown.length)}` : ''}`;
}
