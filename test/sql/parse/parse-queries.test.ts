import { describe, expect, it } from 'vitest';
import { SvcError } from '../../../src/base/errors/svc-error.ts';
import { parse } from '../../../src/sql/parse/parse.ts';

function only(text: string): Record<string, any> {
  const statements = parse(text);
  expect(statements).toHaveLength(1);
  return statements[0];
}

function failure(text: string): SvcError {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof SvcError) return error;
    throw error;
  }
  throw new Error(`no error: ${text.slice(0, 80)}`);
}

/** The expression as a short text, to compare shapes. */
function sketch(e: any): string {
  switch (e.type) {
    case 'integer':
      return String(e.value);
    case 'string':
      return `'${e.value}'`;
    case 'null':
      return 'null';
    case 'boolean':
      return String(e.value);
    case 'number':
      return `#${e.text}`;
    case 'column':
      return [...e.parts, ...(e.star ? ['*'] : [])].join('.');
    case 'operator':
      return `(${e.left === null ? '' : `${sketch(e.left)} `}${e.operator.name} ${sketch(e.right)})`;
    case 'and':
    case 'or':
      return `(${e.args.map(sketch).join(` ${e.type} `)})`;
    case 'not':
      return `not ${sketch(e.arg)}`;
    case 'cast':
      return `${sketch(e.arg)}::${e.to.schema === null ? '' : `${e.to.schema}.`}${e.to.name}`;
    case 'call':
      return `${e.name.join('.')}(${e.args.map(sketch).join(', ')})`;
    case 'parameter':
      return `$${e.number}`;
    default:
      return e.type;
  }
}
const expression = (text: string): any => only(`SELECT ${text}`).items[0].value;

describe('expressions', () => {
  it.each([
    ['1 + 2 * 3', '(1 + (2 * 3))'],
    ['1 - 2 - 3', '((1 - 2) - 3)'],
    ['-a', '(- a)'],
    ['-1', '-1'],
    ['a != 1', '(a <> 1)'],
    ['NOT a AND b OR c', '((not a and b) or c)'],
    ['a AND b AND c AND d', '(a and b and c and d)'],
    ['a AND (b AND c)', '(a and (b and c))'],
    ['5000000000', '#5000000000'],
    ['1.50', '#1.50'],
    ['0x1F', '31'],
    ['0xFFFFFFFFFF', '#1099511627775'],
    ['1_000', '1000'],
    ["'it''s'", "'it's'"],
    ["E'a\\n'", "'a\n'"],
    ["'a'::int", "'a'::pg_catalog.int4"],
    ["date '2020-01-01'", "'2020-01-01'::date"],
    ['x::my.t', 'x::my.t'],
    ['s.t.a', 's.t.a'],
    ['t.*', 't.*'],
    ['$3', '$3'],
    ['extract(year from d)', "pg_catalog.extract('year', d)"],
    ['true', 'true'],
    ['a IS NULL', 'isNull'],
    ['a IN (1, 2)', 'in'],
    ['a IN (SELECT 1)', 'inQuery'],
    ['a NOT IN (SELECT 1)', 'inQuery'],
    ['a = ANY (b)', 'quantifiedArray'],
    ['a < ALL (SELECT 1)', 'quantifiedQuery'],
    ['EXISTS (SELECT 1)', 'exists'],
    ['ARRAY[1, 2]', 'array'],
    ['(1, 2)', 'row'],
    ['CASE WHEN a THEN 1 END', 'case'],
    ['coalesce(a, b)', 'coalesce'],
    ['a BETWEEN 1 AND 2', 'between'],
    ["a LIKE 'x' ESCAPE '!'", 'like'],
    ['a COLLATE "C"', 'collate'],
    ['a[1][2:3]', 'subscript'],
    ['(a).b', 'field'],
    ['(a).*', 'fieldStar'],
    ['current_timestamp(3)', 'valueFunction'],
    ["json_value(j, '$.a' RETURNING int)", 'jsonValue'],
    ["json_object('a': 1)", 'jsonObject'],
    ['a IS JSON OBJECT', 'isJson'],
  ])('%s', (text, shape) => {
    expect(sketch(expression(text))).toBe(shape);
  });

  it('subscripts that follow one another are one node', () => {
    expect(expression('a[1][2]').subscripts).toHaveLength(2);
    expect(expression('(a[1])[2]')).toMatchObject({ subscripts: [{}], arg: { type: 'subscript' } });
  });

  it('a call carries its decorations', () => {
    const call = expression('count(DISTINCT a ORDER BY b DESC NULLS LAST) FILTER (WHERE c) OVER (w PARTITION BY d ORDER BY e ROWS 2 PRECEDING EXCLUDE TIES)');
    expect(call).toMatchObject({
      name: ['count'],
      distinct: true,
      orderBy: [{ direction: 'desc', nulls: 'last' }],
      filter: { type: 'column' },
      over: { base: 'w', frame: { mode: 'rows', start: { type: 'preceding' }, end: null, exclude: 'ties' } },
    });
    expect(expression('f(1, b => 2)').argNames).toEqual([null, 'b']);
    expect(expression('percentile_cont(0.5) WITHIN GROUP (ORDER BY x)').withinGroup).toBe(true);
    expect(expression('count(*) OVER w')).toMatchObject({ star: true, over: 'w' });
  });
});

