/** `svc verify <folder>`: examines a folder that no process has open, without changing a byte of it. Exit codes: 0 whole, 1 damaged, 2 not examined. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SvcError } from './base/errors/svc-error.ts';
import { type Examined, examine, type Finding } from './projection/examine.ts';
import { cacheKind } from './storage/cache-folder.ts';
import { Cipher } from './storage/cipher.ts';
import { ClassicPageStore } from './storage/classic-page-store.ts';
import { admitKey, hasKeyMark, KEY_FILE, keyFromEnvironment } from './storage/folder-key.ts';
import { holderOf } from './storage/folder-lock.ts';
import { nodeFileSystem } from './storage/node-file-system.ts';
import { isDatabase } from './storage/own-folder.ts';
import { readOnlyFiles } from './storage/read-only-files.ts';
import { RocksPageStore } from './storage/rocks-page-store.ts';
import { SealedPageStore } from './storage/sealed-page-store.ts';
import { WATERMARK_FILE } from './storage/watermark.ts';

export interface VerifyOptions {
  json?: boolean;
}

export async function verifyFolder(folder: string, { json = false }: VerifyOptions): Promise<number> {
  try {
    const examined = await examinedFolder(folder);
    process.stdout.write(json ? `${JSON.stringify(examined)}\n` : textOf(examined));
    return examined.whole ? 0 : 1;
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const { code, message, hint } = error;
    if (json) process.stdout.write(`${JSON.stringify({ error: { code, message, ...(hint === undefined ? {} : { hint }) } })}\n`);
    else process.stderr.write(`svc: ${message}\n${hint === undefined ? '' : `${hint}\n`}`);
    return 2;
  }
}

async function examinedFolder(folder: string): Promise<Examined> {
  if (!existsSync(folder)) throw new SvcError('58030', `there is no folder ${folder}`);
  refuseOpen(folder);
  const fs = readOnlyFiles(nodeFileSystem);
  const findings: Finding[] = [];
  let key: Buffer | null = null;
  if (hasKeyMark(fs, folder)) {
    try {
      key = await admitKey(fs, folder, keyFromEnvironment());
      findings.push({ name: KEY_FILE, state: 'whole', detail: 'the key is the one that the folder was made with' });
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== 'XX001') throw error;
      const finding: Finding = {
        name: KEY_FILE,
        state: 'damaged',
        detail: error.message,
        remedy: 'restore that file from a backup: without it nothing else can be read',
      };
      return { folder, whole: false, events: 0, head: 0, acknowledged: 0, findings: [finding] };
    }
  } else if (!isDatabase(folder) && !existsSync(join(folder, WATERMARK_FILE)) && cacheKind(join(folder, 'cache')) === null) {
    throw new SvcError('55000', `${folder} is no database`);
  }
  const pages = key === null ? null : new Cipher(key, 'page');
  const examined = await examine({
    fs,
    folder,
    key,
    openStore: (cache) => (cacheKind(cache) === 'leveldb' ? ClassicPageStore.open(cache) : RocksPageStore.open(cache)),
    unsealed: (store) => (pages === null ? store : new SealedPageStore(store, pages)),
  });
  // The result for a folder that is being written would be meaningless.
  refuseOpen(folder);
  return { ...examined, findings: [...findings, ...examined.findings] };
}

function refuseOpen(folder: string): void {
  const holder = holderOf(folder);
  if (holder === null) return;
  throw new SvcError('55006', `the folder ${folder} is open in process ${holder.pid} since ${holder.since}`, {
    hint: `That process verifies it while it runs: svc ${folder} verify. Or stop it first.`,
  });
}

function textOf({ folder, whole, events, head, acknowledged, findings }: Examined): string {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const lines = findings.map(
    ({ name, state, detail, remedy }) =>
      `${state.padEnd(8)} ${name.padEnd(width)}  ${detail}${remedy === undefined ? '' : `\n${''.padEnd(width + 11)}→ ${remedy}`}`,
  );
  lines.push(
    `${folder} is ${whole ? 'whole' : 'DAMAGED'}: ${events} events can be read, up to ${head} without a gap${acknowledged > head ? `, of ${acknowledged} acknowledged` : ''}`,
  );
  return `${lines.join('\n')}\n`;
}
