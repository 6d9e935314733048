import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FunctionModule, ScalarFunction } from '../../../src/sql/functions/define.ts';
import { byteFunctions } from '../../../src/sql/functions/text/bytes.ts';
import { textLengths } from '../../../src/sql/functions/text/lengths.ts';
import { quoting } from '../../../src/sql/functions/text/quoting.ts';
import { splitAndJoin } from '../../../src/sql/functions/text/split-and-join.ts';
import { substrings } from '../../../src/sql/functions/text/substrings.ts';
import { unicode } from '../../../src/sql/functions/text/unicode.ts';
import { uuidFunctions } from '../../../src/sql/functions/text/uuids.ts';
import { variadicAny } from '../../../src/sql/functions/text/variadic-any.ts';
import { ArrayValue } from '../../../src/sql/types/array-value.ts';
import { agree, callCase, findFunction, matchesCatalog, sqlOf, typeNamed, valueOf, type Argument, type Comparison } from '../numbers/declared.ts';
import { ENVIRONMENT, Oracle, outcome, seeded } from '../numbers/oracle.ts';
import { argument, edges } from '../numbers/values.ts';

const MODULES: FunctionModule[] = [textLengths, substrings, quoting, variadicAny, splitAndJoin, unicode, byteFunctions, uuidFunctions];

let oracle: Oracle;
beforeAll(async () => {
  oracle = await Oracle.start();
}, 60_000);
afterAll(() => oracle.close());

const random = seeded(Number(process.env.SEED ?? 9));
const int = (limit: number): number => Math.floor(random() * limit);
const pick = <T>(list: readonly T[]): T => list[int(list.length)] as T;
const text = (value: string | null): Argument => ({ type: 'text', text: value });

test('functions are those of the catalog', async () => {
  await matchesCatalog(oracle, MODULES);
});

test('functions of texts and bytes', async () => {
  const cases: Comparison[] = [];
  const formats = ['hex', 'base64', 'escape', 'HEX', 'foo'];
  for (const declared of MODULES.flatMap((module) => module.functions ?? [])) {
    if (declared.variadic !== undefined || (declared.kind !== 'scalar' && declared.kind !== 'set')) continue;
    if (declared.volatility === 'volatile' || declared.returns === 'timestamptz' || declared.args.some((type) => type.startsWith('any'))) continue;
    // Conversions are tested apart: the oracle lacks them.
    if (declared.args.includes('name')) continue;
    const first = declared.args[0];
    if (first === undefined) continue;
    const make = (type: string, index: number): Argument => {
      if (type === 'int4' && int(5) > 0 && declared.name !== 'chr') return { type, text: String(int(12) - 4) };
      if (type === 'int4' && /^(lpad|rpad|repeat)$/.test(declared.name)) return { type, text: String(int(60) - 5) };
      if (type === 'int8' && int(5) > 0) return { type, text: String(int(40) - 4) };
      if (type === 'text' && index === 1 && /^(encode|decode)$/.test(declared.name)) return text(pick(formats));
      if (type === 'text' && index === 1 && /^(normalize|is_normalized)$/.test(declared.name)) return text(pick(['NFC', 'nfd', 'NFKC', 'NFKD', 'NFX']));
      return argument(type, random);
    };
    for (const each of edges(first)) cases.push(callCase(declared, [each, ...declared.args.slice(1).map((type, index) => make(type, index + 1))]));
    for (let i = 0; i < 50 * declared.args.length; i++) cases.push(callCase(declared, declared.args.map(make)));
  }
  // The oracle's C library knows a capital ß; glibc leaves it alone.
  await agree(oracle, cases, (ours, theirs) => theirs.replaceAll('ẞ', 'ß') === ours);
});

