/** What tools/list and the instructions say, to whom, and how much of a model's context they take. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, open } from '../../src/database.ts';
import type { Capability } from '../../src/session/capability.ts';
import { TOOLS } from '../../src/mcp/tools.ts';
import type { Greeting } from '../../src/socket/greeting.ts';
import { Opened, refused, UNSAFE } from './clients.ts';

let folder: string;
let db: Database;
const opened = new Opened();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-mcp-'));
  db = await open(folder);
});
afterAll(async () => {
  await opened.close();
  await db.close();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Tokens of a text as byte-pair tokenizers cut it: words, numbers of up to three digits, runs of punctuation, with long ones
 * in several pieces. Against o200k and cl100k it was 7 to 10 % too high on such lists, on source and on prose.
 */
function tokens(text: string): number {
  let count = 0;
  for (const [piece] of text.matchAll(/ ?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+|\s+/gu)) {
    count += Math.max(1, Math.ceil(piece.trim().length / (/^ ?\p{L}/u.test(piece) ? 7 : 3)));
  }
  return count;
}

test('the estimate of tokens is none that everything passes', () => {
  expect(tokens('Applies what a branch changed to its parent.')).toBe(9);
  expect(tokens('{"type":"object","properties":{}}')).toBeGreaterThanOrEqual(9);
});

test('the whole list takes at most 5,000 tokens, and each tool says what it is', async () => {
  const client = await opened.beside(db, { kind: 'owner' });
  const { tools } = await client.listTools();
  expect(tokens(JSON.stringify({ tools }))).toBeLessThanOrEqual(5000);
  for (const { name, annotations, inputSchema, description } of tools) {
    expect([name, description!.length > 20]).toEqual([name, true]);
    expect(annotations).toMatchObject({ title: expect.any(String), readOnlyHint: expect.any(Boolean), openWorldHint: false });
    // Tools that write declare whether they are destructive.
    if (annotations!.readOnlyHint === false) expect([name, typeof annotations!.destructiveHint]).toEqual([name, 'boolean']);
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
  }
  const reading = tools.filter(({ annotations }) => annotations!.readOnlyHint === true).map(({ name }) => name);
  expect(
    reading.filter((name) => /^(put|delete|sql|fork|set_|drop_|merge|rebase|undo|restore|rollback|checkpoint|discard|review|simulate|replay)$/.test(name)),
  ).toEqual([]);
});

interface Listed {
  type?: unknown;
  description?: unknown;
  enum?: unknown[];
  properties?: Record<string, Listed>;
  required?: string[];
  items?: Listed;
  anyOf?: Listed[];
  additionalProperties?: unknown;
}

describe('schemas are of the subset that models take', () => {
  const KEYWORDS = new Set(['type', 'description', 'enum', 'properties', 'required', 'items', 'anyOf', 'additionalProperties']);
  const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

  function wrong(schema: Listed, path: string): string[] {
    const out = Object.keys(schema)
      .filter((keyword) => !KEYWORDS.has(keyword))
      .map((keyword) => `${path}: ${keyword}`);
    const says = (text: string): void => void out.push(`${path}: ${text}`);
    if (schema.anyOf !== undefined) {
      // Constants are an enum; the alternatives are of different types.
      if (schema.anyOf.every((each) => each.enum !== undefined)) says('anyOf of constants');
      if (new Set(schema.anyOf.map(({ type }) => type)).size !== schema.anyOf.length) says('two alternatives of one type');
      if (schema.type !== undefined) says('type beside anyOf');
      return [...out, ...schema.anyOf.flatMap((each, i) => wrong(each, `${path}|${i}`))];
    }
    if (typeof schema.type !== 'string' || !TYPES.includes(schema.type)) says(`type ${JSON.stringify(schema.type)}`);
    if (schema.enum !== undefined && (schema.type !== 'string' || schema.enum.some((value) => typeof value !== 'string'))) says('enum of no texts');
    if (schema.additionalProperties !== undefined && schema.additionalProperties !== false) says('additionalProperties');
    if (schema.type === 'array' && schema.items === undefined) says('no items');
    for (const name of schema.required ?? []) if (!Object.hasOwn(schema.properties ?? {}, name)) says(`requires ${name}`);
    out.push(...Object.entries(schema.properties ?? {}).flatMap(([name, each]) => wrong(each, `${path}.${name}`)));
    if (schema.items !== undefined) out.push(...wrong(schema.items, `${path}[]`));
    return out;
  }

  test('of every tool, all the way down', async () => {
    const client = await opened.beside(db, { kind: 'owner' });
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(TOOLS.length);
    expect(tools.flatMap(({ name, inputSchema }) => wrong(inputSchema as Listed, name))).toEqual([]);
    expect(
      wrong(
        {
          anyOf: [
            { type: 'string', enum: ['a'] },
            { type: 'string', enum: ['b'] },
          ],
        },
        'x',
      ),
    ).not.toEqual([]);
    for (const { name, inputSchema } of tools)
      expect([name, inputSchema]).toEqual([name, expect.objectContaining({ type: 'object', additionalProperties: false })]);
  });

  test('the rules of a policy are listed', async () => {
    const client = await opened.beside(db, { kind: 'owner' });
    const rules = (await client.listTools()).tools.find(({ name }) => name === 'set_merge_policy')!.inputSchema.properties!['rules'] as Listed;
    await db.set_merge_policy({ name: 'p', rules: {} });
    const { name: _name, created: _created, ...policy } = (await db.merge_policies()).policies[0];
    expect(Object.keys(rules.properties!).sort()).toEqual(Object.keys(policy).sort());
  });
});

