/** Random INSERT, UPDATE and DELETE statements. Each names rows by their id, so that results do not depend on the order of rows. */
import { group, list, optional, type Piece } from './piece.ts';
import { expression, predicate, type Scope } from './random-expression.ts';
import type { Statement } from './random-query.ts';
import { literal, type Table } from './random-schema.ts';
import type { Seeded } from './seeded.ts';

export function randomWrite(random: Seeded, tables: readonly Table[]): Statement {
  const table = random.pick(tables);
  const others = table.columns.slice(1);
  let aliases = 0;
  const scope: Scope = {
    random,
    columns: table.columns.map(({ name, type }) => ({ sql: `${table.name}.${name}`, type })),
    tables,
    newAlias: () => `x${aliases++}`,
  };
  const returning = random.chance(0.4) ? optional([' RETURNING ', list(table.columns.map(({ name }) => name))]) : '';
  const kind = random.between(0, 9);
  let piece: Piece;
  if (kind <= 2) {
    const rows = Array.from({ length: random.between(1, 3) }, () =>
      group([`(${random.between(1, 30)}`, ...others.map(({ type }) => group([', ', random.chance(0.15) ? 'NULL' : literal(random, type)])), ')']),
    );
    const conflict = random.pick(['', '', ' ON CONFLICT DO NOTHING', ` ON CONFLICT (id) DO UPDATE SET ${others[0].name} = excluded.${others[0].name}`]);
    piece = group([`INSERT INTO ${table.name} VALUES `, list(rows), group([conflict], ['']), returning]);
  } else if (kind === 3) {
    const items = others.map(({ type }) => group([', ', expression(scope, type, 2)]));
    piece = group([`INSERT INTO ${table.name} SELECT id + 100`, ...items, ` FROM ${table.name}`, optional([' WHERE ', predicate(scope, 2)]), returning]);
  } else if (kind <= 7) {
    // numeric(8,2) columns could overflow from sums: the value is cut back first.
    const sets = random
      .some(others)
      .map(({ name, type }) =>
        group([`${name} = `, type === 'numeric' ? group(['(', expression(scope, type, 2), ') % 1000']) : expression(scope, type, 2)], [`${name} = NULL`]),
      );
    piece = group([`UPDATE ${table.name} SET `, list(sets), optional([' WHERE ', predicate(scope, 3)]), returning]);
  } else {
    piece = group([`DELETE FROM ${table.name}`, optional([' WHERE ', predicate(scope, 3)]), returning]);
  }
  return { piece, ordered: false, representative: false };
}
