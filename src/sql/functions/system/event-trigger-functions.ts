/** Information about the statement for event trigger functions (manual, 9.29). */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { EventTriggerFacts } from '../../types/environment.ts';
import type { Value } from '../../types/value.ts';
import type { Call, FunctionModule } from '../define.ts';
import { systemOf } from './session-of.ts';
import { columnsFrom } from './view-functions.ts';

const common = { args: [], volatility: 'stable', strict: true, needsCall: true } as const;

function factsFrom<T>(call: Call, name: string, where: string, of: (facts: EventTriggerFacts) => T | null): T {
  const { eventTrigger } = systemOf(call);
  const found = eventTrigger === null ? null : of(eventTrigger);
  if (found === null) throw new SvcError('39P03', `${name}() can only be called in ${where} event trigger function`);
  return found;
}

export const eventTriggerFunctions: FunctionModule = {
  functions: [
    {
      ...common,
      kind: 'set',
      name: 'pg_event_trigger_ddl_commands',
      returns: 'record',
      columns: columnsFrom(
        'classid oid, objid oid, objsubid int4, command_tag text, object_type text, schema_name text, object_identity text, in_extension bool, command pg_ddl_command',
      ),
      doc: 'Commands that the statement came to.',
      impl: (call: Call): Value[][] => factsFrom(call, 'pg_event_trigger_ddl_commands', 'an', (facts) => facts.commands()),
    },
    {
      ...common,
      kind: 'set',
      name: 'pg_event_trigger_dropped_objects',
      returns: 'record',
      columns: columnsFrom(
        'classid oid, objid oid, objsubid int4, original bool, normal bool, is_temporary bool, object_type text, schema_name text, object_name text, object_identity text, address_names _text, address_args _text',
      ),
      doc: 'Objects that the statement dropped.',
      impl: (call: Call): Value[][] => factsFrom(call, 'pg_event_trigger_dropped_objects', 'a sql_drop', (facts) => facts.dropped()),
    },
    {
      ...common,
      kind: 'scalar',
      name: 'pg_event_trigger_table_rewrite_oid',
      returns: 'oid',
      doc: 'The table that is rewritten.',
      impl: (call: Call): Value => factsFrom(call, 'pg_event_trigger_table_rewrite_oid', 'a table_rewrite', ({ rewrite }) => rewrite).table,
    },
    {
      ...common,
      kind: 'scalar',
      name: 'pg_event_trigger_table_rewrite_reason',
      returns: 'int4',
      doc: 'Why the table is rewritten: 1 persistence, 2 a default, 4 a type.',
      impl: (call: Call): Value => factsFrom(call, 'pg_event_trigger_table_rewrite_reason', 'a table_rewrite', ({ rewrite }) => rewrite).reason,
    },
  ],
};
