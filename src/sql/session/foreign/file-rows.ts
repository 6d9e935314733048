/**
 * The rows of a foreign table of file_fdw, read in chunks as COPY FROM reads them. Only the columns that the query needs are parsed.
 * Server files must be enabled, and the current user must have the right to read them, through views too: unlike in Postgres, SELECT
 * on the table does not lend the definer's right. Nor does a function of another user: one with SECURITY DEFINER reads as its owner.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { SvcError } from '../../../base/errors/svc-error.ts';
import { BinaryCopyReader } from '../../copy/binary-copy-reader.ts';
import { fieldContext, withContext } from '../../copy/copy-context.ts';
import { CopyReader } from '../../copy/copy-reader.ts';
import { type Batch, emptyBatch } from '../../exec/batch.ts';
import type { ForeignRows } from '../../exec/context.ts';
import type { SqlColumn, SqlTable } from '../../schema/table.ts';
import { checkDomain } from '../../types/domain-type.ts';
import type { Value } from '../../types/value.ts';
import { fileError, mayReachFiles, mustUseFiles } from '../server-files.ts';
import type { SqlSession } from '../sql-session.ts';
import { fileSource } from './file-options.ts';

const CHUNK_BYTES = 64 * 1024;

/** Reads chunks of the file. */
interface Reader {
  push(chunk: Uint8Array): void;
  end(): void;
}

export class FileRows implements ForeignRows {
  readonly #columns: readonly (number | 'key' | null)[];
  readonly #reader: Reader;
  readonly #chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  #file: number | null;
  #batch: Batch;
  #rows = 0;
  #failure: Error | null = null;

  constructor(session: SqlSession, table: SqlTable, columns: readonly (number | 'key' | null)[]) {
    mayReachFiles(session, 'reading a foreign table of the server’s files');
    mustUseFiles(session, true, () => {
      return new SvcError('42501', `permission denied for foreign table ${table.name}: it reads a file of the server`, {
        hint: 'Superusers and roles with the privileges of pg_read_server_files may read it.',
      });
    });
    this.#columns = columns;
    this.#batch = emptyBatch(columns.length);
    const inFile = table.columns.filter(({ generated }) => generated === null);
    const { path, options } = fileSource(table, inFile, session.settings.clientEncoding);
    this.#file = openFile(path);
    try {
      this.#reader = options.format === 'binary' ? this.#binaryReader(session, table, inFile) : this.#textReader(session, table, inFile, options);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  next(): Batch | null {
    if (this.#failure !== null) throw this.#failure;
    if (this.#file === null) return null;
    const size = readSync(this.#file, this.#chunk, 0, CHUNK_BYTES, null);
    this.#batch = emptyBatch(this.#columns.length);
    try {
      if (size > 0) this.#reader.push(this.#chunk.subarray(0, size));
      else this.#reader.end();
    } catch (error) {
      // A caller that needs only the earlier rows does not get the error.
      if (this.#batch.count === 0) throw error;
      this.#failure = error as Error;
      for (const column of this.#batch.columns) column.length = this.#batch.count;
    }
    if (size === 0) this.close();
    return this.#batch;
  }

  close(): void {
    if (this.#file === null) return;
    closeSync(this.#file);
    this.#file = null;
  }

  /** `valueOf`: the value of the table's column at this index; null for a generated one. */
  #add(valueOf: (column: number) => Value): void {
    const { columns } = this.#batch;
    const number = ++this.#rows;
    for (let at = 0; at < columns.length; at++) {
      const column = this.#columns[at];
      columns[at].push(column === null ? null : column === 'key' ? number : valueOf(column));
    }
    this.#batch.count++;
  }

  #textReader(session: SqlSession, table: SqlTable, inFile: readonly SqlColumn[], options: ConstructorParameters<typeof CopyReader>[0]): Reader {
    const { env } = session;
    const { name: relation } = table;
    const reader = new CopyReader(options, { relation, columns: inFile.map(({ name }) => name), tableColumns: table.columns.map(({ name }) => name) });
    const places = table.columns.map((column) => inFile.indexOf(column));
    const sink = (fields: (string | null | undefined)[], line: number): void =>
      // The reader refuses a row that lacks a field later.
      this.#add((column) => {
        const { type, typmod, name } = table.columns[column];
        const field = fields[places[column]] ?? null;
        try {
          if (field !== null) return type.parse(field, typmod, env);
          if (type.domain !== null && places[column] >= 0) checkDomain(type, null, env);
          return null;
        } catch (error) {
          throw error instanceof SvcError ? withContext(error, fieldContext(relation, line, name, field)) : error;
        }
      });
    return { push: (chunk) => reader.push(chunk, sink), end: () => reader.end(sink) };
  }

  #binaryReader(session: SqlSession, table: SqlTable, inFile: readonly SqlColumn[]): Reader {
    const reader = new BinaryCopyReader(table.name, inFile, session.env);
    const places = table.columns.map((column) => inFile.indexOf(column));
    const sink = (values: Value[]): void => this.#add((column) => (places[column] < 0 ? null : values[places[column]]));
    return { push: (chunk) => reader.push(chunk, sink), end: () => reader.end(sink) };
  }
}

/** Regular files only: reading from a pipe or device would block the event loop. */
function openFile(path: string): number {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw fileError(error, path, 'from');
  }
  const found = fstatSync(file);
  if (found.isFile()) return file;
  closeSync(file);
  throw new SvcError('42809', found.isDirectory() ? `"${path}" is a directory` : `"${path}" is not a plain file`);
}
