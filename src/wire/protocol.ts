/** Numbers of the Postgres wire protocol (manual, chapter 55): versions, request codes, message types. */

export const VERSION_3_0 = 0x30000;
export const VERSION_3_2 = 0x30002;
export const CANCEL_REQUEST = 80877102;
export const SSL_REQUEST = 80877103;
export const GSSENC_REQUEST = 80877104;

const code = (letter: string): number => letter.charCodeAt(0);

/** What clients send. */
export const FRONTEND = {
  bind: code('B'),
  close: code('C'),
  copyData: code('d'),
  copyDone: code('c'),
  copyFail: code('f'),
  describe: code('D'),
  execute: code('E'),
  flush: code('H'),
  functionCall: code('F'),
  parse: code('P'),
  password: code('p'),
  query: code('Q'),
  sync: code('S'),
  terminate: code('X'),
} as const;

/** What the server sends. */
export const BACKEND = {
  authentication: code('R'),
  backendKeyData: code('K'),
  bindComplete: code('2'),
  closeComplete: code('3'),
  commandComplete: code('C'),
  copyData: code('d'),
  copyDone: code('c'),
  copyInResponse: code('G'),
  copyOutResponse: code('H'),
  dataRow: code('D'),
  emptyQueryResponse: code('I'),
  errorResponse: code('E'),
  functionCallResponse: code('V'),
  negotiateProtocolVersion: code('v'),
  noData: code('n'),
  noticeResponse: code('N'),
  notificationResponse: code('A'),
  parameterDescription: code('t'),
  parameterStatus: code('S'),
  parseComplete: code('1'),
  portalSuspended: code('s'),
  readyForQuery: code('Z'),
  rowDescription: code('T'),
} as const;

/** Limits of the contract. */
export const WIRE_LIMITS = {
  /** Larger messages are read, dropped and answered 54000. */
  messageBytesMax: 64 * 1024 * 1024,
  /** Past it the connection is closed with 08P01. */
  messageBytesAbsurd: 1024 * 1024 * 1024,
  startupBytesMax: 10_000,
  connectionsMax: 1000,
  loginMs: 60_000,
  copyIdleMs: 60_000,
  /** Output is written to the socket at this size, and at the end of each tick. */
  outputBytes: 64 * 1024,
  /** Total of large unread rows of all connections; a further one is refused with 53200. */
  unsentBytesMax: 512 * 1024 * 1024,
  /** Total of large incomplete messages of all connections; a further one is dropped and answered 53200. */
  unreadBytesMax: 512 * 1024 * 1024,
  /** Messages of a statement that cannot wait for the client to read them; past it the statement ends with 53200. */
  messagesBytesMax: 64 * 1024 * 1024,
  /** Notifications pending for a listener; past it the connection ends with 53200. */
  notificationBytesMax: 64 * 1024 * 1024,
  /** Input pending while a statement runs; past it the socket is not read. */
  inputBytesWaiting: 1024 * 1024,
  /** Time slice of one connection's messages. */
  sliceMs: 5,
} as const;
