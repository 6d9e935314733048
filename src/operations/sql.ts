/** `sql`: Runs SQL statements. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { resultsText, sqlRefusal } from './text/sql.ts';

const PARAMETERS_MAX = 65535;

const input = s.input({
  branch: s.branch,
  sql: Type.String({ minLength: 1, description: 'SQL, in the dialect of Postgres.' }),
  params: Type.Optional(Type.Array(Type.Unknown(), { maxItems: PARAMETERS_MAX, description: 'Values for `$1`, `$2` ….' })),
});
export type SqlText = Omit<Static<typeof input>, 'params'>;
const output = Type.Object({
  results: Type.Array(
    Type.Object({
      command: Type.String({ description: 'The command tag: `SELECT 2`, `INSERT 0 1`, `CREATE TABLE`.' }),
      columns: Type.Array(Type.String(), { description: 'Fields of the rows. Of several columns with one name the later ones are `name_1`, `name_2` ….' }),
      types: Type.Array(Type.String(), { description: "The columns' SQL types." }),
      rows: Type.Array(s.record),
    }),
  ),
  version: s.version,
});
export type SqlReply = Static<typeof output>;

export const sqlOperation = defineOperation({
  name: 'sql',
  summary: 'Runs SQL statements.',
  description:
    'One or more statements; several are one transaction unless they say BEGIN and COMMIT. Each call is a session of its own. A transaction that is still open at its end is refused (25001). Parameters `$1`, `$2` … go with one statement. Numerics come as text with their scale, times as ISO 8601 text, bytea as `\\x` and hex.',
  input,
  output,
  capability: 'read',
  effect: 'grow',
  gate: 'own',
  // Parameters are checked by their types in SQL.
  inProcess: {
    sql: (value) => value === '',
    signal: (value) => value instanceof AbortSignal,
    params: (value) => Array.isArray(value) && value.length <= PARAMETERS_MAX,
  },
  long: true,
  errors: [
    '0A000',
    '22003',
    '22012',
    '23502',
    '23503',
    '23505',
    '23514',
    '25001',
    '25006',
    '40001',
    '42601',
    '42703',
    '42804',
    '42883',
    '42P01',
    '42P07',
    '53100',
    '53200',
    '54000',
    '54001',
    '57014',
  ],
  examples: [
    {
      input: { branch: 'draft', sql: 'SELECT city, count(*) FROM users GROUP BY city', params: [] },
      output: { results: [{ command: 'SELECT 1', columns: ['city', 'count'], types: ['text', 'bigint'], rows: [{ city: 'Oslo', count: 2 }] }], version: 3 },
    },
  ],
  mcp: {
    title: 'Run SQL',
    description:
      "Runs Postgres's SQL in a world and answers rows as text. Several statements are one transaction. Also SHOW WORLDS, DIFF WORLD w, SELECT … FROM t AS OF '-10m'.",
    fields: ['sql', 'params', 'branch'],
    words: { sql: '', params: '$1, $2 …', branch: 'World; default main. Where it is read also name@when: main@-10m.' },
    page: {},
    destructive: true,
    text: resultsText,
    refusal: sqlRefusal,
  },
  run: ({ services, input, by, control }) => services.sql(control.signal === undefined ? input : { ...input, signal: control.signal }, by),
});
