/** CREATE STATISTICS: catalog-only; the planner does not use them. */
import { namedNumberName, pad } from './keys.ts';
import { type Kind, ofItself, ownNumber, scoped } from './kind.ts';
import { inSchema, inText, onRelation, toColumns } from './reference.ts';

export interface ExtendedStatisticsObject {
  what: 'extended statistics';
  number: number;
  table: number;
  schema: string;
  name: string;
  /** Letters of pg_statistic_ext.stxkind. */
  kinds: string;
  /** Numbers of columns, in order of their attnums. */
  columns: number[];
  /** SQL texts. */
  expressions: string[];
  /** ALTER STATISTICS … SET STATISTICS; -1: the default. */
  target: number;
}

export const EXTENDED_STATISTICS: Kind<ExtendedStatisticsObject> = {
  key: ({ table, number }) => `n${pad(table)}${pad(number)}`,
  numberName: ({ schema, name }) => namedNumberName('extended statistics', schema, name),
  numbers: ownNumber,
  references: ({ table, schema, columns, expressions }) => [
    onRelation(table),
    inSchema(schema),
    // DROP COLUMN removes them silently.
    ...toColumns(table, columns, { walked: 'merge' }),
    ...expressions.flatMap((text) => inText(table, text, { how: 'follows', walked: 'neither' })),
  ],
  address: ({ number }) => ({ kind: 'extended statistics', number }),
  codeHolder: ofItself,
  words: ({ name }) => `extended statistics ${name}`,
  path: ({ schema, name }) => `extended statistics:${scoped(schema, name)}`,
  scopedName: ({ schema, name }) => `extended statistics\0${schema}\0${name}`,
};
