/** Options of file_fdw: the file, its COPY options, and per-column options. Manual, F.16. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { optionParts } from '../../../base/option-text.ts';
import type { Option } from '../../ast/define.ts';
import { CLASS } from '../../catalog/fixed-oids.ts';
import type { CopyEncoding } from '../../copy/copy-encoding.ts';
import { type CopyOptions, copyOptions } from '../../copy/copy-options.ts';
import type { SqlColumn, SqlTable } from '../../schema/table.ts';
import { isTrue, textOf } from '../definition-options.ts';
import { mustUseFiles, refuseAgents } from '../server-files.ts';
import type { SqlSession } from '../sql-session.ts';

const OF_TABLE = ['filename', 'program', 'format', 'header', 'delimiter', 'quote', 'escape', 'null', 'encoding'];
const OF_COLUMN = ['force_not_null', 'force_null'];

/** In the form of a statement's option. */
function asOption(option: string): Option {
  const [name, value] = optionParts(option);
  return { namespace: null, name, value: { type: 'string', value }, action: 'none', at: 0 };
}

/** The file and format in a foreign table's options. `columns` are those that the file contains. */
export function fileSource({ foreign }: SqlTable, columns: readonly SqlColumn[], encoding: CopyEncoding): { path: string; options: CopyOptions } {
  const options = foreign!.options.map(asOption);
  const place = options.find(({ name }) => name === 'filename');
  if (place === undefined) throw new SvcError('HV002', 'either filename or program is required for file_fdw foreign tables');
  const forced = OF_COLUMN.flatMap((name): Option[] => {
    const values = columns.filter(({ options: own }) => own?.map(asOption).some((option) => option.name === name && isTrue(option)) === true);
    return values.length === 0
      ? []
      : [{ namespace: null, name, value: { type: 'list', values: values.map((column) => ({ type: 'string', value: column.name })) }, action: 'none', at: 0 }];
  });
  return { path: textOf(place), options: copyOptions([...options.filter((option) => option !== place), ...forced], 'from', encoding) };
}

/** 42501, 42601, HV00D, HV002, and the errors of COPY's options. */
export function checkFileOptions(session: SqlSession, texts: readonly string[], catalog: number): void {
  const known = catalog === CLASS.pg_foreign_table ? OF_TABLE : catalog === CLASS.pg_attribute ? OF_COLUMN : [];
  const options = texts.map(asOption);
  const places: Option[] = [];
  for (const option of options) {
    const { name } = option;
    if (!known.includes(name)) {
      throw new SvcError('HV00D', `invalid option "${name}"`, {
        hint: known.length === 0 ? 'There are no valid options in this context.' : `Valid options in this context are: ${known.join(', ')}`,
      });
    }
    if (name === 'filename') {
      mayNameFile(session);
      places.push(option);
    } else if (name === 'program') throw new SvcError('0A000', 'foreign tables over an external program are not supported');
    else if (OF_COLUMN.includes(name)) isTrue(option);
  }
  if (catalog !== CLASS.pg_foreign_table) return;
  checkCopyOptions(options.filter((option) => !places.includes(option)));
  if (places.length === 0) throw new SvcError('HV002', 'either filename or program is required for file_fdw foreign tables');
}

/** Its errors carry positions of options in a statement, which these do not have. */
function checkCopyOptions(options: readonly Option[]): void {
  try {
    copyOptions(options, 'from');
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const { code, message, detail, hint } = error;
    throw new SvcError(code, message, { detail, hint, cause: error });
  }
}

function mayNameFile(session: SqlSession): void {
  refuseAgents(session);
  const lacking = 'only superuser or a member of the pg_read_server_files role may specify the filename option of a file_fdw foreign table';
  mustUseFiles(session, true, () => new SvcError('42501', lacking));
}
