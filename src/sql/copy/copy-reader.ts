/**
 * Rows from COPY's text and csv formats.
 *
 *     push(chunk) ─→ lines of bytes ─→ one decoding per block (or per line, if it is not ASCII) ─→ fields ─→ sink(fields, line)
 *
 * Errors are 22P04 for invalid structure and 22021 for invalid UTF-8; each has its position in `data.where`. Rows before an error
 * have been passed on when it is raised. A row above the size limit is 54000.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { utf8Text } from '../types/bytes-text.ts';
import { lineContext, withContext } from './copy-context.ts';
import { ToUtf8 } from './copy-encoding.ts';
import { COPY_ROW_BYTES_MAX, rowTooLong } from './copy-limits.ts';
import { CopyLines, LINE } from './copy-lines.ts';
import type { CopyOptions } from './copy-options.ts';
import { csvFields } from './csv-fields.ts';
import { forcedColumns, type CopyTarget } from './forced-columns.ts';
import { textFields, type FieldParser } from './text-fields.ts';

/** The text of a field; null; undefined for the column's default, only with the option DEFAULT. */
export type CopyField = string | null | undefined;

/** Receives one row. `line` counts from 1; the sink owns `fields`; `text` is the line as read. */
export type CopySink = (fields: CopyField[], line: number, text: string) => void;

/** A block is decoded to one string, of which the fields are slices: small enough not to retain much memory. */
const BLOCK_BYTES = 1 << 16;

export class CopyReader {
  readonly #options: CopyOptions;
  readonly #target: CopyTarget;
  readonly #lines: CopyLines;
  readonly #parse: FieldParser;
  readonly #utf8: ToUtf8;
  readonly #forceNotNull: boolean[] | null;
  readonly #forceNull: boolean[] | null;
  readonly #rowBytesMax: number;
  #headerDue: boolean;

  constructor(options: CopyOptions, target: CopyTarget, rowBytesMax: number = COPY_ROW_BYTES_MAX) {
    this.#options = options;
    this.#rowBytesMax = rowBytesMax;
    this.#target = target;
    this.#lines = new CopyLines(options);
    this.#utf8 = new ToUtf8(options.encoding);
    this.#parse = options.format === 'csv' ? csvFields(options) : textFields(options);
    this.#forceNotNull = forcedColumns('FORCE_NOT_NULL', options.forceNotNull, target);
    this.#forceNull = forcedColumns('FORCE_NULL', options.forceNull, target);
    this.#headerDue = options.header !== false;
  }

  /** Number of the line that is being read. */
  get line(): number {
    return this.#lines.line;
  }

