/** All limits. Passing one is a typed error with a test. */
export const LIMITS = {
  segmentSizeBytes: 64 * 1024 * 1024,
  recordPayloadBytesMax: 8 * 1024 * 1024,
  keySizeBytesMax: 4096,
  tableNameLengthMax: 256,
  worldNameLengthMax: 256,
  fieldNameBytesMax: 1024,
  tableColumnsMax: 1600,
  /** Columns of a result or of a subquery; the protocol's column count allows no more than 32,767. */
  targetListMax: 1664,
  jsonDepthMax: 512,
  functionDepthMax: 40,
  searchDepthMax: 2000,
  /** Inlined function bodies per plan; further calls are not inlined. */
  inlinedBodiesMax: 1000,
  /** Rows of attached tables that one merge may change in the external Postgres. */
  writeBackRowsMax: 10_000,
  batchRowsMax: 1_000_000,
  /** WITH items of one statement: they are bound in one tick. */
  commonTablesMax: 5000,
  /** Items of one IN list: use an array beyond that. */
  listedValuesMax: 500_000,
  /** An element may take a few bytes; the array is held in memory, and a function that builds it is not interrupted. */
  arrayBytesMax: 512 * 1024 * 1024,
  arrayElementsMax: 16 * 1024 * 1024,
  /** For functions that repeat or pad a text: V8 builds it at once, which takes some 100 ms at this size. */
  textCharactersMax: 128 * 1024 * 1024,
  /** Heap of a thread for long calls. */
  computeHeapMb: 1024,
  /** lo_import: the file is held in memory and split into pages in one tick. */
  importedFileBytesMax: 64 * 1024 * 1024,
  findLimitMax: 10_000,
  findOffsetMax: 100_000,
  historyLimitMax: 10_000,
  /** Characters that a worker may say of a failed attempt. */
  outboxErrorMax: 4000,
  worldsLimitMax: 100_000,
  auditLimitMax: 10_000,
  /** A century in milliseconds; also of counts. */
  quotaMax: 3_200_000_000_000,
  metaBytesMax: 64 * 1024,
  forkDepthMax: 10_000,
  simulatedWorldsMax: 1_048_576,
  /** One message of MCP. */
  modelMessageBytesMax: 8 * 1024 * 1024,
  httpBodyBytesMax: 32 * 1024 * 1024,
  httpHeaderBytesMax: 64 * 1024,
  httpConnectionsMax: 1000,
  httpPendingReplyBytesMax: 512 * 1024 * 1024,
  httpIdleMs: 60_000,
  httpRequestMs: 120_000,
  /** How long closing waits for running requests. */
  httpCloseMs: 10_000,
  /** Sessions of the web console: unused, in all, and how many. */
  studioIdleMs: 30 * 60_000,
  studioSessionMs: 12 * 60 * 60_000,
  studioSessionsMax: 10_000,
} as const;