describe('queries', () => {
  it('set operations of one kind are flat', () => {
    expect(only('SELECT 1 UNION SELECT 2 UNION SELECT 3').inputs).toHaveLength(3);
    expect(only('SELECT 1 UNION ALL SELECT 2 UNION SELECT 3').inputs).toHaveLength(2);
    expect(only('(SELECT 1 UNION SELECT 2 LIMIT 1) UNION SELECT 3').inputs).toHaveLength(2);
    expect(only('SELECT 1 INTERSECT SELECT 2 ORDER BY 1 LIMIT 3')).toMatchObject({
      type: 'setOperation',
      operator: 'intersect',
      limit: { value: 3 },
      orderBy: [{}],
    });
  });

  it('FROM items', () => {
    const [join, sub, call] = only(
      'SELECT * FROM a x (c, d) LEFT JOIN ONLY s.b USING (id) AS u CROSS JOIN c, LATERAL (SELECT 1) q, f(1) WITH ORDINALITY AS g (v, n)',
    ).from;
    expect(join).toMatchObject({
      kind: 'cross',
      left: {
        kind: 'left',
        using: ['id'],
        usingAlias: 'u',
        left: { only: false, alias: { name: 'x', columns: ['c', 'd'] } },
        right: { only: true, name: { schema: 's' } },
      },
    });
    expect(sub).toMatchObject({ type: 'derived', lateral: true, alias: { name: 'q' } });
    expect(call).toMatchObject({ type: 'functions', ordinality: true, rowsFrom: false });
  });

  it('every clause', () => {
    const query = only(`WITH RECURSIVE w (a) AS MATERIALIZED (VALUES (1) UNION ALL SELECT a + 1 FROM w) SEARCH DEPTH FIRST BY a SET o
      SELECT DISTINCT ON (a) a, sum(b) AS s FROM w WHERE a > 0 GROUP BY ROLLUP (a, (b, c)), GROUPING SETS ((), (d)) HAVING true
      WINDOW win AS (ORDER BY a) ORDER BY 1 USING < OFFSET 2 FETCH FIRST 3 ROWS WITH TIES FOR UPDATE OF w NOWAIT`);
    expect(query).toMatchObject({
      type: 'select',
      with: { recursive: true, tables: [{ name: 'w', columns: ['a'], materialized: true, search: { breadthFirst: false } }] },
      distinct: { on: [{}] },
      groupBy: [{ type: 'rollup', items: [{}, { value: { type: 'row' } }] }, { type: 'groupingSets' }],
      windows: [{ name: 'win' }],
      orderBy: [{ direction: 'using', operator: { name: '<' } }],
      withTies: true,
      locking: [{ strength: 'update', wait: 'error', of: [{ name: 'w' }] }],
    });
  });

  it('LIMIT ALL is no limit', () => {
    expect(only('SELECT 1 LIMIT ALL').limit).toBeNull();
  });
});

