/**
 * Bounds of a page of history or of the audit: only events before one bound and after another. A bound is the id of an event
 * (`#42`, its sequence) or a time, and is exclusive. Pages go from the newest event to the oldest: `next` of a page is the id
 * of its last event, for `before`. No page reaches back behind history_retention.
 */
import { parseMoment } from '../base/moment.ts';
import type { Context } from '../worlds/context.ts';

export interface EventBounds {
  /** Only sequences below it. */
  readonly before: number;
  readonly beforeAt: number;
  /** Only sequences above it. */
  readonly after: number;
  readonly afterAt: number;
}

/** 22007 if a bound is neither an id nor a time, or is in the future. */
export function boundsOf({ before, after }: { before?: string; after?: string }, { engine, horizon }: Context): EventBounds {
  const now = engine.now();
  const [upper, lower] = [before, after].map((text) => (text === undefined ? null : parseMoment(text, now)));
  return {
    before: upper?.kind === 'sequence' ? upper.sequence : Infinity,
    beforeAt: upper?.kind === 'at' ? upper.at : Infinity,
    after: lower?.kind === 'sequence' ? lower.sequence : -1,
    afterAt: Math.max(lower?.kind === 'at' ? lower.at : -1, horizon - 1),
  };
}

/** Too new for the page. */
export function isAbove({ before, beforeAt }: EventBounds, sequence: number, at: number): boolean {
  return sequence >= before || at >= beforeAt;
}

/** Too old for the page; all later ones are, too. */
export function isBelow({ after, afterAt }: EventBounds, sequence: number, at: number): boolean {
  return sequence <= after || at <= afterAt;
}

export function eventId(sequence: number): string {
  return `#${sequence}`;
}

/** `before` for the next page; null without events. */
export function nextPage(events: readonly { id: string }[], isMore: boolean): string | null {
  return isMore ? (events.at(-1)?.id ?? null) : null;
}
