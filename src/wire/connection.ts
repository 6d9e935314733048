/**
 * One connection, from its first byte to its last.
 *
 *     startup ──(SSLRequest, GSSENCRequest: answered, again)──► authenticate ──► ready ──► closed
 *        └── CancelRequest ──► closed
 *
 * Input that arrives while a message is processed waits in the reader; past a limit the socket is not read. Output is written
 * once per tick; a slow reader makes the statement wait instead of memory grow.
 *
 * A client that sends many messages at once gets a time slice of some milliseconds; the rest waits for the connection's
 * next turn (`base/turns.ts`), behind all other waiting connections. Input that arrives meanwhile is buffered.
 */
import type { Socket } from 'node:net';
import { TLSSocket, type SecureContext } from 'node:tls';
import { SvcError } from '../base/errors/svc-error.ts';
import { inTurn } from '../base/turns.ts';
import type { Logins } from '../session/authenticate.ts';
import { describe, type Principal } from '../session/principal.ts';
import type { Client } from '../sql/session/backends.ts';
import type { Listener, Notification } from '../sql/session/channels.ts';
import { durationMs } from '../sql/session/settings.ts';
import type { SqlSession } from '../sql/session/sql-session.ts';
import type { BackendKeys } from './backend-keys.ts';
import { encryptionOf } from './encryption.ts';
import { asSvcError, writeError } from './error-message.ts';
import { beginSlice, keepAwake } from './keep-awake.ts';
import { login } from './login.ts';
import { BrokenFraming, DROPPED, MessageReader } from './message-reader.ts';
import { MessageWriter } from './message-writer.ts';
import { countMessage, gather, type Sender } from './outbox.ts';
import { ParameterStatus } from './parameter-status.ts';
import { BACKEND, FRONTEND, VERSION_3_2, WIRE_LIMITS } from './protocol.ts';
import { type Connection, QueryProtocol } from './query-protocol.ts';
import type { Accepted } from './shared-input.ts';
import { readStartupPacket, type Startup } from './startup-packet.ts';
import { outputLeft, outputWaits } from './unsent-output.ts';
import { writeNow } from './write-now.ts';

/** Microseconds from 1970 to 2000. */
const EPOCH_MICROS = 946_684_800_000_000;

/** Shared by all connections. */
export interface WireHost {
  readonly keys: BackendKeys;
  /** null: connections are not encrypted. */
  readonly tls: SecureContext | null;
  /** Hash of the certificate, for channel binding. */
  readonly binding: Buffer | null;
  readonly loginMs: number;
  readonly copyIdleMs: number;
  /** Too many connections: 53300. */
  isFull(): boolean;
  readonly logins: Logins;
  /** Opens a session in the world (or `world@when`); 3D000. */
  open(branch: string, principal: Principal): SqlSession;
  closed(connection: WireConnection): void;
  log(level: 'info' | 'warn' | 'error', fields: Record<string, unknown>, message: string): void;
}

const TLS_RECORD = 0x16;
const PROBES = 3;
const PROBE_MS = 50;
/** ParameterStatus of a constant setting. */
const PROBE = Buffer.from('S\0\0\0\x19integer_datetimes\0on\0', 'latin1');
/** Result buffers up to this size are reused once the socket has taken them. */
const RECYCLED_BYTES = 16 * 1024;
/** Replies up to this size are written in place. */
const SHORT_BYTES = 16 * 1024;
/** Fixed bytes of a notification, besides its payload. */
const NOTIFICATION_BYTES = 128;
/** Messages of one extended query; a client that sends more at once has its slice checked before each message. */
const EXCHANGE_MESSAGES = 5;

