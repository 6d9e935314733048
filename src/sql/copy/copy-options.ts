/**
 * COPY's options: from the definition elements of a statement to one checked object. Manual: COPY, Parameters.
 *
 * Checks are in Postgres's order, so that of several errors the same one is reported. Columns in FORCE_… are checked once the
 * columns are known: forced-columns.ts.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { SqlState } from '../../base/errors/sqlstate.ts';
import { optionText } from '../ast/option-text.ts';
import type { Option, OptionValue } from '../ast/define.ts';
import { encodingByName, type CopyEncoding } from './copy-encoding.ts';

export interface CopyOptions {
  readonly format: 'text' | 'csv' | 'binary';
  /** One ASCII character, as are `quote` and `escape`. */
  readonly delimiter: string;
  readonly null: string;
  /** The marker for the column's default; null if the option is not given. */
  readonly default: string | null;
  /** `match`: the names must be the columns'. */
  readonly header: boolean | 'match';
  /** Only for csv; '' otherwise. */
  readonly quote: string;
  readonly escape: string;
  readonly forceQuote: ForcedColumns;
  readonly forceNotNull: ForcedColumns;
  readonly forceNull: ForcedColumns;
  /** null: the session's. */
  readonly encoding: CopyEncoding;
  readonly freeze: boolean;
  readonly onError: 'stop' | 'ignore';
  /** The most rows that ON_ERROR ignore may skip; null for no limit. */
  readonly rejectLimit: number | null;
  readonly logVerbosity: 'silent' | 'default' | 'verbose';
}

export type ForcedColumns = 'all' | readonly string[];

export type CopyDirection = 'from' | 'to';

interface Draft {
  format?: CopyOptions['format'];
  delimiter?: string;
  null?: string;
  default?: string;
  header?: boolean | 'match';
  quote?: string;
  escape?: string;
  force_quote?: ForcedColumns;
  force_not_null?: ForcedColumns;
  force_null?: ForcedColumns;
  encoding?: CopyEncoding;
  freeze?: boolean;
  on_error?: 'stop' | 'ignore';
  reject_limit?: number;
  log_verbosity?: CopyOptions['logVerbosity'];
}

/** Raises 42601, 22023 and 0A000 as Postgres does. `encoding`: that of the client. */
export function copyOptions(options: readonly Option[], direction: CopyDirection, encoding: CopyEncoding = null): CopyOptions {
  const draft: Draft = {};
  for (const option of options) {
    if (option.name in draft) throw new SvcError('42601', 'conflicting or redundant options', { position: option.at + 1 });
    read(draft, option, direction);
  }
  return complete(draft, direction, encoding);
}

function read(draft: Draft, option: Option, direction: CopyDirection): void {
  const { name } = option;
  switch (name) {
    case 'format': {
      const format = textOf(option);
      if (format !== 'text' && format !== 'csv' && format !== 'binary') throw at(option, '22023', `COPY format "${format}" not recognized`);
      draft.format = format;
      return;
    }
    case 'delimiter':
    case 'null':
    case 'default':
    case 'quote':
    case 'escape':
      draft[name] = textOf(option);
      return;
    case 'header':
      draft.header = headerOf(option, direction);
      return;
    case 'freeze':
      draft.freeze = booleanOf(option);
      return;
    case 'force_quote':
    case 'force_not_null':
    case 'force_null':
      draft[name] = columnsOf(option);
      return;
    case 'encoding': {
      const encoding = encodingByName(textOf(option));
      if (encoding === undefined) throw at(option, '22023', 'argument to option "encoding" must be a valid encoding name');
      draft.encoding = encoding;
      return;
    }
    case 'on_error': {
      const choice = textOf(option);
      if (direction === 'to') throw at(option, '22023', 'COPY ON_ERROR cannot be used with COPY TO');
      const known = choice.toLowerCase();
      if (known !== 'stop' && known !== 'ignore') throw at(option, '22023', `COPY ON_ERROR "${choice}" not recognized`);
      draft.on_error = known;
      return;
    }
    case 'reject_limit':
      draft.reject_limit = limitOf(option);
      return;
    case 'log_verbosity': {
      const choice = textOf(option);
      const known = choice.toLowerCase();
      if (known !== 'silent' && known !== 'default' && known !== 'verbose') throw at(option, '22023', `COPY LOG_VERBOSITY "${choice}" not recognized`);
      draft.log_verbosity = known;
      return;
    }
    default:
      throw at(option, '42601', `option "${name}" not recognized`);
  }
}

