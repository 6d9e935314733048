/** `settings`: Settings of the whole database. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { listSettings } from '../commands/settings.ts';

const input = s.input({ at: s.asOf });
export type SettingsInput = Static<typeof input>;
const output = Type.Object({ settings: Type.Array(Type.Object({ name: Type.String(), value: Type.String(), description: Type.String() })) });
export type SettingsReply = Static<typeof output>;

export const settingsOperation = defineOperation({
  name: 'settings',
  summary: 'Settings of the whole database.',
  input,
  output,
  capability: 'read',
  effect: 'read',
  errors: ['22007'],
  examples: [{ input: {} }, { input: { at: '-10m' } }],
  run: ({ services, input }) => listSettings(services.context, input),
});
