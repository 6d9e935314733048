/**
 * Random definitions and rows for both sides of a merge. Statements may name missing objects: those fail, and the rest makes
 * worlds that no person would have written.
 */
export type Random = (below: number) => number;

/** mulberry32. */
export function randomOf(seed: number): Random {
  let state = (seed * 2654435761) >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

export const BASE = `
CREATE TYPE mood AS ENUM ('a', 'b', 'c');
CREATE DOMAIN small AS int CHECK (VALUE < 100);
CREATE TYPE pair AS (l int, r text);
CREATE FUNCTION twice(n int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT n * 2';
CREATE SEQUENCE numbers;
CREATE TABLE t1 (id int PRIMARY KEY, x int, y text DEFAULT 'y', m mood, s small);
CREATE TABLE t2 (id int PRIMARY KEY, ref int REFERENCES t1, x int UNIQUE, g int GENERATED ALWAYS AS (x + 1) STORED, p pair);
CREATE TABLE t3 (id int, k text, x int NOT NULL DEFAULT 3, PRIMARY KEY (id, k));
CREATE TABLE p1 (id int, x int, PRIMARY KEY (id)) PARTITION BY RANGE (id);
CREATE TABLE p1_a PARTITION OF p1 FOR VALUES FROM (0) TO (5);
CREATE TABLE p1_b PARTITION OF p1 FOR VALUES FROM (5) TO (20);
CREATE TABLE plain (x int, y text);
CREATE VIEW v1 AS SELECT id, x FROM t1 WHERE x IS NOT NULL;
CREATE VIEW v2 AS SELECT v1.id, t2.g FROM v1 JOIN t2 ON t2.ref = v1.id;
INSERT INTO t1 VALUES (1, 1, 'p', 'a', 1), (2, 2, 'q', 'b', NULL), (3, NULL, NULL, NULL, 3), (4, -4, 'p', 'c', 4);
INSERT INTO t2 (id, ref, x, p) VALUES (1, 1, 10, ROW(1, 'l')), (2, 2, NULL, NULL), (3, NULL, 7, NULL);
INSERT INTO t3 VALUES (1, 'p', 1), (1, 'q', 2), (2, 'p', 3);
INSERT INTO p1 VALUES (1, 1), (6, 6);
INSERT INTO plain VALUES (1, 'p'), (1, 'p'), (2, NULL);
`;

const TABLES = ['t1', 't1', 't1', 't2', 't2', 't3', 'p1', 'plain', 'n1', 'n2'];
const COLUMNS = ['id', 'x', 'x', 'y', 'm', 's', 'g', 'ref', 'k', 'p', 'a1', 'a2', 'z'];
const TYPES = ['int', 'bigint', 'text', 'mood', 'small', 'numeric(6,1)', 'varchar(10)'];
const LABELS = ['a', 'b', 'c', 'd', 'aa'];
const WORDS = ['p', 'q', '7', ''];

export class Statements {
  readonly #random: Random;
  /** Tables that most statements of a round are about, so that they meet. */
  readonly #focus: readonly string[];

  constructor(random: Random) {
    this.#random = random;
    this.#focus = [this.#one(TABLES), this.#one(TABLES)];
  }

  #table(): string {
    return this.#random(4) === 0 ? this.#one(TABLES) : this.#one(this.#focus);
  }

  #one<T>(from: readonly T[]): T {
    return from[this.#random(from.length)];
  }
  #number(): string {
    return String(this.#random(16) - 3);
  }
  #value(column: string): string {
    if (this.#random(8) === 0) return 'NULL';
    switch (column) {
      case 'm':
        return `'${this.#one(LABELS)}'`;
      case 'y':
      case 'k':
        return `'${this.#one(WORDS)}'`;
      case 'p':
        return `ROW(${this.#number()}, '${this.#one(WORDS)}')`;
      default:
        return this.#number();
    }
  }

  row(): string {
    const table = this.#table();
    switch (this.#random(10)) {
      case 0:
      case 1:
        return `DELETE FROM ${table} WHERE ${this.#one(['id', 'x'])} = ${this.#number()}`;
      case 2:
      case 3:
      case 4:
        return `UPDATE ${table} SET ${this.#set()} WHERE id ${this.#one(['=', '<', '>='])} ${this.#random(6)}`;
      case 5:
        return `INSERT INTO ${table} (id) VALUES (${this.#random(16)})`;
      case 6:
        return `INSERT INTO t1 SELECT ${10 + this.#random(9)}, x, y, m, s FROM t1 WHERE id = ${this.#random(6)}`;
      default: {
        const columns = new Set(['id', this.#one(COLUMNS), this.#one(COLUMNS)]);
        if (table === 't3') columns.add('k');
        if (table === 'plain') columns.delete('id');
        const values = [...columns].map((column) => (column === 'id' ? String(this.#random(16)) : this.#value(column)));
        return `INSERT INTO ${table} (${[...columns].join(', ')}) VALUES (${values.join(', ')})`;
      }
    }
  }

  #set(): string {
    const column = this.#one(COLUMNS);
    const value = this.#random(5) === 0 ? 'DEFAULT' : this.#value(column);
    return `${column} = ${value}`;
  }

  definition(): string {
    const table = this.#table();
    const column = this.#one(COLUMNS);
    const added = this.#one(['a1', 'a2', 'z']);
    const alter = `ALTER TABLE ${table}`;
    const n = this.#random(1000);
    switch (this.#random(40)) {
      case 0:
      case 1:
        return `${alter} ADD COLUMN ${added} ${this.#one(TYPES)}`;
      case 2:
        return `${alter} ADD COLUMN ${added} int DEFAULT ${this.#number()} NOT NULL`;
      case 3:
        return `${alter} ADD COLUMN ${added} int GENERATED ALWAYS AS (${this.#one(['x * x', 'x + 1', 'twice(x)', 'coalesce(x, 0)'])}) STORED ${this.#one(['', 'UNIQUE', 'NOT NULL'])}`;
      case 4:
        return `${alter} ADD COLUMN ${added} mood DEFAULT '${this.#one(LABELS)}'`;
      case 5:
      case 6:
        return `${alter} DROP COLUMN ${column}${this.#one(['', ' CASCADE'])}`;
      case 7:
      case 8:
        return `${alter} RENAME COLUMN ${column} TO ${this.#one(['a1', 'z', 'x', 'w'])}`;
      case 9:
      case 10:
        return `${alter} ALTER COLUMN ${column} TYPE ${this.#one(TYPES)} USING ${this.#one([`${column}::text::${this.#one(['int', 'text'])}`, 'x', 'NULL', `(id + 1)`])}`;
      case 11:
        return `${alter} ALTER COLUMN ${column} TYPE ${this.#one(['bigint', 'text', 'numeric'])}`;
      case 12:
        return `${alter} ALTER COLUMN ${column} SET NOT NULL`;
      case 13:
        return `${alter} ALTER COLUMN ${column} DROP NOT NULL`;
      case 14:
        return `${alter} ALTER COLUMN ${column} ${this.#one([`SET DEFAULT ${this.#number()}`, 'DROP DEFAULT'])}`;
      case 15:
      case 16:
        return `${alter} ADD CONSTRAINT c_${table}_${n % 3} CHECK (${this.#one(['x > 0', 'x < 9', 'x IS NOT NULL', `id <> ${this.#random(9)}`, "y <> ''", 'twice(x) < 20'])})`;
      case 17:
        return `${alter} ADD CONSTRAINT u_${table}_${n % 2} UNIQUE (${this.#one(['x', 'y', 'x, y', 'm', 's', 'id, x'])})`;
      case 18:
        return `${alter} DROP CONSTRAINT ${this.#one([`${table}_pkey`, `${table}_x_key`, `${table}_ref_fkey`, `c_${table}_${n % 3}`, `u_${table}_${n % 2}`])}${this.#one(['', ' CASCADE'])}`;
      case 19:
        return `${alter} ADD PRIMARY KEY (${this.#one(['id', 'x', 'id, x'])})`;
      case 20:
        return `${alter} ADD CONSTRAINT f_${table} FOREIGN KEY (${this.#one(['x', 'id', 'ref'])}) REFERENCES ${this.#one(['t1', 't2', 'p1'])}${this.#one(['', ' ON DELETE CASCADE', ' DEFERRABLE INITIALLY DEFERRED'])}`;
      case 21:
        return `${alter} RENAME TO ${this.#one(['n1', 'n2', 't1'])}`;
      case 22:
        return `DROP TABLE ${table}${this.#one(['', ' CASCADE'])}`;
      case 23:
        return `CREATE TABLE ${this.#one(['n1', 'n2', 't3'])} (id int ${this.#one(['PRIMARY KEY', ''])}, x ${this.#one(TYPES)}, y text)`;
      case 24:
        return `CREATE ${this.#one(['UNIQUE', ''])} INDEX i_${n % 4} ON ${table} (${this.#one(['x', 'lower(y)', 'y, x', 'twice(x)'])})${this.#one(['', ' WHERE x > 2'])}`;
      case 25:
        return `DROP INDEX i_${n % 4}`;
      case 26:
        return `CREATE OR REPLACE VIEW ${this.#one(['v1', 'v3'])} AS SELECT ${this.#one(['id, x', 'id, x, y', 'id, x + 1 AS x', '*'])} FROM ${table}`;
      case 27:
        return `DROP VIEW ${this.#one(['v1', 'v2', 'v3'])}${this.#one(['', ' CASCADE'])}`;
      case 28:
        return `ALTER TYPE mood ADD VALUE '${this.#one(['d', 'e'])}'${this.#one(['', " BEFORE 'b'"])}`;
      case 29:
      case 30:
        return `ALTER TYPE mood RENAME VALUE '${this.#one(LABELS)}' TO '${this.#one(['aa', 'bb', 'd'])}'`;
      case 31:
        return `ALTER DOMAIN small ADD CONSTRAINT d_${n % 2} CHECK (VALUE ${this.#one(['> 0', '<> 3', '< 5'])})`;
      case 32:
        return `ALTER DOMAIN small ${this.#one(['SET NOT NULL', 'DROP NOT NULL', 'DROP CONSTRAINT small_check', `DROP CONSTRAINT d_${n % 2}`, 'SET DEFAULT 5'])}`;
      case 33:
        return `${alter} ALTER COLUMN ${this.#one(['g', 'z', 'a1'])} DROP EXPRESSION`;
      case 34:
        return this.#one([
          'CREATE TABLE p1_c PARTITION OF p1 FOR VALUES FROM (20) TO (30)',
          'CREATE TABLE p1_c PARTITION OF p1 DEFAULT',
          'ALTER TABLE p1 DETACH PARTITION p1_b',
          'DROP TABLE p1_a',
          'ALTER TABLE p1 ATTACH PARTITION p1_b FOR VALUES FROM (5) TO (25)',
        ]);
      case 35:
        return `CREATE OR REPLACE FUNCTION ${this.#one(['twice', 'thrice'])}(n int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT n * ${2 + this.#random(2)}'`;
      case 36:
        return `${alter} ADD COLUMN ${added} int GENERATED BY DEFAULT AS IDENTITY`;
      case 37:
        return `COMMENT ON ${this.#one([`TABLE ${table}`, `COLUMN ${table}.${column}`])} IS '${n}'`;
      case 38:
        return `${alter} ADD CONSTRAINT e_${table} EXCLUDE USING gist (int4range(x, x, '[]') WITH &&)`;
      default:
        return `ALTER TYPE pair ${this.#one(['ADD ATTRIBUTE more int', 'DROP ATTRIBUTE r', 'RENAME ATTRIBUTE l TO left_one'])}`;
    }
  }

  /** Definitions now and then, rows mostly. */
  statement(): string {
    return this.#random(5) < 2 ? this.definition() : this.row();
  }
}
