/** Runs the table of merges straight and flipped, and holds each dry run against its real run. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Commands, MergeInput, MergePreview } from '../../src/commands/contract.ts';
import { MERGE_CASES, type MergeCase } from './merge-cases.ts';
import { type Open, type Opened, refused, type State, stateOf, tablesIn, write } from './open.ts';

export function mergeTableSuite(open: Open): void {
  describe('merge table', () => {
    let opened: Opened;
    let count = 0;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());
    for (const each of MERGE_CASES) {
      // contract: merge.1, merge.4, merge.5, merge.6
      test(each.name, () => run(opened.commands, `case-${count++}`, each));
      test(`${each.name} (flipped)`, () => run(opened.commands, `case-${count++}`, flipped(each)));
    }
  });
}

const OTHER = { ours: 'theirs', theirs: 'ours', fail: 'fail' } as const;

export function flipped({ name, base, ours, theirs, options = {}, merged, conflicts, flipped: result }: MergeCase): MergeCase {
  const swapped: MergeCase['options'] = { ...options };
  if (options.resolve !== undefined) swapped.resolve = OTHER[options.resolve];
  if (options.picks !== undefined) {
    swapped.picks = Object.fromEntries(Object.entries(options.picks).map(([key, pick]) => [key, pick === 'ours' || pick === 'theirs' ? OTHER[pick] : pick]));
  }
  return { name, base, ours: theirs, theirs: ours, options: swapped, conflicts, merged: result ?? merged };
}

/** `ours` is a fork of main that holds the case's base, so that one database serves the whole table. */
async function run(commands: Commands, name: string, each: MergeCase): Promise<void> {
  const { base, ours, theirs } = each;
  const into = `${name}-ours`;
  const branch = `${name}-theirs`;
  await commands.fork({ name: into });
  await write(commands, into, {}, base);
  await commands.fork({ name: branch, from: into });
  await write(commands, into, base, ours);
  await write(commands, branch, base, theirs);
  const input = { ...each.options, branch };
  const seen = (world: string): Promise<State> => stateOf(commands, world, tablesIn(base, ours, theirs));
  const preview = await commands.preview(input);
  expect(await seen(into), 'a dry run changes nothing').toEqual(ours);
  if (each.conflicts !== undefined) {
    await runConflict(commands, each, input, preview, into);
    expect(await seen(into), 'a refused merge changes nothing').toEqual(ours);
    expect(await seen(branch)).toEqual(theirs);
    return;
  }
  const changed = keysOf(ours, each.merged!).filter((key) => !same(ours[key], each.merged![key]));
  const { merged, version } = await commands.merge(input);
  expect(await seen(into)).toEqual(each.merged);
  expect(merged).toBe(changed.length);
  expect(preview.conflicts).toEqual([]);
  const changing = preview.rows.filter(({ outcome }) => outcome !== 'keep' && outcome !== 'converged');
  expect(Object.fromEntries(changing.map(({ key, result }) => [key, result]))).toEqual(
    Object.fromEntries(changed.map((key) => [key, each.merged![key] ?? null])),
  );
  const stays = each.options?.only_tables !== undefined || each.options?.only_keys !== undefined;
  if (stays) expect((await commands.world({ branch })).version).toBe(version);
  else {
    expect(version).toBeUndefined();
    await refused('3D000', commands.put({ branch, table: 't', id: 'gone', record: {} }));
  }
}

async function runConflict(commands: Commands, each: MergeCase, input: MergeInput & { dry_run?: false }, preview: MergePreview, into: string): Promise<void> {
  const error = await refused('SV409', commands.merge(input));
  const conflicts = error.data!.conflicts as MergePreview['conflicts'];
  const at = (state: State, key: string): unknown => state[key] ?? null;
  expect(conflicts.map(({ key, base, ours, theirs }) => ({ key, base, ours, theirs }))).toEqual(
    each.conflicts!.map((key) => ({ key, base: at(each.base, key), ours: at(each.ours, key), theirs: at(each.theirs, key) })),
  );
  expect(preview.conflicts).toEqual(conflicts);
  expect(
    preview.rows
      .filter(({ outcome }) => outcome === 'conflict')
      .map(({ key }) => key)
      .sort(),
  ).toEqual([...each.conflicts!].sort());
  for (const { explanation } of conflicts) {
    expect(explanation).toContain(into);
    expect(explanation).toContain(input.branch);
  }
}

function keysOf(...states: State[]): string[] {
  return [...new Set(states.flatMap((state) => Object.keys(state)))];
}

function same(a: unknown, b: unknown): boolean {
  try {
    expect(a).toEqual(b);
    return true;
  } catch {
    return false;
  }
}
