/**
 * Reads the text of a sqllogictest file into records.
 *
 * Three families write this format a little differently, told apart by `dialect`:
 *   classic   SQLite's: one value a line, `I` `R` `T` formatting, hashes
 *   duckdb    DuckDB's and RisingWave's: one row a line, tab or space separated; loops
 *   own       ours: one row a line, tab separated, exact text, `statement error <SQLSTATE> [message]`,
 *             `onlyif postgresql-15` and `onlyif postgresql-18` where these releases differ (what 15 merely lacks is only the latter),
 *             and drafts: paragraphs of bare SQL that an update turns into records
 */
export type Dialect = 'classic' | 'duckdb' | 'own';
export type SortMode = 'nosort' | 'rowsort' | 'valuesort';

interface RecordBase {
  /** 1-based lines: of the first condition, of the directive itself, of the line after the record's last. */
  firstLine: number;
  line: number;
  endLine: number;
  /** As written between directive and result; one line break between lines. */
  sql: string;
  /** False where a skipif, onlyif, mode or require takes the record out. */
  applies: boolean;
  /** Set by `onlyif postgresql-15` (that release) and `onlyif postgresql-18` (later ones). */
  release: number | null;
}

export interface StatementRecord extends RecordBase {
  kind: 'statement';
  expect: 'ok' | 'error' | 'maybe';
  /** Five characters where the file names a SQLSTATE. */
  code: string | null;
  /** What follows the SQLSTATE or stands below `----`. */
  message: string | null;
  /** From `statement count N`. */
  count: number | null;
}

export interface QueryRecord extends RecordBase {
  kind: 'query';
  types: string;
  sort: SortMode;
  label: string | null;
  /** The result's first line lists `name:type` of the columns. */
  columns: boolean;
  /** Lines below `----`; null where there is none and success is enough. */
  expected: string[] | null;
}

/** Bare SQL of an own file, one statement after the other. */
export interface DraftRecord extends RecordBase {
  kind: 'draft';
}

export type SltRecord = StatementRecord | QueryRecord | DraftRecord;

export interface SltFile {
  dialect: Dialect;
  records: SltRecord[];
  hashThreshold: number;
}

const ENGINE = 'postgresql';
const SORTS = new Set(['nosort', 'rowsort', 'valuesort']);
const DIRECTIVES =
  /^(statement|query|skipif|onlyif|halt|hash-threshold|require|require-env|mode|loop|foreach|concurrentloop|concurrentforeach|endloop|control|include|sleep|connection|subtest|system|load|restart|reconnect|tags|test-env|unzip|set|reset|continue|break|user|db|template)\b/;

/** What other extensions of DuckDB a file may require and still be run. */
const KNOWN_REQUIREMENTS = new Set(['icu', 'skip_reload', 'no_alternative_verify', 'vector_size', 'notwindows', 'noforcestorage', 'json', 'core_functions']);

interface Line {
  text: string;
  number: number;
}

/** Whether the record is meant for a target of this release of Postgres. */
export function meantFor(record: SltRecord, release: number): boolean {
  return record.applies && (record.release === null || (record.release === 15) === release <= 15);
}

export function parseSlt(text: string, dialect: Dialect): SltFile {
  const lines = text.split(/\r?\n/).map((line, index) => ({ text: line, number: index + 1 }));
  const file: SltFile = { dialect, records: [], hashThreshold: 0 };
  new Reader(file).read(lines);
  return file;
}

