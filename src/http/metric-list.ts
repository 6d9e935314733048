/**
 * The metrics of a database: names, types, units and meanings. By the conventions of Prometheus: base units in the name (`_seconds`, `_bytes`), `_total` for
 * counters. docs/reference/metrics.md is generated from this list.
 */

export interface DatabaseMetric {
  /** After `svc_`. */
  readonly name: string;
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly help: string;
  /** Its name in `Database.stats()`, for gauges and counters, if it differs; with the factor to the metric's unit. */
  readonly stat?: string;
  readonly factor?: number;
}

export const DATABASE_METRICS = [
  { name: 'writable', type: 'gauge', help: '1 while writes are taken, 0 during an outage of the disk.' },
  { name: 'outages_total', type: 'counter', stat: 'outages', help: 'Times since the start that the disk refused writes.' },
  { name: 'worlds', type: 'gauge', help: 'Open worlds.' },
  { name: 'agents', type: 'gauge', help: 'Agents, disabled ones included.' },
  { name: 'held_merges', type: 'gauge', help: 'Merges that wait for a reviewer; a rejected one does not.' },
  { name: 'log_bytes', type: 'gauge', help: 'Size of the event log.' },
  { name: 'log_sequence', type: 'gauge', help: 'Sequence of the newest event.' },
  { name: 'log_unsynced_events', type: 'gauge', help: 'Events that are not on disk yet.' },
  { name: 'history_start_sequence', type: 'gauge', stat: 'history_start', help: 'Sequence of the oldest event that time travel reaches.' },
  { name: 'disk_bytes', type: 'gauge', help: 'Size of the folder: log and page cache.' },
  { name: 'max_disk_bytes', type: 'gauge', help: 'Ceiling of the size of the folder, above which writes are refused (SVC_MAX_DISK_BYTES); 0: none.' },
  { name: 'cache_bytes', type: 'gauge', help: 'Decoded pages in memory.' },
  { name: 'cache_pages', type: 'gauge', help: 'Number of decoded pages in memory.' },
  { name: 'dirty_bytes', type: 'gauge', help: 'Changes since the last checkpoint that are not written as pages.' },
  { name: 'page_reads_total', type: 'counter', stat: 'page_reads', help: 'Pages read from disk.' },
  { name: 'checkpoints_total', type: 'counter', stat: 'checkpoints', help: 'Checkpoints since the start.' },
  { name: 'last_checkpoint_timestamp_seconds', type: 'gauge', help: 'When the last checkpoint ended; 0 before the first of this run.' },
  { name: 'vector_lists_built_total', type: 'counter', stat: 'vector_lists_built', help: 'Approximate indexes of vectors built since the start.' },
  { name: 'super_roots', type: 'gauge', help: 'Checkpoints that are kept, from which moments are read.' },
  { name: 'pages_collected_total', type: 'counter', stat: 'pages_collected', help: 'Pages that nothing used and that were deleted.' },
  { name: 'replayed_events', type: 'gauge', help: 'Events that the last start replayed.' },
  { name: 'clock_behind_seconds', type: 'gauge', stat: 'clock_behind_ms', factor: 0.001, help: 'By how much the clock is behind the newest event.' },
  { name: 'sql_sessions', type: 'gauge', help: 'Connected SQL sessions.' },
  { name: 'statements_total', type: 'counter', stat: 'statements', help: 'SQL statements, by any entrance.' },
  { name: 'statement_errors_total', type: 'counter', stat: 'statement_errors', help: 'SQL statements that failed.' },
  { name: 'conflicts_total', type: 'counter', stat: 'conflicts', help: 'Merges that were refused for conflicts.' },
  { name: 'log_sync_seconds', type: 'histogram', help: 'Time of writing and syncing a group of events.' },
  { name: 'commit_seconds', type: 'histogram', help: 'Time from the first event of a group until the group is on disk: what a commit waits at most.' },
  { name: 'statement_seconds', type: 'histogram', help: 'Time of an SQL statement until its result is complete.' },
  { name: 'checkpoint_seconds', type: 'histogram', help: 'Time of a checkpoint, in which writers run.' },
] as const satisfies readonly DatabaseMetric[];

/** Of single worlds, by `world`: `main`, and the worlds that SVC_METRICS_WORLDS names. So their number is the operator's, however many worlds come and go. */
export const WORLD_METRICS = [
  { name: 'world_writes_total', type: 'counter', stat: 'writes', help: 'Committed writes of the world since it was made: its version.' },
  { name: 'world_changed_rows', type: 'gauge', stat: 'changed', help: 'Row changes of the world since its fork point.' },
  { name: 'world_forks', type: 'gauge', stat: 'forks', help: 'Open worlds that were forked from it.' },
  { name: 'world_checkpoints', type: 'gauge', stat: 'checkpoints', help: 'Its named checkpoints.' },
  { name: 'world_last_write_timestamp_seconds', type: 'gauge', stat: 'active', help: 'When the world was last written.' },
] as const satisfies readonly (DatabaseMetric & { readonly stat: keyof WorldValues })[];

