/** Result columns on the wire: RowDescription, and a writer for each column in text or binary. */
import { SvcError } from '../base/errors/svc-error.ts';
import { binarySender } from '../sql/formats/binary-send.ts';
import { type TextSender, textSender } from '../sql/formats/text-send.ts';
import type { ResultColumn } from '../sql/session/results.ts';
import { rootOf } from '../sql/types/domain-type.ts';
import type { Environment } from '../sql/types/environment.ts';
import type { SqlType } from '../sql/types/type.ts';
import type { Value } from '../sql/types/value.ts';
import { partsOf } from './large-row.ts';
import type { MessageWriter } from './message-writer.ts';
import { BACKEND } from './protocol.ts';

/** Format codes of Bind: none is text for all, one applies to all. */
export type Formats = readonly number[];
export const ALL_TEXT: Formats = [];
export const ALL_BINARY: Formats = [1];

export function formatOf(formats: Formats, index: number): number {
  return formats.length === 0 ? 0 : formats.length === 1 ? formats[0] : formats[index];
}

/** Writes a non-null value with its length. */
export interface ValueWriter {
  (out: MessageWriter, value: Value, env: Environment): void;
  /** The value as consecutive texts, for large values; null if it has no parts. */
  parts?: (value: Value, env: Environment) => Iterable<string> | null;
}

export function writeRowDescription(out: MessageWriter, columns: readonly ResultColumn[], formats: Formats): void {
  out.begin(BACKEND.rowDescription);
  out.int16(columns.length);
  for (let i = 0; i < columns.length; i++) {
    const { name, type: own, typmod: modifier, table, attnum } = columns[i];
    // Clients see the base type of a domain.
    const type = rootOf(own);
    const typmod = own.domain === null ? modifier : own.domain.typmod;
    out.text(name);
    out.int32(table ?? 0);
    out.int16(attnum ?? 0);
    out.int32(type.oid);
    out.int16(type.length);
    out.int32(typmod);
    out.int16(formatOf(formats, i));
  }
  out.end();
}

/** 08P01 if the number of formats is wrong. */
export function checkFormats(formats: Formats, columns: number): void {
  if (formats.length > 1 && formats.length !== columns) {
    throw new SvcError('08P01', `bind message has ${formats.length} result formats but query has ${columns} columns`);
  }
}

/** 08P01 if the number of formats is wrong. */
export function valueWriters(columns: readonly { readonly type: SqlType }[], formats: Formats): ValueWriter[] {
  checkFormats(formats, columns.length);
  return columns.map(({ type }, i) => (formatOf(formats, i) === 1 ? binaryWriter(type) : textWriter(type)));
}

const writers = new WeakMap<SqlType, { text: ValueWriter; binary: ValueWriter | null }>();

function writersOf(type: SqlType): { text: ValueWriter; binary: ValueWriter | null } {
  let both = writers.get(type);
  if (both === undefined) writers.set(type, (both = { text: framed(textSender(type), partsOf(rootOf(type), false)), binary: null }));
  return both;
}

const textWriter = (type: SqlType): ValueWriter => writersOf(type).text;
/** 42883 if the type has no binary form. */
const binaryWriter = (type: SqlType): ValueWriter => (writersOf(type).binary ??= framed(binarySender(type), partsOf(rootOf(type), true)));

function framed(send: TextSender, parts: ValueWriter['parts']): ValueWriter {
  const write: ValueWriter = (out, value, env) => {
    const length = out.beginLength();
    send(out, value, env);
    out.endLength(length);
  };
  write.parts = parts;
  return write;
}

/** Writes rows [from, to) until `full`. Returns the first unwritten row. */
export function writeRows(
  out: MessageWriter,
  columns: readonly (readonly Value[])[],
  from: number,
  to: number,
  writers: readonly ValueWriter[],
  env: Environment,
  full: number,
): number {
  const count = writers.length;
  for (let row = from; row < to; row++) {
    out.begin(BACKEND.dataRow);
    out.int16(count);
    for (let c = 0; c < count; c++) {
      const value = columns[c][row];
      if (value === null) out.int32(-1);
      else writers[c](out, value, env);
    }
    out.end();
    if (out.length >= full) return row + 1;
  }
  return to;
}
