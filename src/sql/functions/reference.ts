/**
 * The SQL reference as Markdown, generated from the registry: functions by theme, overloads folded into one row, and what Postgres
 * 15 has in addition. A test compares it with docs/reference/sql.md.
 */
import { STORED } from '../types/environment.ts';
import { RecordValue } from '../types/record-value.ts';
import type { SqlType } from '../types/type.ts';
import type { SqlFunction, SqlOperator } from './define.ts';
import { OPERATOR_MEANINGS, type OperatorFamily } from './operator-names.ts';
import { FUNCTION_THEMES, STATEMENTS, TYPE_THEMES } from './postgres-names.ts';
import type { Registry } from './registry.ts';

const ALIASES: Record<string, string> = {
  int2: 'smallint',
  int4: 'integer, int',
  int8: 'bigint',
  numeric: 'decimal',
  float4: 'real',
  float8: 'double precision, float',
  varchar: 'character varying',
  bpchar: 'character, char',
  bool: 'boolean',
  time: 'time without time zone',
  timetz: 'time with time zone',
  timestamp: 'timestamp without time zone',
  timestamptz: 'timestamp with time zone',
  record: 'ROW(…)',
};

/** A value of each type, for its JSON form; others are strings. */
const SAMPLES: Record<string, string[]> = {
  int2: ['7'],
  int4: ['7'],
  int8: ['7', '9007199254740993'],
  numeric: ['1.50'],
  float4: ['0.1', 'NaN'],
  float8: ['0.1', 'NaN'],
  text: ['a'],
  varchar: ['a'],
  bpchar: ['a'],
  name: ['a'],
  char: ['a'],
  bytea: ['\\x00ff'],
  date: ['2026-01-31'],
  time: ['12:30'],
  timetz: ['12:30+01'],
  timestamp: ['2026-01-31 12:30'],
  timestamptz: ['2026-01-31 12:30+00'],
  interval: ['1 day 2 hours'],
  bool: ['true'],
  uuid: ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
  json: ['{"a": 1}'],
  jsonb: ['{"a": 1}'],
  oid: ['7'],
  regclass: ['7'],
  xid: ['7'],
  xid8: ['7'],
  tid: ['(0,1)'],
  bit: ['101'],
  varbit: ['101'],
  inet: ['10.0.0.1/8'],
  cidr: ['10.0.0.0/8'],
  macaddr: ['08:00:2b:01:02:03'],
  macaddr8: ['08:00:2b:01:02:03:04:05'],
  jsonpath: ['$.a[*]'],
  tsvector: ["'a':1"],
  tsquery: ["'a' & 'b'"],
  point: ['(1,2)'],
  lseg: ['[(1,2),(3,4)]'],
  box: ['(3,4),(1,2)'],
  path: ['[(1,2),(3,4)]'],
  polygon: ['((0,0),(1,0),(1,1))'],
  line: ['{1,-1,0}'],
  circle: ['<(1,2),3>'],
  xml: ['<a>1</a>'],
  query_int: ['1 & 2'],
  ltree: ['a.b'],
  lquery: ['a.*'],
  ltxtquery: ['a & b'],
  regconfig: ['english'],
  regdictionary: ['english_stem'],
  tsrange: ['[2026-01-01,2026-02-01)'],
  tstzrange: ['[2026-01-01 00:00+00,)'],
  daterange: ['[2026-01-01,2026-02-01)'],
  int4range: ['[1,5)'],
  int8range: ['[1,5)'],
  numrange: ['[1.5,2)'],
  tsmultirange: ['{[2026-01-01,2026-02-01)}'],
  tstzmultirange: ['{[2026-01-01 00:00+00,)}'],
  datemultirange: ['{[2026-01-01,2026-02-01)}'],
  int4multirange: ['{[1,5)}'],
  int8multirange: ['{[1,5)}'],
  nummultirange: ['{[1.5,2)}'],
};

