/** A notification in psql's words. */
import type { Notification } from '../link/link.ts';
import { visible } from './cell.ts';

export function notificationText({ channel, payload, pid }: Notification): string {
  const what = payload === '' ? '' : ` with payload "${visible(payload)}"`;
  return `Asynchronous notification "${visible(channel)}"${what} received from server process with PID ${pid}.`;
}
