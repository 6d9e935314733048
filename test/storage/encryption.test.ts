/** Encryption at rest: what is sealed opens only whole and only with its key, and no plain text is left in the folder. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32c } from '@node-rs/crc32';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { open, type OpenOptions } from '../../src/database.ts';
import { Cipher } from '../../src/storage/cipher.ts';
import { KEY_FILE, newKey } from '../../src/storage/folder-key.ts';
import { temporaryFile } from '../../src/sql/session/temporary-file.ts';

const CANARY = 'canary-5d1e9b7c';
const MAIN = join(import.meta.dirname, '../../dist/bin/svc.js');

let folder: string;
let key: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-sealed-'));
  key = newKey();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function files(path = folder): string[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? files(join(path, entry.name)) : entry.isFile() ? [join(path, entry.name)] : [],
  );
}

/** Files that hold the text as UTF-8, as UTF-16, or the key in hex or as bytes. */
function holding(...texts: string[]): string[] {
  const wanted = texts.flatMap((text) => [Buffer.from(text), Buffer.from(text, 'utf16le')]);
  wanted.push(Buffer.from(key), Buffer.from(key, 'hex'));
  return files().filter((path) => {
    const bytes = readFileSync(path);
    return wanted.some((each) => bytes.includes(each));
  });
}

describe('a cipher', () => {
  const master = Buffer.alloc(32, 7);
  const bound = Buffer.from('head');

  test('opens what it sealed, also in a later run', () => {
    const cipher = new Cipher(master, 'log');
    for (const length of [0, 1, 63, 64, 65, 5000]) {
      const plain = Buffer.alloc(length, 'x');
      const out = Buffer.alloc(length + 32 + 3);
      const end = cipher.seal(out, 3, plain, bound);
      expect(end).toBe(out.length);
      expect(cipher.open(out.subarray(3), bound)).toEqual(plain);
      expect(new Cipher(master, 'log').open(out.subarray(3), bound)).toEqual(plain);
    }
  });

  test('opens nothing that was changed, cut, bound to something else, or sealed for another purpose or with another key', () => {
    const cipher = new Cipher(master, 'log');
    const out = Buffer.alloc(20 + 32);
    cipher.seal(out, 0, Buffer.alloc(20, 'x'), bound);
    for (let i = 0; i < out.length; i++) {
      const changed = Buffer.from(out);
      changed[i] ^= 1;
      expect([i, cipher.open(changed, bound)]).toEqual([i, null]);
      expect([i, cipher.open(out.subarray(0, i), bound)]).toEqual([i, null]);
    }
    expect(cipher.open(out, Buffer.from('tail'))).toBe(null);
    expect(new Cipher(master, 'page').open(out, bound)).toBe(null);
    expect(new Cipher(Buffer.alloc(32, 8), 'log').open(out, bound)).toBe(null);
    expect(cipher.open(out, bound)).not.toBe(null);
  });

  test('never uses a nonce twice under one key, in one run or in many', () => {
    const seen = new Set<string>();
    const out = Buffer.alloc(33);
    for (let run = 0; run < 50; run++) {
      const cipher = new Cipher(master, 'page');
      for (let i = 0; i < 100; i++) {
        cipher.seal(out, 0, Buffer.from('x'), bound);
        seen.add(out.toString('hex', 0, 16));
      }
    }
    expect(seen.size).toBe(5000);
  });
});

async function fill(options: OpenOptions = {}): Promise<void> {
  const db = await open(folder, { key, ...options });
  await db.sql({
    sql: `CREATE TABLE people (id int PRIMARY KEY, name text, note text); CREATE INDEX ON people (name);
          INSERT INTO people SELECT i, '${CANARY}' || i, repeat('${CANARY}', 3) FROM generate_series(1, 3000) i; COMMENT ON TABLE people IS '${CANARY}'`,
  });
  await db.put({ table: `t-${CANARY}`, id: CANARY, record: { [CANARY]: CANARY } });
  await db.fork({ name: `w-${CANARY}`, meta: { intent: CANARY } });
  await db.sql({ branch: `w-${CANARY}`, sql: `UPDATE people SET note = '${CANARY}!' WHERE id <= 500` });
  await db.create_agent({ name: `a-${CANARY}`, can: ['read', 'fork', 'write_own'] });
  await db.commandsOf(db.directory.byName(`a-${CANARY}`)!).fork({ name: 'by-agent' });
  await db.sql({ sql: `SELECT count(*) FROM (SELECT note, name FROM people ORDER BY note || name DESC) s` });
  await db.flush();
  await db.verify();
  await db.close();
}