export function sqlReference(registry: Registry): string {
  return `${[
    '# SQL',
    'Made from the library of functions; do not edit. Behaviour, names and errors are Postgres’s (manual of version 15, chapters 8 and 9, whose sections stand behind the titles). Types are written by their short names: `int4` is `integer`, `int4[]` an array of it. Arguments in `[ ]` may be left out; `a/b` is either, `same` the type of the argument before it, `…` any number. Functions are immutable unless marked, some overload at least.',
    '## Types',
    ...types(registry),
    '## Operators',
    ...operators(registry),
    '## Functions',
    ...functions(registry),
    '## Statements',
    ...statements(),
    '## Not in this release',
    ...missing(registry),
  ].join('\n\n')}\n`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

const code = (text: string): string => `\`${text}\``;

/** `_int4` is written `int4[]`. */
function shortName(type: string): string {
  return type.startsWith('_') ? `${type.slice(1)}[]` : type;
}

function types(registry: Registry): string[] {
  const rows = TYPE_THEMES.flatMap(({ names }) => names)
    .map((name) => registry.findType(name))
    .filter((type) => type !== undefined)
    .filter((type) => !['void', 'cstring', 'unknown'].includes(type.name) && !SYSTEM_TYPES.test(type.name))
    .map((type) => [code(type.name === 'char' ? '"char"' : type.name), ALIASES[type.name] ?? '', sizeOf(type), jsonOf(type)]);
  return [
    table(['type', 'also', 'size', 'as JSON'], rows),
    'An array type over each of them: as JSON a list, one level a dimension. Enums (as JSON their label) and composite types (as JSON an object) come by CREATE TYPE. `serial` and `bigserial` are `int4` and `int8` with a sequence. Size is Postgres’s, on the wire in binary.',
  ];
}

/** Types of system columns: not for columns of tables. */
const SYSTEM_TYPES = /^(pg_|aclitem|xid|cid|tid|int2vector|oidvector)/;

function sizeOf(type: SqlType): string {
  if (type.length === 1) return '1 byte';
  return type.length > 0 ? `${type.length} bytes` : 'variable';
}

function jsonOf(type: SqlType): string {
  if (type.name === 'record') {
    const int4 = { json: (value: unknown) => value } as unknown as SqlType;
    return code(JSON.stringify(type.json(new RecordValue([1], [int4]), STORED)));
  }
  const samples = SAMPLES[type.name] ?? (type.name.startsWith('reg') ? SAMPLES['regclass'] : ['7']);
  return samples.map((sample) => code(JSON.stringify(type.json(type.parse(sample, -1, STORED), STORED)))).join(', ');
}

const COMPARISONS = ['=', '<>', '<', '<=', '>', '>='];

function operators(registry: Registry): string[] {
  const byFamily = new Map<OperatorFamily, Map<string, SqlOperator[]>>();
  const compared: SqlOperator[] = [];
  for (const list of registry.allOperators()) {
    for (const operator of list) {
      if (COMPARISONS.includes(operator.name)) {
        compared.push(operator);
        continue;
      }
      const family = familyOf(operator, registry);
      let names = byFamily.get(family);
      if (names === undefined) byFamily.set(family, (names = new Map()));
      names.set(operator.name, [...(names.get(operator.name) ?? []), operator]);
    }
  }
  const sections = [`### Comparison (9.2)`, comparison(compared)];
  for (const [family, meanings] of Object.entries(OPERATOR_MEANINGS) as [OperatorFamily, Record<string, string>][]) {
    const names = byFamily.get(family);
    if (names === undefined) continue;
    const order = [...Object.keys(meanings), ...[...names.keys()].toSorted()];
    const rows = [...names.entries()]
      .toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b))
      .map(([name, list]) => [code(name), foldOperands(list).join(', '), meanings[name] ?? '']);
    sections.push(`### ${family}`, table(['operator', 'operands → result', ''], rows));
  }
  return sections;
}

