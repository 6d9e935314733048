/**
 * Sends replies together. While many clients send at once, their messages are processed sequentially and the
 * replies are written in batches: a client that serves several connections in one thread is then woken once per batch, not
 * per reply, and has work while the other messages are processed. With few senders, each gets its reply at once.
 *
 *     turn of the loop: read, read, read, … ─→ sendGathered ─→ next turn
 */

export interface Sender {
  /** Sends pending output; called once for each `gather`. */
  sendGathered(): void;
}

/** From this many messages per turn on, replies are gathered. */
const CROWD = 4;
/** Maximum batch: if all replies of a turn waited, client and server would alternate. */
const MOST = 8;

/** The first `count` are waiting; truncating an array would reallocate it each time. */
const waiting: (Sender | null)[] = [];
let count = 0;
let came = 0;
let before = 0;

/** A message arrived in this turn. */
export function countMessage(): void {
  came++;
}

/** False if the reply should be sent at once. */
export function gather(sender: Sender): boolean {
  if (before < CROWD) return false;
  if (count >= MOST) {
    flush();
    return false;
  }
  waiting[count++] = sender;
  return true;
}

/** Called when the loop has read all input. Turns without input while the loop is kept awake say nothing about the number of senders. */
export function sendGathered(): void {
  if (came > 0) before = came;
  came = 0;
  if (count > 0) flush();
}

function flush(): void {
  // Senders added meanwhile are included.
  for (let i = 0; i < count; i++) {
    const sender = waiting[i];
    waiting[i] = null;
    sender?.sendGathered();
  }
  count = 0;
}
