/**
 * The names in Postgres 15: functions by section of its manual's chapter 9, types by section of chapter 8, statements of its command
 * reference. The reference sorts our functions by it and lists what is missing.
 */
export interface FunctionTheme {
  /** Section of Postgres 15's manual. */
  readonly section: string;
  readonly title: string;
  /** Postgres 15's functions. Those with a syntax of their own (coalesce, current_date …) are not functions here. */
  readonly names: readonly string[];
  /** Functions of later versions and of ours that belong here. */
  readonly later?: readonly string[];
}

const words = (text: string): string[] => text.trim().split(/\s+/);

export const FUNCTION_THEMES: readonly FunctionTheme[] = [
  { section: '9.2', title: 'Comparison', names: words('num_nonnulls num_nulls'), later: words('overlaps jsonb_cmp btarraycmp btrecordcmp enum_cmp') },
  {
    section: '9.3',
    title: 'Mathematics',
    names: words(`abs cbrt ceil ceiling degrees div exp factorial floor gcd lcm ln log log10 min_scale mod pi power radians round scale sign sqrt
      trim_scale trunc width_bucket random setseed acos acosd asin asind atan atand atan2 atan2d cos cosd cot cotd sin sind tan tand sinh cosh tanh
      asinh acosh atanh`),
    later: words('random_normal erf erfc gamma lgamma pow to_bin to_oct'),
  },
  {
    section: '9.4',
    title: 'Text',
    names: words(`bit_length char_length character_length lower normalize octet_length overlay position substring upper ascii btrim chr concat concat_ws
      format initcap left length lpad ltrim md5 parse_ident pg_client_encoding quote_ident quote_literal quote_nullable repeat replace reverse right rpad
      rtrim split_part starts_with string_to_array string_to_table strpos substr to_ascii to_hex translate unistr`),
    later: words('name_subscript casefold is_normalized unicode_assigned unicode_version icu_unicode_version'),
  },
  {
    section: '9.5',
    title: 'Bytes and bits',
    names: words('bit_count get_bit get_byte set_bit set_byte sha224 sha256 sha384 sha512 convert convert_from convert_to encode decode'),
    later: words('crc32 crc32c'),
  },
  {
    section: '9.7',
    title: 'Patterns',
    names: words(`regexp_count regexp_instr regexp_like regexp_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table
      regexp_substr`),
    later: words('like notlike like_escape similar_to_escape similar_escape'),
  },
  { section: '9.8', title: 'Templates', names: words('to_char to_date to_number to_timestamp') },
  {
    section: '9.9',
    title: 'Dates and times',
    names: words(`age clock_timestamp date_bin date_part date_trunc extract isfinite justify_days justify_hours justify_interval make_date make_interval
      make_time make_timestamp make_timestamptz now statement_timestamp timeofday transaction_timestamp timezone pg_sleep pg_sleep_for pg_sleep_until`),
    later: words('date_add date_subtract date time timetz timestamp timestamptz interval'),
  },
  { section: '9.10', title: 'Enums', names: words('enum_first enum_last enum_range'), later: words('enum_larger enum_smaller') },
  {
    section: '9.11',
    title: 'Geometry',
    names: words(
      'area center diagonal diameter height isclosed isopen npoints pclose popen radius slope width box circle line lseg path point polygon bound_box',
    ),
  },
  {
    section: '9.12',
    title: 'Network addresses',
    names: words('abbrev broadcast family host hostmask inet_merge inet_same_family masklen netmask network set_masklen macaddr8_set7bit'),
  },
  {
    section: '9.13',
    title: 'Text search',
    names: words(`array_to_tsvector get_current_ts_config numnode plainto_tsquery phraseto_tsquery websearch_to_tsquery querytree setweight strip
      to_tsquery to_tsvector json_to_tsvector jsonb_to_tsvector ts_delete ts_filter ts_headline ts_rank ts_rank_cd ts_rewrite tsquery_phrase
      tsvector_to_array ts_debug ts_lexize ts_parse ts_token_type ts_stat`),
  },
  { section: '9.14', title: 'UUIDs', names: words('gen_random_uuid'), later: words('uuidv4 uuidv7 uuid_extract_timestamp uuid_extract_version') },
  {
    section: '9.15',
    title: 'XML',
    names: words(`xmlcomment xml_is_well_formed xml_is_well_formed_document xml_is_well_formed_content xpath xpath_exists xmlagg table_to_xml
      query_to_xml cursor_to_xml table_to_xmlschema query_to_xmlschema cursor_to_xmlschema table_to_xml_and_xmlschema query_to_xml_and_xmlschema
      schema_to_xml schema_to_xmlschema schema_to_xml_and_xmlschema database_to_xml database_to_xmlschema database_to_xml_and_xmlschema`),
  },
  {
    section: '9.16',
    title: 'JSON',
    names: words(`to_json to_jsonb array_to_json row_to_json json_build_array jsonb_build_array json_build_object jsonb_build_object json_object
      jsonb_object json_array_elements jsonb_array_elements json_array_elements_text jsonb_array_elements_text json_array_length jsonb_array_length
      json_each jsonb_each json_each_text jsonb_each_text json_extract_path jsonb_extract_path json_extract_path_text jsonb_extract_path_text
      json_object_keys jsonb_object_keys json_populate_record jsonb_populate_record json_populate_recordset jsonb_populate_recordset json_to_record
      jsonb_to_record json_to_recordset jsonb_to_recordset json_strip_nulls jsonb_strip_nulls jsonb_set jsonb_set_lax jsonb_insert
      jsonb_path_exists jsonb_path_match jsonb_path_query jsonb_path_query_array jsonb_path_query_first jsonb_path_exists_tz jsonb_path_match_tz
      jsonb_path_query_tz jsonb_path_query_array_tz jsonb_path_query_first_tz jsonb_pretty json_typeof jsonb_typeof`),
    later: words(`json_object_field jsonb_object_field json_object_field_text jsonb_object_field_text json_array_element jsonb_array_element
      json_array_element_text jsonb_array_element_text jsonb_subscript`),
  },
  { section: '9.17', title: 'Sequences', names: words('nextval setval currval lastval') },
  {
    section: '9.19',
    title: 'Arrays',
    names: words(`array_append array_cat array_dims array_fill array_length array_lower array_ndims array_position array_positions array_prepend
      array_remove array_replace array_to_string array_upper cardinality trim_array unnest`),
    later: words('array_reverse array_sample array_shuffle array_sort array_larger array_smaller'),
  },
  {
    section: '9.20',
    title: 'Ranges',
    names: words('isempty lower_inc upper_inc lower_inf upper_inf range_merge multirange'),
    later: words(`int4range int8range numrange
      tsrange tstzrange daterange int4multirange int8multirange nummultirange tsmultirange tstzmultirange datemultirange`),
  },
  {
    section: '9.21',
    title: 'Aggregates',
    names: words(`array_agg avg bit_and bit_or bit_xor bool_and bool_or count every json_agg json_object_agg jsonb_agg jsonb_object_agg max min range_agg
      range_intersect_agg string_agg sum corr covar_pop covar_samp regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy
      regr_syy stddev stddev_pop stddev_samp variance var_pop var_samp mode percentile_cont percentile_disc`),
    later: words(`any_value json_agg_strict jsonb_agg_strict json_object_agg_strict jsonb_object_agg_strict json_object_agg_unique
      jsonb_object_agg_unique json_object_agg_unique_strict jsonb_object_agg_unique_strict`),
  },
  {
    section: '9.22',
    title: 'Window functions',
    names: words('row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value'),
  },
  { section: '9.25', title: 'Sets of rows', names: words('generate_series generate_subscripts') },
  {
    section: '9.26',
    title: 'Session and catalog',
    names: words(`current_database current_query current_schema current_schemas inet_client_addr inet_client_port inet_server_addr inet_server_port
      pg_backend_pid pg_blocking_pids pg_conf_load_time pg_current_logfile pg_my_temp_schema pg_is_other_temp_schema pg_jit_available
      pg_listening_channels pg_notification_queue_usage pg_postmaster_start_time pg_safe_snapshot_blocking_pids pg_trigger_depth version
      has_any_column_privilege has_column_privilege has_database_privilege has_foreign_data_wrapper_privilege has_function_privilege
      has_language_privilege has_parameter_privilege has_schema_privilege has_sequence_privilege has_server_privilege has_table_privilege
      has_tablespace_privilege has_type_privilege pg_has_role row_security_active acldefault aclexplode makeaclitem pg_collation_is_visible
      pg_conversion_is_visible pg_function_is_visible pg_opclass_is_visible pg_operator_is_visible pg_opfamily_is_visible
      pg_statistics_obj_is_visible pg_table_is_visible pg_ts_config_is_visible pg_ts_dict_is_visible pg_ts_parser_is_visible
      pg_ts_template_is_visible pg_type_is_visible format_type pg_char_to_encoding pg_encoding_to_char pg_get_catalog_foreign_keys
      pg_get_constraintdef pg_get_expr pg_get_functiondef pg_get_function_arguments pg_get_function_identity_arguments pg_get_function_result
      pg_get_indexdef pg_get_keywords pg_get_ruledef pg_get_serial_sequence pg_get_statisticsobjdef pg_get_triggerdef pg_get_userbyid
      pg_get_viewdef pg_index_column_has_property pg_index_has_property pg_indexam_has_property pg_options_to_table pg_settings_get_flags
      pg_tablespace_databases pg_tablespace_location pg_typeof to_regclass to_regcollation to_regnamespace to_regoper to_regoperator to_regproc
      to_regprocedure to_regrole to_regtype pg_describe_object pg_identify_object pg_identify_object_as_address pg_get_object_address
      col_description obj_description shobj_description pg_current_xact_id pg_current_xact_id_if_assigned pg_xact_status pg_current_snapshot
      pg_snapshot_xip pg_snapshot_xmax pg_snapshot_xmin pg_visible_in_snapshot txid_current txid_current_if_assigned txid_current_snapshot
      txid_snapshot_xip txid_snapshot_xmax txid_snapshot_xmin txid_visible_in_snapshot txid_status pg_xact_commit_timestamp
      pg_xact_commit_timestamp_origin pg_last_committed_xact pg_control_checkpoint pg_control_system pg_control_init pg_control_recovery`),
    later: words('takes_documents'),
  },
  {
    section: '9.27',
    title: 'Administration',
    names: words(`current_setting set_config pg_cancel_backend pg_log_backend_memory_contexts pg_reload_conf pg_rotate_logfile pg_terminate_backend
      pg_create_restore_point pg_current_wal_flush_lsn pg_current_wal_insert_lsn pg_current_wal_lsn pg_backup_start pg_backup_stop pg_switch_wal
      pg_walfile_name pg_walfile_name_offset pg_wal_lsn_diff pg_is_in_recovery pg_last_wal_receive_lsn pg_last_wal_replay_lsn
      pg_last_xact_replay_timestamp pg_get_wal_resource_managers pg_is_wal_replay_paused pg_get_wal_replay_pause_state pg_promote
      pg_wal_replay_pause pg_wal_replay_resume pg_export_snapshot pg_create_physical_replication_slot pg_drop_replication_slot
      pg_create_logical_replication_slot pg_logical_slot_get_changes pg_logical_slot_peek_changes pg_replication_slot_advance
      pg_logical_emit_message pg_column_size pg_column_compression pg_database_size pg_indexes_size pg_relation_size pg_size_bytes pg_size_pretty
      pg_table_size pg_tablespace_size pg_total_relation_size pg_relation_filenode pg_relation_filepath pg_filenode_relation
      pg_collation_actual_version pg_database_collation_actual_version pg_import_system_collations pg_partition_tree pg_partition_ancestors
      pg_partition_root brin_summarize_new_values brin_summarize_range brin_desummarize_range gin_clean_pending_list pg_ls_dir pg_ls_logdir
      pg_ls_waldir pg_ls_tmpdir pg_read_file pg_read_binary_file pg_stat_file pg_advisory_lock pg_advisory_lock_shared pg_advisory_unlock
      pg_advisory_unlock_all pg_advisory_unlock_shared pg_advisory_xact_lock pg_advisory_xact_lock_shared pg_try_advisory_lock
      pg_try_advisory_lock_shared pg_try_advisory_xact_lock pg_try_advisory_xact_lock_shared`),
    later: words('pg_notify'),
  },
  {
    section: '9.28',
    title: 'Triggers',
    names: words('suppress_redundant_updates_trigger tsvector_update_trigger tsvector_update_trigger_column'),
  },
  {
    section: '9.29',
    title: 'Event triggers',
    names: words('pg_event_trigger_ddl_commands pg_event_trigger_dropped_objects pg_event_trigger_table_rewrite_oid pg_event_trigger_table_rewrite_reason'),
  },
];

