/** Folders that have lost something, through the entrances: what is refused says what is missing, and what can be rebuilt is. */
import { spawn } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SvcError } from '../../src/base/errors/svc-error.ts';
import { open, type OpenOptions } from '../../src/database.ts';
import { CacheDamage } from '../../src/storage/page-store.ts';
import { MemoryPageStore } from '../../src/storage/memory-page-store.ts';
import { randomFrom } from '../suite/random.ts';

const MAIN = new URL('../../dist/bin/svc.js', import.meta.url).pathname;
let home: string;
let folder: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'svc-damaged-'));
  folder = join(home, 'db');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const OPTIONS: OpenOptions = { key: null, checkpointMs: 1e9, segmentSizeBytes: 2500 };

/** Closed cleanly, with several segments; gives what main holds. */
async function made(options: OpenOptions = {}): Promise<number> {
  const db = await open(folder, { ...OPTIONS, ...options });
  for (let n = 0; n < 90; n++) {
    await db.put({ table: 't', id: String(n % 40), record: { n, text: 'x'.repeat(80) } });
    if (n % 30 === 29) await db.flush();
  }
  await db.close();
  return 40;
}

function svc(words: string[], input = ''): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [MAIN, ...words], { cwd: home, stdio: 'pipe', timeout: 60_000 });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.on('close', (code) => resolve({ code, out, err }));
    child.stdin.end(input);
  });
}

function segments(): string[] {
  return readdirSync(join(folder, 'log')).filter((name) => name.endsWith('.seg'));
}

/** Every file with its bytes and the time of its last change. */
function contents(of: string): Map<string, string> {
  return new Map(
    (readdirSync(of, { recursive: true }) as string[])
      .filter((name) => statSync(join(of, name)).isFile())
      .map((name) => [name, `${statSync(join(of, name)).mtimeMs} ${readFileSync(join(of, name)).toString('base64')}`]),
  );
}

function used(path: string): number {
  return readFileSync(path).findLastIndex((byte) => byte !== 0) + 1;
}

describe('a log that was cut short after a clean end', () => {
  test.each([
    ['with everything beside it', []],
    ['without the page cache', ['cache']],
    ['without the watermark', ['watermark']],
  ])('is refused wherever it was cut, %s, and nothing is changed', async (_name, without) => {
    await made();
    const whole = join(home, 'whole');
    for (const name of without) rmSync(join(folder, name), { recursive: true });
    cpSync(folder, whole, { recursive: true });
    const random = randomFrom(7);
    const name = segments().at(-1)!;
    const path = join(folder, 'log', name);
    const end = used(path);
    for (let i = 0; i < 25; i++) {
      rmSync(folder, { recursive: true });
      cpSync(whole, folder, { recursive: true, preserveTimestamps: true });
      truncateSync(path, Math.floor(random() * (end - 1)));
      const before = readFileSync(path);
      const outcome = await open(folder, OPTIONS).then(
        async (db) => {
          await db.close();
          return 'opened';
        },
        (error: unknown) => error as SvcError,
      );
      // What comes after the last checkpoint only the watermark knows of: the mark of a clean end, and what seals the state.
      if (outcome === 'opened' && without[0] === 'watermark') continue;
      expect(outcome).toMatchObject({ code: 'XX001', hint: expect.stringContaining('--accept-loss') });
      expect((outcome as SvcError).message).toMatch(/missing from .*\.seg$/);
      expect(readFileSync(path).equals(before)).toBe(true);
    }
  });

  test('is refused by every entrance, which names segment and events, and continues with --accept-loss', async () => {
    await made({ segmentSizeBytes: 6000 });
    const name = segments().at(-1)!;
    const path = join(folder, 'log', name);
    const watermark = (JSON.parse(readFileSync(join(folder, 'watermark'), 'latin1').slice(0, 512)) as { events: number }).events;
    truncateSync(path, used(path) - 300);
    for (const words of [
      ['serve', folder, '--listen', '127.0.0.1:0', '--pg', 'off'],
      ['mcp', folder],
      [folder, 'SELECT count(*) FROM t'],
    ]) {
      const { code, out, err } = await svc(words);
      expect(code).toBe(1);
      expect(out).toBe('');
      expect(err).toContain(name);
      expect(err).toMatch(/events \d+ to \d+ are missing/);
      expect(err).toContain('--accept-loss');
    }
    const verified = await svc(['verify', folder]);
    expect(verified.code).toBe(1);
    expect(verified.out).toMatch(/missing +log\/.*events \d+ to \d+ are missing/);
    const gone = await svc(['--accept-loss', folder, 'SELECT count(*) AS n FROM t']);
    expect(gone).toMatchObject({ code: 0, out: expect.stringContaining('40') });
    expect(gone.err).toMatch(/continuing from event \d+, as requested/);
    const db = await open(folder, OPTIONS);
    expect(db.stats()['log_sequence']).toBeGreaterThan(watermark - 20);
    await db.verify();
    await db.close();
    expect((await svc(['verify', folder])).code).toBe(0);
  });

  test('or is gone altogether is refused', async () => {
    await made();
    rmSync(join(folder, 'log'), { recursive: true });
    await expect(open(folder, OPTIONS)).rejects.toMatchObject({ code: 'XX001', message: expect.stringContaining('events 1 to ') });
    expect(existsSync(join(folder, 'log', '0000000000000001.seg'))).toBe(false);
  });

  test('with a missing middle segment continues before it, and later segments are set aside', async () => {
    await made();
    const names = segments();
    expect(names.length).toBeGreaterThan(3);
    rmSync(join(folder, 'log', names[2]));
    await expect(open(folder, OPTIONS)).rejects.toMatchObject({ code: 'XX001', message: expect.stringContaining('missing') });
    const notices: string[] = [];
    const db = await open(folder, { ...OPTIONS, acceptLoss: true, onNotice: (message) => notices.push(message) });
    expect(notices.join('\n')).toContain('set aside');
    expect(db.stats()['log_sequence']).toBeGreaterThan(Number(names[2].slice(0, 16)) - 1);
    await db.verify();
    await db.close();
    expect(readdirSync(join(folder, 'log')).some((name) => name.endsWith('.lost'))).toBe(true);
    await (await open(folder, OPTIONS)).close();
  });

  test('in the middle of a sealed segment is found when the log is folded, not passed over', async () => {
    await made();
    const path = join(folder, 'log', segments()[1]);
    const bytes = readFileSync(path);
    bytes[Math.floor(bytes.length / 3)] ^= 4;
    writeFileSync(path, bytes);
    rmSync(join(folder, 'cache'), { recursive: true });
    await expect(open(folder, OPTIONS)).rejects.toMatchObject({ code: 'XX001', message: expect.stringContaining('damaged at byte') });
  });
});

