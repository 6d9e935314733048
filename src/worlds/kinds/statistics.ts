/** Results of ANALYZE for a table. */
import { pad } from './keys.ts';
import { type Kind, noNumbers, nothing } from './kind.ts';
import { toRelation } from './reference.ts';

export interface StatisticsObject {
  what: 'statistics';
  table: number;
  data: unknown;
}

export const STATISTICS: Kind<StatisticsObject> = {
  key: ({ table }) => `z${pad(table)}`,
  numberName: nothing,
  numbers: noNumbers,
  references: ({ table }) => [toRelation(table, { how: 'part', walked: 'neither' })],
  words: () => 'statistics',
  path: ({ table }, names) => `statistics:${names.table(table)}`,
  title: ({ table }, names) => `statistics of table ${names.table(table)}`,
  scopedName: nothing,
};