describe('writes', () => {
  it('INSERT', () => {
    expect(
      only(
        'INSERT INTO s.t AS x (a, b[1], c.d) OVERRIDING USER VALUE VALUES (1, DEFAULT, $1) ON CONFLICT (a, lower(b)) WHERE a > 0 DO UPDATE SET b = excluded.b, (c, d) = (1, 2) WHERE true RETURNING WITH (OLD AS o) *, o.a AS old_a',
      ),
    ).toMatchObject({
      type: 'insert',
      table: { name: { schema: 's', name: 't' }, alias: { name: 'x' } },
      columns: [
        { name: 'a', path: [] },
        { name: 'b', path: [{ type: 'subscript' }] },
        { name: 'c', path: [{ type: 'field', name: 'd' }] },
      ],
      overriding: 'user',
      source: { type: 'values', rows: [[{}, { type: 'default' }, { type: 'parameter' }]] },
      onConflict: { action: 'update', target: { elements: [{}, {}], where: {} }, set: [{ multiple: false }, { multiple: true, targets: [{}, {}] }] },
      returning: { oldAlias: 'o', newAlias: null, items: [{}, { alias: 'old_a' }] },
    });
    expect(only('INSERT INTO t DEFAULT VALUES').source).toBeNull();
    expect(only('INSERT INTO t VALUES (1) ON CONFLICT ON CONSTRAINT k DO NOTHING').onConflict).toMatchObject({
      action: 'nothing',
      target: { constraint: 'k' },
    });
  });

  it('UPDATE and DELETE', () => {
    expect(only('WITH c AS (SELECT 1) UPDATE t SET a = 1, (b, c) = (SELECT 1, 2) FROM u WHERE t.id = u.id RETURNING t.*')).toMatchObject({
      type: 'update',
      with: { tables: [{ name: 'c' }] },
      set: [{ targets: [{ name: 'a' }] }, { multiple: true, value: { type: 'subquery' } }],
      from: [{ type: 'table' }],
    });
    expect(only('DELETE FROM ONLY t x USING u WHERE CURRENT OF c')).toMatchObject({
      type: 'delete',
      table: { only: true },
      using: [{}],
      where: { type: 'currentOf', cursor: 'c' },
    });
  });

  it('MERGE', () => {
    expect(
      only(`MERGE INTO t USING s ON t.id = s.id WHEN MATCHED AND s.x THEN UPDATE SET a = 1 WHEN NOT MATCHED BY SOURCE THEN DELETE
        WHEN NOT MATCHED THEN INSERT (a) VALUES (1) WHEN MATCHED THEN DO NOTHING RETURNING merge_action()`),
    ).toMatchObject({
      type: 'merge',
      branches: [
        { match: 'matched', action: { type: 'update' } },
        { match: 'notMatchedBySource', action: { type: 'delete' } },
        { match: 'notMatchedByTarget', action: { type: 'insert' } },
        { action: { type: 'nothing' } },
      ],
      returning: { items: [{ value: { type: 'mergeAction' } }] },
    });
  });

  it('TRUNCATE and COPY', () => {
    expect(only('TRUNCATE a, ONLY b RESTART IDENTITY CASCADE')).toMatchObject({
      tables: [{ only: false }, { only: true }],
      restartIdentity: true,
      cascade: true,
    });
    expect(only("COPY t (a, b) FROM STDIN WITH (FORMAT csv, HEADER, NULL 'x')")).toMatchObject({
      direction: 'from',
      columns: ['a', 'b'],
      file: null,
      options: [{ name: 'format' }, { name: 'header', value: null }, { name: 'null' }],
    });
    expect(only("COPY (SELECT 1) TO '/tmp/x'")).toMatchObject({ direction: 'to', table: null, query: { type: 'select' }, file: '/tmp/x' });
  });
});

describe('lists', () => {
  it('each statement knows its range; blanks, comments and empty statements belong to none', () => {
    const text = ' ;; SELECT \'a;b\' /* ; */ ; -- x;\n SELECT $$;$$, "é;" ;;\n SELECT 3 -- end';
    expect(parse(text).map(({ range }) => text.slice(range.start, range.end))).toEqual(["SELECT 'a;b'", 'SELECT $$;$$, "é;"', 'SELECT 3']);
    expect(parse(' /* only */ ; -- this')).toEqual([]);
  });

  it('nodes point into the whole text, in UTF-16', () => {
    const text = "SELECT '😀é'; SELECT 'ü', nope";
    const statement: any = parse(text)[1];
    expect(text.slice(statement.items[1].value.at)).toBe('nope');
  });

  it('statements with semicolons inside', () => {
    const text = 'CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END; SELECT 3';
    expect(parse(text)).toHaveLength(2);
    expect(parse('CREATE RULE r AS ON INSERT TO t DO ALSO (SELECT 1; SELECT 2); SELECT 3')).toHaveLength(2);
  });

  it('a long list is parsed in pieces with the same result', () => {
    const one = "INSERT INTO t VALUES (1, 'é', $1);\n";
    const statements: any[] = parse(one.repeat(20_000));
    expect(statements).toHaveLength(20_000);
    expect(statements[19_999].source.rows[0][2].at).toBe(19_999 * one.length + one.indexOf('$1'));
    expect(failure(`${one.repeat(20_000)}SELECT ,`).position).toBe(20_000 * one.length + 8);
  });
});

