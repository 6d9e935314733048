/**
 * The one error table. Every error that a user can meet is a `SvcError` whose code stands here; each
 * entrance maps that one object (HTTP by `status`, the wire protocol by code, MCP by message and hint).
 * Codes are PostgreSQL's (manual, appendix A); `SV…` codes are ours where Postgres has none.
 */
export const SQLSTATES = {
  '02000': { name: 'no_data', status: 404 },
  '08P01': { name: 'protocol_violation', status: 400 },
  '0A000': { name: 'feature_not_supported', status: 400 },
  '22003': { name: 'numeric_value_out_of_range', status: 400 },
  '22007': { name: 'invalid_datetime_format', status: 400 },
  '22023': { name: 'invalid_parameter_value', status: 400 },
  '22P02': { name: 'invalid_text_representation', status: 400 },
  '23502': { name: 'not_null_violation', status: 400 },
  '23505': { name: 'unique_violation', status: 400 },
  '23514': { name: 'check_violation', status: 409 },
  '25006': { name: 'read_only_sql_transaction', status: 400 },
  '28000': { name: 'invalid_authorization_specification', status: 401 },
  '28P01': { name: 'invalid_password', status: 401 },
  '2BP01': { name: 'dependent_objects_still_exist', status: 409 },
  '3D000': { name: 'no_such_world', status: 404 },
  '40001': { name: 'serialization_failure', status: 409 },
  '42501': { name: 'insufficient_privilege', status: 403 },
  '42601': { name: 'syntax_error', status: 400 },
  '42602': { name: 'invalid_name', status: 400 },
  '42704': { name: 'undefined_object', status: 404 },
  '42710': { name: 'duplicate_object', status: 409 },
  '42P01': { name: 'undefined_table', status: 400 },
  '42P04': { name: 'duplicate_world', status: 409 },
  '53100': { name: 'disk_full', status: 507 },
  '53200': { name: 'out_of_memory', status: 413 },
  '53300': { name: 'too_many_connections', status: 503 },
  '53400': { name: 'configuration_limit_exceeded', status: 429 },
  '54000': { name: 'program_limit_exceeded', status: 400 },
  '54001': { name: 'statement_too_complex', status: 400 },
  '54011': { name: 'too_many_columns', status: 400 },
  '55000': { name: 'object_not_in_prerequisite_state', status: 409 },
  '55006': { name: 'object_in_use', status: 409 },
  '57014': { name: 'query_canceled', status: 400 },
  '57P01': { name: 'admin_shutdown', status: 503 },
  '58030': { name: 'io_error', status: 500 },
  SV409: { name: 'merge_conflict', status: 409 },
  XX000: { name: 'internal_error', status: 500 },
  XX001: { name: 'data_corrupted', status: 500 },
} as const;

export type SqlState = keyof typeof SQLSTATES;