export class WireConnection implements Connection, Listener, Sender {
  readonly reader = new MessageReader();
  readonly out = new MessageWriter();
  sends = 0;
  readonly #host: WireHost;
  #socket: Socket;
  #encrypted = false;
  #asked = { ssl: false, gssenc: false };
  #phase: 'startup' | 'authenticating' | 'ready' | 'closed' = 'startup';
  /** Set while the login waits for the client. */
  #answer: { readonly resolve: (body: Buffer) => void; readonly reject: (error: SvcError) => void } | null = null;
  #protocol: QueryProtocol | null = null;
  #session: SqlSession | null = null;
  /** The logged-in principal. */
  principal: Principal | null = null;
  #pid = 0;
  #processing = false;
  #scheduled = false;
  /** Input is being processed in the callback that delivered it. */
  #reading = false;
  /** End of the time slice for processing messages. */
  #sliceEndMs = 0;
  #due = false;
  #gathered = false;
  #paused = false;
  #draining: Promise<void> | null = null;
  /** The client has ended its side. */
  #hasEnded = false;
  /** All whole messages have been taken. */
  #starved = true;
  #drained: (() => void) | null = null;
  /** The server is shutting down: the connection ends with its statement. */
  #ending: SvcError | null = null;
  #timer: NodeJS.Timeout | null;
  #timeoutsOf = -1;
  #idleMs = 0;
  #idleInTransactionMs = 0;
  readonly #notifications: Notification[] = [];

