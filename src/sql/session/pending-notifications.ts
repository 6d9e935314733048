/** What NOTIFY has asked for in the open transaction: the same one twice is one. */
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

  /** Only the first `length` stay. */
  backTo(length: number): void {
    while (this.#list.length > length) this.#known.delete(keyOf(this.#list.pop()!));
  }
}

/** A channel holds no zero character. */
function keyOf({ channel, payload }: PendingNotification): string {
  return `${channel}\0${payload}`;
}
