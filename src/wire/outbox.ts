/**
 * Replies that leave together. While many clients send at once, their messages are worked off one after the other and the
 * replies are written some at a time: a client that serves several connections in one thread is then woken once for them, not
 * for each reply, and has something to do while the others are worked off. Where few send, each has its reply at once.
 *
 *     loop's turn: read, read, read, … ─→ sendGathered ─→ next turn
 */

export interface Sender {
  /** Sends what it has; called once for each `gather`. */
  sendGathered(): void;
}

/** Messages of one turn from which on replies are gathered. */
const CROWD = 4;
/** So many replies do not wait for more: where all of a turn did, client and server would work in turns. */
const MOST = 8;

/** The first `count` wait; setting a list's length to 0 would make it anew each time. */
const waiting: (Sender | null)[] = [];
let count = 0;
let came = 0;
let before = 0;

/** A message came in this turn. */
export function countMessage(): void {
  came++;
}

/** False where the reply is to be sent at once. */
export function gather(sender: Sender): boolean {
  if (before < CROWD) return false;
  if (count >= MOST) {
    flush();
    return false;
  }
  waiting[count++] = sender;
  return true;
}

/** The loop has read what there was. Turns that bring nothing, while it is kept awake, say nothing of how many send. */
export function sendGathered(): void {
  if (came > 0) before = came;
  came = 0;
  if (count > 0) flush();
}

function flush(): void {
  // Who joins meanwhile goes with them.
  for (let i = 0; i < count; i++) {
    const sender = waiting[i];
    waiting[i] = null;
    sender?.sendGathered();
  }
  count = 0;
}