  constructor({ socket, input }: Accepted, host: WireHost) {
    this.#host = host;
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 60_000);
    this.#attach(socket);
    if (input === null) this.#takeData(socket);
    else {
      input.take = (bytes, count) => {
        this.#take(bytes, count);
        // The buffer is shared.
        this.reader.keep();
      };
    }
    this.#timer = setTimeout(() => this.#drop(), host.loginMs);
  }

  #takeData(socket: Socket): void {
    socket.on('data', (chunk: Buffer) => this.#take(chunk, chunk.length));
  }

  #take(bytes: Buffer, count: number): void {
    const nowMs = performance.now();
    countMessage();
    this.reader.push(bytes, count);
    if (this.#scheduled) {
      // Queued for its turn; more input is buffered.
      this.#updateReading(this.#protocol!);
      return;
    }
    this.#sliceEndMs = beginSlice(nowMs);
    this.#reading = true;
    this.#process();
    this.#reading = false;
    keepAwake(nowMs, this.#protocol?.busy === true);
  }

  #attach(socket: Socket): void {
    socket.on('drain', () => this.#onDrain());
    socket.on('error', () => {});
    socket.on('end', () => {
      // As in Postgres, pending input is processed and answered first.
      this.#hasEnded = true;
      if (this.#phase === 'ready') {
        this.#process();
        this.#probe(PROBES);
      } else this.#drop();
    });
    socket.on('close', () => this.#gone());
  }

  /**
   * Detects a client that is gone after closing its side: the first bytes written cause a reset, which the next write
   * reports. ParameterStatus of an unchanged setting may be sent at any time.
   */
  #probe(left: number): void {
    if (left === 0 || this.#phase !== 'ready' || this.#protocol?.busy !== true) return;
    this.#socket.write(PROBE);
    setTimeout(() => this.#probe(left - 1), PROBE_MS).unref();
  }

  // --- output

  get ending(): boolean {
    return this.#ending !== null;
  }

  get full(): boolean {
    return this.out.length >= WIRE_LIMITS.outputBytes;
  }

  get backpressure(): Promise<void> | null {
    return this.#draining;
  }

  due(): void {
    this.#due = true;
  }

  send(): Promise<void> | null {
    this.#due = false;
    const { out } = this;
    if (out.length > 0) {
      this.sends++;
      if (out.length <= SHORT_BYTES && !this.#encrypted && this.#draining === null) {
        out.shift(writeNow(this.#socket, out.filled, out.length));
        if (out.length === 0) return null;
      }
      const bytes = out.take();
      if (this.#socket.writable && !this.#socket.write(bytes, bytes.length > RECYCLED_BYTES ? this.#waitsFor(bytes) : undefined)) {
        this.#draining ??= new Promise((resolve) => {
          this.#drained = resolve;
        });
      }
    }
    return this.#draining;
  }

  /** Called once the client has taken the bytes, or is gone. */
  #waitsFor(bytes: Buffer): () => void {
    outputWaits(bytes.length);
    return () => {
      outputLeft(bytes.length);
      this.out.recycle(bytes);
    };
  }

  sendGathered(): void {
    this.#gathered = false;
    if (!this.#due) return;
    void this.send();
    if (this.#draining !== null && this.#phase === 'ready') this.#updateReading(this.#protocol!);
  }

  #onDrain(): void {
    const drained = this.#drained;
    this.#draining = null;
    this.#drained = null;
    drained?.();
    if (this.#notifications.length > 0) this.#sendNotifications();
  }

  // --- input

  idle(): void {
    if (!this.#reading) {
      const nowMs = performance.now();
      keepAwake(nowMs);
      // Statements that wait only for promises would follow each other without a turn of the event loop.
      if (!this.#processing && nowMs > this.#sliceEndMs && this.reader.waiting > 0 && this.#phase === 'ready') this.#giveTurnUp();
    }
    if (this.#phase === 'closed') this.#finishIfGone();
    else if (!this.#processing) this.#process();
  }

  #giveTurnUp(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    inTurn(this.#takeTurn);
  }

  readonly #takeTurn = (): void => {
    this.#scheduled = false;
    if (this.#phase !== 'ready') return;
    this.#sliceEndMs = performance.now() + WIRE_LIMITS.sliceMs;
    this.#process();
  };

  more(): void {
    if (!this.#processing) this.#process();
  }

  #process(): void {
    if (this.#processing) return;
    this.#processing = true;
    try {
      if (this.#phase === 'startup') this.#startup();
      if (this.#phase === 'authenticating' && this.#answer !== null) this.#readAnswer();
      if (this.#phase === 'ready') this.#messages(this.#protocol!);
    } catch (error) {
      this.#fatal(asSvcError(error));
    }
    this.#processing = false;
    this.#turnEnds();
  }

  #messages(protocol: QueryProtocol): void {
    const { reader } = this;
    this.#starved = false;
    if (this.#scheduled) return;
    for (let count = 0; this.#phase === 'ready'; count++) {
      const { copyInput } = protocol;
      if (protocol.busy) {
        if (copyInput === null || copyInput.over || copyInput.full) return;
      } else {
        if (this.#ending !== null) throw this.#ending;
        // Replies of many small messages are sent before more are processed.
        if (this.#draining !== null) return;
        if (this.full) {
          protocol.flush();
          continue;
        }
      }
      if (count >= EXCHANGE_MESSAGES && performance.now() > this.#sliceEndMs) {
        this.#giveTurnUp();
        return;
      }
      const type = reader.next();
      if (type === 0) {
        this.#starved = true;
        return;
      }
      if (type === DROPPED) protocol.dropped(reader.dropped);
      else if (protocol.busy) copyInput!.take(type, reader);
      else protocol.handle(type);
    }
  }

  #turnEnds(): void {
    // A full buffer must be sent now, gathered or not: nothing is read until then.
    if (this.#due && (!this.#gathered || this.full)) {
      if (this.out.length <= SHORT_BYTES && gather(this)) {
        this.#gathered = true;
        // The gathering sender runs after messages; this one may have waited for something else.
        if (!this.#reading) keepAwake(performance.now());
      } else void this.send();
    }
    if (this.#phase !== 'ready') return;
    const protocol = this.#protocol!;
    const { busy } = protocol;
    // From here on, other sessions see that the statements wait for their Sync.
    if (!busy) {
      try {
        this.#session!.betweenStatements();
      } catch (error) {
        this.#fatal(asSvcError(error));
        return;
      }
    }
    this.#updateReading(protocol);
    if (this.#hasEnded && this.#starved) {
      if (!busy) {
        this.terminate();
        return;
      }
      if (protocol.copyInput?.over === false) protocol.copyInput.fail(new SvcError('08006', 'unexpected EOF on client connection with an open transaction'));
    }
    this.#arm(busy);
  }

  /** Stops reading from a client that does not read its replies, or sends faster than it is processed. */
  #updateReading({ busy, copyInput }: QueryProtocol): void {
    const waits = this.#scheduled || (busy && copyInput === null);
    const backpressure = waits ? this.reader.waiting > WIRE_LIMITS.inputBytesWaiting : busy && copyInput!.full;
    if ((backpressure || this.#draining !== null) === this.#paused) return;
    this.#paused = !this.#paused;
    if (this.#paused) {
      this.#socket.pause();
      if (this.#draining !== null) void this.#draining.then(() => this.#process());
    } else this.#socket.resume();
  }

  /** Timeouts of a session that waits for its client. */
  #arm(busy: boolean): void {
    const session = this.#session!;
    if (!busy) session.rest();
    // An agent's quota may have been changed.
    if (this.#timeoutsOf !== session.settings.version || session.principal.kind === 'agent') {
      this.#timeoutsOf = session.settings.version;
      this.#idleMs = durationMs(session.settings.get('idle_session_timeout')!);
      this.#idleInTransactionMs = session.idleInTransactionMs;
    }
    if (this.#timer !== null) {
      clearTimeout(this.#timer);
      this.#timer = null;
    }
    if (busy) {
      if (this.#protocol!.copyInput?.over === false) this.#timer = setTimeout(() => this.#copyIdles(), this.#host.copyIdleMs);
    } else if (session.transaction !== null) {
      if (this.#idleInTransactionMs > 0) {
        this.#timer = setTimeout(() => this.#expire('25P03', 'terminating connection due to idle-in-transaction timeout'), this.#idleInTransactionMs);
      }
    } else if (this.#idleMs > 0) {
      this.#timer = setTimeout(() => this.#expire('57P05', 'terminating connection due to idle-session timeout'), this.#idleMs);
    }
  }

  /** COPY input timed out: the client's fault only if the statement waits for it. */
  #copyIdles(): void {
    if (this.#protocol!.copyInput?.waits === true) this.#expire('57P05', 'terminating connection because COPY received no data');
    else this.#arm(true);
  }

  #expire(code: '25P03' | '57P05', message: string): void {
    this.#timer = null;
    this.#fatal(new SvcError(code, message));
  }

  // --- startup

  #startup(): void {
    const { reader } = this;
    if (!this.#encrypted && !this.#asked.ssl && reader.peek() === TLS_RECORD && this.#host.tls !== null) {
      // Clients since 17 may begin TLS without a request.
      this.#encrypt(this.#host.tls, reader.rest());
      return;
    }
    for (;;) {
      const length = reader.nextStartup(WIRE_LIMITS.startupBytesMax);
      if (length === null) return;
      const packet = readStartupPacket(reader, length);
      switch (packet.kind) {
        case 'ssl':
        case 'gssenc':
          if (this.#asked[packet.kind] || this.#encrypted) throw new BrokenFraming('08P01', 'unexpected request for encryption');
          this.#asked[packet.kind] = true;
          if (reader.waiting > 0) throw new BrokenFraming('08P01', 'received unencrypted data after a request for encryption');
          if (packet.kind === 'ssl' && this.#host.tls !== null) {
            this.#socket.write('S');
            this.#encrypt(this.#host.tls, null);
            return;
          }
          this.#socket.write('N');
          break;
        case 'cancel':
          this.#host.keys.cancel(packet.pid, packet.key);
          this.#drop();
          return;
        case 'start':
          this.#phase = 'authenticating';
          void this.#start(packet.startup);
          return;
      }
    }
  }

  #encrypt(context: SecureContext, begun: Buffer | null): void {
    const plain = this.#socket;
    plain.removeAllListeners('data');
    plain.removeAllListeners('drain');
    plain.removeAllListeners('end');
    plain.removeAllListeners('close');
    plain.pause();
    if (begun !== null) plain.unshift(Buffer.from(begun));
    const socket = new TLSSocket(plain, { isServer: true, secureContext: context, ALPNProtocols: ['postgresql'] });
    // With direct TLS the client must negotiate the protocol (ALPN), so that clients of other protocols cannot be redirected here.
    if (begun !== null) {
      socket.once('secure', () => {
        if (socket.alpnProtocol !== 'postgresql') this.#drop();
      });
    }
    this.#socket = socket;
    this.#encrypted = true;
    this.#takeData(socket);
    this.#attach(socket);
  }

  /** Reads the client's authentication message. */
  #readAnswer(): void {
    const { reader } = this;
    const type = reader.next();
    if (type === 0) {
      if (reader.waiting > WIRE_LIMITS.startupBytesMax) throw new BrokenFraming('08P01', 'invalid password packet size');
      return;
    }
    if (type !== FRONTEND.password) throw new BrokenFraming('08P01', `expected password response, got message type ${type}`);
    if (reader.left > WIRE_LIMITS.startupBytesMax) throw new BrokenFraming('08P01', 'invalid password packet size');
    const { resolve } = this.#answer!;
    this.#answer = null;
    resolve(Buffer.from(reader.bytesOf(reader.left)));
  }

  #ask(): Promise<Buffer> {
    void this.send();
    return new Promise((resolve, reject) => {
      this.#answer = { resolve, reject };
      if (!this.#processing) this.#process();
    });
  }

  async #start(startup: Startup): Promise<void> {
    const address = this.#socket.remoteAddress ?? '';
    try {
      const host = this.#host;
      if (host.tls !== null && !this.#encrypted) {
        throw new SvcError('28000', 'this server takes encrypted connections only', { hint: 'Connect with sslmode=require.' });
      }
      if (host.isFull()) throw new SvcError('53300', 'sorry, too many clients already');
      this.#negotiate(startup);
      const parts = { user: startup.user, address, binding: this.#encrypted ? host.binding : null };
      const who = await login({ out: this.out, answer: () => this.#ask() }, parts, host.logins);
      if (this.#phase !== 'authenticating') return;
      this.#open(startup, host.logins.principal(who));
    } catch (thrown) {
      const error = asSvcError(thrown);
      if (error.code.startsWith('28')) {
        this.#host.log('warn', { address, user: shownName(startup.user), code: error.code, reason: reasonOf(error, startup.user) }, 'login refused');
      }
      this.#fatal(error);
    }
  }

  /** Sent before authentication: the protocol version, and unknown options. */
  #negotiate(startup: Startup): void {
    if (startup.version <= VERSION_3_2 && startup.unknownOptions.length === 0) return;
    const { out } = this;
    out.begin(BACKEND.negotiateProtocolVersion);
    out.int32(Math.min(startup.version, VERSION_3_2));
    out.int32(startup.unknownOptions.length);
    for (const name of startup.unknownOptions) out.text(name);
    out.end();
  }

  #client(): Client {
    const { remoteAddress, remotePort, localAddress, localPort } = this.#socket;
    const [address, serverAddress] = [remoteAddress, localAddress].map((each) => each?.replace(/^::ffff:/, '') ?? null);
    return {
      address,
      port: remotePort ?? null,
      serverAddress,
      serverPort: localPort ?? null,
      encryption: encryptionOf(this.#socket),
      since: Date.now() * 1000 - EPOCH_MICROS,
      cancel: () => this.#protocol?.cancel(),
      terminate: () => setImmediate(() => this.shutdown()),
    };
  }

  #open(startup: Startup, principal: Principal): void {
    const { out } = this;
    const session = this.#host.open(startup.database ?? 'main', principal);
    this.#session = session;
    this.principal = principal;
    session.listener = this;
    session.administered = (what, name) => {
      this.#host.log('info', { backend: this.#pid, address: this.#socket.remoteAddress, by: describe(principal), what, name }, 'administration');
    };
    for (const [name, value] of startup.settings) session.settings.start(name, value);
    const { pid, key } = this.#host.keys.issue(startup.version >= VERSION_3_2, () => this.#protocol?.cancel());
    this.#pid = pid;
    session.system.backendPid = pid;
    session.host.backends.add(session, this.#client());
    const status = new ParameterStatus(session, startup.user, this);
    out.begin(BACKEND.authentication);
    out.int32(0);
    out.end();
    status.report();
    out.begin(BACKEND.backendKeyData);
    out.int32(pid);
    out.bytes(key);
    out.end();
    this.#protocol = new QueryProtocol(session, this, status, () => this.#writeNotifications());
    this.#phase = 'ready';
    this.#protocol.greet();
    this.#host.log(
      'info',
      { backend: pid, user: shownName(startup.user), by: describe(principal), world: session.branch, address: this.#socket.remoteAddress },
      'connection open',
    );
    this.#process();
  }

  // --- notifications

  notified(notification: Notification): void {
    if (this.#phase !== 'ready') return;
    this.#notifications.push(notification);
    this.#notificationBytes += NOTIFICATION_BYTES + notification.payload.length;
    if (this.#notificationBytes > WIRE_LIMITS.notificationBytesMax) {
      this.#fatal(
        new SvcError('53200', 'terminating connection because it does not take its notifications', {
          detail: `More than ${WIRE_LIMITS.notificationBytesMax >> 20} MB of them wait.`,
          hint: 'Read them as they come, and do not LISTEN in long transactions.',
        }),
      );
      return;
    }
    this.#sendNotifications();
  }
  #notificationBytes = 0;

  /** Only while the session waits for its client, and the client reads; otherwise they wait. */
  #sendNotifications(): void {
    const protocol = this.#protocol;
    if (protocol === null || this.#phase !== 'ready' || protocol.busy || this.#processing || this.#draining !== null) return;
    if (this.#notifications.length === 0 || this.#session!.transaction !== null) return;
    this.#writeNotifications();
    void this.send();
  }

  #writeNotifications(): void {
    if (this.#notifications.length === 0 || this.#session!.transaction !== null) return;
    const { out } = this;
    for (const { pid, channel, payload } of this.#notifications) {
      out.begin(BACKEND.notificationResponse, true);
      out.int32(pid);
      out.text(channel);
      out.text(payload);
      out.end();
    }
    this.#notifications.length = 0;
    this.#notificationBytes = 0;
  }

  // --- the end

  terminate(): void {
    // Pending replies are sent first.
    if (this.#due) void this.send();
    this.#phase = 'closed';
    this.#socket.destroySoon();
  }

  broken(error: unknown): void {
    if (this.#protocol !== null) this.#protocol.busy = false;
    this.#fatal(asSvcError(error));
    this.#finishIfGone();
  }

  fault(error: SvcError): void {
    this.#host.log('error', { backend: this.#pid, err: error.cause ?? error }, 'statement failed by a fault of the server');
  }

  refused({ code, message }: SvcError): void {
    const { principal } = this.#session!;
    // Table privileges of roles are not logged.
    if (principal.kind === 'role') return;
    this.#host.log('warn', { backend: this.#pid, address: this.#socket.remoteAddress, by: describe(principal), code, reason: message }, 'refused');
  }

  /** The server is shutting down: ends at once, or when the running statement has been cancelled. */
  shutdown(): void {
    const error = new SvcError('57P01', 'terminating connection due to administrator command');
    this.#ending = error;
    if (this.#phase === 'startup' || this.#phase === 'closed') this.#drop();
    else if (this.#protocol === null) this.#fatal(error);
    else if (this.#protocol.busy) {
      this.#session!.cancel();
      this.#protocol.copyInput?.fail(error);
    } else this.#fatal(error);
  }

  /** Without an error message. */
  destroy(): void {
    this.#drop();
  }

  #fatal(error: SvcError): void {
    if (this.#phase === 'closed') return;
    this.#phase = 'closed';
    this.#protocol?.copyInput?.fail(error);
    this.#session?.cancel();
    if (error.code === 'XX000') this.fault(error);
    // Before the session is open, only the error is sent.
    if (this.#protocol === null) this.out.rewind(0);
    this.#refuseAnswer();
    writeError(this.out, error, 'FATAL');
    void this.send();
    this.#socket.end();
    // Do not wait for a client that does not close its side.
    setTimeout(() => this.#drop(), 1000).unref();
  }

  /** The authentication message will not come. */
  #refuseAnswer(): void {
    this.#answer?.reject(new SvcError('57P01', 'the connection is closed'));
    this.#answer = null;
  }

  #drop(): void {
    this.#phase = 'closed';
    this.#socket.destroy();
  }

  #gone(): void {
    this.#phase = 'closed';
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#pid !== 0) this.#host.keys.release(this.#pid);
    this.reader.release();
    this.#refuseAnswer();
    this.#session?.cancel();
    this.#protocol?.copyInput?.fail(new SvcError('57014', 'the client is gone'));
    this.#onDrain();
    this.#finish();
  }

  #isGone = false;

  #finishIfGone(): void {
    if (this.#isGone) this.#finish();
  }

  /** Releases the session once nothing of it runs. */
  #finish(): void {
    this.#isGone = true;
    if (this.#protocol?.busy === true) return;
    this.#session?.close();
    this.#session = null;
    this.#protocol?.release();
    if (this.#pid !== 0) this.#host.log('info', { backend: this.#pid }, 'connection closed');
    this.#pid = 0;
    this.#host.closed(this);
  }
}

/** A token may have been given as the user name: it is not logged. */
function shownName(user: string): string {
  return user.startsWith('svc_') || user.length > 63 ? `${user.slice(0, 4)}…` : user;
}

function reasonOf({ message }: SvcError, user: string): string {
  return user === '' ? message : message.replaceAll(user, shownName(user));
}
