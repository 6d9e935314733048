/** Rows: describe, find, get, put, delete. */
import { bounded } from '../../base/bounded-text.ts';
import { inQuotes } from '../../base/quote-identifier.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Row } from '../../commands/contract.ts';
import Type from 'typebox';
import { type AnyTool, branch, continueFrom, id, input, name, offset, ownBranch, record, table, type Tool, whole } from '../tool.ts';
import { TEXT_MAX, textTable } from '../text-table.ts';

const FIND_MAX = 1000;
const OFFSET_MAX = 100_000;
const BEAM_MAX = 4096;
const EXAMPLES = 3;
/** Maximum number of tables described in one call, as far as they fit into a reply. */
const TABLES_MAX = 40;
/** Maximum number of fields listed for one table. */
const FIELDS_MAX = 200;

const describe: Tool<{ table?: string; branch?: string; offset?: number }> = {
  name: 'describe',
  title: 'Describe tables',
  description: 'Tables of a world with row counts, fields with types and examples, and a sample row. Call it first.',
  input: input({ table: Type.Optional(table), branch, offset }),
  annotations: { readOnlyHint: true },
  needs: ['read'],
  async run({ commands }, { table: wanted, branch: world, offset: from = 0 }, { signal, report }) {
    const at = { ...(world === undefined ? {} : { branch: world }), signal };
    const { results } = await commands.sql({
      ...at,
      sql: `SELECT c.table_schema, c.table_name, c.column_name, c.data_type, c.is_nullable
            FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
            WHERE c.table_schema NOT IN ('pg_catalog', 'information_schema') AND t.table_type = 'BASE TABLE'
            ORDER BY c.table_schema, c.table_name, c.ordinal_position`,
    });
    const tables = new Map<string, { schema: string; name: string; fields: Row[] }>();
    for (const row of results[0].rows) {
      const schema = String(row['table_schema']);
      const bare = String(row['table_name']);
      const full = schema === 'public' ? bare : `${schema}.${bare}`;
      if (wanted !== undefined && full !== wanted) continue;
      let found = tables.get(full);
      if (found === undefined) tables.set(full, (found = { schema, name: bare, fields: [] }));
      found.fields.push(row);
    }
    if (tables.size === 0) {
      if (wanted !== undefined)
        throw new SvcError('42P01', `there is no table "${wanted}" in "${world ?? 'main'}"`, { hint: 'Call describe without `table` to list them.' });
      return `"${world ?? 'main'}" has no tables yet. put makes one with its first row; sql takes CREATE TABLE.`;
    }
    const parts: string[] = [];
    let length = 0;
    const left = [...tables].slice(from);
    for (const [full, { schema, name: bare, fields }] of left) {
      if (parts.length === TABLES_MAX || length > TEXT_MAX) {
        const rest = left.slice(parts.length).map(([each]) => each);
        const names = bounded(rest.slice(0, 100).join(', '), 2000);
        parts.push(`more: ${rest.length} tables (${names}). Call describe with \`table\`, or with offset ${from + parts.length}.`);
        break;
      }
      report(parts.length, left.length, `describing ${full}`);
      const quoted = `${inQuotes(schema)}.${inQuotes(bare)}`;
      const looked = await commands.sql({ ...at, sql: `SELECT count(*) AS n FROM ${quoted}; SELECT * FROM ${quoted} LIMIT ${EXAMPLES}` });
      const count = looked.results[0].rows[0]['n'];
      const samples = looked.results[1].rows;
      const lines = fields.slice(0, FIELDS_MAX).map((field) => {
        const column = String(field['column_name']);
        const examples = [...new Set(samples.map((row) => bounded(JSON.stringify(row[column] ?? null), 40)))].filter((text) => text !== 'null');
        return [column, field['data_type'], field['is_nullable'] === 'YES' ? '' : 'not null', examples.join(', ')];
      });
      const sample = samples.length === 0 ? '' : `\nsample: ${bounded(JSON.stringify(samples[0]), 500)}`;
      const cut = fields.length > FIELDS_MAX ? `\nmore: ${fields.length - FIELDS_MAX} fields; sql on information_schema.columns lists them` : '';
      const text = `${full}: ${count} rows\n${textTable(['field', 'type', '', 'examples'], lines).replace(/\n\(.*\)$/, '')}${cut}${sample}`;
      length += text.length;
      parts.push(text);
    }
    return parts.join('\n\n');
  },
};

