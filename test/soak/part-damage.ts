/** 1,000 cuts and 1,000 flips (SVC_SOAK_DAMAGES each) of the files of a folder (SVC_DAMAGE_KINDS), half of them encrypted: none may be silent. */
import { damageRun, FILE_KINDS, type FileKind, tableText } from './damage.ts';

export async function soak(say: (text: string) => void): Promise<void> {
  const damages = Number(process.env['SVC_SOAK_DAMAGES'] ?? 1000);
  const seed = Number(process.env['SVC_DAMAGE_SEED'] ?? 1);
  const kinds = (process.env['SVC_DAMAGE_KINDS']?.split(',') as FileKind[] | undefined) ?? FILE_KINDS;
  const plain = await damageRun(seed, damages / 2, {}, say, kinds);
  say(`plain, ${plain.done} damages, seed ${seed}\n${tableText(plain.table)}`);
  const sealed = await damageRun(seed + 1, damages / 2, { key: '42'.repeat(32) }, say, kinds);
  say(`encrypted, ${sealed.done} damages, seed ${seed + 1}\n${tableText(sealed.table)}`);
  const silent = [...plain.silent, ...sealed.silent];
  for (const each of silent) say(`SILENT ${each}`);
  for (const each of [...plain.unhealed, ...sealed.unhealed]) say(`not healed: ${each}`);
  if (silent.length > 0) process.exitCode = 1;
}
