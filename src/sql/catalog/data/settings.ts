/** Read from the catalogs of PostgreSQL 15 by test/sql/catalog/extract.ts; not written by hand. */

/** name|unit|category|context|type|min|max|values|value without any configuration, ~ for null */
export const SETTINGS_DATA = `DateStyle||Client Connection Defaults / Locale and Formatting|user|string||||ISO, MDY
IntervalStyle||Client Connection Defaults / Locale and Formatting|user|enum|||postgres,postgres_verbose,sql_standard,iso_8601|postgres
TimeZone||Client Connection Defaults / Locale and Formatting|user|string||||GMT
allow_in_place_tablespaces||Developer Options|superuser|bool||||off
allow_system_table_mods||Developer Options|superuser|bool||||off
application_name||Reporting and Logging / What to Log|user|string||||
archive_cleanup_command||Write-Ahead Log / Archive Recovery|sighup|string||||
archive_command||Write-Ahead Log / Archiving|sighup|string||||
archive_library||Write-Ahead Log / Archiving|sighup|string||||
archive_mode||Write-Ahead Log / Archiving|postmaster|enum|||always,on,off|off
archive_timeout|s|Write-Ahead Log / Archiving|sighup|integer|0|1073741823||0
array_nulls||Version and Platform Compatibility / Previous PostgreSQL Versions|user|bool||||on
authentication_timeout|s|Connections and Authentication / Authentication|sighup|integer|1|600||60
autovacuum||Autovacuum|sighup|bool||||on
autovacuum_analyze_scale_factor||Autovacuum|sighup|real|0|100||0.1
autovacuum_analyze_threshold||Autovacuum|sighup|integer|0|2147483647||50
autovacuum_freeze_max_age||Autovacuum|postmaster|integer|100000|2000000000||200000000
autovacuum_max_workers||Autovacuum|postmaster|integer|1|262143||3
autovacuum_multixact_freeze_max_age||Autovacuum|postmaster|integer|10000|2000000000||400000000
autovacuum_naptime|s|Autovacuum|sighup|integer|1|2147483||60
autovacuum_vacuum_cost_delay|ms|Autovacuum|sighup|real|-1|100||2
autovacuum_vacuum_cost_limit||Autovacuum|sighup|integer|-1|10000||-1
autovacuum_vacuum_insert_scale_factor||Autovacuum|sighup|real|0|100||0.2
autovacuum_vacuum_insert_threshold||Autovacuum|sighup|integer|-1|2147483647||1000
autovacuum_vacuum_scale_factor||Autovacuum|sighup|real|0|100||0.2
autovacuum_vacuum_threshold||Autovacuum|sighup|integer|0|2147483647||50
autovacuum_work_mem|kB|Resource Usage / Memory|sighup|integer|-1|2147483647||-1
backend_flush_after|8kB|Resource Usage / Asynchronous Behavior|user|integer|0|256||0
backslash_quote||Version and Platform Compatibility / Previous PostgreSQL Versions|user|enum|||safe_encoding,on,off|safe_encoding
backtrace_functions||Developer Options|superuser|string||||
bgwriter_delay|ms|Resource Usage / Background Writer|sighup|integer|10|10000||200
bgwriter_flush_after|8kB|Resource Usage / Background Writer|sighup|integer|0|256||64
bgwriter_lru_maxpages||Resource Usage / Background Writer|sighup|integer|0|1073741823||100
bgwriter_lru_multiplier||Resource Usage / Background Writer|sighup|real|0|10||2
block_size||Preset Options|internal|integer|8192|8192||8192
bonjour||Connections and Authentication / Connection Settings|postmaster|bool||||off
bonjour_name||Connections and Authentication / Connection Settings|postmaster|string||||
bytea_output||Client Connection Defaults / Statement Behavior|user|enum|||escape,hex|hex
check_function_bodies||Client Connection Defaults / Statement Behavior|user|bool||||on
checkpoint_completion_target||Write-Ahead Log / Checkpoints|sighup|real|0|1||0.9
checkpoint_flush_after|8kB|Write-Ahead Log / Checkpoints|sighup|integer|0|256||32
checkpoint_timeout|s|Write-Ahead Log / Checkpoints|sighup|integer|30|86400||300
checkpoint_warning|s|Write-Ahead Log / Checkpoints|sighup|integer|0|2147483647||30
client_connection_check_interval|ms|Connections and Authentication / Connection Settings|user|integer|0|2147483647||0
client_encoding||Client Connection Defaults / Locale and Formatting|user|string||||SQL_ASCII
client_min_messages||Client Connection Defaults / Statement Behavior|user|enum|||debug5,debug4,debug3,debug2,debug1,log,notice,warning,error|notice
cluster_name||Reporting and Logging / Process Title|postmaster|string||||
commit_delay||Write-Ahead Log / Settings|superuser|integer|0|100000||0
commit_siblings||Write-Ahead Log / Settings|user|integer|0|1000||5
compute_query_id||Statistics / Monitoring|superuser|enum|||auto,regress,on,off|auto
config_file||File Locations|postmaster|string||||~
constraint_exclusion||Query Tuning / Other Planner Options|user|enum|||partition,on,off|partition
cpu_index_tuple_cost||Query Tuning / Planner Cost Constants|user|real|0|1.79769e+308||0.005
cpu_operator_cost||Query Tuning / Planner Cost Constants|user|real|0|1.79769e+308||0.0025
cpu_tuple_cost||Query Tuning / Planner Cost Constants|user|real|0|1.79769e+308||0.01
cursor_tuple_fraction||Query Tuning / Other Planner Options|user|real|0|1||0.1
data_checksums||Preset Options|internal|bool||||off
data_directory||File Locations|postmaster|string||||~
data_directory_mode||Preset Options|internal|integer|0|511||448
data_sync_retry||Error Handling|postmaster|bool||||off
db_user_namespace||Connections and Authentication / Authentication|sighup|bool||||off
deadlock_timeout|ms|Lock Management|superuser|integer|1|2147483647||1000
debug_assertions||Preset Options|internal|bool||||off
debug_discard_caches||Developer Options|superuser|integer|0|0||0
debug_pretty_print||Reporting and Logging / What to Log|user|bool||||on
debug_print_parse||Reporting and Logging / What to Log|user|bool||||off
debug_print_plan||Reporting and Logging / What to Log|user|bool||||off
debug_print_rewritten||Reporting and Logging / What to Log|user|bool||||off
default_statistics_target||Query Tuning / Other Planner Options|user|integer|1|10000||100
default_table_access_method||Client Connection Defaults / Statement Behavior|user|string||||heap
default_tablespace||Client Connection Defaults / Statement Behavior|user|string||||
default_text_search_config||Client Connection Defaults / Locale and Formatting|user|string||||pg_catalog.simple
default_toast_compression||Client Connection Defaults / Statement Behavior|user|enum|||pglz,lz4|pglz
default_transaction_deferrable||Client Connection Defaults / Statement Behavior|user|bool||||off
default_transaction_isolation||Client Connection Defaults / Statement Behavior|user|enum|||serializable,repeatable read,read committed,read uncommitted|read committed
default_transaction_read_only||Client Connection Defaults / Statement Behavior|user|bool||||off
dynamic_library_path||Client Connection Defaults / Other Defaults|superuser|string||||$libdir
dynamic_shared_memory_type||Resource Usage / Memory|postmaster|enum|||posix,sysv,mmap|posix
effective_cache_size|8kB|Query Tuning / Planner Cost Constants|user|integer|1|2147483647||524288
effective_io_concurrency||Resource Usage / Asynchronous Behavior|user|integer|0|1000||1
enable_async_append||Query Tuning / Planner Method Configuration|user|bool||||on
enable_bitmapscan||Query Tuning / Planner Method Configuration|user|bool||||on
enable_gathermerge||Query Tuning / Planner Method Configuration|user|bool||||on
enable_hashagg||Query Tuning / Planner Method Configuration|user|bool||||on
enable_hashjoin||Query Tuning / Planner Method Configuration|user|bool||||on
enable_incremental_sort||Query Tuning / Planner Method Configuration|user|bool||||on
enable_indexonlyscan||Query Tuning / Planner Method Configuration|user|bool||||on
enable_indexscan||Query Tuning / Planner Method Configuration|user|bool||||on
enable_material||Query Tuning / Planner Method Configuration|user|bool||||on
enable_memoize||Query Tuning / Planner Method Configuration|user|bool||||on
enable_mergejoin||Query Tuning / Planner Method Configuration|user|bool||||on
enable_nestloop||Query Tuning / Planner Method Configuration|user|bool||||on
enable_parallel_append||Query Tuning / Planner Method Configuration|user|bool||||on
enable_parallel_hash||Query Tuning / Planner Method Configuration|user|bool||||on
enable_partition_pruning||Query Tuning / Planner Method Configuration|user|bool||||on
enable_partitionwise_aggregate||Query Tuning / Planner Method Configuration|user|bool||||off
enable_partitionwise_join||Query Tuning / Planner Method Configuration|user|bool||||off
enable_seqscan||Query Tuning / Planner Method Configuration|user|bool||||on
enable_sort||Query Tuning / Planner Method Configuration|user|bool||||on
enable_tidscan||Query Tuning / Planner Method Configuration|user|bool||||on
escape_string_warning||Version and Platform Compatibility / Previous PostgreSQL Versions|user|bool||||on
event_source||Reporting and Logging / Where to Log|postmaster|string||||PostgreSQL
exit_on_error||Error Handling|user|bool||||off
extension_destdir||File Locations|superuser|string||||
external_pid_file||File Locations|postmaster|string||||~
extra_float_digits||Client Connection Defaults / Locale and Formatting|user|integer|-15|3||1
force_parallel_mode||Developer Options|user|enum|||off,on,regress|off
from_collapse_limit||Query Tuning / Other Planner Options|user|integer|1|2147483647||8
fsync||Write-Ahead Log / Settings|sighup|bool||||on
full_page_writes||Write-Ahead Log / Settings|sighup|bool||||on
geqo||Query Tuning / Genetic Query Optimizer|user|bool||||on
geqo_effort||Query Tuning / Genetic Query Optimizer|user|integer|1|10||5
geqo_generations||Query Tuning / Genetic Query Optimizer|user|integer|0|2147483647||0
geqo_pool_size||Query Tuning / Genetic Query Optimizer|user|integer|0|2147483647||0
geqo_seed||Query Tuning / Genetic Query Optimizer|user|real|0|1||0
geqo_selection_bias||Query Tuning / Genetic Query Optimizer|user|real|1.5|2||2
geqo_threshold||Query Tuning / Genetic Query Optimizer|user|integer|2|2147483647||12
gin_fuzzy_search_limit||Client Connection Defaults / Other Defaults|user|integer|0|2147483647||0
gin_pending_list_limit|kB|Client Connection Defaults / Statement Behavior|user|integer|64|2147483647||4096
hash_mem_multiplier||Resource Usage / Memory|user|real|1|1000||2
hba_file||File Locations|postmaster|string||||~
hot_standby||Replication / Standby Servers|postmaster|bool||||on
hot_standby_feedback||Replication / Standby Servers|sighup|bool||||off
huge_page_size|kB|Resource Usage / Memory|postmaster|integer|0|2147483647||0
huge_pages||Resource Usage / Memory|postmaster|enum|||off,on,try|try
ident_file||File Locations|postmaster|string||||~
idle_in_transaction_session_timeout|ms|Client Connection Defaults / Statement Behavior|user|integer|0|2147483647||0
idle_session_timeout|ms|Client Connection Defaults / Statement Behavior|user|integer|0|2147483647||0
ignore_checksum_failure||Developer Options|superuser|bool||||off
ignore_invalid_pages||Developer Options|postmaster|bool||||off
ignore_system_indexes||Developer Options|backend|bool||||off
in_hot_standby||Preset Options|internal|bool||||off
integer_datetimes||Preset Options|internal|bool||||on
jit||Query Tuning / Other Planner Options|user|bool||||on
jit_above_cost||Query Tuning / Planner Cost Constants|user|real|-1|1.79769e+308||100000
jit_debugging_support||Developer Options|superuser-backend|bool||||off
jit_dump_bitcode||Developer Options|superuser|bool||||off
jit_expressions||Developer Options|user|bool||||on
jit_inline_above_cost||Query Tuning / Planner Cost Constants|user|real|-1|1.79769e+308||500000
jit_optimize_above_cost||Query Tuning / Planner Cost Constants|user|real|-1|1.79769e+308||500000
jit_profiling_support||Developer Options|superuser-backend|bool||||off
jit_provider||Client Connection Defaults / Shared Library Preloading|postmaster|string||||llvmjit
jit_tuple_deforming||Developer Options|user|bool||||on
join_collapse_limit||Query Tuning / Other Planner Options|user|integer|1|2147483647||8
krb_caseins_users||Connections and Authentication / Authentication|sighup|bool||||off
krb_server_keyfile||Connections and Authentication / Authentication|sighup|string||||FILE:/etc/postgresql-common/krb5.keytab
lc_collate||Preset Options|internal|string||||C
lc_ctype||Preset Options|internal|string||||C
lc_messages||Client Connection Defaults / Locale and Formatting|superuser|string||||
lc_monetary||Client Connection Defaults / Locale and Formatting|user|string||||C
lc_numeric||Client Connection Defaults / Locale and Formatting|user|string||||C
lc_time||Client Connection Defaults / Locale and Formatting|user|string||||C
listen_addresses||Connections and Authentication / Connection Settings|postmaster|string||||localhost
lo_compat_privileges||Version and Platform Compatibility / Previous PostgreSQL Versions|superuser|bool||||off
local_preload_libraries||Client Connection Defaults / Shared Library Preloading|user|string||||
lock_timeout|ms|Client Connection Defaults / Statement Behavior|user|integer|0|2147483647||0
log_autovacuum_min_duration|ms|Reporting and Logging / What to Log|sighup|integer|-1|2147483647||600000
log_checkpoints||Reporting and Logging / What to Log|sighup|bool||||on
log_connections||Reporting and Logging / What to Log|superuser-backend|bool||||off
log_destination||Reporting and Logging / Where to Log|sighup|string||||stderr
log_directory||Reporting and Logging / Where to Log|sighup|string||||log
log_disconnections||Reporting and Logging / What to Log|superuser-backend|bool||||off
log_duration||Reporting and Logging / What to Log|superuser|bool||||off
log_error_verbosity||Reporting and Logging / What to Log|superuser|enum|||terse,default,verbose|default
log_executor_stats||Statistics / Monitoring|superuser|bool||||off
log_file_mode||Reporting and Logging / Where to Log|sighup|integer|0|511||384
log_filename||Reporting and Logging / Where to Log|sighup|string||||postgresql-%Y-%m-%d_%H%M%S.log
log_hostname||Reporting and Logging / What to Log|sighup|bool||||off
log_line_prefix||Reporting and Logging / What to Log|sighup|string||||%m [%p] 
log_lock_waits||Reporting and Logging / What to Log|superuser|bool||||off
log_min_duration_sample|ms|Reporting and Logging / When to Log|superuser|integer|-1|2147483647||-1
log_min_duration_statement|ms|Reporting and Logging / When to Log|superuser|integer|-1|2147483647||-1
log_min_error_statement||Reporting and Logging / When to Log|superuser|enum|||debug5,debug4,debug3,debug2,debug1,info,notice,warning,error,log,fatal,panic|error
log_min_messages||Reporting and Logging / When to Log|superuser|enum|||debug5,debug4,debug3,debug2,debug1,info,notice,warning,error,log,fatal,panic|warning
log_parameter_max_length|B|Reporting and Logging / What to Log|superuser|integer|-1|1073741823||-1
log_parameter_max_length_on_error|B|Reporting and Logging / What to Log|user|integer|-1|1073741823||0
log_parser_stats||Statistics / Monitoring|superuser|bool||||off
log_planner_stats||Statistics / Monitoring|superuser|bool||||off
log_recovery_conflict_waits||Reporting and Logging / What to Log|sighup|bool||||off
log_replication_commands||Reporting and Logging / What to Log|superuser|bool||||off
log_rotation_age|min|Reporting and Logging / Where to Log|sighup|integer|0|35791394||1440
log_rotation_size|kB|Reporting and Logging / Where to Log|sighup|integer|0|2097151||10240
log_startup_progress_interval|ms|Reporting and Logging / When to Log|sighup|integer|0|2147483647||10000
log_statement||Reporting and Logging / What to Log|superuser|enum|||none,ddl,mod,all|none
log_statement_sample_rate||Reporting and Logging / When to Log|superuser|real|0|1||1
log_statement_stats||Statistics / Monitoring|superuser|bool||||off
log_temp_files|kB|Reporting and Logging / What to Log|superuser|integer|-1|2147483647||-1
log_timezone||Reporting and Logging / What to Log|sighup|string||||GMT
log_transaction_sample_rate||Reporting and Logging / When to Log|superuser|real|0|1||0
log_truncate_on_rotation||Reporting and Logging / Where to Log|sighup|bool||||off
logging_collector||Reporting and Logging / Where to Log|postmaster|bool||||off
logical_decoding_work_mem|kB|Resource Usage / Memory|user|integer|64|2147483647||65536
maintenance_io_concurrency||Resource Usage / Asynchronous Behavior|user|integer|0|1000||10
maintenance_work_mem|kB|Resource Usage / Memory|user|integer|1024|2147483647||65536
max_connections||Connections and Authentication / Connection Settings|postmaster|integer|1|262143||100
max_files_per_process||Resource Usage / Kernel Resources|postmaster|integer|64|2147483647||1000
max_function_args||Preset Options|internal|integer|100|100||100
max_identifier_length||Preset Options|internal|integer|63|63||63
max_index_keys||Preset Options|internal|integer|32|32||32
max_locks_per_transaction||Lock Management|postmaster|integer|10|2147483647||64
max_logical_replication_workers||Replication / Subscribers|postmaster|integer|0|262143||4
max_parallel_maintenance_workers||Resource Usage / Asynchronous Behavior|user|integer|0|1024||2
max_parallel_workers||Resource Usage / Asynchronous Behavior|user|integer|0|1024||8
max_parallel_workers_per_gather||Resource Usage / Asynchronous Behavior|user|integer|0|1024||2
max_pred_locks_per_page||Lock Management|sighup|integer|0|2147483647||2
max_pred_locks_per_relation||Lock Management|sighup|integer|-2147483648|2147483647||-2
max_pred_locks_per_transaction||Lock Management|postmaster|integer|10|2147483647||64
max_prepared_transactions||Resource Usage / Memory|postmaster|integer|0|262143||0
max_replication_slots||Replication / Sending Servers|postmaster|integer|0|262143||10
max_slot_wal_keep_size|MB|Replication / Sending Servers|sighup|integer|-1|2147483647||-1
max_stack_depth|kB|Resource Usage / Memory|superuser|integer|100|2147483647||100
max_standby_archive_delay|ms|Replication / Standby Servers|sighup|integer|-1|2147483647||30000
max_standby_streaming_delay|ms|Replication / Standby Servers|sighup|integer|-1|2147483647||30000
max_sync_workers_per_subscription||Replication / Subscribers|sighup|integer|0|262143||2
max_wal_senders||Replication / Sending Servers|postmaster|integer|0|262143||10
max_wal_size|MB|Write-Ahead Log / Checkpoints|sighup|integer|2|2147483647||1024
max_worker_processes||Resource Usage / Asynchronous Behavior|postmaster|integer|0|262143||8
min_dynamic_shared_memory|MB|Resource Usage / Memory|postmaster|integer|0|2147483647||0
min_parallel_index_scan_size|8kB|Query Tuning / Planner Cost Constants|user|integer|0|715827882||64
min_parallel_table_scan_size|8kB|Query Tuning / Planner Cost Constants|user|integer|0|715827882||1024
min_wal_size|MB|Write-Ahead Log / Checkpoints|sighup|integer|2|2147483647||80
old_snapshot_threshold|min|Resource Usage / Asynchronous Behavior|postmaster|integer|-1|86400||-1
parallel_leader_participation||Resource Usage / Asynchronous Behavior|user|bool||||on
parallel_setup_cost||Query Tuning / Planner Cost Constants|user|real|0|1.79769e+308||1000
parallel_tuple_cost||Query Tuning / Planner Cost Constants|user|real|0|1.79769e+308||0.1
password_encryption||Connections and Authentication / Authentication|user|enum|||md5,scram-sha-256|scram-sha-256
plan_cache_mode||Query Tuning / Other Planner Options|user|enum|||auto,force_generic_plan,force_custom_plan|auto
port||Connections and Authentication / Connection Settings|postmaster|integer|1|65535||5432
post_auth_delay|s|Developer Options|backend|integer|0|2147||0
pre_auth_delay|s|Developer Options|sighup|integer|0|60||0
primary_conninfo||Replication / Standby Servers|sighup|string||||
primary_slot_name||Replication / Standby Servers|sighup|string||||
promote_trigger_file||Replication / Standby Servers|sighup|string||||
quote_all_identifiers||Version and Platform Compatibility / Previous PostgreSQL Versions|user|bool||||off
random_page_cost||Query Tuning / Planner Cost Constants|user|real|0|1.79769e+308||4
recovery_end_command||Write-Ahead Log / Archive Recovery|sighup|string||||
recovery_init_sync_method||Error Handling|sighup|enum|||fsync,syncfs|fsync
recovery_min_apply_delay|ms|Replication / Standby Servers|sighup|integer|0|2147483647||0
recovery_prefetch||Write-Ahead Log / Recovery|sighup|enum|||off,on,try|try
recovery_target||Write-Ahead Log / Recovery Target|postmaster|string||||
recovery_target_action||Write-Ahead Log / Recovery Target|postmaster|enum|||pause,promote,shutdown|pause
recovery_target_inclusive||Write-Ahead Log / Recovery Target|postmaster|bool||||on
recovery_target_lsn||Write-Ahead Log / Recovery Target|postmaster|string||||
recovery_target_name||Write-Ahead Log / Recovery Target|postmaster|string||||
recovery_target_time||Write-Ahead Log / Recovery Target|postmaster|string||||
recovery_target_timeline||Write-Ahead Log / Recovery Target|postmaster|string||||latest
recovery_target_xid||Write-Ahead Log / Recovery Target|postmaster|string||||
recursive_worktable_factor||Query Tuning / Other Planner Options|user|real|0.001|1e+06||10
remove_temp_files_after_crash||Developer Options|sighup|bool||||on
restart_after_crash||Error Handling|sighup|bool||||on
restore_command||Write-Ahead Log / Archive Recovery|sighup|string||||
restrict_nonsystem_relation_kind||Client Connection Defaults / Statement Behavior|user|string||||
row_security||Client Connection Defaults / Statement Behavior|user|bool||||on
search_path||Client Connection Defaults / Statement Behavior|user|string||||"$user", public
segment_size|8kB|Preset Options|internal|integer|131072|131072||131072
seq_page_cost||Query Tuning / Planner Cost Constants|user|real|0|1.79769e+308||1
server_encoding||Preset Options|internal|string||||SQL_ASCII
server_version||Preset Options|internal|string||||15.18 (Debian 15.18-0+deb12u1)
server_version_num||Preset Options|internal|integer|150018|150018||150018
session_preload_libraries||Client Connection Defaults / Shared Library Preloading|superuser|string||||
session_replication_role||Client Connection Defaults / Statement Behavior|superuser|enum|||origin,replica,local|origin
shared_buffers|8kB|Resource Usage / Memory|postmaster|integer|16|1073741823||16384
shared_memory_size|MB|Preset Options|internal|integer|0|2147483647||0
shared_memory_size_in_huge_pages||Preset Options|internal|integer|-1|2147483647||-1
shared_memory_type||Resource Usage / Memory|postmaster|enum|||sysv,mmap|mmap
shared_preload_libraries||Client Connection Defaults / Shared Library Preloading|postmaster|string||||
ssl||Connections and Authentication / SSL|sighup|bool||||off
ssl_ca_file||Connections and Authentication / SSL|sighup|string||||
ssl_cert_file||Connections and Authentication / SSL|sighup|string||||server.crt
ssl_ciphers||Connections and Authentication / SSL|sighup|string||||HIGH:MEDIUM:+3DES:!aNULL
ssl_crl_dir||Connections and Authentication / SSL|sighup|string||||
ssl_crl_file||Connections and Authentication / SSL|sighup|string||||
ssl_dh_params_file||Connections and Authentication / SSL|sighup|string||||
ssl_ecdh_curve||Connections and Authentication / SSL|sighup|string||||prime256v1
ssl_key_file||Connections and Authentication / SSL|sighup|string||||server.key
ssl_library||Preset Options|internal|string||||OpenSSL
ssl_max_protocol_version||Connections and Authentication / SSL|sighup|enum|||,TLSv1,TLSv1.1,TLSv1.2,TLSv1.3|
ssl_min_protocol_version||Connections and Authentication / SSL|sighup|enum|||TLSv1,TLSv1.1,TLSv1.2,TLSv1.3|TLSv1.2
ssl_passphrase_command||Connections and Authentication / SSL|sighup|string||||
ssl_passphrase_command_supports_reload||Connections and Authentication / SSL|sighup|bool||||off
ssl_prefer_server_ciphers||Connections and Authentication / SSL|sighup|bool||||on
standard_conforming_strings||Version and Platform Compatibility / Previous PostgreSQL Versions|user|bool||||on
statement_timeout|ms|Client Connection Defaults / Statement Behavior|user|integer|0|2147483647||0
stats_fetch_consistency||Statistics / Cumulative Query and Index Statistics|user|enum|||none,cache,snapshot|cache
superuser_reserved_connections||Connections and Authentication / Connection Settings|postmaster|integer|0|262143||3
synchronize_seqscans||Version and Platform Compatibility / Previous PostgreSQL Versions|user|bool||||on
synchronous_commit||Write-Ahead Log / Settings|user|enum|||local,remote_write,remote_apply,on,off|on
synchronous_standby_names||Replication / Primary Server|sighup|string||||
syslog_facility||Reporting and Logging / Where to Log|sighup|enum|||local0,local1,local2,local3,local4,local5,local6,local7|local0
syslog_ident||Reporting and Logging / Where to Log|sighup|string||||postgres
syslog_sequence_numbers||Reporting and Logging / Where to Log|sighup|bool||||on
syslog_split_messages||Reporting and Logging / Where to Log|sighup|bool||||on
tcp_keepalives_count||Connections and Authentication / Connection Settings|user|integer|0|2147483647||0
tcp_keepalives_idle|s|Connections and Authentication / Connection Settings|user|integer|0|2147483647||0
tcp_keepalives_interval|s|Connections and Authentication / Connection Settings|user|integer|0|2147483647||0
tcp_user_timeout|ms|Connections and Authentication / Connection Settings|user|integer|0|2147483647||0
temp_buffers|8kB|Resource Usage / Memory|user|integer|100|1073741823||1024
temp_file_limit|kB|Resource Usage / Disk|superuser|integer|-1|2147483647||-1
temp_tablespaces||Client Connection Defaults / Statement Behavior|user|string||||
timezone_abbreviations||Client Connection Defaults / Locale and Formatting|user|string||||~
trace_notify||Developer Options|user|bool||||off
trace_recovery_messages||Developer Options|sighup|enum|||debug5,debug4,debug3,debug2,debug1,log,notice,warning,error|log
trace_sort||Developer Options|user|bool||||off
track_activities||Statistics / Cumulative Query and Index Statistics|superuser|bool||||on
track_activity_query_size|B|Statistics / Cumulative Query and Index Statistics|postmaster|integer|100|1048576||1024
track_commit_timestamp||Replication / Sending Servers|postmaster|bool||||off
track_counts||Statistics / Cumulative Query and Index Statistics|superuser|bool||||on
track_functions||Statistics / Cumulative Query and Index Statistics|superuser|enum|||none,pl,all|none
track_io_timing||Statistics / Cumulative Query and Index Statistics|superuser|bool||||off
track_wal_io_timing||Statistics / Cumulative Query and Index Statistics|superuser|bool||||off
transaction_deferrable||Client Connection Defaults / Statement Behavior|user|bool||||off
transaction_isolation||Client Connection Defaults / Statement Behavior|user|enum|||serializable,repeatable read,read committed,read uncommitted|read committed
transaction_read_only||Client Connection Defaults / Statement Behavior|user|bool||||off
transform_null_equals||Version and Platform Compatibility / Other Platforms and Clients|user|bool||||off
unix_socket_directories||Connections and Authentication / Connection Settings|postmaster|string||||/var/run/postgresql
unix_socket_group||Connections and Authentication / Connection Settings|postmaster|string||||
unix_socket_permissions||Connections and Authentication / Connection Settings|postmaster|integer|0|511||511
update_process_title||Reporting and Logging / Process Title|superuser|bool||||on
vacuum_cost_delay|ms|Resource Usage / Cost-Based Vacuum Delay|user|real|0|100||0
vacuum_cost_limit||Resource Usage / Cost-Based Vacuum Delay|user|integer|1|10000||200
vacuum_cost_page_dirty||Resource Usage / Cost-Based Vacuum Delay|user|integer|0|10000||20
vacuum_cost_page_hit||Resource Usage / Cost-Based Vacuum Delay|user|integer|0|10000||1
vacuum_cost_page_miss||Resource Usage / Cost-Based Vacuum Delay|user|integer|0|10000||2
vacuum_defer_cleanup_age||Replication / Primary Server|sighup|integer|0|1000000||0
vacuum_failsafe_age||Client Connection Defaults / Statement Behavior|user|integer|0|2100000000||1600000000
vacuum_freeze_min_age||Client Connection Defaults / Statement Behavior|user|integer|0|1000000000||50000000
vacuum_freeze_table_age||Client Connection Defaults / Statement Behavior|user|integer|0|2000000000||150000000
vacuum_multixact_failsafe_age||Client Connection Defaults / Statement Behavior|user|integer|0|2100000000||1600000000
vacuum_multixact_freeze_min_age||Client Connection Defaults / Statement Behavior|user|integer|0|1000000000||5000000
vacuum_multixact_freeze_table_age||Client Connection Defaults / Statement Behavior|user|integer|0|2000000000||150000000
wal_block_size||Preset Options|internal|integer|8192|8192||8192
wal_buffers|8kB|Write-Ahead Log / Settings|postmaster|integer|-1|262143||-1
wal_compression||Write-Ahead Log / Settings|superuser|enum|||pglz,lz4,zstd,on,off|off
wal_consistency_checking||Developer Options|superuser|string||||
wal_decode_buffer_size|B|Write-Ahead Log / Recovery|postmaster|integer|65536|1073741823||524288
wal_init_zero||Write-Ahead Log / Settings|superuser|bool||||on
wal_keep_size|MB|Replication / Sending Servers|sighup|integer|0|2147483647||0
wal_level||Write-Ahead Log / Settings|postmaster|enum|||minimal,replica,logical|replica
wal_log_hints||Write-Ahead Log / Settings|postmaster|bool||||off
wal_receiver_create_temp_slot||Replication / Standby Servers|sighup|bool||||off
wal_receiver_status_interval|s|Replication / Standby Servers|sighup|integer|0|2147483||10
wal_receiver_timeout|ms|Replication / Standby Servers|sighup|integer|0|2147483647||60000
wal_recycle||Write-Ahead Log / Settings|superuser|bool||||on
wal_retrieve_retry_interval|ms|Replication / Standby Servers|sighup|integer|1|2147483647||5000
wal_segment_size|B|Preset Options|internal|integer|1048576|1073741824||16777216
wal_sender_timeout|ms|Replication / Sending Servers|user|integer|0|2147483647||60000
wal_skip_threshold|kB|Write-Ahead Log / Settings|user|integer|0|2147483647||2048
wal_sync_method||Write-Ahead Log / Settings|sighup|enum|||fsync,fdatasync,open_sync,open_datasync|fdatasync
wal_writer_delay|ms|Write-Ahead Log / Settings|sighup|integer|1|10000||200
wal_writer_flush_after|8kB|Write-Ahead Log / Settings|sighup|integer|0|2147483647||128
work_mem|kB|Resource Usage / Memory|user|integer|64|2147483647||4096
xmlbinary||Client Connection Defaults / Statement Behavior|user|enum|||base64,hex|base64
xmloption||Client Connection Defaults / Statement Behavior|user|enum|||content,document|content
zero_damaged_pages||Developer Options|superuser|bool||||off`;
