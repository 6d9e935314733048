/**
 * The disk is full or fails and then works again, while the database stays open: writers are refused, readers are always
 * served, acknowledged writes survive and refused ones do not, and writing resumes automatically.
 */
import { expect, test } from 'vitest';
import type { Micros } from '../../src/base/brands.ts';
import { SvcError } from '../../src/base/errors/svc-error.ts';
import type { Row } from '../../src/commands/contract.ts';
import { type Database, open, type OpenOptions } from '../../src/database.ts';
import { randomFrom } from '../suite/random.ts';
import { FaultyFileSystem } from './faulty-file-system.ts';
import { FaultyPageStore } from './faulty-page-store.ts';
import { findSoFar } from '../find-so-far.ts';

const OPTIONS = {
  segmentSizeBytes: 4000,
  checkpointLogBytes: 3000,
  checkpointRest: 0,
  dirtyBytes: 20_000,
  cacheBytes: 60_000,
  checkpointMs: 1e9,
  repairMs: 1,
};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A database whose writes are recorded with their outcomes. */
class Life {
  readonly db: Database;
  readonly #random: () => number;
  /** Acknowledged writes by the version that they made. */
  readonly acknowledged = new Map<number, { key: string; row: Row | null }>();
  readonly #refused = new Set<number>();
  readonly #calls: Promise<void>[] = [];
  readonly #seen = new Set<number>();
  readonly codes = new Set<string>();
  #n = 0;

  constructor(db: Database, random: () => number) {
    this.db = db;
    this.#random = random;
  }

  get refused(): number {
    return this.#refused.size;
  }