describe('errors', () => {
  it.each([
    ['SELECT 1 +', 'syntax error at end of input', 11],
    ['SELECT 1 +  ', 'syntax error at end of input', 13],
    ['SELECT FROM WHERE', 'syntax error at or near "WHERE"', 13],
    ["SELECT 'é', 😀 FROM ,", 'syntax error at or near ","', 20],
    ['SELECT 1; SELECT (2; SELECT 3', 'syntax error at or near ";"', 20],
    ["SELECT 'abc", 'unterminated quoted string at or near "\'abc"', 8],
    ['SELECT 1 /* x', 'unterminated /* comment at or near "/* x"', 10],
    ['SELECT 1;\nSELEC 2', 'syntax error at or near "SELEC"', 11],
  ])('%s', (text, message, position) => {
    expect(failure(text)).toMatchObject({ code: '42601', message, position });
  });

  it('parameters', () => {
    expect(failure('SELECT $0')).toMatchObject({ code: '42P02', message: 'there is no parameter $0', position: 8 });
    expect(failure('SELECT 1, $65536')).toMatchObject({ code: '42P02', position: 11 });
    expect(failure('SELECT $99999999999')).toMatchObject({ code: '42601', message: 'parameter number too large at or near "$99999999999"' });
    expect(expression('$65535').number).toBe(65_535);
  });

  it('texts that are no UTF-8', () => {
    expect(failure('SELECT \0')).toMatchObject({ code: '22021' });
    expect(failure("SELECT '\ud800'")).toMatchObject({ code: '22021', message: 'invalid byte sequence for encoding "UTF8": 0xed 0xa0 0x80' });
  });
});

describe('limits', () => {
  it.each([
    ['parentheses', `SELECT ${'('.repeat(100_000)}1${')'.repeat(100_000)}`],
    ['brackets', `SELECT ${'ARRAY['.repeat(100_000)}1${']'.repeat(100_000)}`],
    ['operators', `SELECT ${'1+'.repeat(100_000)}1`],
    ['signs', `SELECT ${'- '.repeat(100_000)}1`],
    ['NOT', `SELECT ${'NOT '.repeat(100_000)}true`],
    ['casts', `SELECT ''${'::text'.repeat(100_000)}`],
    ['IS', `SELECT true${' IS NULL'.repeat(100_000)}`],
    ['BETWEEN under IS', `SELECT true${' IS NULL BETWEEN true AND false'.repeat(100_000)}`],
    ['COLLATE', `SELECT ''${' COLLATE "C"'.repeat(100_000)}`],
    ['CASE', `SELECT ${'CASE WHEN true THEN '.repeat(100_000)}1${' END'.repeat(100_000)}`],
    ['subqueries', `SELECT ${'(SELECT '.repeat(100_000)}1${')'.repeat(100_000)}`],
    ['UNION', `SELECT 1${' UNION SELECT 1'.repeat(100_000)}`],
    ['JOIN', `SELECT 1 FROM a${' NATURAL JOIN b'.repeat(100_000)}`],
    ['columns with words for names', `SELECT 1${' + a.select'.repeat(100_000)}`],
  ])('100,000 of %s', (_name, text) => {
    expect(failure(text)).toMatchObject({ code: '54001', message: 'stack depth limit exceeded' });
    expect(parse('SELECT 1')).toHaveLength(1);
  });

  it.each([
    ['operators', `SELECT ${'1+'.repeat(1_900)}1`],
    ['AND', `SELECT ${'a = 1 AND '.repeat(10_000)}true`],
    ['OR of parentheses', `SELECT ${'(a = 1) OR '.repeat(10_000)}true`],
    ['AND of BETWEEN', `SELECT ${'a BETWEEN 1 AND 2 AND '.repeat(10_000)}true`],
    ['IN', `SELECT a IN (${'1, '.repeat(10_000)}1)`],
    ['rows', `INSERT INTO t VALUES ${'(1 + 1, 2), '.repeat(10_000)}(1, 2)`],
    ['WHEN', `SELECT CASE ${'WHEN a = 1 THEN 2 '.repeat(10_000)}END`],
    ['UNION ALL', `SELECT 1${' UNION ALL SELECT 1'.repeat(3_000)}`],
    ['parentheses', `SELECT ${'('.repeat(450)}1${')'.repeat(450)}`],
    ['CASE', `SELECT ${'CASE WHEN true THEN '.repeat(450)}1${' END'.repeat(450)}`],
    ['subqueries', `SELECT * FROM ${'(SELECT * FROM '.repeat(450)}t${') x'.repeat(450)}`],
  ])('many of %s pass', (_name, text) => {
    expect(parse(text)).toHaveLength(1);
  });

  it('labels that are words of structure', () => {
    expect(parse(`SELECT ${'1 AS case, '.repeat(1_000)}2 AS end`)).toHaveLength(1);
  });

  it.each([
    ['comments in one string', `SELECT 'a'${" -- x\n'a'".repeat(100_000)}`],
    ['closing parentheses before AS OF', `SELECT 1 ${") AS OF 'x' ".repeat(60_000)}`],
    ['AS OF', `SELECT 1 FROM t${", t AS OF 'x'".repeat(30_000)}`],
    ['AS OF in a list', "SELECT 1 FROM t AS OF 'x';".repeat(15_000)],
    ['names', `SELECT ${'a.'.repeat(100_000)}a AS OF 'x'`],
    ['dollars', `SELECT ${'$a$ $b$ '.repeat(100_000)}`],
    ['comments that open', `SELECT 1 ${'/* '.repeat(1_000_000)}`],
    ['semicolons', ';'.repeat(1_000_000)],
    ['statements', 'SELECT 1;'.repeat(30_000)],
  ])('the time of many %s grows with their number', (_name, text) => {
    const started = performance.now();
    try {
      parse(text);
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
    }
    // Squared, each of them would take minutes.
    expect(performance.now() - started).toBeLessThan(15_000);
  });

  it('length', () => {
    expect(failure(`SELECT '${'x'.repeat(13 * 1024 * 1024)}'`)).toMatchObject({ code: '54000' });
  });
});

