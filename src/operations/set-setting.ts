/** `set_setting`: Changes a setting of the whole database, as ALTER SYSTEM does. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { setSetting } from '../commands/settings.ts';

const input = s.input({
  name: Type.String({ minLength: 1, description: '`history_retention`, `max_worlds`, `protect_main`, `statement_timeout` or `world_idle_ttl`.' }),
  value: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
    description: 'Milliseconds or a length of time (`1h`, `30 days`), a count, or on and off; null: as it is without one.',
  }),
});
export type SetSettingInput = Static<typeof input>;
const output = Type.Object({ ok: s.ok, value: Type.String() });
export type SetSettingReply = Static<typeof output>;

export const setSettingOperation = defineOperation({
  name: 'set_setting',
  summary: 'Changes a setting of the whole database, as ALTER SYSTEM does.',
  description: 'Past a ceiling of the operator it is refused (42501).',
  input,
  output,
  capability: 'admin',
  effect: 'write',
  errors: ['42704'],
  examples: [{ input: { name: 'protect_main', value: true }, output: { ok: true, value: 'on' } }],
  run: ({ services, input, by }) => setSetting(services.context, input, by),
});