function familyOf(operator: SqlOperator, registry: Registry): OperatorFamily {
  const sides = [operator.left, operator.right].filter((side) => side !== null);
  const categories = sides.map((side) => registry.findType(side)?.category ?? '');
  if (operator.extension === 'ltree') return 'Trees of labels';
  if (sides.includes('query_int')) return 'Arrays';
  if (categories.includes('G')) return 'Geometry';
  if (sides.some((side) => side === 'tsvector' || side === 'tsquery')) return 'Text search';
  if (sides.some((side) => side === 'json' || side === 'jsonb')) return 'JSON';
  if (sides.some((side) => side.endsWith('range'))) return 'Ranges';
  if (sides.some((side) => /^(?:bit|varbit|inet|cidr|macaddr8?)$/.test(side))) return 'Bits and addresses';
  if (/^!?~~?\*?$/.test(operator.name) && operator.returns === 'bool') return 'Patterns';
  if (sides.some((side) => side.startsWith('_') || side === 'anyarray' || side === 'anycompatiblearray')) return 'Arrays';
  if (categories.some((category) => category === 'D' || category === 'T')) return 'Dates and times';
  if (sides.some((side) => side === 'bytea' || registry.findType(side)?.category === 'S')) return 'Text and bytes';
  return categories.includes('N') ? 'Numbers' : 'Others';
}

/** Groups of types that compare with each other, by their operators. */
function comparison(list: readonly SqlOperator[]): string {
  const groupOf = new Map<string, Set<string>>();
  const namesOf = new Map<string, Set<string>>();
  const signatures = new Set(list.map(({ name, left, right }) => `${left} ${name} ${right}`));
  for (const { name, left, right } of list) {
    // One direction alone (xid = int4) makes no group.
    if (left === null || !signatures.has(`${right} ${name} ${left}`)) continue;
    const merged = new Set([...(groupOf.get(left) ?? [left]), ...(groupOf.get(right) ?? [right])]);
    for (const type of merged) groupOf.set(type, merged);
    for (const type of [left, right]) namesOf.set(type, (namesOf.get(type) ?? new Set()).add(name));
  }
  const rows = [...new Set(groupOf.values())].map((group) => {
    const names = COMPARISONS.filter((name) => [...group].some((type) => namesOf.get(type)?.has(name) === true));
    return { names: names.map(code).join(' '), types: [...group].map((type) => shortName(type)).join(', ') };
  });
  const byNames = new Map<string, string[]>();
  for (const { names, types: together } of rows) byNames.set(names, [...(byNames.get(names) ?? []), together]);
  return table(
    ['operators', 'types, those between `;` with each other'],
    [...byNames.entries()].map(([names, groups]) => [names, groups.toSorted().join('; ')]),
  );
}

/** `int2/int4 + int4 → int4`: combines operators whose left operands have the same right ones and result. */
function foldOperands(list: readonly SqlOperator[]): string[] {
  const same = list.filter(({ left, right, returns }) => (left === null || left === right) && right === returns);
  const alike = list.filter(({ left, right, returns }) => left === right && returns === 'bool' && right !== 'bool');
  const rest = list.filter((operator) => !same.includes(operator) && !alike.includes(operator));
  const terms: string[] = [];
  const both = same.filter(({ left }) => left !== null).map(({ right }) => shortName(right));
  const prefixed = same.filter(({ left }) => left === null).map(({ right }) => shortName(right));
  if (both.length > 0) terms.push(`two ${both.join('/')}`);
  if (prefixed.length > 0) terms.push(`one ${prefixed.join('/')}`);
  if (alike.length > 0) terms.push(`two ${alike.map(({ right }) => shortName(right)).join('/')} → bool`);
  const rights = new Map<string, { left: string; returns: string; rights: string[] }>();
  for (const { left, right, returns } of rest) {
    const key = `${left} ${returns}`;
    const entry = rights.get(key) ?? { left: left === null ? '' : shortName(left), returns: shortName(returns), rights: [] };
    if (!entry.rights.includes(shortName(right))) entry.rights.push(shortName(right));
    rights.set(key, entry);
  }
  const lefts = new Map<string, { lefts: string[]; right: string; returns: string }>();
  for (const { left, returns, rights: names } of rights.values()) {
    const right = names.toSorted().join('/');
    const key = `${right} ${returns}`;
    const entry = lefts.get(key) ?? { lefts: [], right, returns };
    entry.lefts.push(left);
    lefts.set(key, entry);
  }
  for (const { lefts: names, right, returns } of lefts.values()) {
    const left = names.filter((name) => name !== '').join('/');
    terms.push(`${left === '' ? '' : `${left}, `}${right} → ${returns}`.replace(/^(.*), (.*) →/, '$1 with $2 →'));
  }
  return terms;
}

