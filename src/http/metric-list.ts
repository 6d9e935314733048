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
  { name: 'held_merges', type: 'gauge', help: 'Merges that wait for a reviewer.' },
  { name: 'log_bytes', type: 'gauge', help: 'Size of the event log.' },
  { name: 'log_sequence', type: 'gauge', help: 'Sequence of the newest event.' },
  { name: 'log_unsynced_events', type: 'gauge', help: 'Events that are not on disk yet.' },
  { name: 'history_start_sequence', type: 'gauge', stat: 'history_start', help: 'Sequence of the oldest event that time travel reaches.' },
  { name: 'disk_bytes', type: 'gauge', help: 'Size of the folder: log and page cache.' },
  { name: 'cache_bytes', type: 'gauge', help: 'Decoded pages in memory.' },
  { name: 'cache_pages', type: 'gauge', help: 'Number of decoded pages in memory.' },
  { name: 'dirty_bytes', type: 'gauge', help: 'Changes since the last checkpoint that are not written as pages.' },
  { name: 'page_reads_total', type: 'counter', stat: 'page_reads', help: 'Pages read from disk.' },
  { name: 'checkpoints_total', type: 'counter', stat: 'checkpoints', help: 'Checkpoints since the start.' },
  { name: 'last_checkpoint_timestamp_seconds', type: 'gauge', help: 'When the last checkpoint ended; 0 before the first of this run.' },
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

/** Those that servers add. */
export const SERVER_METRICS = [
  { name: 'http_connections', type: 'gauge', help: 'Open connections of the HTTP port.' },
  { name: 'wire_connections', type: 'gauge', help: 'Open connections of the SQL port and its socket.' },
  { name: 'operations_total', type: 'counter', help: 'Operations answered by the HTTP port, by `op`.' },
  { name: 'errors_total', type: 'counter', help: 'Operations that failed, by `op` and `code` (SQLSTATE).' },
  { name: 'operation_seconds', type: 'histogram', help: 'Time to answer an operation, by `op`.' },
] as const satisfies readonly DatabaseMetric[];
