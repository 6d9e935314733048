/** `describe`: tables with counts, fields with types and examples, and a sample row. The one tool without an operation: it reads by SQL. */
import Type from 'typebox';
import { bounded } from '../base/bounded-text.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { nearestName } from '../base/nearest-name.ts';
import { inQuotes, quoteString } from '../base/quote-identifier.ts';
import type { Row } from '../commands/contract.ts';
import { jsonText, ShownText, textTable } from '../operations/text/table.ts';
import { maxTokens, offset, roomOf, type Tool } from './tool.ts';

const EXAMPLES = 3;
/** Maximum number of tables described in one call, as far as they fit into a reply. */
const TABLES_MAX = 40;
/** Characters of the sample row. */
const SAMPLE_MAX = 500;
/** Maximum number of fields listed for one table. */
const FIELDS_MAX = 200;

interface Describe {
  table?: string;
  branch?: string;
  offset?: number;
  max_tokens?: number;
}

const word = { minLength: 1, pattern: '^\\S+$' };
const input = Type.Object(
  {
    table: Type.Optional(Type.String(word)),
    branch: Type.Optional(Type.String({ ...word, description: 'World; default main. Where it is read also name@when: main@-10m.' })),
    offset,
    max_tokens: maxTokens,
  },
  { additionalProperties: false },
);

export const describe: Tool = {
  name: 'describe',
  title: 'Describe tables',
  description: 'Tables of a world with row counts, fields with types and examples, and a sample row. Call it first.',
  input,
  shown: input,
  annotations: { readOnlyHint: true },
  needs: { some: ['read'], all: [] },
  unsafe: false,
  async run({ commands }, given, { signal, report }) {
    const { table: wanted, branch: world, offset: from = 0, max_tokens } = given as Describe;
    const room = roomOf(max_tokens);
    const at = { ...(world === undefined ? {} : { branch: world }), signal };
    const { results } = await commands.sql({
      ...at,
      sql: `SELECT c.table_schema, c.table_name, c.column_name, c.data_type, c.is_nullable
            FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
            WHERE c.table_schema NOT IN ('pg_catalog', 'information_schema') AND t.table_type = 'BASE TABLE'
            ORDER BY c.table_schema, c.table_name, c.ordinal_position`,
    });
    const names = new Set<string>();
    const tables = new Map<string, { schema: string; name: string; fields: Row[] }>();
    for (const row of results[0].rows) {
      const schema = String(row['table_schema']);
      const bare = String(row['table_name']);
      const full = schema === 'public' ? bare : `${schema}.${bare}`;
      names.add(full);
      if (wanted !== undefined && full !== wanted) continue;
      let found = tables.get(full);
      if (found === undefined) tables.set(full, (found = { schema, name: bare, fields: [] }));
      found.fields.push(row);
    }
    if (tables.size === 0) {
      if (wanted !== undefined) {
        const near = nearestName(wanted, [...names]);
        throw new SvcError('42P01', `there is no table "${wanted}" in "${world ?? 'main'}"`, {
          hint: near === null ? 'Call describe without `table` to list them.' : `Did you mean "${near}"?`,
        });
      }
      return `"${world ?? 'main'}" has no tables yet. put makes one with its first row; sql takes CREATE TABLE.`;
    }
    const parts: string[] = [];
    let length = 0;
    const left = [...tables].slice(from);
    for (const [full, { schema, name: bare, fields }] of left) {
      if (parts.length === TABLES_MAX || length > room) {
        const rest = left.slice(parts.length).map(([each]) => each);
        const names = bounded(rest.slice(0, 100).join(', '), 2000);
        parts.push(`more: ${rest.length} tables (${names}). Call describe with \`table\`, or with offset ${from + parts.length}.`);
        break;
      }
      report(parts.length, left.length, `describing ${full}`);
      const quoted = `${inQuotes(schema)}.${inQuotes(bare)}`;
      const looked = await commands.sql({
        ...at,
        sql: `SELECT count(*) AS n, takes_documents(${quoteString(quoted)}) AS open FROM ${quoted}; SELECT * FROM ${quoted} LIMIT ${EXAMPLES}`,
      });
      const { n: count, open } = looked.results[0].rows[0];
      const samples = looked.results[1].rows;
      const lines = fields.slice(0, FIELDS_MAX).map((field) => {
        const column = String(field['column_name']);
        const examples = [...new Set(samples.map((row) => bounded(jsonText(row[column] ?? null), 40)))].filter((text) => text !== 'null');
        return [
          column,
          field['data_type'],
          field['is_nullable'] === 'YES' ? undefined : 'not null',
          examples.length === 0 ? undefined : new ShownText(examples.join(', ')),
        ];
      });
      const first = samples.length === 0 ? '' : jsonText(samples[0]);
      const rest = first.length > SAMPLE_MAX ? ' (cut: get and find show rows whole)' : '';
      const sample = first === '' ? '' : `\nsample: ${bounded(first, SAMPLE_MAX)}${rest}`;
      const cut = fields.length > FIELDS_MAX ? `\nmore: ${fields.length - FIELDS_MAX} fields; sql on information_schema.columns lists them` : '';
      const text = `${full}: ${count} rows${open === true ? ', put may add fields' : ''}\n${textTable(['field', 'type', 'null', 'examples'], lines, { room }).replace(/\n\(\d+ rows?\)/, '')}${cut}${sample}`;
      length += text.length;
      parts.push(text);
    }
    return parts.join('\n\n');
  },
};