/** Functions that implement an operator say so. */
function isBehindOperator(fn: SqlFunction): boolean {
  return fn.doc.startsWith('What the operator ');
}

function functions(registry: Registry): string[] {
  const left = new Map<string, readonly SqlFunction[]>();
  const behind: string[] = [];
  for (const list of registry.allFunctions()) {
    const listed = list.filter((fn) => !isBehindOperator(fn));
    if (listed.length > 0) left.set(listed[0].name, listed);
    else behind.push(list[0].name);
  }
  const sections: string[] = [];
  for (const { section, title, names, later } of FUNCTION_THEMES) {
    const listed: SqlFunction[] = [];
    for (const name of [...names, ...(later ?? [])]) {
      const list = left.get(name);
      if (list === undefined) continue;
      const here = list.filter((fn) => belongs(fn, title));
      listed.push(...here);
      const rest = list.filter((fn) => !here.includes(fn));
      if (rest.length > 0) left.set(name, rest);
      else left.delete(name);
    }
    if (listed.length > 0) sections.push(`### ${title} (${section})`, functionTable(functionRows(listed)));
  }
  const others = functionRows([...left.values()].flat());
  if (others.length > 0) sections.push('### Others', functionTable(others));
  sections.push(
    'With a syntax of their own: `CASE`, `CAST`, `COALESCE`, `NULLIF`, `GREATEST`, `LEAST`, `EXTRACT`, `OVERLAY`, `POSITION`, `SUBSTRING`, `TRIM`, `COLLATION FOR`, `GROUPING`, `CURRENT_DATE`, `CURRENT_TIME`, `CURRENT_TIMESTAMP`, `LOCALTIME`, `LOCALTIMESTAMP`, `CURRENT_USER`, `CURRENT_ROLE`, `SESSION_USER`, `USER`, `CURRENT_CATALOG`, `CURRENT_SCHEMA`.',
  );
  if (behind.length > 0) sections.push(`Behind operators, and callable by name: ${behind.toSorted().map(code).join(', ')}.`);
  return sections;
}

/** For names in several themes: aggregates and window functions go to their own. */
function belongs(fn: SqlFunction, title: string): boolean {
  if (fn.kind === 'aggregate') return title === 'Aggregates';
  if (fn.kind === 'window') return title === 'Window functions';
  return title !== 'Aggregates' && title !== 'Window functions';
}

function functionTable(rows: readonly string[][]): string {
  const marked = rows.some((row) => row[3] !== '');
  return marked
    ? table(['function', 'result', '', ''], rows)
    : table(
        ['function', 'result', ''],
        rows.map((row) => row.slice(0, 3)),
      );
}

