/** Settings of the whole database: ALTER SYSTEM. */
import type { WorldNumber } from '../base/brands.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { authorize } from '../session/authorize.ts';
import { actorName, type Principal } from '../session/principal.ts';
import type { Context } from '../worlds/context.ts';
import { SYSTEM_SETTINGS } from '../worlds/system-settings.ts';
import type { SettingsInput, SettingView } from './contract.ts';

export async function setSetting(
  context: Context,
  { name, value }: { name: string; value: string | number | boolean | null },
  by: Principal,
): Promise<{ ok: true; value: string }> {
  authorize(by, { what: 'admin', as: 'change settings of the database' });
  if (!Object.hasOwn(SYSTEM_SETTINGS, name)) {
    throw new SvcError('42704', `there is no setting "${String(name).slice(0, 80)}" of the whole database`, {
      hint: `There are ${Object.keys(SYSTEM_SETTINGS).join(', ')}.`,
    });
  }
  const stored = value === null ? null : context.system.accept(name, value);
  const { sequence } = context.engine.commit({ type: 'configured', name, value: stored }, 0 as WorldNumber, actorName(by));
  context.engine.historyRetentionMicros = context.system.historyRetentionMs * 1000;
  const reply = { ok: true, value: context.system.shown(name)! } as const;
  await context.engine.durable(sequence);
  return reply;
}

export async function listSettings(context: Context, { at }: SettingsInput = {}): Promise<{ settings: SettingView[] }> {
  const system = at === undefined ? context.system : context.systemOf((await context.stateAt(at)).state.settings);
  const settings = Object.entries(SYSTEM_SETTINGS).map(([name, { doc }]) => ({ name, value: system.shown(name)!, description: doc }));
  await context.engine.durable(context.engine.log.head);
  return { settings };
}
