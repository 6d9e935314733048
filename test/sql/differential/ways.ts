/** Ways to ask one query: as it is, prepared with parameters in the place of literals, through a view, a table, a cursor. */
import { type Piece, render, renderWith } from './piece.ts';
import type { Statement } from './random-query.ts';
import type { Seeded } from './seeded.ts';

/** The statements that ask, in order. They leave nothing behind. */
export type Way = (piece: Piece) => string[];

export const plainly: Way = (piece) => [render(piece)];

export function randomWay(random: Seeded, { ordered }: Statement): Way {
  const roll = random.next();
  // Five executions are planned for their values, later ones may share a plan.
  if (roll < 0.1) return (piece) => prepared(piece, 1);
  if (roll < 0.15) return (piece) => prepared(piece, 7);
  if (roll < 0.2) return (piece) => within([`CREATE VIEW q AS ${render(piece)}`, 'SELECT * FROM q', 'SELECT count(*) FROM q']);
  if (roll < 0.23) return (piece) => within([`CREATE TABLE q AS ${render(piece)}`, 'SELECT * FROM q']);
  if (roll < 0.26) return (piece) => within([`CREATE MATERIALIZED VIEW q AS ${render(piece)}`, 'SELECT * FROM q']);
  if (roll < 0.3 && ordered) {
    const steps = Array.from({ length: 6 }, () =>
      random.pick([
        'FETCH 1',
        'FETCH 2',
        'FETCH FORWARD 3',
        'FETCH PRIOR',
        'FETCH FIRST',
        'FETCH LAST',
        'FETCH ABSOLUTE 2',
        'FETCH RELATIVE -1',
        'FETCH BACKWARD 2',
        'MOVE 1',
      ]),
    );
    return (piece) => within([`DECLARE q SCROLL CURSOR FOR ${render(piece)}`, ...steps.map((step) => `${step} FROM q`), 'CLOSE q']);
  }
  return plainly;
}

/** As it is, with parameters, or in a transaction where it has been taken back before. */
export function randomWayToWrite(random: Seeded): Way {
  const roll = random.next();
  if (roll < 0.1) return (piece) => prepared(piece, 1);
  if (roll < 0.2) return (piece) => ['BEGIN', 'SAVEPOINT s', render(piece), 'ROLLBACK TO s', render(piece), 'COMMIT'];
  return plainly;
}

export function prepared(piece: Piece, times: number): string[] {
  const types: string[] = [];
  const values: string[] = [];
  const text = renderWith(piece, ({ sql, type }) => {
    types.push(type);
    values.push(sql);
    return `$${types.length}`;
  });
  if (types.length === 0) return [render(piece)];
  return [`PREPARE q (${types.join(', ')}) AS ${text}`, ...Array.from({ length: times }, () => `EXECUTE q (${values.join(', ')})`), 'DEALLOCATE q'];
}

export function within(statements: string[]): string[] {
  return ['BEGIN', ...statements, 'ROLLBACK'];
}