/** The family of a file by its place and its head. */
export function dialectOf(path: string, text: string): Dialect {
  if (/(^|\/)test\/sql\//.test(path)) return 'own';
  if (/(^|\/)(duckdb|risingwave)\//.test(path) || /\.slt(\.gz)?$/.test(path) || text.startsWith('# name:')) return 'duckdb';
  return 'classic';
}

class Reader {
  readonly #file: SltFile;
  #defaultSort: SortMode = 'nosort';
  #halted = false;
  #skipping = false;
  #release: number | null = null;

  constructor(file: SltFile) {
    this.#file = file;
  }

  read(lines: readonly Line[]): void {
    let applies = true;
    let firstLine = 0;
    for (let at = 0; at < lines.length && !this.#halted;) {
      const { text, number } = lines[at];
      if (text.trim() === '' || text.startsWith('#')) {
        at++;
        continue;
      }
      firstLine ||= number;
      const words = text.trim().split(/\s+/);
      const word = words[0];
      if (word === 'skipif' || word === 'onlyif') {
        const release = /^postgresql-(\d+)$/.exec(words[1] ?? '');
        if (release !== null) this.#release = Number(release[1]);
        else if ((words[1] === ENGINE || words[1] === 'postgres') !== (word === 'onlyif')) applies = false;
        at++;
        continue;
      }
      if (word === 'statement') at = this.#statement(lines, at, words, firstLine, applies);
      else if (word === 'query') at = this.#query(lines, at, words, firstLine, applies);
      else if (/^(concurrent)?(loop|foreach)$/.test(word)) at = this.#loop(lines, at, words);
      else if (!DIRECTIVES.test(text) && this.#file.dialect === 'own') at = this.#draft(lines, at);
      else {
        if (applies) this.#directive(words);
        at++;
      }
      applies = true;
      this.#release = null;
      firstLine = 0;
    }
  }

  #directive(words: readonly string[]): void {
    if (words[0] === 'halt') this.#halted = true;
    else if (words[0] === 'hash-threshold') this.#file.hashThreshold = Number(words[1]);
    else if (words[0] === 'mode') this.#skipping = words[1] === 'skip' || (words[1] !== 'unskip' && this.#skipping);
    else if (words[0] === 'require' && !KNOWN_REQUIREMENTS.has(words[1])) this.#halted = true;
    else if (words[0] === 'control' && words[1] === 'sortmode') this.#defaultSort = words[2] as SortMode;
  }

  #statement(lines: readonly Line[], start: number, words: readonly string[], firstLine: number, applies: boolean): number {
    const body = this.#body(lines, start + 1);
    const error = words[1] === 'error';
    const code = error && this.#file.dialect === 'own' && /^[0-9A-Z]{5}$/.test(words[2] ?? '') ? words[2] : null;
    const rest = words.slice(code === null ? 2 : 3).join(' ');
    const message = rest !== '' ? rest : body.result !== null && body.result.length > 0 ? body.result.join('\n') : null;
    this.#file.records.push({
      kind: 'statement',
      expect: error ? 'error' : words[1] === 'maybe' ? 'maybe' : 'ok',
      code,
      message: error ? message : null,
      count: words[1] === 'count' ? Number(words[2]) : null,
      firstLine,
      line: lines[start].number,
      endLine: body.endLine,
      sql: body.sql,
      applies: applies && !this.#skipping,
      release: this.#release,
    });
    return body.next;
  }

  #query(lines: readonly Line[], start: number, words: readonly string[], firstLine: number, applies: boolean): number {
    if (words[1] === 'error') return this.#statement(lines, start, words, firstLine, applies);
    const body = this.#body(lines, start + 1);
    const rest = words.slice(2);
    const sort = SORTS.has(rest[0]) ? (rest.shift() as SortMode) : this.#defaultSort;
    const columns = this.#file.dialect === 'own' && rest[0] === 'columns';
    this.#file.records.push({
      kind: 'query',
      types: words[1] ?? '',
      sort,
      label: columns ? null : (rest[0] ?? null),
      columns,
      expected: body.result,
      firstLine,
      line: lines[start].number,
      endLine: body.endLine,
      sql: body.sql,
      applies: applies && !this.#skipping,
      release: this.#release,
    });
    return body.next;
  }

  /** In the corpora a line of SQL that begins with `#` is a comment; in our files it may be an operator. */
  #body(lines: readonly Line[], start: number): ReturnType<typeof bodyOf> {
    const body = bodyOf(lines, start);
    if (this.#file.dialect !== 'own') body.sql = body.sql.replaceAll(/^#.*$\n?/gm, '');
    return body;
  }

  #draft(lines: readonly Line[], start: number): number {
    const body = bodyOf(lines, start);
    const line = lines[start].number;
    this.#file.records.push({ kind: 'draft', firstLine: line, line, endLine: body.endLine, sql: body.sql, applies: true, release: null });
    return body.next;
  }

  /** Reads the body once a value, with `${name}` replaced. Line numbers stay those of the file. */
  #loop(lines: readonly Line[], start: number, words: readonly string[]): number {
    let depth = 1;
    let end = start + 1;
    for (; end < lines.length; end++) {
      if (/^(concurrent)?(loop|foreach)\b/.test(lines[end].text)) depth++;
      else if (/^endloop\b/.test(lines[end].text) && --depth === 0) break;
    }
    const body = lines.slice(start + 1, end);
    const values = words[0].endsWith('foreach') ? words.slice(2) : range(Number(words[2]), Number(words[3]));
    for (const value of values) this.read(body.map((line) => ({ text: line.text.replaceAll(`\${${words[1]}}`, value), number: line.number })));
    return end + 1;
  }
}

function range(from: number, to: number): string[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => String(from + index));
}

/** The SQL up to `----` or a blank line, and what stands below `----` up to a blank line. */
function bodyOf(lines: readonly Line[], start: number): { sql: string; result: string[] | null; next: number; endLine: number } {
  let at = start;
  const sql: string[] = [];
  while (at < lines.length && lines[at].text.trim() !== '' && lines[at].text.trimEnd() !== '----') sql.push(lines[at++].text);
  let result: string[] | null = null;
  if (at < lines.length && lines[at].text.trimEnd() === '----') {
    result = [];
    at++;
    while (at < lines.length && lines[at].text !== '') result.push(lines[at++].text);
  }
  return { sql: sql.join('\n'), result, next: at, endLine: at < lines.length ? lines[at].number : lines[lines.length - 1].number + 1 };
}
