/** Session information: user, server, start time (manual, section 9.26.1). */
import { ArrayValue } from '../../types/array-value.ts';
import { parseAddress } from '../../types/ip-address.ts';
import type { Value } from '../../types/value.ts';
import type { Call, FunctionModule, ScalarFunction } from '../define.ts';
import { systemOf } from './session-of.ts';

function stable(name: string, args: readonly string[], returns: string, doc: string, impl: (call: Call, ...args: never[]) => Value): ScalarFunction {
  return { kind: 'scalar', name, args, returns, doc, volatility: 'stable', needsCall: true, impl: impl as ScalarFunction['impl'] };
}

/** Without arguments, but not strict, as in Postgres. */
const nonStrict = (name: string, returns: string, doc: string, impl: (call: Call) => Value): ScalarFunction => ({
  ...stable(name, [], returns, doc, impl),
  strict: false,
});
const address = (text: string | undefined): Value => (text === undefined ? null : parseAddress(text, false));
const changing = (fn: ScalarFunction): ScalarFunction => ({ ...fn, volatility: 'volatile' });

export const sessionFunctions: FunctionModule = {
  functions: [
    stable(
      'version',
      [],
      'text',
      'The version of Postgres whose behaviour is followed.',
      (call) => `PostgreSQL ${call.env.setting('server_version') ?? '15.0'} (svc)`,
    ),
    stable('current_database', [], 'name', 'The world that the session is in.', (call) => systemOf(call).database),
    stable('current_schema', [], 'name', 'The first schema of the search path that exists.', (call) => systemOf(call).schemas(false)[0] ?? null),
    stable('current_schemas', ['bool'], '_name', 'Schemas of the search path, with pg_catalog where true.', (call, implicit: boolean) => {
      return new ArrayValue([...systemOf(call).schemas(implicit)]);
    }),
    stable('current_user', [], 'name', 'Name of the user.', (call) => systemOf(call).user),
    stable('session_user', [], 'name', 'Name of the user.', (call) => systemOf(call).user),
    stable('getpgusername', [], 'name', 'Name of the user.', (call) => systemOf(call).user),
    stable('pg_backend_pid', [], 'int4', 'Number of the session.', (call) => systemOf(call).backendPid),
    stable('pg_postmaster_start_time', [], 'timestamptz', 'When the server started.', (call) => systemOf(call).startedAt),
    stable('pg_conf_load_time', [], 'timestamptz', 'When the settings were read.', (call) => systemOf(call).startedAt),
    changing(stable('pg_is_in_recovery', [], 'bool', 'False: the server takes writes.', () => false)),
    stable('pg_is_other_temp_schema', ['oid'], 'bool', 'False: those of other sessions are not seen.', () => false),
    stable(
      'pg_my_temp_schema',
      [],
      'oid',
      "The schema of the session's temporary objects; 0 where it has made none.",
      (call) => systemOf(call).temporarySchema,
    ),
    changing(stable('pg_jit_available', [], 'bool', 'False.', () => false)),
    stable('pg_trigger_depth', [], 'int4', 'How many triggers are running, one inside the other.', (call) => systemOf(call).triggerDepth),
    changing(
      stable(
        'pg_blocking_pids',
        ['int4'],
        '_int4',
        'Sessions that one waits for.',
        (call, pid: number) => new ArrayValue([...systemOf(call).blockingPids(pid)]),
      ),
    ),
    nonStrict('inet_client_addr', 'inet', 'Address of the client; null but over TCP.', (call) => address(systemOf(call).connection?.address)),
    nonStrict('inet_client_port', 'int4', 'Port of the client; null but over TCP.', (call) => systemOf(call).connection?.port ?? null),
    nonStrict('inet_server_addr', 'inet', 'Address of the server; null but over TCP.', (call) => address(systemOf(call).connection?.serverAddress)),
    nonStrict('inet_server_port', 'int4', 'Port of the server; null but over TCP.', (call) => systemOf(call).connection?.serverPort ?? null),
    {
      kind: 'set',
      name: 'pg_listening_channels',
      args: [],
      returns: 'text',
      doc: 'Channels that the session listens to.',
      volatility: 'stable',
      needsCall: true,
      impl: (call: Call) => [...systemOf(call).channels()],
    },
  ],
};
