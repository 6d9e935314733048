/** `settings`: Settings of the whole database. */
import Type from 'typebox';
import type { SettingView } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

export const settingsOperation = defineOperation<object, { settings: SettingView[] }>({
  name: 'settings',
  summary: 'Settings of the whole database.',
  input: s.input({}),
  output: Type.Object({ settings: Type.Array(Type.Object({ name: Type.String(), value: Type.String(), description: Type.String() })) }),
  capability: 'read',
  effect: 'read',
  errors: [],
  examples: [{ input: {} }],
  handler: (session) => session.commands.settings(),
});
