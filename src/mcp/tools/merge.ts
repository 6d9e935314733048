/** Merging: merge, its preview, rebase, reads, undo. */
import { bounded } from '../../base/bounded-text.ts';
import Type from 'typebox';
import { conflictLines } from '../../base/errors/conflict-lines.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Conflict, MergeInput, MergePreview, RunControl } from '../../commands/contract.ts';
import { resolutionHint, type ResolutionWords } from '../../base/resolution-hint.ts';
import { type AnyTool, flag, continueFrom, input, name, offset, picksOf, resolve, rows, someBranch, table, type Tool, whole } from '../tool.ts';
import { definitionsTable, TEXT_MAX, textTable } from '../text-table.ts';

/** Maximum number of stale keys listed. */
const KEYS_MAX = 100;

interface Merge {
  branch: string;
  into?: string;
  only_tables?: string[];
  only_keys?: string[];
  by_columns?: boolean;
  strict?: boolean;
  rows?: Record<string, 'ours' | 'theirs' | 'delete' | object>;
  resolve?: 'fail' | 'ours' | 'theirs';
  confirm?: boolean;
  version?: number;
  target?: number;
  confirm_deletes?: number;
}

const PARTS = {
  branch: someBranch,
  into: Type.Optional(name),
  only_tables: Type.Optional(Type.Array(table, { minItems: 1 })),
  only_keys: Type.Optional(Type.Array(Type.String({ minLength: 3 }), { minItems: 1, description: 'table/id' })),
  by_columns: flag('Only a column that both sides changed conflicts.'),
  strict: flag('What both sides changed alike conflicts, too: for balances and counts.'),
  rows,
  resolve,
  version: whole(0, 'Merge only if the branch is still at it.'),
};

function inputOf({
  branch,
  into,
  only_tables,
  only_keys,
  by_columns,
  strict,
  rows: picks,
  resolve: how,
  confirm,
  version,
  target,
  confirm_deletes,
}: Merge): MergeInput {
  const partial =
    into !== undefined || only_tables !== undefined || only_keys !== undefined || by_columns === true || picks !== undefined || version !== undefined;
  return {
    branch,
    ...(into === undefined ? {} : { into }),
    ...(only_tables === undefined ? {} : { only_tables }),
    ...(only_keys === undefined ? {} : { only_keys }),
    ...(by_columns === true ? { columns: true } : {}),
    ...(strict === true ? { strict: true } : {}),
    ...(picks === undefined ? {} : { picks: picksOf(picks) }),
    ...(how === undefined ? {} : { resolve: how }),
    ...(confirm === true && !partial ? { confirm: true } : {}),
    ...(version === undefined ? {} : { version }),
    ...(target === undefined ? {} : { target }),
    ...(confirm_deletes === undefined ? {} : { confirm_deletes }),
  };
}

const RESOLUTION: ResolutionWords = {
  sides: 'resolve (ours or theirs)',
  columns: 'by_columns: true',
  single: 'rows for single ones',
  leaveOut: 'rows: {"table/id": "ours"}',
  together: 'only_tables',
};

const merge: Tool<Merge> = {
  name: 'merge',
  title: 'Merge a world',
  description: 'Applies what a branch changed to its parent; the branch is gone then. Give the version that diff showed. A policy may hold it for a person.',
  input: input({ ...PARTS, confirm: flag('Take a world that was open during a crash as it is.'), target: whole(0), confirm_deletes: whole(0) }),
  annotations: { readOnlyHint: false, destructiveHint: true },
  needs: ['merge', 'merge_own'],
  unsafe: true,
  async run({ commands }, given, control) {
    try {
      const { merged, converged, version } = await commands.merge({ ...inputOf(given), dry_run: false }, reported(control));
      const alike = converged === undefined ? '' : ` (${converged} more had converged: both sides changed them alike)`;
      return `merged ${merged} changes${alike}${version === undefined ? '; the branch is gone' : `; the branch stays, at version ${version}`}`;
    } catch (error) {
      const lines = conflictLines(error);
      if (lines === null) throw error;
      throw new SvcError('SV409', `${(error as SvcError).message}\n${lines.map((line) => `- ${line}`).join('\n')}`, {
        hint: `Look with merge_preview. ${resolutionHint((error as SvcError).data!['conflicts'] as unknown as Conflict[], RESOLUTION)}`,
      });
    }
  },
};

const preview: Tool<Merge & { limit?: number; offset?: number }> = {
  name: 'merge_preview',
  title: 'Preview a merge',
  description: 'What a merge would do, row by row, with conflicts and what blocks it; changes nothing.',
  input: input({ ...PARTS, limit: whole(0, 'Default 20.'), offset }),
  annotations: { readOnlyHint: true },
  needs: ['read'],
  async run({ commands }, { limit = 20, offset: from = 0, ...given }, control) {
    return previewText(await commands.preview(inputOf(given), reported(control)), limit, from);
  },
};

