/** What a process with an open folder offers on the folder's socket, and the principal of local commands. */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { SvcError } from './base/errors/svc-error.ts';
import type { Database } from './database.ts';
import type { Session } from './operations/session.ts';
import { RELEASE } from './release.ts';
import { OWNER, type Principal } from './session/principal.ts';
import { serveShell } from './shell/link/serve-shell.ts';
import type { Greeting } from './socket/greeting.ts';
import { socketPath } from './socket/socket-path.ts';
import { createSocketServer, type SocketServer } from './socket/socket-server.ts';

export function openLocalEntrance(database: Database): Promise<SocketServer> {
  return createSocketServer({
    path: socketPath(database.folder),
    session: (greeting) => localSession(database, greeting),
    serveModel: (session, _greeting, socket) => void serveModel(session, socket),
    serveShell: (session, { branch }, socket) => {
      serveShell(session, database.session({ branch, principal: session.principal }), socket);
      socket.resume();
    },
  });
}

/** 28000 for an unknown or disabled agent, 3D000 for a missing world. */
export function localSession(database: Database, { entrance, as, branch, unmask }: Greeting): Session {
  const who = localPrincipal(database, as);
  // A session that serves a model reads masked columns masked, whatever its principal.
  const principal: Principal = entrance === 'mcp' ? { ...who, sight: unmask === true ? 'whole' : 'masked' } : who;
  const commands = database.commandsOf(principal);
  if (branch !== undefined) database.mustExist(branch);
  return { principal, commands };
}

function localPrincipal(database: Database, as: Greeting['as']): Principal {
  switch (as.kind) {
    case 'owner':
      return OWNER;
    case 'safe':
      return { kind: 'safe', forked: new Set(), session: `safe mode ${randomUUID().slice(0, 8)}` };
    case 'agent': {
      const agent = database.directory.byName(as.name);
      if (agent === null || agent.agent.state?.disabled !== false) {
        throw new SvcError('28000', `agent "${as.name}" ${agent === null ? 'does not exist' : 'is disabled'}`, { hint: 'SHOW AGENTS lists them.' });
      }
      return agent;
    }
    case 'role':
      return database.roleNamed(as.name);
    default:
      throw new SvcError('22023', 'a greeting says as whom it acts: owner, safe, an agent or a role');
  }
}

async function serveModel({ principal, commands }: Session, socket: Socket): Promise<void> {
  // Most processes serve no model.
  const [{ modelServer }, { LineTransport }] = await Promise.all([import('./mcp/model-server.ts'), import('./mcp/line-transport.ts')]);
  const server = modelServer({ principal, commands, safe: principal.kind === 'safe' }, RELEASE);
  const transport = new LineTransport(socket, socket);
  server.onclose = () => socket.end();
  await server.connect(transport);
  socket.resume();
}
