SELECT numerictypmodin('{10,2}'), numerictypmodin('{10}'), varchartypmodin('{5}'), bpchartypmodin('{5}'), bittypmodin('{3}'), varbittypmodin('{3}'), timestamptypmodin('{3}'), intervaltypmodin('{32767,3}'), intervaltypmodin('{4}'), intervaltypmodin('{32767}')

SELECT numerictypmodin('{0}')

SELECT numerictypmodin('{1,2000}')

SELECT numerictypmodin('{1,2,3}')

SELECT varchartypmodin('{0}')

SELECT varchartypmodin('{1,2}')

SELECT varchartypmodin('{x}')

SELECT bittypmodin('{999999999}')

SELECT timestamptypmodin('{-1}')

SELECT timetztypmodin('{-1}')

SELECT intervaltypmodin('{5}')

SELECT 1::numeric(0)

SELECT '1'::varchar(0)

SELECT in_range(1, 2, 3, true, true), in_range(5::int8, 2::int8, 3::int8, false, true), in_range(6::int2, 2::int2, 3::int2, false, true), in_range(1, 2, 3, false, false)

SELECT in_range(1, 2, -1, true, true)

SELECT in_range(1.5::float8, 'NaN', 1, true, true), in_range('NaN'::float8, 'NaN', 1, true, false), in_range('inf'::float8, 'inf', 'inf', true, true), in_range(1::float4, 2::float4, 1::float8, true, false)

SELECT in_range(1.5::float8, 1, 'NaN', true, true)

SELECT in_range(1.5::numeric, 2.5, 1, true, true), in_range(1.4::numeric, 2.5, 1, true, false), in_range('NaN'::numeric, 1, 1, true, false)

SELECT in_range(date '2024-01-31', date '2024-02-29', interval '1 month', true, true), in_range(timestamp '2024-01-31', '2024-02-28', interval '1 month', true, true), in_range(time '10:00', '11:00', '1 hour', true, true), in_range(timetz '10:00+01', '11:00+01', '1 hour', true, false), in_range(interval '1 day', '2 days', '1 day', true, true)

SELECT in_range(date '2024-01-31', date '2024-02-29', interval '-1 month', true, true)

SELECT pg_catalog.bit(44, 10), pg_catalog.bit(-44, 40), pg_catalog.bit(44::int8, 10)

SELECT any_in('x')

SELECT trigger_in('x')

SELECT anyarray_in('x')

SELECT shell_in('x')

SELECT anycompatible_in('x')

SELECT "RI_FKey_check_ins"()

SELECT unique_key_recheck()

SELECT binary_upgrade_set_next_pg_type_oid(1)

SELECT pg_event_trigger_table_rewrite_oid()

SELECT * FROM pg_event_trigger_dropped_objects()

SELECT pg_promote()

SELECT pg_wal_replay_pause()

SELECT pg_is_wal_replay_paused()

SELECT pg_drop_replication_slot('x')

SELECT * FROM pg_replication_slot_advance('x', '0/1')

SELECT * FROM pg_create_logical_replication_slot('x', 'test_decoding')

SELECT pg_replication_origin_drop('x')

SELECT pg_replication_origin_session_reset()

SELECT pg_replication_origin_session_is_setup(), pg_replication_origin_oid('x')

SELECT pg_walfile_name('0/1500000'), pg_walfile_name('16/B374D848'), pg_walfile_name('0/1000000'), pg_walfile_name_offset('0/1500000')

SELECT pg_current_logfile(), pg_current_logfile('csvlog')

SELECT pg_current_logfile('x')

SELECT lo_tell(1)

SELECT lo_get(5)

SELECT lo_unlink(5)

SELECT * FROM pg_stat_get_progress_info('x')

SELECT * FROM pg_stat_get_progress_info('VACUUM')

SELECT * FROM pg_stat_get_subscription_stats(7)

SELECT pg_stat_have_stats('x', 1, 1)

SELECT * FROM pg_control_init()

SELECT current_query()

SELECT pg_settings_get_flags('work_mem'), pg_settings_get_flags('nothing'), pg_settings_get_flags('transaction_isolation'), pg_settings_get_flags('shared_memory_size')

SELECT pg_indexam_progress_phasename(403, 3), pg_indexam_progress_phasename(405, 3), btequalimage(23)

SELECT pg_safe_snapshot_blocking_pids(1), pg_isolation_test_session_is_blocked(pg_backend_pid(), '{1}')

CREATE SEQUENCE behind

SELECT pg_sequence_last_value('behind')

SELECT nextval('behind'), pg_sequence_last_value('behind')

SELECT pg_sequence_last_value('pg_class')

SELECT brin_summarize_new_values('pg_class')

SELECT fmgr_sql_validator(1)

SELECT pg_extension_config_dump('pg_class', '')

SELECT pg_last_committed_xact()

SELECT count(*) FROM pg_prepared_statement()

SELECT count(*) > 0 FROM pg_stat_get_activity(NULL)

SELECT pid = pg_backend_pid(), state, query FROM pg_stat_get_activity(pg_backend_pid())

SELECT count(*) > 0 FROM pg_stat_get_backend_idset() n WHERE pg_stat_get_backend_pid(n) = pg_backend_pid()

SELECT * FROM pg_get_publication_tables('x')

SELECT * FROM pg_ls_replslotdir('x')

SELECT * FROM pg_ls_tmpdir()

SELECT * FROM pg_prepared_xact()