/** One row per doc line: overloads, and functions that do the same. */
function functionRows(list: readonly SqlFunction[]): string[][] {
  const byDoc = new Map<string, Map<string, SqlFunction[]>>();
  list.forEach((fn, i) => {
    if (list.some((earlier, k) => k < i && covers(earlier, fn))) return;
    const key = `${fn.kind} ${fn.doc}`;
    const names = byDoc.get(key) ?? new Map<string, SqlFunction[]>();
    byDoc.set(key, names.set(fn.name, [...(names.get(fn.name) ?? []), fn]));
  });
  return [...byDoc.values()].map((names) => {
    const all = [...names.values()].flat();
    const { doc } = all[0];
    const signatures = [...names.entries()].flatMap(([name, overloads]) => foldSignatures(overloads).map((args) => code(`${name}(${args})`)));
    const volatilities = [...new Set(all.map(volatilityOf))].filter((volatility) => volatility !== 'immutable');
    return [signatures.join(', '), resultsOf(all), doc, volatilities.join('/')];
  });
}

/** Whether all calls of `later` are calls of `earlier`. */
function covers(earlier: SqlFunction, later: SqlFunction): boolean {
  return (
    earlier.name === later.name &&
    earlier.variadic === later.variadic &&
    later.args.length <= earlier.args.length &&
    later.args.length - (later.optional ?? 0) >= earlier.args.length - (earlier.optional ?? 0) &&
    later.args.every((arg, i) => arg === earlier.args[i])
  );
}

function resultsOf(overloads: readonly SqlFunction[]): string {
  const results = [...new Set(overloads.map(resultOf))];
  if (results.length > 2 && overloads.every((fn) => fn.args.includes(fn.returns))) return overloads[0].kind === 'set' ? 'rows of the same' : 'the same';
  return results.join('/').replaceAll('/rows of ', '/');
}

function volatilityOf(fn: SqlFunction): string {
  return fn.kind === 'scalar' || fn.kind === 'set' ? (fn.volatility ?? 'immutable') : 'immutable';
}

function resultOf(fn: SqlFunction): string {
  const rows = fn.kind === 'set' ? 'rows of ' : '';
  if (fn.kind === 'set' && fn.columns !== undefined) return `${rows}(${fn.columns.map(({ name, type }) => `${name} ${shortName(type)}`).join(', ')})`;
  return rows + shortName(fn.returns);
}

interface Signature {
  /** Alternatives of each argument; `same` for those of the previous one. */
  args: string[][];
  required: number;
  variadic: string;
  directArgs: number;
}

/** Argument lists: lists that differ in one position become one with alternatives, longer ones an optional suffix. */
function foldSignatures(overloads: readonly SqlFunction[]): string[] {
  const plain = overloads.map((fn): Signature => {
    // For many arguments the types alone are not informative.
    const named = overloads.length === 1 && fn.args.length > 3;
    const directArgs = fn.kind === 'aggregate' ? (fn.orderedSet?.directArgs ?? -1) : -1;
    return {
      args: fn.args.map((arg, i) => [named && fn.argNames?.[i] !== undefined ? `${fn.argNames[i]} ${shortName(arg)}` : shortName(arg)]),
      required: fn.args.length - (fn.optional ?? 0),
      variadic: fn.variadic ?? '',
      directArgs,
    };
  });
  const withSame = plain.map((list) => ({
    ...list,
    args: list.args.map((arg, i) => (i > 0 && arg[0] === list.args[i - 1][0] ? ['same'] : arg)),
  }));
  const [one, other] = [foldEnds(foldAlternatives(plain)), foldEnds(foldAlternatives(withSame))];
  return (other.length < one.length ? other : one).map(signatureText);
}

function foldAlternatives(lists: readonly Signature[]): Signature[] {
  const folded: Signature[] = [];
  for (const list of lists) {
    const into = folded.find((earlier) => isLike(earlier, list) && earlier.args.length === list.args.length && isOneApart(earlier, list));
    if (into === undefined) folded.push({ ...list, args: list.args.map((arg) => [...arg]) });
    else into.args.forEach((arg, i) => arg.push(...list.args[i].filter((name) => !arg.includes(name))));
  }
  return folded;
}