test('a tail that was never acknowledged is cut, with a notice, after a process was killed', async () => {
  const db = await open(folder, OPTIONS);
  for (let n = 0; n < 10; n++) await db.put({ table: 't', id: String(n), record: { n } });
  const copy = join(home, 'killed');
  mkdirSync(join(copy, 'log'), { recursive: true });
  for (const name of segments()) copyFileSync(join(folder, 'log', name), join(copy, 'log', name));
  if (existsSync(join(folder, 'watermark'))) copyFileSync(join(folder, 'watermark'), join(copy, 'watermark'));
  await db.close();
  const path = join(copy, 'log', segments()[0]);
  const bytes = readFileSync(path);
  bytes.fill('torn', used(path), used(path) + 30);
  writeFileSync(path, bytes);
  const notices: string[] = [];
  const again = await open(copy, { ...OPTIONS, onNotice: (message) => notices.push(message) });
  expect((await again.find({ table: 't', limit: 0 })).total).toBe(10);
  expect(notices).toEqual([expect.stringContaining('never acknowledged')]);
  await again.close();
});

describe('the page cache', () => {
  /** Pages in memory of which some turn out damaged. */
  class Failing extends MemoryPageStore {
    fails = false;
    renewals = 0;
    override read(id: number): Uint8Array | undefined {
      if (this.fails) throw new CacheDamage(`page ${id}: block checksum mismatch`);
      return super.read(id);
    }
    override async renew(): Promise<void> {
      this.fails = false;
      this.renewals++;
      await super.renew();
    }
  }

  test('is rebuilt while the database runs: readers that meet damage get right answers, and writers continue', async () => {
    const store = new Failing();
    const notices: string[] = [];
    let db = await open(folder, { ...OPTIONS, openStore: async () => store });
    await db.sql({ sql: "CREATE TABLE s (id int PRIMARY KEY, v text); INSERT INTO s SELECT i, repeat('v', 200) FROM generate_series(1, 3000) i" });
    await db.fork({ name: 'f' });
    await db.put({ branch: 'f', table: 't', id: 'a', record: { n: 1 } });
    await db.close();
    db = await open(folder, { ...OPTIONS, openStore: async () => store, onNotice: (message) => notices.push(message) });
    const session = db.session();
    try {
      store.fails = true;
      const [rows, found] = await Promise.all([
        session.run('SELECT count(*) AS n, sum(length(v)) AS bytes FROM s'),
        db.find({ branch: 'f', table: 't', limit: 10 }),
        db.put({ table: 't', id: 'b', record: { n: 2 } }).catch((error: SvcError) => expect(error.code).toBe('40001')),
      ]);
      expect(rows[0]!.rows).toEqual([[3000, 600_000]].map((row) => row.map((value) => expect.toSatisfy((given: unknown) => Number(given) === value))));
      expect(found.hits).toHaveLength(1);
      expect(store.renewals).toBe(1);
      expect(notices).toEqual([expect.stringContaining('thrown away and rebuilt'), expect.stringContaining('was rebuilt from the log')]);
      await db.put({ table: 't', id: 'c', record: { n: 3 } });
      expect((await db.get({ table: 't', id: 'c' })).row).toEqual({ n: 3 });
      await db.flush();
      await db.verify();
      store.fails = true;
      await session.run("UPDATE s SET v = 'w' WHERE id = 7");
      expect((await session.run('SELECT v FROM s WHERE id = 7'))[0]!.rows).toEqual([['w']]);
      await db.merge({ branch: 'f' }).catch((error: SvcError) => expect(error.code).toBe('40001'));
    } finally {
      session.close();
      await db.close();
    }
  });

  test.each(['rocksdb', 'leveldb'] as const)('of %s whose files were changed is rebuilt, at opening or when it is read', async (pageStore) => {
    const count = await made({ pageStore });
    // A second life writes tables.
    await (await open(folder, { ...OPTIONS, pageStore })).close();
    const cache = join(folder, 'cache');
    for (const name of readdirSync(cache)) {
      if (!/\.(sst|ldb|log)$/.test(name)) continue;
      const bytes = readFileSync(join(cache, name));
      for (let at = 100; at < bytes.length; at += 512) bytes[at] ^= 1;
      writeFileSync(join(cache, name), bytes);
    }
    const notices: string[] = [];
    const db = await open(folder, { ...OPTIONS, pageStore, onNotice: (message) => notices.push(message) });
    expect((await db.find({ table: 't', limit: 0 })).total).toBe(count);
    expect(notices.join('\n')).toMatch(/rebuilt from the log/);
    await db.verify();
    await db.close();
  });

  test.each([
    ['leveldb', 'rocksdb'],
    ['rocksdb', 'leveldb'],
  ] as const)('of %s is thrown away where %s opens it', async (before, after) => {
    const count = await made({ pageStore: before });
    const notices: string[] = [];
    const db = await open(folder, { ...OPTIONS, pageStore: after, onNotice: (message) => notices.push(message) });
    expect(notices).toEqual([expect.stringContaining(`was made by ${before} and is opened by ${after}`)]);
    expect((await db.find({ table: 't', limit: 0 })).total).toBe(count);
    await db.close();
    const second: string[] = [];
    await (await open(folder, { ...OPTIONS, pageStore: after, onNotice: (message) => second.push(message) })).close();
    expect(second).toEqual([]);
  });
});