/** Reports the progress of a long plan. */
function reported({ signal, report }: Parameters<typeof merge.run>[2]): RunControl {
  return { signal, onProgress: (done, total) => report(done, total, `${done} of about ${total} rows read`) };
}

function previewText(found: MergePreview, limit: number, from: number): string {
  const definitions = found.conflicts.filter(({ key }) => !found.rows.some((row) => row.key === key));
  const all = [
    ...found.blocked.map(({ rule, message }) => ['', rule, 'blocked', message, '', '', '', '', '']),
    ...definitions.map(({ key, explanation, base, ours, theirs }) => [...split(key), 'conflict', explanation, base, ours, theirs, '', '']),
    ...found.rows.map((row) => [...split(row.key), row.outcome, row.detail, row.base, row.ours, row.theirs, row.result, '']),
  ];
  const page = all.slice(from, from + limit);
  const parts = [
    `version ${found.version}, target ${found.target}: ${found.conflicts.length} conflicts, ${found.blocked.length} blocked${found.converged === undefined ? '' : `, ${found.converged} converged`}`,
    textTable(
      ['table', 'deleted', 'updated', 'inserted'],
      found.summary.map((each) => [each.table, each.deleted, each.updated, each.inserted]),
    ),
    textTable(['table', 'id', 'outcome', 'detail', 'base', 'ours', 'theirs', 'result', 'postgres'], page, {
      total: all.length - from,
      more: continueFrom(from),
    }),
  ];
  if (found.definitions !== undefined) parts.splice(1, 0, definitionsTable(found.definitions, 'diff with as_sql: true shows them whole'));
  if (found.confirm_deletes !== undefined) parts.push(`a person gives confirm_deletes: ${found.confirm_deletes.deletes}`);
  return parts.join('\n\n');
}

function split(key: string): [string, string] {
  const at = key.indexOf('/');
  return [key.slice(0, at), key.slice(at + 1)];
}

const rebase: Tool<Pick<Merge, 'branch' | 'by_columns' | 'strict' | 'rows' | 'resolve' | 'version'>> = {
  name: 'rebase',
  title: 'Rebase a world',
  description: "Moves a world's fork point to its parent as it is now, keeping its changes.",
  input: input({ branch: someBranch, by_columns: PARTS.by_columns, strict: PARTS.strict, rows, resolve, version: PARTS.version }),
  annotations: { readOnlyHint: false, destructiveHint: false },
  needs: ['write_own', 'write'],
  async run({ commands }, { branch, by_columns, strict, rows: picks, resolve: how, version }, control) {
    const rebasing = {
      branch,
      ...(by_columns === true ? { columns: true } : {}),
      ...(strict === true ? { strict: true } : {}),
      ...(picks === undefined ? {} : { picks: picksOf(picks) }),
      ...(how === undefined ? {} : { resolve: how }),
      ...(version === undefined ? {} : { version }),
    };
    const { rebased } = await commands.rebase(rebasing, reported(control));
    return `REBASE ${rebased}`;
  },
};

const checkReads: Tool<{ branch: string }> = {
  name: 'check_reads',
  title: 'Check reads',
  description: 'Whether what a world relies on changed in its parent since.',
  input: input({ branch: someBranch }),
  annotations: { readOnlyHint: true },
  needs: ['read'],
  async run({ commands }, given) {
    const { stale, changed } = await commands.check_reads(given);
    if (!stale) return 'nothing that it read has changed';
    const lines = changed.map(({ checked_against, changed: keys }) => {
      const rest = keys.length > KEYS_MAX ? ` … and ${keys.length - KEYS_MAX} more; diff lists them all` : '';
      return `changed in ${checked_against}: ${keys.slice(0, KEYS_MAX).join(', ')}${rest}`;
    });
    return bounded(lines.join('\n'), TEXT_MAX);
  },
};

const undoMerge: Tool<{ branch: string; skip_changed?: boolean }> = {
  name: 'undo_merge',
  title: 'Undo a merge',
  description: 'Puts the rows back that a merged world changed; its name still works.',
  input: input({ branch: someBranch, skip_changed: flag('Leave rows alone that changed since.') }),
  annotations: { readOnlyHint: false, destructiveHint: true },
  needs: ['restore'],
  all: ['merge'],
  unsafe: true,
  async run({ commands }, given, { signal }) {
    const { parent, undone, skipped } = await commands.undo_merge(given, { signal });
    return `undone in ${parent}: ${undone} rows put back, ${skipped} left alone`;
  },
};

export const MERGE_TOOLS = [merge, preview, rebase, checkReads, undoMerge] as unknown as readonly AnyTool[];
