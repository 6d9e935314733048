/**
 * The id of a transaction of Postgres, which outlives a crash of Postgres. An id is in its write-ahead log with the first change, and that may be in memory
 * until some transaction commits. A crash before would give the id to another transaction, whose commit would be taken for the one of the merge.
 * So the log is flushed as far as it has got before the id is relied on.
 */
import { SvcError } from '../base/errors/svc-error.ts';
import type { SourceConnection } from './source-connection.ts';

const EMIT = 'pg_catalog.pg_logical_emit_message';
/** More than a page of the log: its complete pages are flushed in the background, if nothing else is. */
const MESSAGE_BYTES = 8192;
/** A pool that has no second connection makes it wait. */
const SECOND_MS = 2000;
const FLUSH_MS = 10_000;
const POLL_MS = 20;

/** `connect` opens a second connection, where Postgres (before 17) cannot flush otherwise. 55000 if the log is not flushed in time. */
export async function durableXid(to: SourceConnection, connect: () => Promise<SourceConnection>): Promise<string> {
  const [[parameters, mayEmit]] = await to.rows(
    `SELECT pronargs, pg_catalog.has_function_privilege(oid, 'EXECUTE') FROM pg_catalog.pg_proc
      WHERE proname = 'pg_logical_emit_message' AND pronamespace = 'pg_catalog'::regnamespace AND proargtypes[2] = 'pg_catalog.text'::regtype`,
  );
  const emits = mayEmit === 't';
  // Changes of unlogged tables are not in the log; the message is, with the id.
  if (emits) await to.run(`SELECT ${EMIT}(true, 'svc', '')`);
  const [[xid, lsn]] = await to.rows('SELECT pg_catalog.pg_current_xact_id(), pg_catalog.pg_current_wal_insert_lsn()');
  if (emits && parameters === '4') await to.run(`SELECT ${EMIT}(false, 'svc', '', true)`);
  else {
    if (emits) await to.run(`SELECT ${EMIT}(true, 'svc', pg_catalog.repeat(' ', ${MESSAGE_BYTES}))`);
    await flushBySecond(connect, emits);
  }
  const until = performance.now() + FLUSH_MS;
  for (;;) {
    const [[flushed]] = await to.rows('SELECT pg_catalog.pg_current_wal_flush_lsn() >= $1::pg_catalog.pg_lsn', [lsn]);
    if (flushed === 't') return xid!;
    if (performance.now() > until) {
      throw new SvcError(
        '55000',
        `Postgres at ${to.shown} has not written its log to disk within ${FLUSH_MS / 1000} s, so a crash could leave half of the merge`,
        {
          hint: 'Nothing was changed. Before Postgres 17 a merge needs a second connection for a moment: raise the limit of the role or the pool. Then merge again.',
        },
      );
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** A commit flushes the log up to itself: at once if it has changes, else soon. What fails here shows when the log is not flushed. */
async function flushBySecond(connect: () => Promise<SourceConnection>, emits: boolean): Promise<void> {
  let second: SourceConnection | null = null;
  let isLate = false;
  const committed = (async (): Promise<void> => {
    second = await connect();
    try {
      if (isLate) return;
      await second.run(
        emits ? `SELECT pg_catalog.set_config('synchronous_commit', 'local', true); SELECT ${EMIT}(true, 'svc', '')` : 'SELECT pg_catalog.pg_current_xact_id()',
      );
    } finally {
      await second.close();
    }
  })().catch(() => {});
  let timer: NodeJS.Timeout | null = null;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      isLate = true;
      second?.cut();
      resolve();
    }, SECOND_MS);
  });
  await Promise.race([committed, late]);
  clearTimeout(timer!);
}