  write(): void {
    const key = `k${Math.floor(this.#random() * 30)}`;
    const n = ++this.#n;
    const row = { n, text: 'x'.repeat(Math.floor(this.#random() * 80)) };
    this.#calls.push(
      this.db.put({ table: 't', id: key, record: row }).then(
        ({ version }) => {
          expect(this.acknowledged.has(version), `two writes made version ${version}`).toBe(false);
          this.acknowledged.set(version, { key, row });
        },
        (error: unknown) => {
          if (!(error instanceof SvcError)) throw error;
          this.codes.add(error.code);
          this.#refused.add(n);
        },
      ),
    );
  }

  /** A reader that runs beside the writers. */
  read(): void {
    this.#calls.push(contents(this.db).then((rows) => Object.values(rows).forEach((row) => this.#seen.add(row['n'] as number))));
  }

  /** Waits for all writers and compares. */
  async check(why: string): Promise<void> {
    await Promise.all(this.#calls.splice(0));
    const wanted: Record<string, Row> = {};
    for (const [, { key, row }] of [...this.acknowledged].sort(([a], [b]) => a - b)) {
      if (row === null) delete wanted[key];
      else wanted[key] = row;
    }
    expect(await contents(this.db), why).toEqual(wanted);
    expect((await this.db.world({})).version, why).toBe(this.acknowledged.size);
    expect(
      [...this.#seen].filter((n) => this.#refused.has(n)),
      `${why}: refused writes that a reader saw`,
    ).toEqual([]);
    // History beside what a trim or the retention left of it.
    const { events, since } = await this.db.history({ limit: 10_000 });
    if (since !== null) return;
    expect(
      events.filter(({ event }) => event === 'write'),
      why,
    ).toHaveLength(this.acknowledged.size);
  }

  /** Until the database has taken a write again. */
  async recovered(why: string): Promise<void> {
    for (let tries = 0; this.db.stats()['writable'] === 0; tries++) {
      expect(tries, `${why}: no repair`).toBeLessThan(2000);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    const before = this.acknowledged.size;
    this.write();
    await this.check(why);
    expect(this.acknowledged.size, `${why}: a write after the repair`).toBe(before + 1);
  }
}

async function contents(db: Database): Promise<Record<string, Row>> {
  const hits = await findSoFar(db, { table: 't', limit: 10_000 });
  return Object.fromEntries(hits.map(({ id, row }) => [id, row]));
}

async function begin(
  seed: number,
  options: OpenOptions = {},
): Promise<{ fs: FaultyFileSystem; store: FaultyPageStore; life: Life; random: () => number; clock: { nowMicros(): Micros } }> {
  const random = randomFrom(seed);
  const fs = new FaultyFileSystem(random);
  const store = new FaultyPageStore(random);
  let now = 1_800_000_000_000_000;
  const clock = { nowMicros: (): Micros => (now += 7) as Micros };
  const db = await open('/db', { ...OPTIONS, ...options, fs, clock, openStore: async () => store });
  return { fs, store, life: new Life(db, random), random, clock };
}

/** What every one of these runs ends with: nothing acknowledged is missing after a crash either. */
async function endsWell(run: Awaited<ReturnType<typeof begin>>, why: string): Promise<void> {
  const { life, fs, store, clock, random } = run;
  const wanted = await contents(life.db);
  await life.db.verify();
  await store.reopen();
  // With the page cache it had, and with none: what a checkpoint kept is what the log says.
  for (const cache of [store, new FaultyPageStore(random)]) {
    const again = await open('/db', { ...OPTIONS, fs: fs.crashLosingAll(), clock, openStore: async () => cache });
    expect(await contents(again), `${why}: after a crash`).toEqual(wanted);
    expect((await again.world({})).version, `${why}: after a crash`).toBe(life.acknowledged.size);
    await again.verify();
    await again.close();
  }
  await life.db.close();
}

async function scenario(life: Life): Promise<void> {
  for (let n = 0; n < 40; n++) {
    life.write();
    if (n % 3 === 0) life.read();
    if (n % 2 === 0) await turn();
  }
}

test('the disk is full at each write in turn', async () => {
  const whole = await begin(1);
  const before = whole.fs.writes;
  await scenario(whole.life);
  await whole.life.check('nothing fails');
  const writes = whole.fs.writes - before;
  expect(writes).toBeGreaterThan(10);
  expect(whole.life.refused).toBe(0);
  await whole.life.db.close();
  for (let at = 0; at < writes; at++) {
    const why = `full at write ${at}`;
    const run = await begin(1);
    run.fs.faults = { writesUntilFull: at };
    await scenario(run.life);
    await run.life.check(why);
    expect([...run.life.codes], why).toEqual(run.life.refused === 0 ? [] : ['53100']);
    await run.life.check(`${why}, later`);
    run.fs.faults = {};
    await run.life.recovered(why);
    await endsWell(run, why);
  }
});

test('each sync in turn fails', async () => {
  const whole = await begin(2);
  const before = whole.fs.syncs;
  await scenario(whole.life);
  await whole.life.check('nothing fails');
  const syncs = whole.fs.syncs - before;
  expect(syncs).toBeGreaterThan(5);
  await whole.life.db.close();
  let failed = 0;
  for (let at = 0; at < syncs; at++) {
    const why = `sync ${at} fails`;
    const run = await begin(2);
    run.fs.faults = { syncsUntilFailure: at };
    await scenario(run.life);
    await run.life.check(why);
    for (const code of run.life.codes) expect(code, why).toBe('58030');
    // How many syncs a run takes depends on time: one that took fewer has not met the fault, which must not meet the write after it.
    if (run.fs.faults.syncsUntilFailure! < 0) failed++;
    run.fs.faults = {};
    await run.life.recovered(why);
    await endsWell(run, why);
  }
  expect(failed).toBeGreaterThan(5);
});

test('after any sequence of failures, refused writes are nowhere and acknowledged ones everywhere', async () => {
  let outages = 0;
  let storeFailures = 0;
  for (let seed = 1; seed <= Number(process.env['SVC_OUTAGE_SEEDS'] ?? 40); seed++) {
    const run = await begin(seed);
    const { life, fs, store, random } = run;
    for (let round = 0; round < 6; round++) {
      const faults = [{ writeFails: 0.1 }, { syncFails: 0.1 }, { writesUntilFull: Math.floor(random() * 5) }, { capacityBytes: fs.usedBytes + 1000 }, {}];
      fs.faults = faults[Math.floor(random() * faults.length)];
      store.writeFails = random() < 0.3 ? 0.2 : 0;
      for (let n = 0; n < 30; n++) {
        life.write();
        if (random() < 0.3) life.read();
        if (random() < 0.3) await turn();
        if (random() < 0.05) await life.check(`seed ${seed} round ${round}`);
        if (random() < 0.03) void life.db.flush().catch(() => {});
      }
      await life.check(`seed ${seed} round ${round}`);
      fs.faults = {};
      store.writeFails = 0;
      await life.recovered(`seed ${seed} round ${round}`);
    }
    outages += life.db.stats()['outages'];
    storeFailures += store.failures;
    await endsWell(run, `seed ${seed}`);
  }
  expect(outages).toBeGreaterThan(20);
  expect(storeFailures).toBeGreaterThan(5);
}, 120_000);

test('trims continue between outages, and an interrupted one leaves a whole log', async () => {
  let trims = 0;
  let outages = 0;
  for (let seed = 1; seed <= Number(process.env['SVC_OUTAGE_SEEDS'] ?? 40); seed++) {
    const run = await begin(seed, { historyRetentionMs: 0.1, trimBytes: 3000 });
    const { life, fs, store, random } = run;
    let start = 0;
    for (let round = 0; round < 8; round++) {
      for (let n = 0; n < 30; n++) life.write();
      const faults = [{ writeFails: 0.1 }, { syncFails: 0.1 }, { writesUntilFull: Math.floor(random() * 20) }, { capacityBytes: fs.usedBytes + 3000 }, {}];
      await life.check(`seed ${seed} round ${round}`);
      fs.faults = faults[Math.floor(random() * faults.length)];
      store.writeFails = random() < 0.2 ? 0.1 : 0;
      const house = life.db.flush().catch(() => {});
      for (let n = 0; n < 10; n++) {
        life.write();
        if (random() < 0.3) life.read();
        await turn();
      }
      await house;
      await life.check(`seed ${seed} round ${round}, after the trim`);
      fs.faults = {};
      store.writeFails = 0;
      await life.recovered(`seed ${seed} round ${round}`);
      if (life.db.stats()['history_start'] > start) trims++;
      start = life.db.stats()['history_start'];
    }
    outages += life.db.stats()['outages'];
    await endsWell(run, `seed ${seed}`);
  }
  expect(trims).toBeGreaterThan(50);
  expect(outages).toBeGreaterThan(20);
}, 120_000);

test('an outage is reported at its beginning and its end, and a database closed in it opens again whole', async () => {
  const { fs, life, store, clock } = await begin(3);
  const heard: (string | null)[] = [];
  life.db.onOutage((error) => heard.push(error?.code ?? null));
  life.db.onFailure(() => heard.push('failure'));
  life.write();
  await life.check('before');
  await life.db.fork({ name: 'draft' });
  fs.faults = { writesUntilFull: 0 };
  life.write();
  await life.check('during');
  for (const refused of [
    life.db.fork({ name: 'other' }),
    life.db.delete({ table: 't', id: 'none' }),
    life.db.discard({ branch: 'draft' }),
    life.db.merge({ branch: 'draft' }),
    life.db.set_meta({ meta: { a: 1 } }),
  ]) {
    await expect(refused).rejects.toMatchObject({ code: '53100', status: 507 });
  }
  expect((await life.db.branches()).branches.map(({ name }) => name)).toEqual(['main', 'draft']);
  expect(await life.db.diff({ branch: 'draft' })).toMatchObject({ changes: [] });
  fs.faults = {};
  await life.recovered('after');
  expect(heard).toEqual(['53100', null]);
  // The run continued: no world is flagged as after a crash.
  expect((await life.db.world({ branch: 'draft' })).flagged).toBe(false);
  fs.faults = { writesUntilFull: 0 };
  life.write();
  await life.check('at the end');
  const wanted = await contents(life.db);
  await life.db.close();
  fs.faults = {};
  const again = await open('/db', { ...OPTIONS, fs, clock, openStore: async () => store });
  expect(await contents(again)).toEqual(wanted);
  await again.close();
});