describe('a folder that is not a database', () => {
  test('is refused by every entrance and stays as it is', async () => {
    for (const [name, file] of [
      ['letters', 'letter.txt'],
      ['app', 'log/app.log'],
    ]) {
      const own = join(home, name);
      mkdirSync(join(own, 'log'), { recursive: true });
      writeFileSync(join(own, file), 'Dear …');
      const before = readdirSync(own, { recursive: true });
      for (const words of [
        ['serve', own, '--listen', '127.0.0.1:0', '--pg', 'off'],
        ['mcp', own],
        ['studio', own, '--listen', '127.0.0.1:0', '--no-open'],
        ['attach', own, '--tables', 'users', '--url', 'postgres://me@127.0.0.1:1/none'],
        [own],
        [own, 'SELECT 1'],
        [own, 'merge', 'draft'],
        ['verify', own],
      ]) {
        const { code, err } = await svc(words);
        expect([words, code]).toEqual([words, expect.toSatisfy((given: number) => given > 0)]);
        expect(err).toMatch(/holds other files|is no database/);
      }
      await expect(open(own)).rejects.toMatchObject({ code: '55000' });
      expect(readdirSync(own, { recursive: true })).toEqual(before);
    }
  });

  test('no refused command leaves a folder behind', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    for (const words of [
      ['mcp', 'new', '--agent', 'nobody'],
      ['mcp', 'deep/new', '-b', 'nowhere'],
      ['new', '-b', 'nowhere', 'SELECT 1'],
      ['new', 'SELEC 1'],
      ['frobnicate', './new'],
      ['serv', './new'],
      ['serve', 'new', '--listen', `127.0.0.1:${port}`, '--pg', 'off'],
      ['serve', 'new', '--listen', 'nonsense'],
      ['verify', 'new'],
    ]) {
      const { code } = await svc(words);
      expect([words, code]).toEqual([words, expect.toSatisfy((given: number) => given > 0)]);
      expect([words, readdirSync(home)]).toEqual([words, []]);
    }
    taken.close();
    expect((await svc(['new', 'CREATE TABLE t (id int PRIMARY KEY)'])).code).toBe(0);
    expect(existsSync(join(home, 'new', 'log'))).toBe(true);
  });
});

