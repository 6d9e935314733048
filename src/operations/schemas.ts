/** Pieces that several operations share. */
import Type, { type Static, type TProperties } from 'typebox';
import type { Json, Row } from '../base/json.ts';

/** Any JSON. */
export const json = (options: { description?: string } = {}) => Type.Unsafe<Json>(Type.Unknown(options));
export const jsonObject = (description: string) => Type.Unsafe<{ [key: string]: Json }>(Type.Record(Type.String(), Type.Unknown(), { description }));

export const branch = Type.Optional(
  Type.String({
    minLength: 1,
    description: 'World by name or id (default `main`); where it is only read also `name@when`: `main@-10m`, `main@2026-01-31T12:00:00Z`, `main@#42`.',
  }),
);
export const branchToChange = Type.Optional(Type.String({ minLength: 1, description: 'World by name or id (default `main`).' }));
export const requiredBranch = Type.String({ minLength: 1, description: 'World by name or id.' });
export const table = Type.String({ minLength: 1, pattern: '^\\S+$', description: 'Table; no white space. `schema.table` outside `public`.' });
export const id = Type.String({ minLength: 1, pattern: '^\\S+$', description: "The row's id; no white space." });
export const record = Type.Unsafe<Row>(jsonObject('The whole row as a JSON object.'));
export const recordOrNull = Type.Union([record, Type.Null()]);
export const meta = jsonObject('Free JSON kept with the world.');
/** Of a dry run, and of a merge or an approval of what it showed. */
export const seenDiff = Type.Optional(
  Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'Hash of what a merge changes, from a dry run with `hash`: a merge that changes something else is refused (40001).',
  }),
);
export const version = Type.Integer({ minimum: 0, description: 'Count of committed writes of the branch.' });
export const count = Type.Integer({ minimum: 0 });
export const ok = Type.Literal(true);
export const key = Type.String({ minLength: 2, pattern: '^[^/]+/', description: '`<table>/<id>`; `,` `/` `%` and white space percent-escaped.' });
export const moment = Type.String({ minLength: 1, description: 'An ISO time, a time ago (`-10m`; ms s m h d w) or `#sequence`.' });
/** Of lists of the whole folder. */
export const asOf = Type.Optional(
  Type.String({ minLength: 1, description: 'As of this moment: an ISO time, a time ago (`-10m`; ms s m h d w) or `#sequence`. Default: now.' }),
);
export const resolve = Type.Optional(
  Type.Union([Type.Literal('fail'), Type.Literal('ours'), Type.Literal('theirs')], {
    description: 'How conflicts end: `fail` (default), `ours` (the world merged into), `theirs` (the branch).',
  }),
);
export const strict = Type.Optional(Type.Boolean({ description: 'What both sides changed alike is a conflict, too.' }));
export const picks = Type.Optional(
  Type.Record(Type.String(), Type.Union([Type.Literal('ours'), Type.Literal('theirs'), Type.Literal('delete'), record, Type.Null()]), {
    description:
      'Decisions for single rows: key → `ours`, `theirs`, a row, or null or `delete` (deleted). The key of a definition in conflict is `_svc_schema/<kind>:<name>`, as in its conflict; `ours` or `theirs`.',
  }),
);

export const world = Type.Object({
  name: Type.String(),
  id: Type.String(),
  parent: Type.Union([Type.String(), Type.Null()]),
  depth: count,
  created: Type.String({ format: 'date-time' }),
  version,
  flagged: Type.Boolean({ description: 'Open during a crash; look before merging.' }),
  meta,
  owner: Type.Union([Type.String(), Type.Null()]),
  expires: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  active: Type.String({ format: 'date-time' }),
  pinned: Type.Boolean(),
  checkpoints: Type.Array(Type.Object({ name: Type.String(), at: Type.String({ format: 'date-time' }) })),
  pending: Type.Optional(
    Type.String({
      description:
        'Only while it is not known whether an attached Postgres has committed a merge: the number of that transaction. Neither world of the merge changes until then; `attachment` shows the rows in either case, and a person may decide.',
    }),
  ),
  state: Type.Optional(Type.Union([Type.Literal('merged'), Type.Literal('discarded')], { description: 'Only of a world that is gone.' })),
  ended: Type.Optional(Type.String({ format: 'date-time' })),
  into: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: 'The world that it was merged into.' })),
});
export type WorldView = Static<typeof world>;

export const change = Type.Object({ key, before: recordOrNull, after: recordOrNull, columns: Type.Array(Type.String()) });
export type Change = Static<typeof change>;
/** Columns of the statements that try an undo: what would go back, by table. */
export const UNDO_DRY_RUN = [
  ['table', 'text'],
  ['deleted', 'int8'],
  ['updated', 'int8'],
  ['inserted', 'int8'],
  ['keys', 'jsonb'],
] as const;
export const summary = Type.Array(Type.Object({ table: Type.String(), deleted: count, updated: count, inserted: count }));
export type TableSummary = Static<typeof summary>[number];
export const conflict = Type.Object({
  key,
  base: recordOrNull,
  ours: recordOrNull,
  theirs: recordOrNull,
  explanation: Type.String(),
  code: Type.Optional(Type.String({ description: 'SQLSTATE of the constraint that the result would break.' })),
  constraint: Type.Optional(Type.String({ description: 'Its name.' })),
});
export type Conflict = Static<typeof conflict>;