  push(chunk: Uint8Array, sink: CopySink): void {
    for (let start = 0; start < chunk.length && !this.#lines.ended; start += BLOCK_BYTES) {
      const block = chunk.subarray(start, start + BLOCK_BYTES);
      this.#lines.take(this.#utf8.take(block));
      this.#lines.scan(false);
      this.#give(sink);
      if (this.#lines.pendingBytes > this.#rowBytesMax) throw withContext(rowTooLong(this.#rowBytesMax), lineContext(this.#target.relation, this.#lines.line));
    }
  }

  /** The input has ended: passes the last line, if it has no line end. */
  end(sink: CopySink): void {
    this.#utf8.end();
    this.#lines.scan(true);
    this.#give(sink);
    // A header is required even of empty input.
    if (this.#headerDue && this.#options.header === 'match') this.#line('', 0, 0, 1, false, sink);
  }

  #give(sink: CopySink): void {
    const lines = this.#lines;
    const { count, starts, ends, numbers, bits, bytes, failure } = lines;
    if (count > 0) {
      let seen = 0;
      for (let i = 0; i < count; i++) seen |= bits[i];
      if ((seen & (LINE.high | LINE.zero)) === 0) {
        const text = bytes.latin1Slice(0, ends[count - 1]);
        for (let i = 0; i < count; i++) this.#line(text, starts[i], ends[i], numbers[i], (bits[i] & LINE.marked) !== 0, sink);
      } else {
        for (let i = 0; i < count; i++) {
          const text = this.#decode(bytes, starts[i], ends[i], bits[i], numbers[i]);
          this.#line(text, 0, text.length, numbers[i], (bits[i] & LINE.marked) !== 0, sink);
        }
      }
    }
    lines.release();
    if (failure !== null) throw withContext(failure, lineContext(this.#target.relation, lines.line));
  }

  #decode(bytes: Buffer, start: number, end: number, bits: number, line: number): string {
    if ((bits & (LINE.high | LINE.zero)) === 0) return bytes.latin1Slice(start, end);
    const text = bytes.utf8Slice(start, end);
    if ((bits & LINE.zero) === 0 && !text.includes('\ufffd')) return text;
    try {
      return utf8Text(bytes.latin1Slice(start, end));
    } catch (error) {
      throw error instanceof SvcError ? withContext(error, lineContext(this.#target.relation, line)) : error;
    }
  }

  #line(text: string, start: number, end: number, line: number, marked: boolean, sink: CopySink): void {
    const { columns } = this.#target;
    if (this.#headerDue) {
      this.#headerDue = false;
      if (this.#options.header === 'match') this.#matchHeader(text.slice(start, end), marked);
      return;
    }
    // Of the right length from the start: growing it would cost more than the fields.
    const fields = new Array<CopyField>(columns.length);
    let missing: SvcError | null = null;
    try {
      // Without columns an empty line has no field rather than an empty one.
      const count = columns.length > 0 || start < end ? this.#parse(text, start, end, marked, fields) : 0;
      if (count !== columns.length) {
        if (count > columns.length) throw new SvcError('22P04', 'extra data after last expected column');
        // Errors of existing fields come first: the sink checks those, then the row is refused.
        missing = new SvcError('22P04', `missing data for column "${columns[count]}"`);
        fields.length = count;
      }
      if (this.#options.default !== null) this.#checkDefaults(fields);
    } catch (error) {
      throw error instanceof SvcError ? withContext(error, lineContext(this.#target.relation, line, text.slice(start, end))) : error;
    }
    if (this.#forceNotNull !== null || this.#forceNull !== null) this.#force(fields);
    sink(fields, line, text.slice(start, end));
    if (missing !== null) throw withContext(missing, lineContext(this.#target.relation, line, text.slice(start, end)));
  }

  #checkDefaults(fields: CopyField[]): void {
    const { columns, defaults } = this.#target;
    for (let i = 0; i < fields.length; i++) {
      if (fields[i] !== undefined || defaults?.[i] === true) continue;
      throw new SvcError('22P04', 'unexpected default marker in COPY data', { detail: `Column "${columns[i]}" has no default value.` });
    }
  }

  #force(fields: CopyField[]): void {
    const nullText = this.#options.null;
    for (let i = 0; i < fields.length; i++) {
      if (fields[i] === null) {
        if (this.#forceNotNull !== null && this.#forceNotNull[i]) fields[i] = nullText;
      } else if (this.#forceNull !== null && this.#forceNull[i] && fields[i] === nullText) {
        fields[i] = null;
      }
    }
  }

  #matchHeader(text: string, marked: boolean): void {
    const { columns, relation } = this.#target;
    const names: CopyField[] = [];
    const refuse = (message: string): SvcError => withContext(new SvcError('22P04', message), lineContext(relation, 1, text));
    this.#parse(text, 0, text.length, marked, names);
    if (names.length !== columns.length) throw refuse(`wrong number of fields in header line: got ${names.length}, expected ${columns.length}`);
    names.forEach((name, i) => {
      if (name === columns[i]) return;
      const got = name === null ? `null value ("${this.#options.null}")` : `"${name ?? this.#options.default}"`;
      throw refuse(`column name mismatch in header line field ${i + 1}: got ${got}, expected "${columns[i]}"`);
    });
  }
}
