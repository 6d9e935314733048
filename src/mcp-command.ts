/** `svc mcp`: MCP over stdin and stdout, which carry nothing but messages. If another process has the folder open, messages go through its socket. */
import type { Writable } from 'node:stream';
import { tuneCollector } from './base/collector.ts';
import { SvcError } from './base/errors/svc-error.ts';
import { type Database, open } from './database.ts';
import { localSession, openLocalEntrance } from './local-entrance.ts';
import { LineTransport } from './mcp/line-transport.ts';
import { modelServer } from './mcp/model-server.ts';
import { RELEASE } from './release.ts';
import { connectTo } from './socket/socket-client.ts';
import type { Greeting } from './socket/greeting.ts';
import type { SocketServer } from './socket/socket-server.ts';

export interface McpOptions {
  /** The database's own user, with all rights. */
  allowMerge?: boolean;
  /** Takes precedence over `allowMerge`. */
  agent?: string;
  /** Must exist; tools name their own. */
  branch?: string;
  /** Masked columns are read unmasked. */
  unmask?: boolean;
  /** Open a log that has lost acknowledged events. */
  acceptLoss?: boolean;
}

/** `output` is stdout, kept for the protocol (`mcp/protocol-output.ts`). */
export async function serveModels(folder: string, options: McpOptions, output: Writable): Promise<number> {
  const greeting: Greeting = {
    entrance: 'mcp',
    as: options.agent !== undefined ? { kind: 'agent', name: options.agent } : options.allowMerge === true ? { kind: 'owner' } : { kind: 'safe' },
    ...(options.unmask === true ? { unmask: true } : {}),
    ...(options.branch === undefined ? {} : { branch: options.branch }),
  };
  let database: Database | undefined;
  let entrance: SocketServer | undefined;
  try {
    try {
      tuneCollector();
      database = await open(folder, { acceptLoss: options.acceptLoss === true, onNotice: (message) => process.stderr.write(`svc: ${message}\n`) });
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== '55006') throw error;
      await throughSocket(folder, greeting, output);
      return 0;
    }
    const { principal, commands } = localSession(database, greeting);
    entrance = await openLocalEntrance(database);
    const server = modelServer({ principal, commands, safe: principal.kind === 'safe' }, RELEASE);
    const transport = new LineTransport(process.stdin, output);
    const closed = new Promise<void>((resolve) => {
      server.onclose = resolve;
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve());
    });
    await server.connect(transport);
    await closed;
    return 0;
  } catch (error) {
    await database?.abandon().catch(() => {});
    const { message, hint } = error as SvcError;
    process.stderr.write(`svc: ${message}\n${hint === undefined ? '' : `${hint}\n`}`);
    return 1;
  } finally {
    await entrance?.close().catch(() => {});
    await database?.close().catch(() => {});
    process.stdin.destroy();
  }
}

/** 57P01 if the process with the open folder ends before the client. */
async function throughSocket(folder: string, greeting: Greeting, output: Writable): Promise<void> {
  const socket = await connectTo(folder, greeting);
  const { stdin } = process;
  let over = false;
  const end = (): void => {
    over = true;
    socket.destroySoon();
  };
  stdin.on('end', () => {
    over = true;
  });
  stdin.on('error', end);
  output.on('error', end);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, end);
  await new Promise<void>((resolve) => {
    socket.on('close', () => resolve());
    stdin.pipe(socket);
    socket.pipe(output, { end: false });
  });
  if (!over) throw new SvcError('57P01', 'the process that had the folder open has ended', { hint: 'Start this command again.' });
}