describe('AS OF', () => {
  const table = (text: string): any => only(text).from[0];

  it.each([
    ["SELECT * FROM t AS OF '-1h'", { world: null, when: '-1h' }, null],
    ["SELECT * FROM s.t AS OF '-1h' x", { world: null, when: '-1h' }, 'x'],
    ['SELECT * FROM "T t" x AS OF \'-1h\'', { world: null, when: '-1h' }, 'x'],
    ["SELECT * FROM t AS x (a, b) AS OF '#12'", { world: null, when: '#12' }, 'x'],
    ["SELECT * FROM t as of world 'w'", { world: 'w', when: null }, null],
    ["SELECT * FROM ONLY (s.t) AS /* c */ OF WORLD 'my-w@2024-01-01' AS x", { world: 'my-w', when: '2024-01-01' }, 'x'],
    ['SELECT * FROM t AS OF $$-1h$$ TABLESAMPLE system (1)', { world: null, when: '-1h' }, null],
  ])('%s', (text, asOf, alias) => {
    const item = table(text);
    expect(item.asOf).toMatchObject(asOf);
    expect(item.alias?.name ?? null).toBe(alias);
  });

  it('each table has its own, wherever it stands', () => {
    const text = "SELECT 'é AS OF ''x''' FROM a AS OF '1' JOIN b x AS OF WORLD 'é' ON EXISTS (SELECT 1 FROM c AS OF '3', d) WHERE nope";
    const query: any = only(text);
    const join = query.from[0];
    expect([join.left.asOf.when, join.right.asOf.world, join.on.query.from[0].asOf.when, join.on.query.from[1].asOf]).toEqual(['1', 'é', '3', null]);
    expect(text.slice(query.where.at)).toBe('nope');
    expect(text.slice(join.left.asOf.at).startsWith("AS OF '1'")).toBe(true);
  });

  it('OF is still a name', () => {
    expect(only('SELECT 1 AS of FROM t AS of').from[0].alias.name).toBe('of');
  });

  it.each([
    ["SELECT 1 AS OF '-1h'", "'-1h'", 16],
    ["SELECT * FROM (SELECT 1) x AS OF '-1h'", "'-1h'", 34],
    ["SELECT * FROM t AS OF '1' AS OF '2'", "'2'", 33],
    ["SELECT * FROM f() AS OF '1'", "'1'", 25],
  ])('%s is a syntax error', (text, near, position) => {
    expect(failure(text)).toMatchObject({ code: '42601', message: `syntax error at or near "${near}"`, position });
  });

  it('the past is not written', () => {
    expect(failure("UPDATE t AS OF '-1h' SET a = 1").code).toBe('25006');
    expect(only("INSERT INTO t SELECT * FROM t AS OF '-1h'").source.from[0].asOf.when).toBe('-1h');
  });
});