test('decoding', async () => {
  const decode = findFunction(MODULES, 'decode', ['text', 'text']);
  const cases: Comparison[] = [];
  const given: [string, string][] = [];
  for (const each of ['', 'YWJj', 'YW Jj\n', 'YWI=', 'YQ==', 'YWJ', 'YW=', 'Y', 'Y=Jj', 'é', 'YQ==YQ==', '====', 'YQ=', '!', 'YW=j'])
    given.push([each, 'base64']);
  for (const each of ['', '00ff', 'abc', 'zz', 'AB cd', '0 0', 'é']) given.push([each, 'hex']);
  for (const each of ['', 'abc', 'a\\', 'a\\1', 'a\\777', 'a\\001', '\\\\', 'é']) given.push([each, 'escape']);
  for (const [value, format] of given) cases.push(callCase(decode, [text(value), text(format)]));
  for (let length = 0; length < 200; length += 19) cases.push(callCase(findFunction(MODULES, 'encode', ['bytea', 'text']), [{ type: 'bytea', text: `\\x${'61ff'.repeat(length)}` }, text('base64')])); // prettier-ignore
  const unistr = findFunction(MODULES, 'unistr', ['text']);
  for (const each of [
    '\\0441\\043B',
    'd\\0061t\\+000061 \\u0061 \\U00000061 \\\\',
    '\\D83D\\DE00',
    '\\x',
    '\\D83D',
    '\\DE00',
    '\\D83Dx',
    '\\+110000',
    '\\0000',
    '\\',
    '\\D83D\\0061',
  ])
    cases.push(callCase(unistr, [text(each)]));
  const parse = findFunction(MODULES, 'parse_ident', ['text', 'bool']);
  for (const each of ['"Foo".bar.BAZ', ' a . b ', 'a.b(x)', 'a.', '.a', '"a', '""', '', '1a', 'a$1', 'É.b', '"a""b"', 'a..b', 'a b'])
    for (const strict of ['t', 'f']) cases.push(callCase(parse, [text(each), { type: 'bool', text: strict }]));
  await agree(oracle, cases);
});

test('encodings', async () => {
  const call = (name: string, types: string[], ...values: string[]): string | null =>
    outcome(() => {
      const declared = findFunction(MODULES, name, types);
      const result = declared.impl(...values.map((value, index) => valueOf({ type: types[index] as string, text: value })));
      return typeNamed(declared.returns).format(result as string, ENVIRONMENT);
    });
  const cases: Comparison[] = [
    { sql: "convert_from('\\xc3a9', 'UTF8')", ours: call('convert_from', ['bytea', 'name'], '\\xc3a9', 'UTF8') },
    { sql: "convert_from('\\xff', 'utf-8')", ours: call('convert_from', ['bytea', 'name'], '\\xff', 'utf-8') },
    { sql: "convert_from('a', 'foo')", ours: call('convert_from', ['bytea', 'name'], 'a', 'foo') },
    { sql: "convert_to('é', 'UTF8')", ours: call('convert_to', ['text', 'name'], 'é', 'UTF8') },
    { sql: "convert_to('a', 'foo')", ours: call('convert_to', ['text', 'name'], 'a', 'foo') },
    { sql: "length('\\xc3a9'::bytea, 'utf8')", ours: call('length', ['bytea', 'name'], '\\xc3a9', 'utf8') },
    { sql: "length('a'::bytea, 'foo')", ours: call('length', ['bytea', 'name'], 'a', 'foo') },
  ];
  await agree(oracle, cases);
  expect(call('convert_from', ['bytea', 'name'], '\\xe9', 'latin1')).toBe('é');
  expect(call('convert_to', ['text', 'name'], 'é', 'LATIN1')).toBe('\\xe9');
  expect(call('convert', ['bytea', 'name', 'name'], '\\xc3a9', 'utf8', 'latin1')).toBe('\\xe9');
  expect(call('convert_to', ['text', 'name'], '€', 'LATIN1')).toMatch(/^error 22P05 .*0xe2 0x82 0xac/);
});

function variadicFunction(name: string): ScalarFunction {
  const found = (variadicAny.functions ?? []).find((each) => each.name === name && each.variadic !== undefined);
  if (found?.kind !== 'scalar') throw new Error(name);
  return found;
}

/** `spread` passes the last argument, an array, behind VARIADIC. */
function variadicCase(name: string, args: readonly Argument[], spread = false): Comparison {
  const declared = variadicFunction(name);
  const fixed = declared.args.length;
  const call = { env: ENVIRONMENT, argTypes: args.map((each) => typeNamed(each.type)), returnType: typeNamed(declared.returns) };
  const values = args.map(valueOf);
  const tail = spread ? values[fixed] : new ArrayValue(values.slice(fixed));
  const given = [...values.slice(0, fixed), tail];
  return {
    sql: `${name}(${args.map((each, index) => (spread && index === fixed ? 'variadic ' : '') + sqlOf(each)).join(', ')})`,
    ours: outcome(() => {
      const result = declared.needsCall === true ? declared.impl(call, ...given) : declared.impl(...given);
      return result === null ? null : String(result);
    }),
  };
}

