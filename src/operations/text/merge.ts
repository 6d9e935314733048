/** What a merge did, and what it would do, as text for a model. */
import { exactJsonText } from '../../base/exact-json.ts';
import { countedRows } from '../../base/counted-rows.ts';
import { differenceOf, triggersOf, verdictOf } from '../../base/postgres-answer.ts';
import type { ModelCall } from '../model-tool.ts';
import type { MergeInput, MergePreview, MergeReply } from '../merge.ts';
import { continueFrom } from './page.ts';
import { definitionsTable, textTable } from './table.ts';

export function mergedText({ merged, converged, version }: MergeReply): string {
  const alike = converged === undefined ? '' : ` (${converged} more had converged: both sides changed them alike)`;
  return `merged ${merged} changes${alike}${version === undefined ? '; the branch is gone' : `; the branch stays, at version ${version}`}`;
}

export function previewText(found: MergePreview, { page: { limit, offset, room } }: ModelCall<MergeInput, unknown>): string {
  const definitions = found.conflicts.filter(({ key }) => !found.rows.some((row) => row.key === key));
  const all = [
    ...found.blocked.map(({ rule, message }) => [undefined, rule, 'blocked', message]),
    ...definitions.map(({ key, explanation, base, ours, theirs }) => [...split(key), 'conflict', explanation, ...sides(base, ours, theirs)]),
    ...found.rows.map((row) => [
      ...split(row.key),
      row.outcome,
      row.detail === '' ? undefined : row.detail,
      ...sides(row.base, row.ours, row.theirs, row.result),
      postgresCell(found, row.key),
    ]),
  ];
  const page = all.slice(offset, offset + limit);
  const parts = [
    `version ${found.version}, target ${found.target}: ${found.conflicts.length} conflicts, ${found.blocked.length} blocked${found.converged === undefined ? '' : `, ${found.converged} converged`}`,
    textTable(
      ['table', 'deleted', 'updated', 'inserted'],
      found.summary.map((each) => [each.table, each.deleted, each.updated, each.inserted]),
    ),
    textTable(['table', 'id', 'outcome', 'detail', 'base', 'ours', 'theirs', 'result', 'postgres'], page, {
      total: Math.max(0, all.length - offset),
      more: continueFrom(offset),
      room,
    }),
  ];
  if (found.definitions !== undefined) parts.splice(1, 0, definitionsTable(found.definitions, 'diff with as_sql: true shows them whole', room));
  if (found.postgres !== undefined) parts.splice(1, 0, postgresText(found.postgres));
  if (found.confirm_deletes !== undefined) parts.push(`a person gives confirm_deletes: ${found.confirm_deletes.deletes}`);
  return parts.join('\n\n');
}

/** What an attached Postgres says of a merge or an undo that is tried. */
export function postgresText(answer: NonNullable<MergePreview['postgres']>): string {
  const [changed, made] = [true, false].map((wanted) => answer.rows.filter((row) => row.changed === wanted).length);
  const rows = [
    ...(changed === 0
      ? []
      : [
          `${changed === 1 ? '1 row' : `${changed} rows`} changed in Postgres since they were read: merge takes Postgres's row as ours, and what both changed conflicts`,
        ]),
    ...(made === 0 ? [] : [`${made} rows come out otherwise by triggers of Postgres`]),
  ];
  return [verdictOf(answer), ...answer.summary.map(countedRows), ...triggersOf(answer), ...rows].join('\n');
}

/** Postgres's row where it is another one, and why. */
function postgresCell({ postgres }: MergePreview, key: string): string | undefined {
  const row = postgres?.rows.find((each) => each.key === key);
  if (row === undefined) return undefined;
  return row.postgres === null ? differenceOf(row) : `${differenceOf(row)}: ${exactJsonText(row.postgres)}`;
}

/** A row that is not there is blank. */
function sides(...rows: (object | null)[]): (object | undefined)[] {
  return rows.map((row) => row ?? undefined);
}

function split(key: string): [string, string] {
  const at = key.indexOf('/');
  return [key.slice(0, at), key.slice(at + 1)];
}
