/** Worlds: fork, meta, list, diff, checkpoints, restore, discard. */
import { bounded } from '../../base/bounded-text.ts';
import Type from 'typebox';
import type { Json } from '../../commands/contract.ts';
import { type AnyTool, branch, flag, continueFrom, input, name, offset, record, someBranch, type Tool, whole } from '../tool.ts';
import { cellText, definitionsTable, TEXT_MAX, textTable } from '../text-table.ts';
import { history } from './history.ts';

/** Worlds listed in one call. */
const WORLDS_MAX = 200;

const fork: Tool<{ name: string; from?: string; meta?: { [key: string]: Json } }> = {
  name: 'fork',
  title: 'Fork a world',
  description: 'Makes a private copy of a world at once, however large it is. Change that one, not main.',
  input: input({ name, from: Type.Optional(Type.String({ minLength: 1, description: 'Default main; also name@when.' })), meta: Type.Optional(record) }),
  annotations: { readOnlyHint: false, destructiveHint: false },
  needs: ['fork'],
  async run({ commands }, given) {
    const { world } = await commands.fork(given);
    return `forked branch ${world.name} (${world.id}) from ${given.from ?? 'main'}: pass branch "${world.name}" to put, delete and sql`;
  },
};

const setMeta: Tool<{ branch: string; meta: { [key: string]: Json } }> = {
  name: 'set_meta',
  title: 'Describe a world',
  description: 'Keeps JSON with a world, such as its intent; null removes a key.',
  input: input({ branch: someBranch, meta: record }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  needs: ['write_own', 'write', 'write_main'],
  run: async ({ commands }, given) => bounded(JSON.stringify((await commands.set_meta(given)).meta), TEXT_MAX),
};

const branches: Tool<{ offset?: number; limit?: number; after?: string; prefix?: string }> = {
  name: 'branches',
  title: 'List worlds',
  description: 'Open worlds, oldest first: parent, version, owner, last use, meta. `after` gets the next page.',
  input: input({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: WORLDS_MAX, description: `Default and at most ${WORLDS_MAX}.` })),
    after: Type.Optional(Type.String({ minLength: 1, description: 'Only worlds younger than this one, by name or id.' })),
    prefix: Type.Optional(Type.String({ description: 'Only names that begin so.' })),
    offset,
  }),
  annotations: { readOnlyHint: true },
  needs: ['read'],
  async run({ commands }, { offset: from = 0, limit = WORLDS_MAX, after, prefix }) {
    const { branches: found, next } = await commands.branches({
      limit: from + limit,
      ...(after === undefined ? {} : { after }),
      ...(prefix === undefined ? {} : { prefix }),
    });
    const list = found.slice(from);
    return textTable(
      ['name', 'id', 'parent', 'version', 'owner', 'active', 'flagged', 'meta'],
      list.map((world) => [
        world.name,
        world.id,
        world.parent,
        world.version,
        world.owner,
        world.active,
        world.flagged ? 'yes' : '',
        Object.keys(world.meta).length === 0 ? '' : world.meta,
      ]),
      typeof next === 'string'
        ? { total: 'open', more: (shown) => `call again with after ${list[shown - 1]?.id ?? after ?? ''}` }
        : { more: (shown) => `call again with after ${list[shown - 1]?.id ?? after ?? ''}` },
    );
  },
};