describe('a folder', () => {
  // contract: identity.5
  test('holds no plain text after writes, checkpoints, a trim with a base, and reopening', async () => {
    await fill({ historyRetentionMs: 1, segmentSizeBytes: 64 * 1024, trimBytes: 1024 });
    expect(holding(CANARY, 'people')).toEqual([]);
    const db = await open(folder, { key, historyRetentionMs: 1, segmentSizeBytes: 64 * 1024, trimBytes: 1024 });
    for (let i = 0; i < 5; i++) {
      await db.sql({ sql: `UPDATE people SET note = '${CANARY}${i}-' || md5(id || 'x${i}')` });
      await db.flush();
    }
    expect(files().some((path) => path.endsWith('.base'))).toBe(true);
    await db.verify();
    expect(holding(CANARY, 'people')).toEqual([]);
    await db.close();
    expect(holding(CANARY, 'people')).toEqual([]);
    // The log suffices: without the cache every answer is the same.
    rmSync(join(folder, 'cache'), { recursive: true });
    const again = await open(folder, { key });
    expect((await again.sql({ sql: "SELECT count(*) AS n, min(split_part(note, '-', 2)) AS note FROM people" })).results[0].rows).toEqual([
      { n: 3000, note: `${CANARY.split('-')[1]}4` },
    ]);
    expect((await again.get({ table: `t-${CANARY}`, id: CANARY })).row).toEqual({ [CANARY]: CANARY });
    await again.close();
    expect(holding(CANARY, 'people')).toEqual([]);
  });

  test('is the same without a key, only that there the text is found', async () => {
    await fill({ key: null });
    expect(holding(CANARY).length).toBeGreaterThan(0);
  });

  test('holds none after a crash, and what was acknowledged is there', async () => {
    const child = spawn(process.execPath, [MAIN, 'mcp', folder, '--allow-merge'], { env: { ...process.env, SVC_KEY: key } });
    let answers = 0;
    let rest = '';
    const done = new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        rest += chunk.toString();
        answers += rest.split('\n').length - 1;
        rest = rest.slice(rest.lastIndexOf('\n') + 1);
        if (answers >= 100) resolve();
      });
    });
    for (let id = 1; id <= 150; id++) {
      child.stdin.write(
        `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'put', arguments: { table: 'docs', id: String(id), record: { text: CANARY } } } })}\n`,
      );
    }
    await done;
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    expect(holding(CANARY)).toEqual([]);
    const db = await open(folder, { key });
    const { total } = await db.find({ table: 'docs', limit: 0 });
    expect(total).toBeGreaterThanOrEqual(100);
    await db.verify();
    await db.close();
  });

  test('spills no plain text', () => {
    const file = temporaryFile(true);
    const plain = Buffer.from(`${CANARY}-`.repeat(1000));
    for (let at = 0; at < plain.length; at += 777) file.write(plain.subarray(at, at + 777));
    const spilled = readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).includes('svc-spill-') ? [readFileSync(`/proc/self/fd/${fd}`)] : [];
      } catch {
        return [];
      }
    });
    expect(spilled.some((bytes) => bytes.length === plain.length)).toBe(true);
    expect(spilled.some((bytes) => bytes.includes(CANARY))).toBe(false);
    for (const [from, length] of [
      [0, 10],
      [63, 2],
      [64, 64],
      [5000, 3000],
      [plain.length - 5, 100],
    ]) {
      expect(Buffer.from(file.read(from, length))).toEqual(plain.subarray(from, from + length));
    }
    file.close();
  });
});

describe('the key', () => {
  // contract: identity.5
  test('is refused where it is wrong, missing, no key, or of no use, and nothing changes', async () => {
    await fill();
    const before = files().map((path) => [path, statSync(path).size]);
    await expect(open(folder, { key: newKey() })).rejects.toMatchObject({ code: '28P01', message: expect.stringContaining('not the one') });
    await expect(open(folder, { key: null })).rejects.toMatchObject({ code: '28000', hint: expect.stringContaining('SVC_KEY') });
    for (const bad of ['', 'abc', `${key}0`, 'z'.repeat(64)]) {
      await expect(open(folder, { key: bad })).rejects.toMatchObject({ code: '22023', message: expect.not.stringContaining(bad === '' ? 'zz' : bad) });
    }
    expect(files().map((path) => [path, statSync(path).size])).toEqual(before);
    const db = await open(folder, { key: key.toUpperCase() });
    await db.close();
    const plain = join(folder, 'plain');
    await (await open(plain, { key: null })).close();
    await expect(open(plain, { key })).rejects.toMatchObject({ code: '28000', message: expect.stringContaining('not encrypted') });
    await (await open(plain, { key: null })).close();
  });

  // contract: identity.5
  test('comes from SVC_KEY or the file that SVC_KEY_FILE names, never from both', async () => {
    const path = join(folder, 'key');
    const own = join(folder, 'own');
    writeFileSync(path, `${key}\n`);
    const under = async (env: Record<string, string>): Promise<string> => {
      Object.assign(process.env, env);
      try {
        await (await open(own)).close();
        return 'ok';
      } catch (error) {
        return (error as { code: string }).code;
      } finally {
        delete process.env['SVC_KEY'];
        delete process.env['SVC_KEY_FILE'];
      }
    };
    expect(await under({ SVC_KEY_FILE: path })).toBe('ok');
    expect(await under({ SVC_KEY: key })).toBe('ok');
    expect(await under({ SVC_KEY: key, SVC_KEY_FILE: path })).toBe('22023');
    expect(await under({ SVC_KEY_FILE: join(folder, 'nothing') })).toBe('22023');
    expect(await under({})).toBe('28000');
    expect(await under({ SVC_KEY: newKey() })).toBe('28P01');
  });

  // contract: command.5
  test('is printed by keygen, another each time, and the command says what is wrong', async () => {
    const run = (args: string[], env: Record<string, string> = {}): Promise<{ code: number | null; out: string; errors: string }> =>
      new Promise((resolve) => {
        const child = spawn(process.execPath, [MAIN, ...args], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
        let out = '';
        let errors = '';
        child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
        child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
        child.once('close', (code) => resolve({ code, out, errors }));
      });
    const [one, two] = [await run(['keygen']), await run(['keygen'])];
    expect(one.out).toMatch(/^[0-9a-f]{64}\n$/);
    expect(two.out).not.toBe(one.out);
    await (await open(folder, { key })).close();
    const refused = await run(['mcp', folder]);
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.errors).toMatch(/^svc: the folder .* is encrypted: its key is missing\nSet SVC_KEY/);
    expect((await run(['serve', folder, '--listen', '127.0.0.1:0', '--pg', 'off'], { SVC_KEY: newKey() })).errors).toMatch(/the key is not the one/);
    expect((await run(['mcp', folder], { SVC_KEY: key })).code).toBe(0);
  });

  test('of a folder whose mark was damaged or removed is required all the same', async () => {
    await fill();
    const path = join(folder, KEY_FILE);
    const mark = readFileSync(path);
    writeFileSync(path, '{"version":1');
    await expect(open(folder, { key })).rejects.toMatchObject({ code: 'XX001' });
    rmSync(path);
    await expect(open(folder, { key })).rejects.toMatchObject({ code: '28000' });
    await expect(open(folder, { key: null })).rejects.toMatchObject({ code: '28000' });
    writeFileSync(path, mark);
    await (await open(folder, { key })).close();
  });
});

