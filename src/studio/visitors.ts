/**
 * Who sends a request. By default the holder of the key in the printed link, who is the database's own user; with logins, roles that have
 * signed in.
 *
 *   key mode     X-Svc-Key: <64 hex digits>      kept by the page for its tab, and no cookie: other ports of this machine would get it
 *   login mode   a cookie with a session's id    HttpOnly, SameSite=Strict; Secure and `__Host-` over HTTPS
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { SvcError } from '../base/errors/svc-error.ts';
import type { LoginThrottle } from '../session/login-throttle.ts';
import { sameSecret } from '../session/token.ts';
import type { StudioLink } from './link.ts';
import type { Visitor } from './rights.ts';
import { provenRole, roleNamed, wrongSignIn } from './roles.ts';
import { Sessions } from './sessions.ts';

export interface VisitorsOptions {
  readonly link: StudioLink;
  /** Shared with the other ports of the process. */
  readonly throttle: LoginThrottle;
  readonly login: boolean;
  readonly isTls: boolean;
  /** In the cookie's name, since ports share cookies. */
  readonly port: number;
  readonly sessions?: Sessions;
}

export class Visitors {
  /** For the fragment of the link; null: roles sign in. */
  readonly key: string | null;
  readonly #options: VisitorsOptions;
  readonly #sessions: Sessions;
  readonly #cookie: string;

  constructor(options: VisitorsOptions) {
    this.#options = options;
    this.#sessions = options.sessions ?? new Sessions();
    this.key = options.login ? null : randomBytes(32).toString('hex');
    this.#cookie = `${options.isTls ? '__Host-' : ''}svc-studio-${options.port}`;
  }

  /** 28000 (401) without a key or session, 28P01 (401) for a wrong key, 28P01 (429) while the address waits. */
  async of(request: IncomingMessage): Promise<Visitor> {
    const { throttle } = this.#options;
    const address = request.socket.remoteAddress ?? '';
    if (this.key !== null) {
      const given = request.headers['x-svc-key'];
      if (typeof given !== 'string') throw new SvcError('28000', 'the key of the link is missing', { hint: 'Open the link that svc studio printed.' });
      throttle.check(address);
      if (sameSecret(given, this.key)) return { kind: 'key' };
      throttle.failed(address);
      throw new SvcError('28P01', 'this is not the key of the link', { hint: 'svc studio prints another link each time it starts: open the newest.' });
    }
    const id = this.#idOf(request);
    const session = id === null ? null : this.#sessions.use(id, request.headers['x-svc-background'] !== undefined);
    if (session === null) throw new SvcError('28000', 'sign in first', { hint: 'A session ends after 30 minutes without use, and after 12 hours.' });
    const role = await roleNamed(this.#options.link, session.role);
    if (role === null || role.oid !== session.oid || !role.mayLogIn) {
      this.#sessions.end(id!);
      throw new SvcError('28000', `role "${session.role}" may no longer log in`, { hint: 'Sign in with another role.' });
    }
    return { kind: 'role', oid: role.oid, name: role.name, superuser: role.superuser };
  }

  /** The cookie of a new session. 28P01: 401 for every wrong pair, 429 while the address waits. */
  async signIn(request: IncomingMessage, role: string, password: string): Promise<string> {
    const { link, throttle, login } = this.#options;
    if (!login) throw new SvcError('55000', 'there is no sign-in here', { hint: 'Open the link that svc studio printed, or start it with --login.' });
    const address = request.socket.remoteAddress ?? '';
    throttle.check(address);
    try {
      const proven = await provenRole(link, role, password);
      const before = this.#idOf(request);
      if (before !== null) this.#sessions.end(before);
      return this.#cookieOf(this.#sessions.begin(proven.oid, proven.name));
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== '28P01') throw error;
      throttle.failed(address);
      throw wrongSignIn();
    }
  }

  /** The cookie that removes the session's. */
  signOut(request: IncomingMessage): string {
    const id = this.#idOf(request);
    if (id !== null) this.#sessions.end(id);
    return `${this.#cookieOf('')}; Max-Age=0`;
  }

  #cookieOf(id: string): string {
    return `${this.#cookie}=${id}; Path=/; HttpOnly; SameSite=Strict${this.#options.isTls ? '; Secure' : ''}`;
  }

  #idOf({ headers }: IncomingMessage): string | null {
    for (const pair of (headers.cookie ?? '').split(';')) {
      const at = pair.indexOf('=');
      if (pair.slice(0, at).trim() === this.#cookie) return pair.slice(at + 1).trim();
    }
    return null;
  }
}
