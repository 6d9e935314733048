/** Policies, checks and reviews. In safe mode, tools that change rules draft SQL for a person. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { quoteIdentifier, quoteString } from '../../base/quote-identifier.ts';
import { parse } from '../../sql/parse/parse.ts';
import { bounded } from '../../base/bounded-text.ts';
import Type from 'typebox';
import type { Json } from '../../commands/contract.ts';
import { type AnyTool, flag, continueFrom, input, name, offset, record, someBranch, table, type Tool, whole } from '../tool.ts';
import { TEXT_MAX, textTable } from '../text-table.ts';

const DRAFT = { draft: true } as const;

const ruleName = Type.String({ pattern: '^[A-Za-z0-9_-]{1,128}$' });
/** Maximum listed for one review; diff and merge_preview show the rest. */
const REASONS_MAX = 20;
const TABLES_MAX = 20;

type Rules = { [rule: string]: Json };

const policies: Tool<{ offset?: number }> = {
  name: 'merge_policies',
  title: 'List merge policies',
  description: 'Rules under which merges of agents go through without a person.',
  input: input({ offset }),
  annotations: { readOnlyHint: true },
  needs: ['read'],
  async run({ commands }, { offset: from = 0 }) {
    const list = (await commands.merge_policies()).policies.slice(from);
    return textTable(
      ['name', 'rules', 'created'],
      list.map(({ name: of, created, ...rules }) => [of, setRules(rules), created]),
      { more: continueFrom(from) },
    );
  },
};

/** Only rules that are set. */
function setRules(rules: object): string {
  return Object.entries(rules)
    .filter(([, value]) => value !== null && value !== false && !(Array.isArray(value) && value.length === 0))
    .map(([rule, value]) => `${rule}=${JSON.stringify(value)}`)
    .join(' ');
}

const tryPolicy: Tool<{ branch: string; name?: string; rules?: Rules }> = {
  name: 'check_merge_policy',
  title: 'Try a merge policy',
  description: "Tries a policy, or rules, on a branch's real changes; saves nothing.",
  input: input({ branch: someBranch, name: Type.Optional(ruleName), rules: Type.Optional(record) }),
  annotations: { readOnlyHint: true },
  needs: ['read'],
  async run({ commands }, given) {
    const { passes, reasons, rows, deletes } = await commands.check_merge_policy(given);
    const what = `${rows} changed rows, ${deletes} deletes`;
    return passes ? `passes: ${what}` : `needs a person: ${what}\n${reasons.map(({ message }) => `- ${message}`).join('\n')}`;
  },
};

