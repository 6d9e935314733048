/** Connects to the process that has a folder open. */
import { connect, type Socket } from 'node:net';
import { SvcError } from '../base/errors/svc-error.ts';
import { firstLine } from './first-line.ts';
import { fromWire, type Greeting, type WireError } from './greeting.ts';
import { mustBeOwn, socketPath } from './socket-path.ts';

/** A connection that the process has accepted. 55006 if it does not answer. */
export async function connectTo(folder: string, greeting: Greeting): Promise<Socket> {
  const path = socketPath(folder);
  mustBeOwn(path);
  const socket = await new Promise<Socket>((resolve, reject) => {
    const opening = connect(path);
    opening.once('connect', () => resolve(opening));
    opening.once('error', (cause) =>
      reject(
        new SvcError('55006', `the folder ${folder} is open in another process, which does not answer at ${path}: ${cause.message}`, {
          hint: 'It belongs to another user, or is starting or stopping. Try again, or stop it.',
          cause,
        }),
      ),
    );
  });
  socket.removeAllListeners('error');
  socket.on('error', () => socket.destroy());
  socket.write(`${JSON.stringify(greeting)}\n`);
  const reply = JSON.parse(await firstLine(socket)) as { ok?: true; error?: WireError };
  if (reply.error !== undefined) {
    socket.destroy();
    throw fromWire(reply.error);
  }
  return socket;
}
