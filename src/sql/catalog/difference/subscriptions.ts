/** Differences of subscriptions as SQL statements, none of which connects to a publisher. */
import { quoteIdentifier, quoteString } from '../../../base/quote-identifier.ts';
import type { SubscriptionObject } from '../../../worlds/definition.ts';
import type { Side } from './part.ts';

/** Shown in place of a connection string, which may contain a password. */
const HIDDEN = '-- connection strings of subscriptions are shown to superusers only';

function called({ name }: SubscriptionObject): string {
  return `SUBSCRIPTION ${quoteIdentifier(name)}`;
}

function listed({ publications }: SubscriptionObject): string {
  return publications.map(quoteIdentifier).join(', ');
}

function slotOf({ slot }: SubscriptionObject): string {
  return `slot_name = ${slot === null ? 'NONE' : quoteString(slot)}`;
}

function parameters({ binary, streaming, disableOnError, commit }: SubscriptionObject): string {
  return `binary = ${binary}, streaming = ${streaming}, disable_on_error = ${disableOnError}, synchronous_commit = ${quoteString(commit)}`;
}

export function subscriptionsAsSql(was: Side, is: Side): { readonly gone: string[]; readonly made: string[] } {
  const gone: string[] = [];
  const made: string[] = [];
  const [before, after] = [was, is].map(({ schema }) => schema.plain.of('subscription'));
  for (const each of before.values()) {
    if (after.has(each.number)) continue;
    // With a slot, or a worker, it would first have to be dropped at the publisher.
    if (each.enabled) gone.push(`ALTER ${called(each)} DISABLE;`);
    if (each.slot !== null) gone.push(`ALTER ${called(each)} SET (slot_name = NONE);`);
    gone.push(`DROP ${called(each)};`);
  }
  for (const each of after.values()) {
    const old = before.get(each.number);
    if (old === undefined) made.push(...created(is, each));
    else made.push(...changed(is, old, each));
  }
  return { gone, made };
}

function created({ seesConnections }: Side, each: SubscriptionObject): string[] {
  const connection = seesConnections ? each.connection : '';
  const options = `connect = false, ${slotOf(each)}, two_phase = ${each.twoPhase}, ${parameters(each)}`;
  return [
    ...(seesConnections || each.connection === '' ? [] : [HIDDEN]),
    `CREATE ${called(each)} CONNECTION ${quoteString(connection)} PUBLICATION ${listed(each)} WITH (${options});`,
    ...(each.enabled ? [`ALTER ${called(each)} ENABLE;`] : []),
    ...(each.skip === '0/0' ? [] : [`ALTER ${called(each)} SKIP (lsn = ${quoteString(each.skip)});`]),
  ];
}

function changed({ seesConnections }: Side, old: SubscriptionObject, each: SubscriptionObject): string[] {
  const out: string[] = [];
  const alter = `ALTER ${called(each)}`;
  if (old.name !== each.name) out.push(`ALTER ${called(old)} RENAME TO ${quoteIdentifier(each.name)};`);
  if (old.connection !== each.connection) out.push(seesConnections ? `${alter} CONNECTION ${quoteString(each.connection)};` : HIDDEN);
  if (listed(old) !== listed(each)) out.push(`${alter} SET PUBLICATION ${listed(each)} WITH (refresh = false);`);
  if (parameters(old) !== parameters(each)) out.push(`${alter} SET (${parameters(each)});`);
  if (old.enabled && !each.enabled) out.push(`${alter} DISABLE;`);
  if (old.slot !== each.slot) out.push(`${alter} SET (${slotOf(each)});`);
  if (!old.enabled && each.enabled) out.push(`${alter} ENABLE;`);
  if (old.skip !== each.skip) out.push(`${alter} SKIP (lsn = ${each.skip === '0/0' ? 'NONE' : quoteString(each.skip)});`);
  return out;
}