function foldEnds(lists: readonly Signature[]): Signature[] {
  const folded: Signature[] = [];
  for (const list of lists.toSorted((a, b) => a.args.length - b.args.length)) {
    const start = folded.find(
      ({ args, required, variadic, directArgs }) =>
        variadic === list.variadic &&
        directArgs === list.directArgs &&
        list.required >= required &&
        list.required <= args.length + 1 &&
        list.args.length > args.length &&
        args.every((arg, i) => arg.join() === list.args[i].join()),
    );
    if (start === undefined) folded.push(list);
    else start.args = list.args;
  }
  return folded;
}

function isLike(a: Signature, b: Signature): boolean {
  return a.required === b.required && a.variadic === b.variadic && a.directArgs === b.directArgs;
}

/** Whether adding `list` keeps each combination of alternatives valid: only one argument differs. */
function isOneApart(folded: Signature, list: Signature): boolean {
  let apart = 0;
  for (let i = 0; i < list.args.length; i++) {
    const known = folded.args[i].includes(list.args[i][0]);
    if (!known) apart++;
    else if (folded.args[i].length > 1) apart++;
  }
  return apart <= 1;
}

function signatureText({ args, required, variadic, directArgs }: Signature): string {
  const names = args.map((arg) => arg.join('/'));
  if (directArgs >= 0) return `${names.slice(0, directArgs).join(', ')}) within group (order by ${names.slice(directArgs).join(', ')}`;
  let text = names.slice(0, required).join(', ');
  const rest = names.slice(required).join(', ');
  if (rest !== '') text += text === '' ? `[${rest}]` : ` [, ${rest}]`;
  return variadic === '' ? text : `${text}${text === '' ? '' : ', '}${shortName(variadic)} …`;
}

function statements(): string[] {
  const lines = (state: string): string =>
    STATEMENTS.filter((entry) => entry.state === state)
      .map(({ theme, names }) => `- ${theme}: ${names}.`)
      .join('\n');
  return [
    lines('yes'),
    'Taken, with nothing to do:',
    lines('accepted'),
    'Statements about worlds are svc’s own: `CREATE WORLD`, `DIFF`, `MERGE WORLD` and so on.',
  ];
}

function missing(registry: Registry): string[] {
  const lacking = <Theme extends { names: readonly string[] }>(themes: readonly Theme[], has: (name: string) => boolean) =>
    themes.map((theme) => ({ ...theme, lacks: theme.names.filter((name) => !has(name)) })).filter(({ lacks }) => lacks.length > 0);
  const list = (names: readonly string[]): string => names.map(code).join(', ');
  const types = lacking(TYPE_THEMES, (name) => registry.findType(name) !== undefined);
  const missingFunctions = lacking(FUNCTION_THEMES, (name) => registry.functions(name).length > 0);
  const whole = missingFunctions.filter(({ names, lacks }) => lacks.length === names.length && lacks.length > 1);
  const parts = missingFunctions.filter((theme) => !whole.includes(theme));
  return [
    'Of Postgres 15, by sections of its manual.',
    ...(types.length === 0 ? [] : [`Types:\n\n${types.map(({ section, title, lacks }) => `- ${title} (${section}): ${list(lacks)}.`).join('\n')}`]),
    ...(whole.length === 0
      ? []
      : [
          `None of the functions for ${whole.map(({ section, title }) => `${title === title.toUpperCase() ? title : title.toLowerCase()} (${section})`).join(', ')}.`,
        ]),
    ...(parts.length === 0 ? [] : [`Functions:\n\n${parts.map(({ section, title, lacks }) => `- ${title} (${section}): ${list(lacks)}.`).join('\n')}`]),
    `Statements, which are 0A000:\n\n${STATEMENTS.filter(({ state }) => state === 'no')
      .map(({ theme, names }) => `- ${theme}: ${names}.`)
      .join('\n')}`,
  ];
}
