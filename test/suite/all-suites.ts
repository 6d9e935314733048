/** Every suite that does not depend on what is behind the commands. */
import { diffSuite } from './diff.ts';
import { errorsSuite } from './errors.ts';
import { historySuite } from './history.ts';
import { lawsSuite } from './laws.ts';
import { mergeTableSuite } from './merge-table.ts';
import type { Open } from './open.ts';
import { rowsSuite } from './rows.ts';
import { timeTravelSuite } from './time-travel.ts';
import { worldsSuite } from './worlds.ts';

export function allSuites(open: Open): void {
  rowsSuite(open);
  errorsSuite(open);
  worldsSuite(open);
  diffSuite(open);
  historySuite(open);
  timeTravelSuite(open);
  mergeTableSuite(open);
  lawsSuite(open);
}