interface Diff {
  branch: string;
  to?: string;
  as_sql?: boolean;
  readers?: boolean;
  limit?: number;
  offset?: number;
  count?: boolean;
  after?: string;
}
const diff: Tool<Diff> = {
  name: 'diff',
  title: 'Show changes',
  description: 'What a world changed since its fork point, or against `to`: counts per table, then changed rows with before and after. Look before you merge.',
  input: input({
    branch: Type.String({ minLength: 1, pattern: '^\\S+$' }),
    to: branch,
    as_sql: flag('Statements that make the change.'),
    readers: flag('Who reads what changed.'),
    limit: whole(0, 'Default 20.'),
    offset,
    count: flag('Only counts.'),
    after: Type.Optional(Type.String({ description: 'Key of the last row seen.' })),
  }),
  annotations: { readOnlyHint: true },
  needs: ['read'],
  async run({ commands }, { branch: world, to, as_sql, readers, limit = 20, offset: from = 0, count, after }) {
    const states = { branch: world, ...(to === undefined ? {} : { to }) };
    if (as_sql === true) {
      const { sql = [] } = await commands.diff({ ...states, sql: true });
      const page: string[] = [];
      let length = 0;
      for (const statement of sql.slice(from, from + limit)) {
        if (length > TEXT_MAX) break;
        const text = bounded(statement, TEXT_MAX);
        length += text.length;
        page.push(text);
      }
      const rest = sql.length - from - page.length;
      return `${page.join('\n')}\n(${page.length} of ${sql.length} statements)${rest > 0 ? `\nmore: ${continueFrom(from)(page.length)}` : ''}`;
    }
    const counted = await commands.diff({ ...states, count: true, ...(readers === true ? { readers: true } : {}) });
    const parts = [
      `${counted.total} changed rows, version ${counted.version}`,
      textTable(
        ['table', 'deleted', 'updated', 'inserted'],
        (counted.summary ?? []).map((each) => [each.table, each.deleted, each.updated, each.inserted]),
      ),
    ];
    if (counted.definitions !== undefined) parts.push(definitionsTable(counted.definitions));
    if ((counted.effects ?? []).length > 0)
      parts.push(
        `effects of a merge:\n${textTable(
          ['channel', 'payload'],
          counted.effects!.map((effect) => [effect.channel, effect.payload]),
        )}`,
      );
    if (counted.readers !== undefined) {
      parts.push(
        `readers:\n${textTable(
          ['table', 'columns', 'kind', 'reader', 'detail'],
          counted.readers.map((reader) => [reader.table, reader.columns.join(', '), reader.kind, reader.reader, reader.detail]),
        )}\nlooked at: ${counted.coverage!.analysed.join(', ')}`,
      );
    }
    if (count === true) return parts.join('\n\n');
    const { changes = [], next } = await commands.diff({ ...states, limit: from + limit, ...(after === undefined ? {} : { after }) });
    const page = changes.slice(from);
    parts.push(
      textTable(
        ['key', 'change', 'before', 'after'],
        page.map(({ key, before, after: now, columns }) => {
          const of = (row: typeof before): string =>
            row === null ? '' : before === null || now === null ? cellText(row) : columns.map((column) => `${column}=${cellText(row[column])}`).join(' ');
          return [key, before === null ? 'insert' : now === null ? 'delete' : 'update', bounded(of(before), 400), bounded(of(now), 400)];
        }),
        {
          total: next === null || next === undefined ? page.length : 'open',
          more: (shown) => (shown === 0 ? 'call again with a higher limit' : `call again with after ${JSON.stringify(page[shown - 1].key)}`),
        },
      ),
    );
    return parts.join('\n\n');
  },
};

const restore: Tool<{ branch: string; at: string }> = {
  name: 'restore',
  title: 'Restore a world',
  description: 'Puts a world back to a moment (-10m, an ISO time) by an ordinary write, which can be undone in turn.',
  input: input({ branch: someBranch, at: Type.String({ minLength: 1 }) }),
  annotations: { readOnlyHint: false, destructiveHint: true },
  needs: ['restore'],
  unsafe: true,
  run: async ({ commands }, given) => `restored: ${(await commands.restore(given)).restored} rows changed`,
};

const checkpoint: Tool<{ branch: string; name: string }> = {
  name: 'checkpoint',
  title: 'Name a checkpoint',
  description: 'Names a world as it is, for rollback.',
  input: input({ branch: someBranch, name }),
  annotations: { readOnlyHint: false, destructiveHint: false },
  needs: ['write_own', 'write', 'write_main'],
  run: async ({ commands }, given) => `checkpoint ${given.name} at ${(await commands.checkpoint(given)).at}`,
};

const rollback: Tool<{ branch: string; checkpoint: string }> = {
  name: 'rollback',
  title: 'Roll back to a checkpoint',
  description: 'Puts a world back to a named checkpoint.',
  input: input({ branch: someBranch, checkpoint: name }),
  annotations: { readOnlyHint: false, destructiveHint: true },
  needs: ['write_own', 'write', 'write_main'],
  run: async ({ commands }, given) => `rolled back: ${(await commands.rollback(given)).restored} rows changed`,
};

const discard: Tool<{ branch: string; cascade?: boolean }> = {
  name: 'discard',
  title: 'Discard a world',
  description: 'Throws a world away; with cascade its forks too.',
  input: input({ branch: someBranch, cascade: flag('Its forks too.') }),
  annotations: { readOnlyHint: false, destructiveHint: true },
  needs: ['write_own', 'write'],
  async run({ commands }, given) {
    const { discarded } = await commands.discard(given);
    return `discarded ${(discarded ?? [given.branch]).join(', ')}`;
  },
};

export const WORLD_TOOLS = [fork, setMeta, branches, diff, history, restore, checkpoint, rollback, discard] as unknown as readonly AnyTool[];
