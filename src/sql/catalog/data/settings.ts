/** Read from the catalogs of PostgreSQL 15 by test/sql/catalog/extract.ts; not written by hand. */

/** name|unit|category|context|type|min|max|values|description of settings that sessions may know */
export const SETTINGS_DATA = `DateStyle||Client Connection Defaults / Locale and Formatting|user|string||||Sets the display format for date and time values.
IntervalStyle||Client Connection Defaults / Locale and Formatting|user|enum|||postgres,postgres_verbose,sql_standard,iso_8601|Sets the display format for interval values.
TimeZone||Client Connection Defaults / Locale and Formatting|user|string||||Sets the time zone for displaying and interpreting time stamps.
allow_in_place_tablespaces||Developer Options|superuser|bool||||Allows tablespaces directly inside pg_tblspc, for testing.
allow_system_table_mods||Developer Options|superuser|bool||||Allows modifications of the structure of system tables.
application_name||Reporting and Logging / What to Log|user|string||||Sets the application name to be reported in statistics and logs.
array_nulls||Version and Platform Compatibility / Previous PostgreSQL Versions|user|bool||||Enable input of NULL elements in arrays.
backend_flush_after|8kB|Resource Usage / Asynchronous Behavior|user|integer|0|256||Number of pages after which previously performed writes are flushed to disk.
backslash_quote||Version and Platform Compatibility / Previous PostgreSQL Versions|user|enum|||safe_encoding,on,off|Sets whether "\\'" is allowed in string literals.
backtrace_functions||Developer Options|superuser|string||||Log backtrace for errors in these functions.
block_size||Preset Options|internal|integer|8192|8192||Shows the size of a disk block.
bytea_output||Client Connection Defaults / Statement Behavior|user|enum|||escape,hex|Sets the output format for bytea.
check_function_bodies||Client Connection Defaults / Statement Behavior|user|bool||||Check routine bodies during CREATE FUNCTION and CREATE PROCEDURE.
client_connection_check_interval|ms|Connections and Authentication / Connection Settings|user|integer|0|2147483647||Sets the time interval between checks for disconnection while running queries.
client_encoding||Client Connection Defaults / Locale and Formatting|user|string||||Sets the client's character set encoding.
client_min_messages||Client Connection Defaults / Statement Behavior|user|enum|||debug5,debug4,debug3,debug2,debug1,log,notice,warning,error|Sets the message levels that are sent to the client.
commit_delay||Write-Ahead Log / Settings|superuser|integer|0|100000||Sets the delay in microseconds between transaction commit and flushing WAL to disk.
commit_siblings||Write-Ahead Log / Settings|user|integer|0|1000||Sets the minimum number of concurrent open transactions required before performing commit_delay.
compute_query_id||Statistics / Monitoring|superuser|enum|||auto,regress,on,off|Enables in-core computation of query identifiers.
constraint_exclusion||Query Tuning / Other Planner Options|user|enum|||partition,on,off|Enables the planner to use constraints to optimize queries.
cpu_index_tuple_cost||Query Tuning / Planner Cost Constants|user|real|0|1.79769e+308||Sets the planner's estimate of the cost of processing each index entry during an index scan.
cpu_operator_cost||Query Tuning / Planner Cost Constants|user|real|0|1.79769e+308||Sets the planner's estimate of the cost of processing each operator or function call.
cpu_tuple_cost||Query Tuning / Planner Cost Constants|user|real|0|1.79769e+308||Sets the planner's estimate of the cost of processing each tuple (row).
cursor_tuple_fraction||Query Tuning / Other Planner Options|user|real|0|1||Sets the planner's estimate of the fraction of a cursor's rows that will be retrieved.
data_checksums||Preset Options|internal|bool||||Shows whether data checksums are turned on for this cluster.
data_directory_mode||Preset Options|internal|integer|0|511||Shows the mode of the data directory.
deadlock_timeout|ms|Lock Management|superuser|integer|1|2147483647||Sets the time to wait on a lock before checking for deadlock.
default_statistics_target||Query Tuning / Other Planner Options|user|integer|1|10000||Sets the default statistics target.
default_table_access_method||Client Connection Defaults / Statement Behavior|user|string||||Sets the default table access method for new tables.
default_tablespace||Client Connection Defaults / Statement Behavior|user|string||||Sets the default tablespace to create tables and indexes in.
default_text_search_config||Client Connection Defaults / Locale and Formatting|user|string||||Sets default text search configuration.
default_toast_compression||Client Connection Defaults / Statement Behavior|user|enum|||pglz,lz4|Sets the default compression method for compressible values.
default_transaction_deferrable||Client Connection Defaults / Statement Behavior|user|bool||||Sets the default deferrable status of new transactions.
default_transaction_isolation||Client Connection Defaults / Statement Behavior|user|enum|||serializable,repeatable read,read committed,read uncommitted|Sets the transaction isolation level of each new transaction.
default_transaction_read_only||Client Connection Defaults / Statement Behavior|user|bool||||Sets the default read-only status of new transactions.
dynamic_library_path||Client Connection Defaults / Other Defaults|superuser|string||||Sets the path for dynamically loadable modules.
effective_cache_size|8kB|Query Tuning / Planner Cost Constants|user|integer|1|2147483647||Sets the planner's assumption about the total size of the data caches.
effective_io_concurrency||Resource Usage / Asynchronous Behavior|user|integer|0|1000||Number of simultaneous requests that can be handled efficiently by the disk subsystem.
enable_async_append||Query Tuning / Planner Method Configuration|user|bool||||Enables the planner's use of async append plans.
enable_bitmapscan||Query Tuning / Planner Method Configuration|user|bool||||Enables the planner's use of bitmap-scan plans.
enable_gathermerge||Query Tuning / Planner Method Configuration|user|bool||||Enables the planner's use of gather merge plans.
enable_hashagg||Query Tuning / Planner Method Configuration|user|bool||||Enables the planner's use of hashed aggregation plans.
enable_hashjoin||Query Tuning / Planner Method Configuration|user|bool||||Enables the planner's use of hash join plans.
enable_incremental_sort||Query Tuning / Planner Method Configuration|user|bool||||Enables the planner's use of incremental sort steps.
enable_indexonlyscan||Query Tuning / Planner Method Configuration|user|bool||||Enables the planner's use of index-only-scan plans.
enable_indexscan||Query Tuning / Planner Method Configuration|user|bool||||Enables the planner's use of index-scan plans.
enable_material||Query Tuning / Planner Method Configuration|user|bool||||Enables the planner's use of materialization.
enable_memoize||Query Tuning / Planner Method Configuration|user|bool||||Enables the planner's use of memoization.
enable_mergejoin||Query Tuning / Planner Method Configuration|user|bool||||Enables the planner's use of merge join plans.
enable_nestloop||Query Tuning / Planner Method Configuration|user|bool||||Enables the planner's use of nested-loop join plans.
enable_parallel_append||Query Tuning / Planner Method Configuration|user|bool||||Enables the planner's use of parallel append plans.
enable_parallel_hash||Query Tuning / Planner Method Configuration|user|bool||||Enables the planner's use of parallel hash plans.
enable_partition_pruning||Query Tuning / Planner Method Configuration|user|bool||||Enables plan-time and execution-time partition pruning.
enable_partitionwise_aggregate||Query Tuning / Planner Method Configuration|user|bool||||Enables partitionwise aggregation and grouping.
enable_partitionwise_join||Query Tuning / Planner Method Configuration|user|bool||||Enables partitionwise join.
enable_seqscan||Query Tuning / Planner Method Configuration|user|bool||||Enables the planner's use of sequential-scan plans.
enable_sort||Query Tuning / Planner Method Configuration|user|bool||||Enables the planner's use of explicit sort steps.
enable_tidscan||Query Tuning / Planner Method Configuration|user|bool||||Enables the planner's use of TID scan plans.
escape_string_warning||Version and Platform Compatibility / Previous PostgreSQL Versions|user|bool||||Warn about backslash escapes in ordinary string literals.
exit_on_error||Error Handling|user|bool||||Terminate session on any error.
extension_destdir||File Locations|superuser|string||||Path to prepend for extension loading.
extra_float_digits||Client Connection Defaults / Locale and Formatting|user|integer|-15|3||Sets the number of digits displayed for floating-point values.
force_parallel_mode||Developer Options|user|enum|||off,on,regress|Forces use of parallel query facilities.
from_collapse_limit||Query Tuning / Other Planner Options|user|integer|1|2147483647||Sets the FROM-list size beyond which subqueries are not collapsed.
geqo||Query Tuning / Genetic Query Optimizer|user|bool||||Enables genetic query optimization.
idle_in_transaction_session_timeout|ms|Client Connection Defaults / Statement Behavior|user|integer|0|2147483647||Sets the maximum allowed idle time between queries, when in a transaction.
idle_session_timeout|ms|Client Connection Defaults / Statement Behavior|user|integer|0|2147483647||Sets the maximum allowed idle time between queries, when not in a transaction.
ignore_checksum_failure||Developer Options|superuser|bool||||Continues processing after a checksum failure.
in_hot_standby||Preset Options|internal|bool||||Shows whether hot standby is currently active.
integer_datetimes||Preset Options|internal|bool||||Shows whether datetimes are integer based.
jit||Query Tuning / Other Planner Options|user|bool||||Allow JIT compilation.
join_collapse_limit||Query Tuning / Other Planner Options|user|integer|1|2147483647||Sets the FROM-list size beyond which JOIN constructs are not flattened.
lc_collate||Preset Options|internal|string||||Shows the collation order locale.
lc_ctype||Preset Options|internal|string||||Shows the character classification and case conversion locale.
lc_messages||Client Connection Defaults / Locale and Formatting|superuser|string||||Sets the language in which messages are displayed.
lc_monetary||Client Connection Defaults / Locale and Formatting|user|string||||Sets the locale for formatting monetary amounts.
lc_numeric||Client Connection Defaults / Locale and Formatting|user|string||||Sets the locale for formatting numbers.
lc_time||Client Connection Defaults / Locale and Formatting|user|string||||Sets the locale for formatting date and time values.
lo_compat_privileges||Version and Platform Compatibility / Previous PostgreSQL Versions|superuser|bool||||Enables backward compatibility mode for privilege checks on large objects.
local_preload_libraries||Client Connection Defaults / Shared Library Preloading|user|string||||Lists unprivileged shared libraries to preload into each backend.
lock_timeout|ms|Client Connection Defaults / Statement Behavior|user|integer|0|2147483647||Sets the maximum allowed duration of any wait for a lock.
logical_decoding_work_mem|kB|Resource Usage / Memory|user|integer|64|2147483647||Sets the maximum memory to be used for logical decoding.
maintenance_io_concurrency||Resource Usage / Asynchronous Behavior|user|integer|0|1000||A variant of effective_io_concurrency that is used for maintenance work.
maintenance_work_mem|kB|Resource Usage / Memory|user|integer|1024|2147483647||Sets the maximum memory to be used for maintenance operations.
max_function_args||Preset Options|internal|integer|100|100||Shows the maximum number of function arguments.
max_identifier_length||Preset Options|internal|integer|63|63||Shows the maximum identifier length.
max_index_keys||Preset Options|internal|integer|32|32||Shows the maximum number of index keys.
max_parallel_maintenance_workers||Resource Usage / Asynchronous Behavior|user|integer|0|1024||Sets the maximum number of parallel processes per maintenance operation.
max_parallel_workers||Resource Usage / Asynchronous Behavior|user|integer|0|1024||Sets the maximum number of parallel workers that can be active at one time.
max_parallel_workers_per_gather||Resource Usage / Asynchronous Behavior|user|integer|0|1024||Sets the maximum number of parallel processes per executor node.
max_stack_depth|kB|Resource Usage / Memory|superuser|integer|100|2147483647||Sets the maximum stack depth, in kilobytes.
min_parallel_index_scan_size|8kB|Query Tuning / Planner Cost Constants|user|integer|0|715827882||Sets the minimum amount of index data for a parallel scan.
min_parallel_table_scan_size|8kB|Query Tuning / Planner Cost Constants|user|integer|0|715827882||Sets the minimum amount of table data for a parallel scan.
password_encryption||Connections and Authentication / Authentication|user|enum|||md5,scram-sha-256|Chooses the algorithm for encrypting passwords.
plan_cache_mode||Query Tuning / Other Planner Options|user|enum|||auto,force_generic_plan,force_custom_plan|Controls the planner's selection of custom or generic plan.
quote_all_identifiers||Version and Platform Compatibility / Previous PostgreSQL Versions|user|bool||||When generating SQL fragments, quote all identifiers.
random_page_cost||Query Tuning / Planner Cost Constants|user|real|0|1.79769e+308||Sets the planner's estimate of the cost of a nonsequentially fetched disk page.
recursive_worktable_factor||Query Tuning / Other Planner Options|user|real|0.001|1e+06||Sets the planner's estimate of the average size of a recursive query's working table.
restrict_nonsystem_relation_kind||Client Connection Defaults / Statement Behavior|user|string||||Prohibits access to non-system relations of specified kinds.
row_security||Client Connection Defaults / Statement Behavior|user|bool||||Enable row security.
search_path||Client Connection Defaults / Statement Behavior|user|string||||Sets the schema search order for names that are not schema-qualified.
segment_size|8kB|Preset Options|internal|integer|131072|131072||Shows the number of pages per disk file.
seq_page_cost||Query Tuning / Planner Cost Constants|user|real|0|1.79769e+308||Sets the planner's estimate of the cost of a sequentially fetched disk page.
server_encoding||Preset Options|internal|string||||Shows the server (database) character set encoding.
server_version||Preset Options|internal|string||||Shows the server version.
server_version_num||Preset Options|internal|integer|150018|150018||Shows the server version as an integer.
session_preload_libraries||Client Connection Defaults / Shared Library Preloading|superuser|string||||Lists shared libraries to preload into each backend.
session_replication_role||Client Connection Defaults / Statement Behavior|superuser|enum|||origin,replica,local|Sets the session's behavior for triggers and rewrite rules.
shared_memory_size|MB|Preset Options|internal|integer|0|2147483647||Shows the size of the server's main shared memory area (rounded up to the nearest MB).
shared_memory_size_in_huge_pages||Preset Options|internal|integer|-1|2147483647||Shows the number of huge pages needed for the main shared memory area.
ssl_library||Preset Options|internal|string||||Shows the name of the SSL library.
standard_conforming_strings||Version and Platform Compatibility / Previous PostgreSQL Versions|user|bool||||Causes '...' strings to treat backslashes literally.
statement_timeout|ms|Client Connection Defaults / Statement Behavior|user|integer|0|2147483647||Sets the maximum allowed duration of any statement.
stats_fetch_consistency||Statistics / Cumulative Query and Index Statistics|user|enum|||none,cache,snapshot|Sets the consistency of accesses to statistics data.
synchronize_seqscans||Version and Platform Compatibility / Previous PostgreSQL Versions|user|bool||||Enable synchronized sequential scans.
synchronous_commit||Write-Ahead Log / Settings|user|enum|||local,remote_write,remote_apply,on,off|Sets the current transaction's synchronization level.
tcp_keepalives_count||Connections and Authentication / Connection Settings|user|integer|0|2147483647||Maximum number of TCP keepalive retransmits.
tcp_keepalives_idle|s|Connections and Authentication / Connection Settings|user|integer|0|2147483647||Time between issuing TCP keepalives.
tcp_keepalives_interval|s|Connections and Authentication / Connection Settings|user|integer|0|2147483647||Time between TCP keepalive retransmits.
tcp_user_timeout|ms|Connections and Authentication / Connection Settings|user|integer|0|2147483647||TCP user timeout.
temp_buffers|8kB|Resource Usage / Memory|user|integer|100|1073741823||Sets the maximum number of temporary buffers used by each session.
temp_file_limit|kB|Resource Usage / Disk|superuser|integer|-1|2147483647||Limits the total size of all temporary files used by each process.
temp_tablespaces||Client Connection Defaults / Statement Behavior|user|string||||Sets the tablespace(s) to use for temporary tables and sort files.
timezone_abbreviations||Client Connection Defaults / Locale and Formatting|user|string||||Selects a file of time zone abbreviations.
transaction_deferrable||Client Connection Defaults / Statement Behavior|user|bool||||Whether to defer a read-only serializable transaction until it can be executed with no possible serialization failures.
transaction_isolation||Client Connection Defaults / Statement Behavior|user|enum|||serializable,repeatable read,read committed,read uncommitted|Sets the current transaction's isolation level.
transaction_read_only||Client Connection Defaults / Statement Behavior|user|bool||||Sets the current transaction's read-only status.
transform_null_equals||Version and Platform Compatibility / Other Platforms and Clients|user|bool||||Treats "expr=NULL" as "expr IS NULL".
update_process_title||Reporting and Logging / Process Title|superuser|bool||||Updates the process title to show the active SQL command.
wal_block_size||Preset Options|internal|integer|8192|8192||Shows the block size in the write ahead log.
wal_compression||Write-Ahead Log / Settings|superuser|enum|||pglz,lz4,zstd,on,off|Compresses full-page writes written in WAL file with specified method.
wal_consistency_checking||Developer Options|superuser|string||||Sets the WAL resource managers for which WAL consistency checks are done.
wal_init_zero||Write-Ahead Log / Settings|superuser|bool||||Writes zeroes to new WAL files before first use.
wal_recycle||Write-Ahead Log / Settings|superuser|bool||||Recycles WAL files by renaming them.
wal_segment_size|B|Preset Options|internal|integer|1048576|1073741824||Shows the size of write ahead log segments.
wal_sender_timeout|ms|Replication / Sending Servers|user|integer|0|2147483647||Sets the maximum time to wait for WAL replication.
wal_skip_threshold|kB|Write-Ahead Log / Settings|user|integer|0|2147483647||Minimum size of new file to fsync instead of writing WAL.
work_mem|kB|Resource Usage / Memory|user|integer|64|2147483647||Sets the maximum memory to be used for query workspaces.
xmlbinary||Client Connection Defaults / Statement Behavior|user|enum|||base64,hex|Sets how binary values are to be encoded in XML.
xmloption||Client Connection Defaults / Statement Behavior|user|enum|||content,document|Sets whether XML data in implicit parsing and serialization operations is to be considered as documents or content fragments.
zero_damaged_pages||Developer Options|superuser|bool||||Continues processing past damaged page headers.`;
