/** Settings as functions (manual, section 9.27.1). */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { Value } from '../../types/value.ts';
import type { Call, FunctionModule } from '../define.ts';
import { systemOf } from './session-of.ts';

function read(call: Call, name: string, missingOk: boolean): Value {
  const value = call.env.setting(name.toLowerCase());
  if (value !== undefined) return value;
  if (missingOk) return null;
  throw new SvcError('42704', `unrecognized configuration parameter "${name}"`);
}

export const settingFunctions: FunctionModule = {
  functions: [
    {
      kind: 'scalar',
      name: 'current_setting',
      changing: true,
      args: ['text'],
      returns: 'text',
      doc: 'Value of a setting.',
      volatility: 'stable',
      needsCall: true,
      impl: (call: Call, name: string) => read(call, name, false),
    },
    {
      kind: 'scalar',
      name: 'current_setting',
      changing: true,
      args: ['text', 'bool'],
      returns: 'text',
      doc: 'Value of a setting; where true, null for one that there is not.',
      volatility: 'stable',
      needsCall: true,
      impl: (call: Call, name: string, missingOk: boolean) => read(call, name, missingOk),
    },
    {
      kind: 'scalar',
      name: 'set_config',
      args: ['text', 'text', 'bool'],
      argNames: ['setting_name', 'new_value', 'is_local'],
      returns: 'text',
      doc: 'Sets a setting, until the end of the transaction where true; null gives it back its default.',
      volatility: 'volatile',
      strict: false,
      needsCall: true,
      impl: (call: Call, name: string | null, value: string | null, local: boolean | null) => {
        if (name === null) throw new SvcError('22004', 'SET requires parameter name');
        call.env.setSetting(name, value, local === true);
        return read(call, name, true);
      },
    },
    {
      kind: 'set',
      name: 'pg_show_all_settings',
      args: [],
      returns: 'record',
      doc: 'All settings, as pg_settings has them.',
      volatility: 'stable',
      needsCall: true,
      columns: [
        ...['name', 'setting', 'unit', 'category', 'short_desc', 'extra_desc', 'context', 'vartype', 'source', 'min_val', 'max_val'].map((name) => ({
          name,
          type: 'text',
        })),
        { name: 'enumvals', type: '_text' },
        ...['boot_val', 'reset_val', 'sourcefile'].map((name) => ({ name, type: 'text' })),
        { name: 'sourceline', type: 'int4' },
        { name: 'pending_restart', type: 'bool' },
      ],
      impl: (call: Call) =>
        [...systemOf(call).settings()].map(({ name, value, doc }): Value[] => [
          // prettier-ignore
          name,
          value,
          null,
          'Settings',
          doc,
          null,
          'user',
          'string',
          'default',
          null,
          null,
          null,
          value,
          value,
          null,
          null,
          false,
        ]),
    },
  ],
};
