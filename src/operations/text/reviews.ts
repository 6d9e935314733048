/** Reviews and rules of merges as text for a model. */
import { countedRows } from '../../base/counted-rows.ts';
import type { MergePoliciesReply } from '../merge-policies.ts';
import type { ModelCall, Page } from '../model-tool.ts';
import type { ReviewsReply } from '../reviews.ts';
import { continueFrom, cutLines } from './page.ts';
import { jsonText, textTable } from './table.ts';

export function policiesText({ policies }: MergePoliciesReply, { page: { offset, room } }: ModelCall<unknown, unknown>): string {
  const list = policies.slice(offset);
  return textTable(
    ['name', 'rules', 'created'],
    list.map(({ name, created, ...rules }) => [name, rulesText(rules), created]),
    { more: continueFrom(offset), room },
  );
}

/** Only rules that are set. */
export function rulesText(rules: object): string {
  return Object.entries(rules)
    .filter(([, value]) => value !== null && value !== false && !(Array.isArray(value) && value.length === 0))
    .map(([rule, value]) => `${rule}=${jsonText(value)}`)
    .join(' ');
}

export function reviewsText({ reviews }: ReviewsReply, { page }: { page: Page }): string {
  const { offset, room } = page;
  const list = reviews.slice(offset);
  if (list.length === 0) return offset === 0 ? 'no merge waits for review' : 'no more merges wait for review';
  const parts: string[] = [];
  let length = 0;
  for (const review of list) {
    if (length > room) {
      parts.push(`more: ${list.length - parts.length} reviews; ${continueFrom(offset)(parts.length)}`);
      break;
    }
    const lines = [
      `${review.world} (${review.owner ?? "the database's own user"}, policy ${review.policy}, asked ${review.asked}, version ${review.version}${review.changed_since ? ', changed since' : ''})`,
      ...review.reasons.map(({ message }) => `- ${message}`),
      ...review.changes.map((each) => `  ${countedRows(each)}`),
      ...(review.definitions ?? []).map((each) => `  ${each.change} ${each.object}: ${each.statement}`),
      ...(review.conflicts === undefined ? [] : [`  ${review.conflicts} in conflict`]),
      ...review.effects.map(({ channel, count }) => `  sends ${count} to ${channel}`),
    ];
    if (review.verdict !== null) lines.push(`  verdict: ${review.verdict}${review.reason === null ? '' : ` (${review.reason})`}`);
    const text = cutLines(lines, room, () => `merge_preview and diff of ${review.world} show them, or call again with a higher max_tokens`);
    length += text.length;
    parts.push(text);
  }
  return parts.join('\n\n');
}
