/**
 * The Unix socket of an open folder: later commands on the folder reach the process through it. Only the user who runs the
 * process can connect (mode 0600), so a connection may choose its principal.
 */
import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { SvcError } from '../base/errors/svc-error.ts';
import { exactJsonText, parseInputJson } from '../base/exact-json.ts';
import { listenPrivately } from '../base/private-socket.ts';
import { call as callOperation, type Session } from '../operations/session.ts';
import { operationByName } from '../operations/table.ts';
import { firstLine } from './first-line.ts';
import { type Greeting, toWire } from './greeting.ts';
import { readLines } from './lines.ts';
import { RunningCalls } from './running-calls.ts';

export interface SocketServerOptions {
  readonly path: string;
  /** The session for a greeting; 28000 for an unknown or disabled agent, 3D000 for a missing world. */
  session(greeting: Greeting): Session;
  /** Hands a connection over to MCP. */
  serveModel(session: Session, greeting: Greeting, socket: Socket): void;
  /** Hands a connection over to a shell. */
  serveShell(session: Session, greeting: Greeting, socket: Socket): void;
}

export interface SocketServer {
  close(): Promise<void>;
}

export async function createSocketServer(options: SocketServerOptions): Promise<SocketServer> {
  const open = new Set<Socket>();
  // A client that has finished sending still gets its answers.
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    void greet(options, socket);
  });
  await listenPrivately(server, options.path);
  server.on('error', () => {});
  return {
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      rmSync(options.path, { force: true });
    },
  };
}

async function greet(options: SocketServerOptions, socket: Socket): Promise<void> {
  try {
    const greeting = JSON.parse(await firstLine(socket)) as Greeting;
    const session = options.session(greeting);
    socket.write('{"ok":true}\n');
    if (greeting.entrance === 'mcp') options.serveModel(session, greeting, socket);
    else if (greeting.entrance === 'shell') options.serveShell(session, greeting, socket);
    else answerOperations(session, socket);
  } catch (error) {
    socket.end(`${JSON.stringify({ error: toWire(error) })}\n`);
  }
}

function answerOperations(session: Session, socket: Socket): void {
  const calls = new RunningCalls();
  let running = 0;
  let ended = false;
  const rest = (): void => {
    if (ended && running === 0) socket.end();
  };
  socket.on('end', () => {
    ended = true;
    rest();
  });
  socket.on('close', () => calls.close());
  readLines(socket, (line) => {
    running++;
    void answer(session, calls, socket, line).finally(() => {
      running--;
      rest();
    });
  });
}

async function answer(session: Session, calls: RunningCalls, socket: Socket, text: string): Promise<void> {
  let id: unknown = null;
  try {
    const call = parseInputJson(text) as { id?: unknown; op?: unknown; input?: unknown; progress?: unknown };
    id = call.id ?? null;
    if (call.op === 'cancel') {
      calls.cancel(id);
      return;
    }
    const operation = typeof call.op === 'string' ? operationByName(call.op) : undefined;
    if (operation === undefined) throw new SvcError('42883', `there is no operation "${String(call.op).slice(0, 60)}"`);
    const onProgress = call.progress === true ? progressTo(socket, id) : null;
    const result = await calls.run(id, onProgress, (control) => callOperation(session, operation, call.input ?? {}, control));
    socket.write(`${exactJsonText({ id, result })}\n`);
  } catch (error) {
    socket.write(`${exactJsonText({ id, error: toWire(error) })}\n`);
  }
}

/** Sends a call's progress lines. */
export function progressTo(socket: Socket, id: unknown): (done: number, total: number) => void {
  return (done, total) => void socket.write(`${exactJsonText({ id, progress: { done, total } })}\n`);
}
