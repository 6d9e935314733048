/** Registered readers of tables, and effects: what a merge sends, and how it is fetched. */
import type { AckOutbox, ClaimOutbox, CreateReader, DropReader, NotifyOnMerge, RetryOutbox } from '../../ast/world.ts';
import type { WorldReader } from './world-reader.ts';

/** `n ON t [(c, …)] [KIND k] [CRITICAL] [DETAIL '…']` */
export function parseCreateReader(reader: WorldReader): CreateReader {
  const name = reader.name();
  reader.expect('on');
  const created: CreateReader = {
    type: 'createReader',
    name,
    table: reader.table(),
    columns: reader.word === '(' ? reader.list(() => reader.identifier()) : [],
    kind: null,
    critical: false,
    detail: null,
    at: reader.start,
  };
  reader.clauses(() => {
    if (reader.accept('kind')) {
      created.kind = reader.isString ? reader.string().value : reader.name();
      return 'kind';
    }
    if (reader.accept('critical')) {
      created.critical = true;
      return 'critical';
    }
    if (!reader.accept('detail')) return '';
    created.detail = reader.string().value;
    return 'detail';
  });
  return created;
}

export function parseDropReader(reader: WorldReader): DropReader {
  return { type: 'dropReader', name: reader.name(), at: reader.start };
}

/** `ON MERGE channel [, payload]` */
export function parseNotifyOnMerge(reader: WorldReader): NotifyOnMerge {
  reader.expect('on', 'merge');
  const channel = reader.identifier();
  if (!reader.accept(',')) return { type: 'notifyOnMerge', channel, payload: null, at: reader.start };
  if (reader.atEnd) throw reader.failure();
  const payload = reader.inner.expression(reader.text, reader.at, reader.end);
  reader.skipTo(reader.end);
  return { type: 'notifyOnMerge', channel, payload, at: reader.start };
}

/** `CLAIM OUTBOX [channel] [LIMIT n] [FOR interval]`, `ACK OUTBOX id`, `RETRY OUTBOX id [AFTER interval] [ERROR 'text']` */
export function parseOutbox(reader: WorldReader, verb: 'claim' | 'ack' | 'retry'): ClaimOutbox | AckOutbox | RetryOutbox {
  reader.expect('outbox');
  if (verb === 'claim') return parseClaim(reader);
  const id = reader.isString ? reader.string().value : reader.name();
  if (verb === 'ack') return { type: 'ackOutbox', id, at: reader.start };
  const after = reader.accept('after') ? reader.duration() : null;
  return { type: 'retryOutbox', id, after, error: reader.accept('error') ? reader.string() : null, at: reader.start };
}

function parseClaim(reader: WorldReader): ClaimOutbox {
  const claim: ClaimOutbox = { type: 'claimOutbox', channel: null, limit: null, for: null, at: reader.start };
  if (!reader.atEnd && reader.word !== 'limit' && reader.word !== 'for') claim.channel = reader.identifier();
  reader.clauses(() => {
    if (reader.accept('limit')) {
      claim.limit = reader.count();
      return 'limit';
    }
    if (!reader.accept('for')) return '';
    claim.for = reader.duration();
    return 'for';
  });
  return claim;
}
