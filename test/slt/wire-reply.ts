/** Reads the backend messages that answer a query (Postgres manual 55.7) into outcomes. Reads only; knows no socket. */
import { type Column, type Outcome, SqlFailure } from './target.ts';

export interface WireReply {
  outcomes: Outcome[];
  failure: SqlFailure | null;
  /** From ReadyForQuery: I idle, T in a transaction, E in a failed one; null where the reply has not ended. */
  status: string | null;
  /** Type oids of each outcome's columns, to be named by the caller. */
  typeOids: number[][];
  /** The server waits for COPY data. */
  copyIn: boolean;
}

/** Bytes of the first whole message at `offset`, or 0 where it is not all there yet. */
export function messageLength(bytes: Buffer, offset: number): number {
  if (bytes.length - offset < 5) return 0;
  const length = bytes.readInt32BE(offset + 1) + 1;
  return bytes.length - offset < length ? 0 : length;
}

export function readReply(bytes: Buffer): WireReply {
  const reply: WireReply = { outcomes: [], failure: null, status: null, typeOids: [], copyIn: false };
  let open: Outcome = emptyOutcome();
  let oids: number[] = [];
  let offset = 0;
  for (let length = messageLength(bytes, offset); length > 0; offset += length, length = messageLength(bytes, offset)) {
    const kind = String.fromCharCode(bytes[offset]);
    const at = offset + 5;
    const end = offset + length;
    if (kind === 'T') {
      open = emptyOutcome();
      oids = readColumns(bytes, at, open.columns);
    } else if (kind === 'D') open.rows.push(readRow(bytes, at));
    else if (kind === 'C' || kind === 'I') {
      open.command = kind === 'C' ? cString(bytes, at) : '';
      reply.outcomes.push(open);
      reply.typeOids.push(oids);
      open = emptyOutcome();
      oids = [];
    } else if (kind === 'E') {
      const fields = readFields(bytes, at, end);
      reply.failure = new SqlFailure(fields.get('C') ?? 'XX000', fields.get('M') ?? '', reply.outcomes);
    } else if (kind === 'G') reply.copyIn = true;
    else if (kind === 'Z') reply.status = String.fromCharCode(bytes[at]);
  }
  return reply;
}

function emptyOutcome(): Outcome {
  return { command: '', columns: [], rows: [] };
}

function cString(bytes: Buffer, at: number): string {
  return bytes.toString('utf8', at, bytes.indexOf(0, at));
}

/** The type's name is put in by who knows the oids. */
function readColumns(bytes: Buffer, start: number, columns: Column[]): number[] {
  const oids: number[] = [];
  let at = start + 2;
  for (let left = bytes.readInt16BE(start); left > 0; left--) {
    const nul = bytes.indexOf(0, at);
    columns.push({ name: bytes.toString('utf8', at, nul), type: '' });
    oids.push(bytes.readUInt32BE(nul + 7));
    at = nul + 19;
  }
  return oids;
}

function readRow(bytes: Buffer, start: number): (string | null)[] {
  const row: (string | null)[] = [];
  let at = start + 2;
  for (let left = bytes.readInt16BE(start); left > 0; left--) {
    const size = bytes.readInt32BE(at);
    at += 4;
    if (size < 0) row.push(null);
    else {
      row.push(bytes.toString('utf8', at, at + size));
      at += size;
    }
  }
  return row;
}

function readFields(bytes: Buffer, start: number, end: number): Map<string, string> {
  const fields = new Map<string, string>();
  for (let at = start; at < end && bytes[at] !== 0;) {
    const text = cString(bytes, at + 1);
    fields.set(String.fromCharCode(bytes[at]), text);
    at += Buffer.byteLength(text) + 2;
  }
  return fields;
}