describe('svc verify', () => {
  test('of a whole folder answers 0, says what there is, and changes nothing', async () => {
    await made();
    const before = contents(folder);
    const { code, out, err } = await svc(['verify', folder]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/whole +log\/0000000000000001\.seg/);
    expect(out).toMatch(/whole +cache .*super-roots/);
    expect(out).toMatch(/is whole: \d+ events/);
    expect(contents(folder)).toEqual(before);
    const json = JSON.parse((await svc(['verify', folder, '--json'])).out) as { whole: boolean; findings: { state: string }[] };
    expect(json.whole).toBe(true);
  });

  test.each<[string, RegExp, () => void]>([
    ['a sealed segment', /damaged +log\/.*seg/, () => flip(join('log', segments()[1]), 0.4)],
    ['the last segment', /damaged +log\/.*seg|missing +log/, () => flip(join('log', segments().at(-1)!), 0.5)],
    ['a segment that is gone', /missing +log\/.*events \d+ to \d+/, () => rmSync(join(folder, 'log', segments()[1]))],
    [
      'the page cache',
      /damaged +cache/,
      () => readdirSync(join(folder, 'cache')).forEach((name) => /MANIFEST|CURRENT/.test(name) && flip(join('cache', name), 0.5)),
    ],
    ['the watermark', /damaged +watermark/, () => flip('watermark', 0.01)],
  ])('finds %s', async (_name, message, harm) => {
    await made();
    harm();
    const before = contents(folder);
    const { code, out } = await svc(['verify', folder]);
    expect(out).toMatch(message);
    expect(out).toContain('→');
    expect(code).toBe(1);
    expect(contents(folder)).toEqual(before);
  });

  test.each([1e9, 2500])('says after which event --accept-loss continues, in segments of at most %s bytes, by any way to write the folder', async (bytes) => {
    await made({ segmentSizeBytes: bytes });
    flip(join('log', segments().at(-1)!), 0.5);
    const { out } = await svc(['verify', './db']);
    const continued = Number(/--accept-loss to continue from event (\d+)/.exec(out)?.[1]);
    expect(out).toContain(`missing  log/${segments().at(-1)!}`);
    expect(out).toContain(`if the state alone matters, --accept-loss continues from event ${continued}`);
    expect(continued).toBeGreaterThan(20);
    const { err } = await svc(['./db', '--accept-loss', 'SELECT count(*) FROM t']);
    expect(err).toMatch(new RegExp(`\\b${continued}\\b`));
  });

  test('of a folder that is open elsewhere is refused and says how it is verified there', async () => {
    const db = await open(folder, OPTIONS);
    const { code, err } = await svc(['verify', folder]);
    await db.close();
    expect(code).toBe(2);
    expect(err).toMatch(/is open in process \d+/);
    expect(err).toContain(`svc ${folder} verify`);
  });

  test('of an encrypted folder wants its key', async () => {
    const key = '17'.repeat(32);
    await made({ key });
    const without = await svc(['verify', folder]);
    expect([without.code, without.err]).toEqual([2, expect.stringContaining('SVC_KEY')]);
    process.env['SVC_KEY'] = key;
    try {
      const { code, out } = await svc(['verify', folder]);
      expect([code, out]).toEqual([0, expect.stringContaining('encryption.json')]);
    } finally {
      delete process.env['SVC_KEY'];
    }
  });

  function flip(name: string, where: number): void {
    const bytes = readFileSync(join(folder, name));
    const end = bytes.findLastIndex((byte) => byte !== 0) + 1;
    bytes[Math.floor(end * where)] ^= 1;
    writeFileSync(join(folder, name), bytes);
  }
});