/** Fills in defaults and refuses conflicting options. */
function complete(draft: Draft, direction: CopyDirection, clientEncoding: CopyEncoding): CopyOptions {
  const format = draft.format ?? 'text';
  const csv = format === 'csv';
  if (format === 'binary') {
    if (draft.delimiter !== undefined) throw new SvcError('42601', 'cannot specify DELIMITER in BINARY mode');
    if (draft.null !== undefined) throw new SvcError('42601', 'cannot specify NULL in BINARY mode');
    if (draft.default !== undefined) throw new SvcError('42601', 'cannot specify DEFAULT in BINARY mode');
  }
  const delimiter = draft.delimiter ?? (csv ? ',' : '\t');
  const nullText = draft.null ?? (csv ? '' : '\\N');
  const defaultText = draft.default ?? null;
  const quote = draft.quote ?? (csv ? '"' : '');
  const escape = draft.escape ?? quote;

  if (!isOneByte(delimiter)) throw new SvcError('0A000', 'COPY delimiter must be a single one-byte character');
  if (hasLineEnd(delimiter)) throw new SvcError('22023', 'COPY delimiter cannot be newline or carriage return');
  if (hasLineEnd(nullText)) throw new SvcError('22023', 'COPY null representation cannot use newline or carriage return');
  if (defaultText !== null && hasLineEnd(defaultText)) throw new SvcError('22023', 'COPY default representation cannot use newline or carriage return');
  // They would clash with escapes.
  if (!csv && /[\\.a-z0-9]/.test(delimiter)) throw new SvcError('22023', `COPY delimiter cannot be "${delimiter}"`);
  if (format === 'binary' && draft.header !== undefined && draft.header !== false) throw new SvcError('0A000', 'cannot specify HEADER in BINARY mode');
  checkQuoting(draft, csv, delimiter, quote, escape);
  checkForced(draft, csv, direction);
  checkMarker('NULL', nullText, csv, delimiter, quote);
  if (defaultText !== null) {
    if (direction === 'to') throw new SvcError('0A000', 'COPY DEFAULT cannot be used with COPY TO');
    checkMarker('DEFAULT', defaultText, csv, delimiter, quote);
    if (defaultText === nullText) throw new SvcError('0A000', 'NULL specification and DEFAULT specification cannot be the same');
  }
  const onError = draft.on_error ?? 'stop';
  if (format === 'binary' && onError !== 'stop') throw new SvcError('42601', 'only ON_ERROR STOP is allowed in BINARY mode');
  if (draft.reject_limit !== undefined && onError !== 'ignore') throw new SvcError('22023', 'COPY REJECT_LIMIT requires ON_ERROR to be set to IGNORE');
  return {
    format,
    delimiter,
    null: nullText,
    default: defaultText,
    header: draft.header ?? false,
    quote,
    escape,
    forceQuote: draft.force_quote ?? [],
    forceNotNull: draft.force_not_null ?? [],
    forceNull: draft.force_null ?? [],
    encoding: draft.encoding === undefined ? clientEncoding : draft.encoding,
    freeze: draft.freeze ?? false,
    onError,
    rejectLimit: draft.reject_limit ?? null,
    logVerbosity: draft.log_verbosity ?? 'default',
  };
}

