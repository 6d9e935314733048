/** LISTEN and NOTIFY: the listeners of a database, by world. Notifications are delivered once the commit is on disk. */

export interface Notification {
  readonly pid: number;
  readonly channel: string;
  readonly payload: string;
}
export interface Listener {
  notified(notification: Notification): void;
}

export class Channels {
  /** By world, then by channel. */
  readonly #worlds = new Map<number, Map<string, Set<Listener>>>();

  listen(world: number, channel: string, listener: Listener): void {
    let channels = this.#worlds.get(world);
    if (channels === undefined) this.#worlds.set(world, (channels = new Map()));
    const listeners = channels.get(channel);
    if (listeners === undefined) channels.set(channel, new Set([listener]));
    else listeners.add(listener);
  }

  /** `world` null: all worlds; `channel` null: all channels. */
  unlisten(world: number | null, channel: string | null, listener: Listener): void {
    for (const number of world === null ? [...this.#worlds.keys()] : [world]) {
      const channels = this.#worlds.get(number);
      if (channels === undefined) continue;
      for (const name of channel === null ? [...channels.keys()] : [channel]) {
        const listeners = channels.get(name);
        if (listeners?.delete(listener) === true && listeners.size === 0) channels.delete(name);
      }
      if (channels.size === 0) this.#worlds.delete(number);
    }
  }

  /** The channels of the listener. */
  of(listener: Listener): string[] {
    const out = new Set<string>();
    for (const channels of this.#worlds.values()) for (const [channel, listeners] of channels) if (listeners.has(listener)) out.add(channel);
    return [...out];
  }

  notify(world: number, notifications: readonly Notification[]): void {
    const channels = this.#worlds.get(world);
    if (channels === undefined) return;
    for (const notification of notifications) for (const listener of channels.get(notification.channel) ?? []) listener.notified(notification);
  }
}
