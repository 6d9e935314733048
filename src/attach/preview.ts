/** What Postgres would do with a merge: the same statements in a transaction that is rolled back. */
import { SvcError } from '../base/errors/svc-error.ts';
import type { TreeChanges } from '../events/changes.ts';
import type { Node } from '../tree/node.ts';
import type { Context } from '../worlds/context.ts';
import type { ExternalPreview } from '../worlds/external.ts';
import type { World } from '../worlds/world.ts';
import { checkDrift, checkIdentity } from './drift.ts';
import { admitSent, nameOf, type Sent, sentRows } from './sent-rows.ts';
import type { SourceConnection } from './source-connection.ts';
import { sourceError } from './source-errors.ts';
import { apply, changedSince, type Differing, madeOtherwise, operatorsOf } from './write-back.ts';
import { triggersFired } from './write-statements.ts';

/** A preview waits less than a merge for locks of others. */
const LIMITS_MS = { lockMs: 1000, statementMs: 30_000 };
const DOING = 'the merge cannot be tried in Postgres';

export async function previewOf(
  context: Context,
  world: World,
  root: Node,
  changes: TreeChanges[],
  connect: () => Promise<SourceConnection>,
): Promise<ExternalPreview> {
  const reply: ExternalPreview = { source: '', at: new Date().toISOString(), error: null, triggers: [], summary: [], rows: [] };
  const fail = (error: unknown): ExternalPreview => {
    if (!(error instanceof SvcError)) throw error;
    const { code, message } = error;
    return { ...reply, error: { code, message } };
  };
  let sent: Sent;
  try {
    admitSent(context, world, changes);
    sent = sentRows(context, world, root, changes);
  } catch (error) {
    return fail(error);
  }
  reply.summary = sent.tables.map(({ rows, changed }) => ({
    table: rows.attached.name,
    deleted: changed.filter(({ after }) => after === null).length,
    updated: changed.filter(({ before, after }) => before !== null && after !== null).length,
    inserted: changed.filter(({ before }) => before === null).length,
  }));
  let to: SourceConnection;
  try {
    to = await connect();
  } catch (error) {
    return fail(error);
  }
  reply.source = to.shown;
  const shown = (rows: readonly Differing[], changed: boolean): ExternalPreview['rows'] =>
    rows.map(({ table, key, texts }) => ({ key: nameOf(context, world, table, key), changed, postgres: texts === null ? null : table.rows.record(texts) }));
  try {
    await to.beginWrite(LIMITS_MS);
    await checkIdentity(to, context.state.attachment.source!);
    await checkDrift(
      to,
      sent.tables.map(({ rows }) => rows.attached),
    );
    const { text, values } = triggersFired(sent.tables);
    const names = new Map(sent.tables.map(({ rows }) => [String(rows.attached.oid), rows.attached.name]));
    reply.triggers = (await to.rows(text, values)).map(([oid, name, event]) => ({ table: names.get(oid!)!, name: name!, event: event! }));
    const operators = await operatorsOf(to, sent.tables);
    const moved = await changedSince(to, sent.tables, operators);
    reply.rows = shown(moved, true);
    if (moved.length === 0) {
      await apply(to, sent.tables, operators);
      reply.rows = shown(await madeOtherwise(to, sent.tables, operators), false);
    }
    await to.run('ROLLBACK');
    return reply;
  } catch (error) {
    return fail(sourceError(error, to.shown, DOING));
  } finally {
    await to.close();
  }
}