const CHANGES = ['put', 'delete', 'set_meta', 'checkpoint', 'rollback'];
const RULES = ['set_merge_policy', 'drop_merge_policy', 'set_merge_check', 'drop_merge_check'];
const READS = ['describe', 'find', 'get', 'sql', 'diff', 'history', 'branches', 'merge_preview', 'reviews'];
interface Rights {
  can: Capability[];
  listed: string[];
  missing: string[];
  says: RegExp;
}
// contract: mcp.rule.9, mcp.stdio.4, mcp.set_merge_policy
describe('follow what an agent may', () => {
  test.each<[string, Rights]>([
    ['reads', { can: ['read'], listed: READS, missing: [...CHANGES, ...RULES, ...UNSAFE, 'fork', 'rebase', 'discard'], says: /You may only read/ }],
    [
      'drafts',
      {
        can: ['read', 'fork', 'write_own'],
        listed: [...READS, ...CHANGES, 'fork', 'rebase', 'discard'],
        missing: [...RULES, ...UNSAFE],
        says: /stop and report the branch name/,
      },
    ],
    [
      'merges',
      {
        can: ['read', 'fork', 'write_own', 'merge_own'],
        listed: ['merge'],
        missing: ['restore', 'undo_merge', ...RULES],
        says: /A policy may hold the merge for a person/,
      },
    ],
    ['restores', { can: ['read', 'write', 'restore'], listed: ['restore', 'rebase'], missing: ['undo_merge', 'merge', 'fork'], says: /fork none/ }],
    ['undoes', { can: ['read', 'restore', 'merge'], listed: ['restore', 'undo_merge', 'merge'], missing: CHANGES, says: /You may not change rows/ }],
    ['writes', { can: ['write_main'], listed: CHANGES, missing: READS, says: /main/ }],
    ['rules', { can: ['admin'], listed: [...READS, ...CHANGES, ...RULES, ...UNSAFE], missing: [], says: /call merge/ }],
  ])('%s', async (name, { can, listed, missing, says }) => {
    await db.create_agent({ name, can });
    const as: Greeting['as'] = { kind: 'agent', name };
    const client = await opened.beside(db, as);
    const { tools } = await client.listTools();
    const names = tools.map((tool) => tool.name);
    expect(listed.filter((each) => !names.includes(each))).toEqual([]);
    expect(missing.filter((each) => names.includes(each))).toEqual([]);
    expect(client.getInstructions()).toMatch(says);
    // What is not listed is refused as well.
    for (const each of missing) expect(await refused(client, each, {})).toMatch(/may not/);
  });

  test('at once: what an administrator changes shows in the next list', async () => {
    await db.create_agent({ name: 'grows', can: ['read'] });
    const client = await opened.beside(db, { kind: 'agent', name: 'grows' });
    const has = async (): Promise<boolean> => (await client.listTools()).tools.some(({ name }) => name === 'put');
    expect(await has()).toBe(false);
    await db.alter_agent({ name: 'grows', can: ['read', 'write'] });
    expect(await has()).toBe(true);
    await db.alter_agent({ name: 'grows', disabled: true });
    expect(await refused(client, 'branches')).toMatch(/disabled/);
  });
});

// contract: mcp.stdio.4
test('safe mode says that a person merges', async () => {
  const client = await opened.beside(db, { kind: 'safe' });
  expect(client.getInstructions()).toMatch(/a person reviews and merges it/);
  expect(client.getInstructions()).not.toMatch(/call merge/);
});