/** Types of chapter 8, by pg_type name. */
export const TYPE_THEMES: readonly { readonly section: string; readonly title: string; readonly names: readonly string[] }[] = [
  { section: '8.1', title: 'Numbers', names: words('int2 int4 int8 numeric float4 float8') },
  { section: '8.2', title: 'Money', names: words('money') },
  { section: '8.3', title: 'Text', names: words('text varchar bpchar name char') },
  { section: '8.4', title: 'Bytes', names: words('bytea') },
  { section: '8.5', title: 'Dates and times', names: words('date time timetz timestamp timestamptz interval') },
  { section: '8.6', title: 'Boolean', names: words('bool') },
  { section: '8.8', title: 'Geometry', names: words('point line lseg box path polygon circle') },
  { section: '8.9', title: 'Network addresses', names: words('inet cidr macaddr macaddr8') },
  { section: '8.10', title: 'Bit strings', names: words('bit varbit') },
  { section: '8.11', title: 'Text search', names: words('tsvector tsquery') },
  { section: '8.12', title: 'UUID', names: words('uuid') },
  { section: '8.13', title: 'XML', names: words('xml') },
  { section: '8.14', title: 'JSON', names: words('json jsonb jsonpath') },
  { section: '8.16', title: 'Records', names: words('record') },
  {
    section: '8.17',
    title: 'Ranges',
    names: words(`int4range int8range numrange tsrange tstzrange daterange int4multirange int8multirange nummultirange tsmultirange tstzmultirange
      datemultirange`),
  },
  {
    section: '8.19',
    title: 'Object identifiers',
    names: words(`oid regclass regcollation regconfig regdictionary regnamespace regoper regoperator regproc regprocedure regrole regtype xid cid tid
      xid8`),
  },
  { section: '8.20', title: 'pg_lsn', names: words('pg_lsn') },
  { section: '8.21', title: 'Pseudo-types', names: words('void cstring unknown') },
];