interface Find {
  table: string;
  where?: Row;
  text?: string;
  vector?: number[];
  vector_field?: string;
  limit?: number;
  offset?: number;
  ef?: number;
  branch?: string;
}
const find: Tool<Find> = {
  name: 'find',
  title: 'Find rows',
  description: 'Rows of a table by equal fields (where); without where, all in key order. Answers the match count, then rows with scores.',
  input: input({
    table,
    where: Type.Optional(record),
    text: Type.Optional(Type.String({ description: 'Full-text search over string fields.' })),
    vector: Type.Optional(Type.Array(Type.Number())),
    vector_field: Type.Optional(name),
    limit: whole(0, 'Default 20, at most 1000.'),
    offset,
    ef: whole(0),
    branch,
  }),
  annotations: { readOnlyHint: true },
  needs: ['read'],
  async run({ commands }, given) {
    const { limit = 20, offset: from = 0, ef = 0 } = given;
    if (limit > FIND_MAX || from > OFFSET_MAX || ef > BEAM_MAX) {
      throw new SvcError('22023', `find answers at most ${FIND_MAX} rows, from offsets up to ${OFFSET_MAX}, with ef up to ${BEAM_MAX}`, {
        hint: 'Use the tool sql for more: SELECT … ORDER BY … LIMIT … OFFSET ….',
      });
    }
    if ((given.vector === undefined) !== (given.vector_field === undefined)) throw new SvcError('22023', '`vector` and `vector_field` go together');
    const { ef: _ef, ...rest } = given;
    const { total, hits, next_offset } = await commands.find({ ...rest, limit, offset: from } as never);
    const columns = [...new Set(hits.flatMap(({ row }) => Object.keys(row)))];
    const shown = textTable(
      ['id', 'score', ...columns],
      hits.map(({ id: key, score, row }) => [key, score, ...columns.map((column) => row[column])]),
      { total: next_offset === null ? hits.length : total - from, more: continueFrom(from) },
    );
    return `${total} match\n${shown}`;
  },
};

const get: Tool<{ table: string; id: string; branch?: string }> = {
  name: 'get',
  title: 'Read a row',
  description: 'One row of a table, by its id, as JSON.',
  input: input({ table, id, branch }),
  annotations: { readOnlyHint: true },
  needs: ['read'],
  async run({ commands }, given) {
    const text = JSON.stringify((await commands.get(given)).row, null, 1);
    if (text.length <= TEXT_MAX) return text;
    return `${bounded(text, TEXT_MAX)}\nmore: the row has ${text.length} characters; read parts of it with sql (SELECT field, substr(field, from, length) …)`;
  },
};

const put: Tool<{ table: string; id: string; record: Row; branch?: string }> = {
  name: 'put',
  title: 'Write a row',
  description: 'Writes a whole row (fields left out are gone). Makes the table if it is new.',
  input: input({ table, id, record, branch: ownBranch }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  needs: ['write_own', 'write', 'write_main'],
  run: async ({ commands }, given, { signal }) => `ok, version ${(await commands.put(given, { signal })).version}`,
};

const remove: Tool<{ table: string; id: string; branch?: string }> = {
  name: 'delete',
  title: 'Delete a row',
  description: 'Deletes one row, by its id.',
  input: input({ table, id, branch: ownBranch }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  needs: ['write_own', 'write', 'write_main'],
  run: async ({ commands }, given, { signal }) => `ok, version ${(await commands.delete(given, { signal })).version}`,
};

export const ROW_TOOLS = [describe, find, get, put, remove] as unknown as readonly AnyTool[];