test('arguments of any type', async () => {
  const cases: Comparison[] = [];
  const types = ['bool', 'int4', 'numeric', 'float8', 'text', 'bpchar', 'uuid', 'bytea', 'name'];
  for (let i = 0; i < 200; i++) {
    const args: Argument[] = [];
    for (let count = 1 + int(4); count > 0; count--) args.push(int(5) === 0 ? { type: 'text', text: null } : argument(pick(types), random));
    cases.push(variadicCase('concat', args), variadicCase('concat_ws', [text(pick([',', '', null, ' - '])), ...args]));
    cases.push(variadicCase('num_nulls', args), variadicCase('num_nonnulls', args));
  }
  for (const array of ['{a,NULL,b}', '{}', '{a}', null]) {
    const given = { type: '_text', text: array };
    cases.push(variadicCase('concat', [given], true), variadicCase('concat', [given]), variadicCase('concat_ws', [text(','), given], true));
    cases.push(variadicCase('concat_ws', [text(','), given]), variadicCase('format', [text('%s|'), given], true), variadicCase('format', [text('%s|'), given]));
    cases.push(variadicCase('num_nulls', [given], true), variadicCase('num_nulls', [given]));
  }
  const formats = [
    'x', '%', '%%', '%s', '%s %s', '%I', '%L', '%2$s %s', '%1$s %1$L', '%0$s', '%q', '%1$', '%*s', '%-*s|', '%*1s', '%*0$s', '%*2$s', '%-5%', '%5s|', '%-5s|', '%-5L|', '%5I', '%99999999999s', '%1$-10s|', '%-1$s', '%3$s', '%é', '%--5s|', '%5', '%*', '%-', '%1$*2$s|',
  ]; // prettier-ignore
  const values: Argument[] = [
    text('a'), text("it's"), text('a\\b'), text('select'), text('Abc'), text(null), { type: 'int4', text: '7' }, { type: 'int4', text: '-7' }, { type: 'bool', text: 't' }, { type: 'numeric', text: '1.50' }, text('😀'),
  ]; // prettier-ignore
  for (let i = 0; i < 600; i++) {
    const args = [text(pick(formats))];
    for (let count = 1 + int(3); count > 0; count--) args.push(pick(values));
    cases.push(variadicCase('format', args));
  }
  for (const type of ['text', 'int4', 'bool', 'numeric', 'bpchar', 'bytea', 'name']) {
    for (const each of [...edges(type), { type, text: null }]) {
      cases.push(
        callCase(findFunction([quoting], 'quote_literal', ['anyelement']), [each]),
        callCase(findFunction([quoting], 'quote_nullable', ['anyelement']), [each]),
      );
    }
  }
  for (const [type, array] of [['_int4', '{1,NULL,3}'], ['_text', '{a,b}'], ['_bool', '{t,f}'], ['_int4', '{}'], ['_int4', null]] as const) {
    for (const delimiter of [',', '', null]) {
      const args = [{ type, text: array }, text(delimiter)];
      cases.push(callCase(findFunction([splitAndJoin], 'array_to_string', ['anyarray', 'text']), args));
      for (const nullText of ['*', null]) cases.push(callCase(findFunction([splitAndJoin], 'array_to_string', ['anyarray', 'text', 'text']), [...args, text(nullText)]));
    }
  } // prettier-ignore
  await agree(oracle, cases);
});

test('uuids', async () => {
  const micros = findFunction([uuidFunctions], 'uuid_extract_timestamp', ['uuid']);
  const given = ['019535d9-3df7-79fb-b466-fa907fa17f9e', 'c232ab00-9414-11ec-b3c8-9f6bdeced846', '11111111-1111-4111-8111-111111111111'];
  const cases = given.map((uuid) => ({
    sql: `(extract(epoch from uuid_extract_timestamp('${uuid}')) * 1000000 - 946684800000000)::int8`,
    ours: outcome(() => {
      const value = micros.impl(uuid) as number | null;
      return value === null ? null : String(value);
    }),
  }));
  await agree(oracle, cases);
  const make = (name: string): string => {
    const declared = (uuidFunctions.functions ?? []).find((each) => each.name === name);
    return declared?.kind === 'scalar' ? String(declared.impl({ env: ENVIRONMENT })) : '';
  };
  expect([make('gen_random_uuid'), make('uuidv7')]).toEqual(['00010203-0405-4607-8809-0a0b0c0d0e0f', '00dc6acf-ac00-7000-8809-0a0b0c0d0e0f']);
});