export type StatementState = 'yes' | 'accepted' | 'no';

/** Statements by state of support. `accepted`: parsed and ignored. */
export const STATEMENTS: readonly { readonly theme: string; readonly state: StatementState; readonly names: string }[] = [
  { theme: 'Rows', state: 'yes', names: 'SELECT, VALUES, TABLE, INSERT, UPDATE, DELETE (also WHERE CURRENT OF), MERGE, TRUNCATE, COPY' },
  {
    theme: 'Objects',
    state: 'yes',
    names:
      'CREATE, ALTER and DROP of TABLE (INHERITS, PARTITION BY, PARTITION OF and OF too, see [partitions](partitions.md)), INDEX (btree, hash, gin, brin; gist and spgist over ranges, arrays, tsvector, hstore, trigrams and types with an order, others are recorded and not searched), VIEW, MATERIALIZED VIEW, SEQUENCE, SCHEMA, TYPE (enum, composite, range, shell and base; what reads and writes a base type are functions of `LANGUAGE internal` over those of one type of the system, whose values its own are; without TYPMOD_IN, SUBSCRIPT and ELEMENT), DOMAIN, FUNCTION and PROCEDURE (in SQL and PL/pgSQL, and `LANGUAGE internal`: other names for functions that Postgres 15 has in C, where they are supported; a call whose declared types the function cannot read is refused with 0A000), AGGREGATE, OPERATOR, OPERATOR CLASS and FAMILY (an index over one whose operators are not the type’s own is recorded and not searched), CAST, COLLATION (of ICU, also nondeterministic ones; all others are of code points), CONVERSION (recorded, with the conversion functions of the system; texts are converted by what is built in), STATISTICS (recorded), TEXT SEARCH DICTIONARY and CONFIGURATION, PUBLICATION and SUBSCRIPTION (recorded; nothing is replicated); CREATE TABLE AS, SELECT INTO, REFRESH MATERIALIZED VIEW; COMMENT, SECURITY LABEL',
  },
  {
    theme: 'Transactions',
    state: 'yes',
    names: 'BEGIN, START TRANSACTION, COMMIT, END, ROLLBACK, ABORT, SAVEPOINT, RELEASE, ROLLBACK TO, SET TRANSACTION, SET CONSTRAINTS, LOCK TABLE',
  },
  {
    theme: 'Triggers',
    state: 'yes',
    names:
      'CREATE [CONSTRAINT] TRIGGER, ALTER TRIGGER … RENAME, DROP TRIGGER, CREATE, ALTER and DROP EVENT TRIGGER, ALTER TABLE … ENABLE and DISABLE TRIGGER; see [triggers](triggers.md)',
  },
  {
    theme: 'Foreign data',
    state: 'yes',
    names: 'CREATE, ALTER and DROP of FOREIGN DATA WRAPPER, SERVER, USER MAPPING and FOREIGN TABLE; see [foreign data](foreign-data.md)',
  },
  {
    theme: 'Rules',
    state: 'yes',
    names: 'CREATE [OR REPLACE] RULE … ON INSERT, UPDATE, DELETE, ALTER RULE … RENAME, DROP RULE, ALTER TABLE … ENABLE and DISABLE RULE; see [rules](rules.md)',
  },
  {
    theme: 'Large objects',
    state: 'yes',
    names: 'all functions of the server, GRANT and REVOKE, ALTER LARGE OBJECT … OWNER TO, COMMENT; see [large objects](large-objects.md)',
  },
  {
    theme: 'Session',
    state: 'yes',
    names: 'SET, RESET, SHOW, PREPARE, EXECUTE, DEALLOCATE, DISCARD, LISTEN, NOTIFY, UNLISTEN, CALL, DO (COMMIT and ROLLBACK in both), EXPLAIN',
  },
  { theme: 'Cursors', state: 'yes', names: 'DECLARE, FETCH, MOVE, CLOSE' },
  {
    theme: 'Rights',
    state: 'yes',
    names: 'GRANT, REVOKE, ALTER … OWNER TO, ALTER DEFAULT PRIVILEGES, REASSIGN OWNED, DROP OWNED, CREATE, ALTER and DROP of ROLE',
  },
  { theme: 'Databases', state: 'yes', names: 'CREATE, ALTER and DROP of DATABASE: a database is a world ([wire protocol](wire-protocol.md))' },
  { theme: 'Maintenance', state: 'accepted', names: 'VACUUM, ANALYZE, REINDEX, CLUSTER, CHECKPOINT' },
  {
    theme: 'Procedural',
    state: 'no',
    names: 'CREATE LANGUAGE; functions in other languages than SQL, PL/pgSQL and internal',
  },
  { theme: 'Constraints', state: 'no', names: 'PERIOD and WITHOUT OVERLAPS' },
  {
    theme: 'Two-phase commit',
    state: 'no',
    names: 'PREPARE TRANSACTION, COMMIT PREPARED, ROLLBACK PREPARED (answered as where `max_prepared_transactions` is 0)',
  },
  {
    theme: 'Other objects',
    state: 'no',
    names: 'CREATE TABLESPACE, TEXT SEARCH PARSER and TEMPLATE, TRANSFORM',
  },
];