describe('damage', () => {
  const segment = (): string =>
    join(
      folder,
      'log',
      readdirSync(join(folder, 'log'))
        .filter((name) => name.endsWith('.seg'))
        .sort()
        .at(-1)!,
    );

  async function write(count: number): Promise<void> {
    const db = await open(folder, { key, checkpointMs: 1e9 });
    for (let i = 0; i < count; i++) await db.put({ table: 'docs', id: String(i), record: { text: CANARY, i } });
    // As a crash leaves it: nothing is closed.
    mkdirSync(join(folder, 'crashed'));
    for (const name of readdirSync(join(folder, 'log'))) writeFileSync(join(folder, 'crashed', name), readFileSync(join(folder, 'log', name)));
    await db.close();
    rmSync(join(folder, 'log'), { recursive: true });
    rmSync(join(folder, 'cache'), { recursive: true });
    rmSync(join(folder, 'watermark'));
    mkdirSync(join(folder, 'log'));
    for (const name of readdirSync(join(folder, 'crashed'))) writeFileSync(join(folder, 'log', name), readFileSync(join(folder, 'crashed', name)));
  }

  test('at the end is a torn tail and is cut; what was before it is there', async () => {
    await write(20);
    const whole = readFileSync(segment());
    const last = whole.findLastIndex((byte) => byte !== 0) + 1;
    for (const cut of [1, 5, 17, 40, 100]) {
      writeFileSync(segment(), whole);
      truncateSync(segment(), last - cut);
      rmSync(join(folder, 'cache'), { recursive: true, force: true });
      rmSync(join(folder, 'watermark'), { force: true });
      const db = await open(folder, { key });
      const { total } = await db.find({ table: 'docs', limit: 0 });
      expect([cut, total]).toEqual([cut, expect.toSatisfy((n: number) => n >= 17 && n < 20)]);
      await db.close();
    }
  });

  test('of acknowledged records is refused, by its checksum and, if that was corrected, by its tag', async () => {
    await write(20);
    const whole = readFileSync(segment());
    // Frames from the header on.
    const starts: number[] = [];
    for (let at = 24 + whole.readUInt32LE(12); whole.readUInt32LE(at) > 0; at += 8 + whole.readUInt32LE(at)) starts.push(at);
    const at = starts[6];
    const length = whole.readUInt32LE(at);
    const damaged = Buffer.from(whole);
    damaged[at + 8 + 40] ^= 1;
    writeFileSync(segment(), damaged);
    await expect(open(folder, { key })).rejects.toMatchObject({ code: 'XX001', message: expect.stringContaining(`byte ${at}`) });
    damaged.writeUInt32LE(crc32c(damaged.subarray(at + 8, at + 8 + length)), at + 4);
    writeFileSync(segment(), damaged);
    await expect(open(folder, { key })).rejects.toMatchObject({ code: 'XX001', message: expect.stringContaining('authenticated') });
    // A plain record put in its place is none of this folder's.
    const plain = Buffer.from(whole);
    plain[at + 8] &= ~8;
    plain.writeUInt32LE(crc32c(plain.subarray(at + 8, at + 8 + length)), at + 4);
    writeFileSync(segment(), plain);
    await expect(open(folder, { key })).rejects.toMatchObject({ code: 'XX001' });
    writeFileSync(segment(), whole);
    await (await open(folder, { key })).close();
  });
});
