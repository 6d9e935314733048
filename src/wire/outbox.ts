/**
 * Replies that leave together. While many clients send at once, their messages are worked off one after the other and the
 * replies are written when all are done: a client that serves several connections in one thread is then woken once, not
 * for each reply. Where few send, each has its reply at once.
 *
 *     loop's turn: read, read, read, … ─→ sendGathered ─→ next turn
 */

export interface Sender {
  /** Sends what it has; called once for each `gather`. */
  sendGathered(): void;
}

/** Messages of one turn from which on replies are gathered. */
const CROWD = 4;
/** So many replies do not wait for more. */
const MOST = 32;

const waiting: Sender[] = [];
let came = 0;
let before = 0;

/** A message came in this turn. */
export function countMessage(): void {
  came++;
}

/** False where the reply is to be sent at once. */
export function gather(sender: Sender): boolean {
  if (before < CROWD) return false;
  if (waiting.length >= MOST) {
    flush();
    return false;
  }
  waiting.push(sender);
  return true;
}

/** The loop has read what there was. Turns that bring nothing, while it is kept awake, say nothing of how many send. */
export function sendGathered(): void {
  if (came > 0) before = came;
  came = 0;
  if (waiting.length > 0) flush();
}

function flush(): void {
  for (let i = 0; i < waiting.length; i++) waiting[i].sendGathered();
  waiting.length = 0;
}