function checkQuoting(draft: Draft, csv: boolean, delimiter: string, quote: string, escape: string): void {
  if (!csv && draft.quote !== undefined) throw new SvcError('0A000', 'COPY quote available only in CSV mode');
  if (csv && !isOneByte(quote)) throw new SvcError('0A000', 'COPY quote must be a single one-byte character');
  if (csv && delimiter === quote) throw new SvcError('22023', 'COPY delimiter and quote must be different');
  if (!csv && draft.escape !== undefined) throw new SvcError('0A000', 'COPY escape available only in CSV mode');
  if (csv && !isOneByte(escape)) throw new SvcError('0A000', 'COPY escape must be a single one-byte character');
}

function checkForced(draft: Draft, csv: boolean, direction: CopyDirection): void {
  for (const name of ['force_quote', 'force_not_null', 'force_null'] as const) {
    if (draft[name] === undefined) continue;
    const title = name.replaceAll('_', ' ');
    if (!csv) throw new SvcError('0A000', `COPY ${title} available only in CSV mode`);
    if (name === 'force_quote' && direction === 'from') throw new SvcError('0A000', `COPY ${title} only available using COPY TO`);
    if (name !== 'force_quote' && direction === 'to') throw new SvcError('0A000', `COPY ${title} only available using COPY FROM`);
  }
}

function checkMarker(title: 'NULL' | 'DEFAULT', marker: string, csv: boolean, delimiter: string, quote: string): void {
  if (marker.includes(delimiter))
    throw new SvcError('0A000', `COPY delimiter${title === 'NULL' ? '' : ' character'} must not appear in the ${title} specification`);
  if (csv && marker.includes(quote)) throw new SvcError('0A000', `CSV quote character must not appear in the ${title} specification`);
}

function isOneByte(text: string): boolean {
  return text.length === 1 && text.charCodeAt(0) < 128;
}

function hasLineEnd(text: string): boolean {
  return text.includes('\n') || text.includes('\r');
}

function at(option: Option, code: SqlState, message: string): SvcError {
  return new SvcError(code, message, { position: option.at + 1 });
}

/** The value as Postgres's defGetString reads it. */
function textOf(option: Option): string {
  if (option.value === null) throw new SvcError('42601', `${option.name} requires a parameter`);
  return valueText(option.value);
}

function valueText(value: OptionValue): string {
  const text = optionText(value);
  if (text === null) throw new SvcError('42601', 'an option of COPY cannot have such a value');
  return text;
}

/** The value by defGetBoolean; null if it is invalid. */
function truth(option: Option): boolean | null {
  const { value } = option;
  if (value === null) return true;
  if (value.type === 'integer') return value.value === 1 ? true : value.value === 0 ? false : null;
  const text = valueText(value).toLowerCase();
  return text === 'true' || text === 'on' ? true : text === 'false' || text === 'off' ? false : null;
}

function booleanOf(option: Option): boolean {
  const value = truth(option);
  if (value === null) throw new SvcError('42601', `${option.name} requires a Boolean value`);
  return value;
}

function headerOf(option: Option, direction: CopyDirection): boolean | 'match' {
  const value = truth(option);
  if (value !== null) return value;
  if (textOf(option).toLowerCase() !== 'match') throw new SvcError('42601', `${option.name} requires a Boolean value or "match"`);
  if (direction === 'to') throw new SvcError('0A000', 'cannot use "match" with HEADER in COPY TO');
  return 'match';
}

function columnsOf(option: Option): ForcedColumns {
  const { value } = option;
  if (value?.type === 'star') return 'all';
  if (value?.type !== 'list') throw at(option, '22023', `argument to option "${option.name}" must be a list of column names`);
  return value.values.map(valueText);
}

function limitOf(option: Option): number {
  const { value } = option;
  if (value === null) throw new SvcError('42601', `${option.name} requires a numeric value`);
  const text = valueText(value);
  if (!/^\s*[+-]?\d+\s*$/.test(text)) throw new SvcError('22P02', `invalid input syntax for type bigint: "${text}"`);
  const limit = Number(text);
  if (limit <= 0) throw new SvcError('22023', `REJECT_LIMIT (${limit}) must be greater than zero`);
  return limit;
}
