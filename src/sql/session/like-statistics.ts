/** LIKE … INCLUDING STATISTICS: copies extended statistics of the other table under new names. */
import type { ExtendedStatisticsObject } from '../../worlds/definition.ts';
import type { Ddl } from '../schema/ddl.ts';
import { chooseName } from '../schema/implicit-name.ts';
import { setComment } from '../schema/other-objects.ts';
import type { SqlTable } from '../schema/table.ts';

export function likeStatistics(ddl: Ddl, { number, columns }: SqlTable, own: SqlTable, comments: boolean): void {
  const known = (): ExtendedStatisticsObject[] => [...ddl.schema.plain.of('extended statistics').values()];
  const isTaken = (name: string): boolean => known().some((each) => each.schema === own.schema && each.name === name);
  for (const each of known()) {
    if (each.table !== number) continue;
    const names = columns.filter((column) => each.columns.includes(column.number)).map(({ name }) => name);
    const addition = [...names, ...each.expressions.map((_, i) => (i === 0 ? 'expr' : `expr${i}`))].join('_');
    const object: ExtendedStatisticsObject = {
      ...each,
      number: 0,
      table: own.number,
      schema: own.schema,
      name: chooseName(own.name, addition, 'stat', isTaken),
      columns: own.columns.filter(({ name }) => names.includes(name)).map((column) => column.number),
    };
    object.number = ddl.numberFor(object);
    ddl.put(object);
    const text = comments ? ddl.schema.comment(each.number) : null;
    if (text !== null) setComment(ddl, object.number, 0, text);
    ddl.end();
  }
}
