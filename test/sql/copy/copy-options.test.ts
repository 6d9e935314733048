/** Options of COPY against the oracle: which go, and the error of those that do not. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forcedColumns } from '../../../src/sql/copy/forced-columns.ts';
import { copyOptions } from '../../../src/sql/copy/copy-options.ts';
import { parse } from '../../../src/sql/parse/parse.ts';
import { CopyOracle, described } from './oracle.ts';

const LISTS = `
format xml
format text
format csv
format binary
delimiter 'ab'
delimiter ''
delimiter 'é'
delimiter E'\\n'
delimiter 'a'
delimiter '.'
delimiter '|'
delimiter
quote '"'
escape 'x'
force_quote(a)
force_not_null(a)
force_null(a)
format csv, force_quote(a)
format csv, force_quote *
format csv, force_quote 3
format csv, force_quote(z)
format csv, force_not_null(z)
format csv, force_not_null(b)
format csv, force_null *
format csv, force_null
format binary, delimiter ','
format binary, null 'x'
format binary, header
format binary, header false
format binary, default 'x'
header
header 'x'
header 1
header 0
header 2
header 1.5
header OFF
freeze 3
freeze false
null
null E'\\n'
null 'x', null 'y'
null 'a', default 'a'
null E'a\\tb'
default E'\\r'
default E'a\\tb'
default 'x'
format csv, null 'a"b'
format csv, default 'a"'
format csv, quote ','
format csv, quote 'ab'
format csv, quote ''
format csv, escape 'ab'
format csv, delimiter 'x', quote 'y', escape 'z', null 'n'
encoding 'zz'
encoding 'utf-8'
encoding 'latin1'
encoding 'UTF8', encoding 'UTF8'
bogus 1
format csv, format csv
on_error stop
on_error Ignore
on_error foo
on_error
on_error ignore, format binary
reject_limit 3
reject_limit 3, on_error ignore
reject_limit 0, on_error ignore
reject_limit 'x'
reject_limit
log_verbosity verbose
log_verbosity x
header true, header false
format csv, delimiter 'ab', quote 'cd'
quote 'x', delimiter 'ab'`
  .trim()
  .split('\n');

let oracle: CopyOracle;
beforeAll(async () => {
  oracle = await CopyOracle.start();
  await oracle.run('create table t(a text, b text)');
}, 60_000);
afterAll(() => oracle.close());

const TARGET = { relation: 't', columns: ['a', 'b'], tableColumns: ['a', 'b'] };

function outcome(sql: string): string {
  try {
    const [statement] = parse(sql);
    if (statement.type !== 'copy') throw new Error('no COPY');
    const options = copyOptions(statement.options, statement.direction);
    const columns = { ...TARGET, columns: statement.columns.length > 0 ? statement.columns : TARGET.columns };
    forcedColumns('FORCE_QUOTE', options.forceQuote, columns);
    forcedColumns('FORCE_NOT_NULL', options.forceNotNull, columns);
    forcedColumns('FORCE_NULL', options.forceNull, columns);
    return '';
  } catch (error) {
    return described(error);
  }
}

/** What release 15 says where the oracle's release has other words, or another code. */
function asFifteen(outcome: string): string {
  return outcome
    .replace(/^22023( \| COPY FORCE_\w+ cannot be used with COPY TO)/, '0A000$1')
    .replace(
      /COPY (QUOTE|ESCAPE|FORCE_\w+) requires CSV mode/,
      (_, name: string) => `COPY ${name.toLowerCase().replaceAll('_', ' ')} available only in CSV mode`,
    )
    .replace(
      /COPY (FORCE_\w+) cannot be used with COPY (TO|FROM)/,
      (_, name: string, direction: string) => `COPY ${name.toLowerCase().replaceAll('_', ' ')} only available using COPY ${direction === 'TO' ? 'FROM' : 'TO'}`,
    )
    .replace('COPY delimiter character must not appear in the NULL', 'COPY delimiter must not appear in the NULL')
    .replace(/^22023(?= .*(COPY delimiter|CSV quote character) must not appear in the NULL)/, '0A000');
}

test.each(['from', 'to'])('options of COPY %s are taken and refused as Postgres does', async (direction) => {
  const differences: string[] = [];
  // The empty input is no binary file: of binary only what is refused before it is read.
  const compared = LISTS.filter((list) => !(direction === 'from' && /^format binary(, header false)?$/.test(list)));
  for (const list of compared) {
    const sql = `copy t ${direction} '/dev/blob' (${list})`;
    const [ours, theirs] = [outcome(sql), asFifteen(await oracle.attempt(sql))];
    if (ours !== theirs) differences.push(`${sql}\n  ours   ${ours}\n  theirs ${theirs}`);
  }
  expect(differences).toEqual([]);
});

test.each([
  ['copy t(a) from stdin (format csv, force_not_null (b))', '42P10 | FORCE_NOT_NULL column "b" not referenced by COPY |  |  |  | '],
  ["copy t from stdin (encoding 'euc_tw')", '0A000 | encoding "euc_tw" is not supported |  |  |  | '],
  ['copy t to stdout (format csv, header match)', '0A000 | cannot use "match" with HEADER in COPY TO |  |  |  | '],
])('%s', (sql, error) => {
  expect(outcome(sql)).toBe(error);
});

test('the old syntax gives the same options', () => {
  const options = (sql: string): unknown => {
    const [statement] = parse(sql);
    return statement.type === 'copy' ? copyOptions(statement.options, statement.direction) : null;
  };
  expect(options("copy t from stdin with delimiter as ';' null as 'x' csv header quote as '!' force not null a")).toEqual(
    options("copy t from stdin (format csv, delimiter ';', null 'x', header, quote '!', force_not_null (a))"),
  );
  expect(options('copy t to stdout csv force quote *')).toEqual(options('copy t to stdout (format csv, force_quote *)'));
});
