/**
 * The fields of a merge that waits, as its event holds them. Events are plain JSON: rows among the picks that have numbers which a double
 * cannot hold are kept as text (`picks_text`), so that the approved merge is the one that was requested.
 */
import { exactJsonText, parseExactJson } from '../base/exact-json.ts';
import type { MergeInput } from '../commands/contract.ts';
import type { Meta } from '../events/meta.ts';

export function heldInput(input: Omit<MergeInput, 'version' | 'dry_run'>): Meta {
  const { picks, ...rest } = input;
  const text = picks === undefined ? '' : exactJsonText(picks);
  if (picks === undefined || text === JSON.stringify(picks)) return input as unknown as Meta;
  return { ...rest, picks_text: text } as unknown as Meta;
}

export function givenInput(held: Meta): Omit<MergeInput, 'branch'> {
  const { picks_text: text, ...rest } = held;
  const input = rest as unknown as MergeInput;
  return typeof text === 'string' ? { ...input, picks: parseExactJson(text) as MergeInput['picks'] } : input;
}