export const eventId = Type.String({ description: '`#` and the number of the event: `name@#42` is the state behind it.' });
export const beforeEvent = Type.Optional(
  Type.String({ minLength: 1, description: 'Only events before this one (`#42`: the `next` of the page before), or before a moment.' }),
);
export const afterEvent = Type.Optional(Type.String({ minLength: 1, description: 'Only events after this one (`#42`), or after a moment.' }));
export const textOrNull = Type.Union([Type.String(), Type.Null()]);
const countOrNull = Type.Union([count, Type.Null()]);
export const time = Type.String({ format: 'date-time' });
export const ruleName = Type.String({ pattern: '^[A-Za-z0-9_-]{1,128}$', description: 'Letters, digits, `_`, `-`.' });
export const policy = Type.Object({
  name: Type.String(),
  created: time,
  max_rows: countOrNull,
  max_deletes: countOrNull,
  rows_per_hour: countOrNull,
  deletes_per_hour: countOrNull,
  max_age: Type.Union([Type.String(), Type.Number(), Type.Null()]),
  tables: Type.Array(Type.String()),
  review_tables: Type.Array(Type.String()),
  review_columns: Type.Array(Type.String()),
  schema: Type.Boolean(),
  overwrite: Type.Boolean(),
  critical: Type.Boolean(),
  check_reads: Type.Boolean(),
  require_scope: Type.Boolean(),
  strict: Type.Boolean(),
  confirm_deletes_over: countOrNull,
  reviewer: textOrNull,
});
export type PolicyView = Static<typeof policy>;
export const mergeCheck = Type.Object({ name: Type.String(), tables: Type.Array(Type.String()), timeout_ms: count, query: Type.String(), created: time });
export type CheckView = Static<typeof mergeCheck>;
export const reader = Type.Object({
  name: Type.String(),
  table: Type.String(),
  columns: Type.Array(Type.String()),
  kind: Type.String(),
  critical: Type.Boolean(),
  detail: Type.String(),
  created: time,
});
export type ReaderView = Static<typeof reader>;
export const reasons = Type.Array(Type.Object({ rule: Type.String(), message: Type.String(), found: json(), limit: json() }));
export const definitions = Type.Array(
  Type.Object({
    object: Type.String(),
    change: Type.Union([Type.Literal('create'), Type.Literal('alter'), Type.Literal('drop')]),
    before: textOrNull,
    after: textOrNull,
    statement: Type.String(),
  }),
  { description: 'Definitions that differ: their SQL texts in the two states, and the statement that makes the change.' },
);
export type DefinitionChange = Static<typeof definitions>[number];
export const review = Type.Object({
  world: Type.String(),
  owner: textOrNull,
  policy: Type.String(),
  reasons,
  asked: time,
  version,
  changed_since: Type.Boolean(),
  scope: Type.Union([meta, Type.Null()]),
  changes: summary,
  conflicts: Type.Optional(count),
  definitions: Type.Optional(definitions),
  effects: Type.Array(Type.Object({ channel: Type.String(), count })),
  verdict: textOrNull,
  reason: textOrNull,
  decided_by: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: "Only with a verdict: who gave it; null: the database's own user." })),
});
export type ReviewView = Static<typeof review>;
export const mergeOutcomes = Type.Object({
  agent: Type.Optional(Type.String()),
  policy: textOrNull,
  worlds: count,
  on_rules: count,
  no_policy: count,
  approved: count,
  rejected: count,
  discarded: count,
  open: count,
  partly_merged: count,
  before_window: count,
  conflicts: count,
  stale_reads: count,
  check_refusals: count,
  holds: count,
  rules_rate: Type.Union([Type.Number(), Type.Null()]),
});
export type MergeOutcomes = Static<typeof mergeOutcomes>;
export const effect = Type.Object({ id: Type.String(), channel: Type.String(), payload: json(), by: Type.String(), queued: time });
export type Effect = Static<typeof effect>;
export const claimedEffect = Type.Object({
  id: Type.String(),
  channel: Type.String(),
  payload: json(),
  by: Type.String(),
  queued: time,
  attempts: count,
  until: time,
});
export type ClaimedEffect = Static<typeof claimedEffect>;
export const waitingEffect = Type.Object({
  ...effect.properties,
  attempts: count,
  until: Type.Union([time, Type.Null()]),
  last_error: Type.Union([Type.Object({ message: Type.String(), at: time, by: Type.String() }), Type.Null()], {
    description: 'Why the latest attempt that was given back failed, as its worker said: when and who. Null where none did.',
  }),
});
export type WaitingEffect = Static<typeof waitingEffect>;
export const readersOf = Type.Array(
  Type.Object({ table: Type.String(), columns: Type.Array(Type.String()), kind: Type.String(), reader: Type.String(), detail: Type.String() }),
);
export type ReaderOf = Static<typeof readersOf>[number];
export const coverage = Type.Object({ analysed: Type.Array(Type.String()), not_analysed: Type.Array(Type.String()) });
export type ReaderCoverage = Static<typeof coverage>;

/** An input that refuses unknown fields. */
export function input<Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false });
}
