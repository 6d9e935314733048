/** Pending NOTIFYs of the open transaction, without duplicates. */
export interface PendingNotification {
  readonly channel: string;
  readonly payload: string;
}

export class PendingNotifications {
  readonly #list: PendingNotification[] = [];
  readonly #known = new Set<string>();

  get length(): number {
    return this.#list.length;
  }

  get list(): readonly PendingNotification[] {
    return this.#list;
  }

  add(notification: PendingNotification): void {
    const key = keyOf(notification);
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.#list.push(notification);
  }

  /** Keeps only the first `length`. */
  backTo(length: number): void {
    while (this.#list.length > length) this.#known.delete(keyOf(this.#list.pop()!));
  }
}

/** Channel names contain no NUL. */
function keyOf({ channel, payload }: PendingNotification): string {
  return `${channel}\0${payload}`;
}
