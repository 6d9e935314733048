/** TRUNCATE: every row of the tables goes, through the same writers as DELETE, so that it forks, merges and undoes like it. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { childRoot } from '../../tree/directory.ts';
import { scan } from '../../tree/read.ts';
import type { Truncate } from '../ast/write.ts';
import { referencedName } from './define-table.ts';
import { done, type StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

export function runTruncate(session: SqlSession, statement: Truncate): StatementResult {
  const transaction = session.startStatement();
  session.writable('TRUNCATE TABLE');
  const schema = session.schema();
  const numbers = new Set<number>();
  for (const { name } of statement.tables) {
    const target = referencedName(session, name);
    const found = schema.relation(target.schema, target.name);
    if (found === null) throw new SvcError('42P01', `relation "${name.name}" does not exist`, { position: name.at + 1 });
    if (found.kind !== 'table') throw new SvcError('42809', `"${name.name}" is not a table`, { position: name.at + 1 });
    numbers.add(found.table.number);
  }
  const queue = [...numbers];
  for (let number = queue.pop(); number !== undefined; number = queue.pop()) {
    for (const { table, key } of schema.referencing(number)) {
      if (numbers.has(table.number)) continue;
      if (!statement.cascade) {
        throw new SvcError('0A000', 'cannot truncate a table referenced in a foreign key constraint', {
          detail: `Table "${table.name}" references "${schema.tables.get(number)!.name}" by "${key.name}".`,
          hint: `Truncate table "${table.name}" at the same time, or use TRUNCATE ... CASCADE.`,
        });
      }
      session.notice('00000', `truncate cascades to table "${table.name}"`);
      numbers.add(table.number);
      queue.push(table.number);
    }
  }
  const writes = session.writesOver(transaction);
  const { pager } = session.host.context.engine;
  for (const number of numbers) {
    const tree = childRoot(pager, transaction.root, number);
    if (tree === null) continue;
    const writer = writes.writer(schema.tables.get(number)!);
    scan(pager, tree, null, (leaf, from, to) => {
      for (let i = from; i < to; i++) writer.delete(leaf.key(i));
    });
  }
  transaction.write(writes.finish());
  if (statement.restartIdentity) {
    for (const number of numbers) for (const sequence of schema.sequencesOwnedBy(number)) session.sequences().setval(sequence, sequence.start, false);
  }
  return done('TRUNCATE TABLE', session.notices);
}