/** Values of one world. */
export interface WorldValues {
  readonly writes: number;
  readonly changed: number;
  readonly forks: number;
  readonly checkpoints: number;
  /** In seconds since 1970. */
  readonly active: number;
}

/** Constant 1, with what runs as labels. */
export const BUILD_INFO = {
  name: 'build_info',
  type: 'gauge',
  help: '1, with `version` of svc, `node`, and `page_store`: rocksdb or leveldb.',
} as const satisfies DatabaseMetric;

/** Of Node's process, by the library: those that hold to the conventions, and take no time with many connections. */
export const PROCESS_METRICS = [
  { name: 'process_cpu_user_seconds_total', type: 'counter', help: 'Processor time in programs.' },
  { name: 'process_cpu_system_seconds_total', type: 'counter', help: 'Processor time in the operating system.' },
  { name: 'process_cpu_seconds_total', type: 'counter', help: 'Processor time.' },
  { name: 'process_start_time_seconds', type: 'gauge', help: 'When the process began.' },
  { name: 'process_resident_memory_bytes', type: 'gauge', help: 'Memory in use.' },
  { name: 'process_virtual_memory_bytes', type: 'gauge', help: 'Address space (Linux).' },
  { name: 'process_heap_bytes', type: 'gauge', help: 'Data segment of the process (Linux).' },
  { name: 'process_open_fds', type: 'gauge', help: 'Open files and sockets (Linux).' },
  { name: 'process_max_fds', type: 'gauge', help: 'Limit of open files and sockets (Linux).' },
  { name: 'nodejs_eventloop_lag_seconds', type: 'gauge', help: 'Delay of the event loop at the scrape.' },
  { name: 'nodejs_eventloop_lag_min_seconds', type: 'gauge', help: 'Least delay of the event loop since the scrape before.' },
  { name: 'nodejs_eventloop_lag_max_seconds', type: 'gauge', help: 'Longest one.' },
  { name: 'nodejs_eventloop_lag_mean_seconds', type: 'gauge', help: 'Mean.' },
  { name: 'nodejs_eventloop_lag_stddev_seconds', type: 'gauge', help: 'Standard deviation.' },
  { name: 'nodejs_eventloop_lag_p50_seconds', type: 'gauge', help: 'Median.' },
  { name: 'nodejs_eventloop_lag_p90_seconds', type: 'gauge', help: '90th percentile.' },
  { name: 'nodejs_eventloop_lag_p99_seconds', type: 'gauge', help: '99th percentile.' },
  { name: 'nodejs_heap_size_total_bytes', type: 'gauge', help: "Size of V8's heap." },
  { name: 'nodejs_heap_size_used_bytes', type: 'gauge', help: 'Used of it.' },
  { name: 'nodejs_external_memory_bytes', type: 'gauge', help: 'Memory of objects outside of it.' },
  { name: 'nodejs_heap_space_size_total_bytes', type: 'gauge', help: 'Size of a part of the heap, by `space`.' },
  { name: 'nodejs_heap_space_size_used_bytes', type: 'gauge', help: 'Used of it, by `space`.' },
  { name: 'nodejs_heap_space_size_available_bytes', type: 'gauge', help: 'Free in it, by `space`.' },
  { name: 'nodejs_version_info', type: 'gauge', help: "1, with Node's `version`." },
  { name: 'nodejs_gc_duration_seconds', type: 'histogram', help: 'Garbage collection, by `kind`: major, minor, incremental or weakcb.' },
] as const satisfies readonly DatabaseMetric[];

/** Those that servers add. */
export const SERVER_METRICS = [
  { name: 'http_connections', type: 'gauge', help: 'Open connections of the HTTP port.' },
  { name: 'wire_connections', type: 'gauge', help: 'Open connections of the SQL port and its socket.' },
  { name: 'operations_total', type: 'counter', help: 'Operations answered by the HTTP port, by `op`.' },
  { name: 'errors_total', type: 'counter', help: 'Operations that failed, by `op` and `code` (SQLSTATE).' },
  { name: 'operation_seconds', type: 'histogram', help: 'Time to answer an operation, by `op`.' },
] as const satisfies readonly DatabaseMetric[];
