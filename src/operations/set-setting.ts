/** `set_setting`: Changes a setting of the whole database, as ALTER SYSTEM does. */
import Type from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

type Input = { name: string; value: string | number | boolean | null };

export const setSettingOperation = defineOperation<Input, { ok: true; value: string }>({
  name: 'set_setting',
  summary: 'Changes a setting of the whole database, as ALTER SYSTEM does.',
  description: 'Past a ceiling of the operator it is refused (42501).',
  input: s.input({
    name: Type.String({ minLength: 1, description: '`history_retention`, `max_worlds`, `protect_main`, `statement_timeout` or `world_idle_ttl`.' }),
    value: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
      description: 'Milliseconds or a length of time (`1h`, `30 days`), a count, or on and off; null: as it is without one.',
    }),
  }),
  output: Type.Object({ ok: s.ok, value: Type.String() }),
  capability: 'admin',
  effect: 'append',
  errors: ['42704'],
  examples: [{ input: { name: 'protect_main', value: true }, output: { ok: true, value: 'on' } }],
  handler: (session, input) => session.commands.set_setting(input),
});
