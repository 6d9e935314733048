/** Functions of the extension pg_stat_statements (manual, F.32). */
import type { Value, Whole } from '../../types/value.ts';
import type { Call, FunctionModule } from '../define.ts';
import { systemOf } from '../system/session-of.ts';

/** The columns of the views, which the functions give, too. */
export const STATEMENT_COLUMNS =
  'userid:oid dbid:oid toplevel:bool queryid:int8 query:text plans:int8 total_plan_time:float8 min_plan_time:float8 max_plan_time:float8 ' +
  'mean_plan_time:float8 stddev_plan_time:float8 calls:int8 total_exec_time:float8 min_exec_time:float8 max_exec_time:float8 ' +
  'mean_exec_time:float8 stddev_exec_time:float8 rows:int8 shared_blks_hit:int8 shared_blks_read:int8 shared_blks_dirtied:int8 ' +
  'shared_blks_written:int8 local_blks_hit:int8 local_blks_read:int8 local_blks_dirtied:int8 local_blks_written:int8 temp_blks_read:int8 ' +
  'temp_blks_written:int8 blk_read_time:float8 blk_write_time:float8 temp_blk_read_time:float8 temp_blk_write_time:float8 wal_records:int8 ' +
  'wal_fpi:int8 wal_bytes:numeric jit_functions:int8 jit_generation_time:float8 jit_inlining_count:int8 jit_inlining_time:float8 ' +
  'jit_optimization_count:int8 jit_optimization_time:float8 jit_emission_count:int8 jit_emission_time:float8';
export const INFO_COLUMNS = 'dealloc:int8 stats_reset:timestamptz';

function columnsOf(text: string): { name: string; type: string }[] {
  return text.split(' ').map((each) => {
    const [name, type] = each.split(':');
    return { name, type };
  });
}

export const STAT_STATEMENTS: FunctionModule = {
  functions: [
    {
      kind: 'set',
      name: 'pg_stat_statements',
      args: ['bool'],
      argNames: ['showtext'],
      returns: 'record',
      columns: columnsOf(STATEMENT_COLUMNS),
      volatility: 'volatile',
      needsCall: true,
      doc: 'Calls, times and rows of statements by their normalised texts (pg_stat_statements).',
      impl: (call: Call, texts: boolean) => systemOf(call).statements(texts) as Value[][],
    },
    {
      kind: 'set',
      name: 'pg_stat_statements_info',
      args: [],
      returns: 'record',
      columns: columnsOf(INFO_COLUMNS),
      volatility: 'volatile',
      needsCall: true,
      doc: 'How often statements were dropped for newer ones, and when all were reset (pg_stat_statements).',
      impl: (call: Call) => systemOf(call).statementsInfo() as Value[][],
    },
    {
      kind: 'scalar',
      name: 'pg_stat_statements_reset',
      args: ['oid', 'oid', 'int8'],
      argNames: ['userid', 'dbid', 'queryid'],
      optional: 3,
      returns: 'void',
      volatility: 'volatile',
      needsCall: true,
      doc: 'Forgets statements of a role, a database and an id; 0 for any (pg_stat_statements).',
      impl: (call: Call, role = 0, database = 0, id: Whole = 0) => {
        systemOf(call).resetStatements(role, database, id);
        return '';
      },
    },
  ],
};