const setPolicy: Tool<{ name: string; rules: Rules; agents?: string[] }> = {
  name: 'set_merge_policy',
  title: 'Set a merge policy',
  description: 'Makes or changes a policy, and puts agents under it. Needs admin; in safe mode it drafts the SQL for a person.',
  input: input({ name: ruleName, rules: record, agents: Type.Optional(Type.Array(name)) }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  needs: ['admin'],
  async run({ commands, safe }, { name: of, rules, agents = [] }) {
    if (safe) {
      await commands.set_merge_policy({ name: of, rules, agents }, DRAFT);
      const isThere = (await commands.merge_policies()).policies.some((each) => each.name === of);
      const list = Object.entries(rules).map(([rule, value]) => `${rule} = ${literal(value)}`);
      const own = quoteIdentifier(of);
      return draft([
        ...(isThere && list.length === 0 ? [] : [`${isThere ? 'ALTER' : 'CREATE'} MERGE POLICY ${own} (${list.join(', ')})`]),
        ...agents.map((agent) => `ALTER AGENT ${quoteIdentifier(agent)} POLICY ${own}`),
      ]);
    }
    const view = await commands.set_merge_policy({ name: of, rules, ...(agents.length === 0 ? {} : { agents }) });
    const { name: _name, created: _created, ...rest } = view;
    return `policy ${of}: ${setRules(rest)}${agents.length === 0 ? '' : `\nagents under it: ${agents.join(', ')}`}`;
  },
};

const dropPolicy: Tool<{ name: string; release_agents?: boolean }> = {
  name: 'drop_merge_policy',
  title: 'Drop a merge policy',
  description: 'Drops a policy. Needs admin; in safe mode it drafts the SQL.',
  input: input({ name: ruleName, release_agents: flag('Take its agents from under it.') }),
  annotations: { readOnlyHint: false, destructiveHint: true },
  needs: ['admin'],
  async run({ commands, safe }, given) {
    if (safe) {
      await commands.drop_merge_policy(given, DRAFT);
      return draft([`DROP MERGE POLICY ${quoteIdentifier(given.name)}${given.release_agents === true ? ' RELEASE AGENTS' : ''}`]);
    }
    await commands.drop_merge_policy(given);
    return `dropped policy ${given.name}`;
  },
};

const reviews: Tool<{ offset?: number }> = {
  name: 'reviews',
  title: 'List reviews',
  description: 'Merges that wait for a person, with reasons and changes.',
  input: input({ offset }),
  annotations: { readOnlyHint: true },
  needs: ['read'],
  async run({ commands }, { offset: from = 0 }) {
    const list = (await commands.reviews()).reviews.slice(from);
    if (list.length === 0) return from === 0 ? 'no merge waits for review' : 'no more merges wait for review';
    const parts: string[] = [];
    let length = 0;
    for (const review of list) {
      if (length > TEXT_MAX) {
        parts.push(`more: ${list.length - parts.length} reviews; ${continueFrom(from)(parts.length)}`);
        break;
      }
      const lines = [
        `${review.world} (${review.owner ?? "the database's own user"}, policy ${review.policy}, asked ${review.asked}, version ${review.version}${review.changed_since ? ', changed since' : ''})`,
        ...review.reasons.slice(0, REASONS_MAX).map(({ message }) => `- ${bounded(message, 500)}`),
        ...review.changes.slice(0, TABLES_MAX).map((each) => `  ${each.table}: ${each.deleted} deleted, ${each.updated} updated, ${each.inserted} inserted`),
        ...(review.definitions ?? []).slice(0, TABLES_MAX).map((each) => `  ${each.change} ${each.object}: ${bounded(each.statement, 500)}`),
        ...(review.conflicts === undefined ? [] : [`  ${review.conflicts} in conflict`]),
        ...review.effects.map(({ channel, count }) => `  sends ${count} to ${channel}`),
      ];
      if (review.verdict !== null) lines.push(`  verdict: ${review.verdict}${review.reason === null ? '' : ` (${review.reason})`}`);
      const text = lines.join('\n');
      length += text.length;
      parts.push(text);
    }
    return parts.join('\n\n');
  },
};

const review: Tool<{ branch: string; verdict: 'approve' | 'reject' | 'pass'; reason?: string }> = {
  name: 'review',
  title: 'Review a held merge',
  description: "For a policy's reviewer: approve merges as held, reject keeps it unmerged, pass leaves it to a person.",
  input: input({
    branch: someBranch,
    verdict: Type.Union([Type.Literal('approve'), Type.Literal('reject'), Type.Literal('pass')]),
    reason: Type.Optional(Type.String()),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true },
  needs: ['read'],
  async run({ commands }, given) {
    const { merged } = await commands.review(given);
    return merged === undefined ? `${given.verdict}: ${given.branch} stays unmerged` : `approved: merged ${merged} changes`;
  },
};

const checks: Tool<{ offset?: number }> = {
  name: 'merge_checks',
  title: 'List merge checks',
  description: 'Queries over the result of a merge; rows they find refuse it.',
  input: input({ offset }),
  annotations: { readOnlyHint: true },
  needs: ['read'],
  async run({ commands }, { offset: from = 0 }) {
    const list = (await commands.merge_checks()).checks.slice(from);
    return textTable(
      ['name', 'tables', 'timeout_ms', 'query'],
      list.map((check) => [check.name, check.tables.join(', '), check.timeout_ms, check.query]),
      { more: continueFrom(from) },
    );
  },
};

const setCheck: Tool<{ name: string; query: string; tables?: string[]; timeout_ms?: number }> = {
  name: 'set_merge_check',
  title: 'Set a merge check',
  description: 'A SELECT whose rows say what is wrong in a merge result. Needs admin; in safe mode it drafts the SQL.',
  input: input({ name: ruleName, query: Type.String({ minLength: 1 }), tables: Type.Optional(Type.Array(table)), timeout_ms: whole(1) }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  needs: ['admin'],
  async run({ commands, safe }, given) {
    if (safe) {
      const { name: of, tables: wanted, query } = await commands.set_merge_check(given, DRAFT);
      const isThere = (await commands.merge_checks()).checks.some((each) => each.name === of);
      const on = wanted.length === 0 ? '' : ` ON (${wanted.map(tableText).join(', ')})`;
      const timeout = given.timeout_ms === undefined ? '' : ` TIMEOUT ${given.timeout_ms}`;
      // A comment at its end must not include the semicolon.
      const end = query.includes('--') ? '\n' : '';
      return draft([`CREATE ${isThere ? 'OR REPLACE ' : ''}MERGE CHECK ${quoteIdentifier(of)}${on}${timeout} AS ${query}${end}`]);
    }
    const { name: of, tables } = await commands.set_merge_check(given);
    return `check ${of} runs on ${tables.length === 0 ? 'every merge' : `merges that change ${tables.join(', ')}`}`;
  },
};

const dropCheck: Tool<{ name: string }> = {
  name: 'drop_merge_check',
  title: 'Drop a merge check',
  description: 'Drops a check. Needs admin; in safe mode it drafts the SQL.',
  input: input({ name: ruleName }),
  annotations: { readOnlyHint: false, destructiveHint: true },
  needs: ['admin'],
  async run({ commands, safe }, given) {
    if (safe) {
      await commands.drop_merge_check(given, DRAFT);
      return draft([`DROP MERGE CHECK ${quoteIdentifier(given.name)}`]);
    }
    await commands.drop_merge_check(given);
    return `dropped check ${given.name}`;
  },
};

/** Each text is one statement of its target entrance, whatever its names and values are. */
function draft(statements: readonly string[]): string {
  for (const statement of statements) {
    const found = parse(statement).length;
    if (found !== 1)
      throw new SvcError('42601', `the draft would be ${found} statements, not one`, { hint: 'Give one SELECT without a semicolon, and plain names.' });
  }
  return `Nothing was changed. Ask a person to run:\n${statements.map((statement) => `${statement};`).join('\n')}`;
}

/** `table` or `schema.table`, as in a check. */
function tableText(given: string): string {
  const at = given.indexOf('.');
  return at < 0 ? quoteIdentifier(given) : `${quoteIdentifier(given.slice(0, at))}.${quoteIdentifier(given.slice(at + 1))}`;
}

function literal(value: Json): string {
  if (Array.isArray(value)) return `(${value.map(literal).join(', ')})`;
  return typeof value === 'string' ? quoteString(value) : JSON.stringify(value);
}

export const POLICY_TOOLS = [policies, tryPolicy, setPolicy, dropPolicy, reviews, review, checks, setCheck, dropCheck] as unknown as readonly AnyTool[];
