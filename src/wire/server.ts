/**
 * The entrance for Postgres's wire protocol: listens, and gives each connection an SQL session.
 *
 * Limits are the contract's: 1000 connections (53300), login within 60 s, startup packets under 10 kB, messages up to 64 MB,
 * 60 s without data in a COPY.
 */
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { createSecureContext, type SecureContext } from 'node:tls';
import { SvcError } from '../base/errors/svc-error.ts';
import { listenPrivately } from '../base/private-socket.ts';
import { certificateHash } from '../identity/certificate-hash.ts';
import type { Logins } from '../session/authenticate.ts';
import type { Principal } from '../session/principal.ts';
import type { SqlSession } from '../sql/session/sql-session.ts';
import { BackendKeys } from './backend-keys.ts';
import { WireConnection, type WireHost } from './connection.ts';
import { WIRE_LIMITS } from './protocol.ts';
import { type Accepted, acceptFrom } from './shared-input.ts';

export interface WireServerOptions {
  /** Opens an SQL session in a world, by name, id or `name@when`; 3D000 if there is none. */
  session(options: { branch: string; principal: Principal }): SqlSession;
  logins: Logins;
  /** PEM texts. */
  tls?: { readonly cert: string; readonly key: string };
  log?: WireHost['log'];
  connectionsMax?: number;
  loginMs?: number;
  copyIdleMs?: number;
  /** Read sockets as plain streams. */
  streams?: boolean;
}

export interface WireServer {
  /** Returns the port. */
  listen(host: string, port: number): Promise<number>;
  /** Also listens on a Unix socket for the same user: clients given its folder as host and the port connect to it. */
  listenLocally(folder: string, port: number): Promise<string>;
  readonly connections: number;
  /** Stops accepting, ends every connection with 57P01 after a short grace period. */
  close(): Promise<void>;
}

/** Time for statements to notice the shutdown. */
const CLOSE_MS = 5000;

/** libpq's name for the socket, before the port. */
export const LOCAL_SOCKET = '.s.PGSQL.';

export function localSocket(folder: string, port: number): string {
  return join(folder, `${LOCAL_SOCKET}${port}`);
}

export function createWireServer(options: WireServerOptions): WireServer {
  const connectionsMax = options.connectionsMax ?? WIRE_LIMITS.connectionsMax;
  const connections = new Set<WireConnection>();
  const tls: SecureContext | null = options.tls === undefined ? null : createSecureContext({ ...options.tls, minVersion: 'TLSv1.2' });
  let allClosed: (() => void) | null = null;
  const host: WireHost = {
    keys: new BackendKeys(),
    tls,
    loginMs: options.loginMs ?? WIRE_LIMITS.loginMs,
    copyIdleMs: options.copyIdleMs ?? WIRE_LIMITS.copyIdleMs,
    isFull: () => connections.size > connectionsMax,
    binding: options.tls === undefined ? null : certificateHash(options.tls.cert),
    logins: options.logins,
    open: (branch, principal) => {
      if (principal.kind === 'role' && !principal.superuser) {
        const { oid, connectionLimit } = principal;
        const open = [...connections].filter(({ principal: other }) => other?.kind === 'role' && other.oid === oid).length;
        if (connectionLimit >= 0 && open >= connectionLimit) throw new SvcError('53300', `too many connections for role "${principal.name}"`);
      }
      const session = options.session({ branch, principal });
      // 3D000 before the login.
      session.connect(branch);
      return session;
    },
    closed: (connection) => {
      connections.delete(connection);
      if (connections.size === 0) allClosed?.();
    },
    log: options.log ?? ((): void => {}),
  };
  const server: Server = createServer({ allowHalfOpen: true });
  const local: Server = createServer({ allowHalfOpen: true });
  const accepted = (connection: Accepted): void => {
    // Connections past the limit are answered, up to a second limit.
    if (connections.size >= connectionsMax + 100) connection.socket.destroy();
    else connections.add(new WireConnection(connection, host));
  };
  return {
    get connections() {
      return connections.size;
    },
    listen: (address, port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, address, () => {
          server.off('error', reject);
          acceptFrom(server, accepted, options.streams);
          server.on('error', (error) => host.log('error', { err: error }, 'the SQL port failed'));
          resolve((server.address() as AddressInfo).port);
        });
      }),
    listenLocally: async (folder, port) => {
      const path = localSocket(folder, port);
      await listenPrivately(local, path);
      acceptFrom(local, accepted, options.streams);
      local.on('error', (error) => host.log('error', { err: error }, 'the SQL socket failed'));
      return path;
    },
    close: async () => {
      const stopped = Promise.all([server, local].map((each) => new Promise<void>((resolve) => each.close(() => resolve()))));
      for (const connection of connections) connection.shutdown();
      if (connections.size > 0) {
        let timer: NodeJS.Timeout | undefined;
        await Promise.race([
          new Promise<void>((resolve) => {
            allClosed = resolve;
          }),
          new Promise<void>((resolve) => {
            timer = setTimeout(resolve, CLOSE_MS);
          }),
        ]);
        clearTimeout(timer);
      }
      for (const connection of connections) connection.destroy();
      await stopped;
    },
  };
}
