/** The body of errors in the OpenAPI document, and the statuses that any request may be answered with. */
import Type from 'typebox';
import * as s from '../operations/schemas.ts';

const text = (description: string) => Type.Optional(Type.String({ description }));
const names = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));

/** Fields beside `message` and `code` are there where the error has them. */
export const ERROR_BODY = Type.Object(
  {
    error: Type.Object({
      message: Type.String({ description: 'What was wrong.' }),
      code: Type.String({ pattern: '^[0-9A-Z]{5}$', description: 'SQLSTATE.' }),
      detail: text('A second sentence, with the values.'),
      hint: text('What to do.'),
      position: Type.Optional(Type.Integer({ minimum: 1, description: 'Of the fault in the statement: characters, from 1.' })),
      where: text('The call stack inside functions, a line each, innermost first.'),
      internal_query: text('The failing text inside a function.'),
      internal_position: Type.Optional(Type.Integer({ minimum: 1, description: 'Of the fault in `internal_query`.' })),
      line: Type.Optional(Type.Integer({ minimum: 1, description: 'Of the fault in the body of a function.' })),
      schema: text('Schema of the table.'),
      table: text('Table whose constraint was broken.'),
      column: text('Column whose constraint was broken.'),
      type: text('Type whose constraint was broken.'),
      constraint: text('Name of the broken constraint.'),
      conflicts: Type.Optional(Type.Array(s.conflict, { description: 'Of a merge, a rebase or an undo: what it cannot decide.' })),
      held: Type.Optional(Type.Literal(true, { description: 'The merge waits for a person, and is listed by `reviews`.' })),
      reasons: Type.Optional({ ...s.reasons, description: 'Rules that the merge breaks.' }),
      confirm_deletes: Type.Optional(
        Type.Object({ deletes: s.count, over: s.count, policy: Type.String() }, { description: 'The number of deletes that a person has to send.' }),
      ),
      checks: Type.Optional(
        Type.Array(Type.Object({ name: Type.String(), message: Type.String(), rows: Type.Array(s.record) }), {
          description: 'Merge checks that the result breaks, with the rows that they found.',
        }),
      ),
      stale: names('Rows that the world read and that changed since.'),
      changed: names('Rows that changed since the merge.'),
      version: Type.Optional({ ...s.version, description: 'Version of the branch as it is.' }),
      diff: text('Hash of what the merge would change as it is.'),
      forks: names('Worlds that were forked from it, at most 100.'),
      ids: Type.Optional(Type.Array(Type.String(), { description: 'Ids of the worlds that had the name.' })),
      missing: Type.Optional(Type.Object({ from: s.count, to: s.count }, { description: 'Events that are missing in the log.' })),
      segment: text('The damaged segment of the log.'),
      postgres: Type.Optional(
        Type.Object(
          { code: Type.String(), table: Type.Optional(Type.String()), constraint: Type.Optional(Type.String()) },
          { description: 'Of the attached Postgres.' },
        ),
      ),
    }),
  },
  { description: 'What was wrong, and what to do.' },
);

/** Before an operation is looked up, a request is refused with these. */
export const REQUEST_REFUSALS: Readonly<Record<number, string>> = {
  401: 'The token is missing or wrong (28000, 28P01).',
  403: 'The caller lacks the right, or the request comes from a web page or names another host (42501).',
  411: 'The body is sent in chunks, or without Content-Length (08P01).',
  413: 'The body or the result is too large (54000, 53200).',
  415: 'The Content-Type is not application/json (22023).',
  429: 'Too fast, too many at once, or too many wrong tokens from the address (53300, 53400, 28P01).',
  500: 'A fault of the server or of its storage (XX000, 58030).',
  503: 'Too many connections, or the server is closing (53300, 57P01).',
};
