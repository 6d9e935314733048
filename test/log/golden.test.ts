/** Bytes that an earlier release wrote are read by this one. `UPDATE=1` makes the file where there is none. */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Micros, Sequence, WorldNumber } from '../../src/base/brands.ts';
import { decodeEvent, encodeEvent, EVENT_TYPES, versionOf } from '../../src/events/codec.ts';
import type { Event } from '../../src/events/event.ts';
import { FolderLog } from '../../src/log/folder-log.ts';
import { nodeFileSystem } from '../../src/storage/node-file-system.ts';
import { KIND } from '../../src/tree/datum.ts';

const FIXTURES = new URL('../../fixtures/log', import.meta.url).pathname;
/** Of all events here but for merges. */
const EVENT_VERSION = 1;
const NAME = '0000000000000001.seg';

const shape = { ids: [16385, 16386], kinds: [KIND.F64, KIND.TEXT] };
const changes = [
  {
    tree: 16384,
    numeric: false,
    rows: [
      { key: 'ann', shape, before: null, after: [1, 'Oslo'] },
      { key: 'bob', shape, before: [-1.5, null], after: [2 ** 40, undefined] },
      { key: 'cleo', shape, before: [0, 'é🙂'], after: null },
    ],
  },
];
const world = 2 as WorldNumber;
const EVENTS: Event[] = [
  { type: 'opened', release: '0.1.0' },
  { type: 'forked', name: 'main', parent: 0 as WorldNumber, owner: null, meta: {}, changes: [] },
  { type: 'committed', how: 'write', changes },
  { type: 'forked', name: 'draft', parent: world, owner: 'agent', meta: { intent: 'try' }, changes },
  { type: 'merged', branch: 4 as WorldNumber, stays: true, whole: false, disjoint: false, carries: false, passage: null, changes, baseChanges: changes },
  { type: 'undone', branch: 4 as WorldNumber, merge: 5 as Sequence, changes, baseChanges: [] },
  { type: 'rebased', changes },
  { type: 'metaChanged', meta: { a: [1, null] } },
  { type: 'confirmed' },
  { type: 'checkpointed', name: 'mark' },
  { type: 'sealed', covers: 9 as Sequence, root: 'ab', treeHead: 'cd' },
  { type: 'trimmed', through: 3 as Sequence, at: 1_800_000_000_000_000 as Micros, gone: [4] },
  { type: 'discarded' },
  { type: 'closed' },
];

test('a slice of a trim is read as it was written, to a place and to the end', () => {
  for (const to of [null, { world: 7, sequence: 300 }]) {
    const event: Event = { type: 'swept', through: 300 as Sequence, at: 1_800_000_000_000_000 as Micros, from: { world: 2, sequence: 0 }, to, gone: [4, 7] };
    const payload = Buffer.from(encodeEvent(event));
    expect(payload.toString('hex')).toBe(`ac02${'8080e2c4f2a29903'}0200${to === null ? '0000' : '07ac02'}020407`);
    expect(decodeEvent(EVENT_TYPES.swept, EVENT_VERSION, payload)).toEqual(event);
  }
});

test('a merge says in version 4 how it moves what two worlds have in common', () => {
  const merged = {
    type: 'merged',
    branch: 300 as WorldNumber,
    stays: true,
    whole: true,
    disjoint: true,
    changes: [],
    baseChanges: [],
    carries: false,
    passage: null,
  } as const;
  for (const [common, hex] of [
    ['all', 'ac0267' + '00' + '00'],
    ['part', 'ac0227' + '00' + '00'],
  ] as const) {
    const event = { ...merged, common, changes: [], baseChanges: [] } as Event;
    const payload = Buffer.from(encodeEvent(event));
    expect(payload.toString('hex')).toBe(hex);
    expect(versionOf(event)).toBe(4);
    expect(decodeEvent(EVENT_TYPES.merged, 4, payload)).toEqual(event);
  }
  // As earlier releases wrote it.
  const event = decodeEvent(EVENT_TYPES.merged, 1, Buffer.from('ac02070000', 'hex'));
  expect(event).toEqual({ ...merged, changes: [], baseChanges: [] });
  expect(versionOf(event)).toBe(1);
});

const WORLD_KEPT: Event = { type: 'worldKept', run: 300 as Sequence, base: 2 as WorldNumber, owner: 'ann', index: 7, score: -1.5, changes: [] };
const OF_SIMULATIONS: readonly [Event, string][] = [
  [
    {
      type: 'simulated',
      recipe: { prefix: 'p', script: 'S', score: 'T', seed: 1, sequence: 2 as Sequence, at: 3 as Micros, runner: null },
      changes: [],
    },
    `52${Buffer.from('{"prefix":"p","script":"S","score":"T","seed":1,"sequence":2,"at":3,"runner":null}').toString('hex')}00`,
  ],
  [WORLD_KEPT, 'ac02' + '02' + '01' + '03616e6e' + '07' + '000000000000f8bf' + '00'],
  [{ ...WORLD_KEPT, owner: null } as Event, 'ac02' + '02' + '00' + '07' + '000000000000f8bf' + '00'],
  [{ type: 'simulationKept', run: 300 as Sequence, count: 2 }, 'ac0202'],
  [{ type: 'simulationDropped', run: 300 as Sequence, worlds: [301, 302] as WorldNumber[], last: true }, 'ac020102ad02ae02'],
];
test('events of simulations have the bytes that docs/formats/events.md says', () => {
  for (const [event, hex] of OF_SIMULATIONS) {
    const payload = Buffer.from(encodeEvent(event));
    expect(payload.toString('hex')).toBe(hex);
    expect(decodeEvent(EVENT_TYPES[event.type], EVENT_VERSION, payload)).toEqual(event);
  }
});

test('the golden segment of format version 1 is read, event by event', async () => {
  const golden = join(FIXTURES, NAME);
  const folder = mkdtempSync(join(tmpdir(), 'svc-golden-'));
  if (!existsSync(golden) && process.env['UPDATE'] === '1') {
    const log = await FolderLog.open({ fs: nodeFileSystem, folder });
    EVENTS.forEach((event, i) =>
      log.append({
        type: EVENT_TYPES[event.type],
        version: EVENT_VERSION,
        at: (1_800_000_000_000_000 + i) as Micros,
        world,
        actor: i % 2 === 0 ? '' : 'agent',
        payload: encodeEvent(event),
      }),
    );
    await log.sync(log.head);
    const { offset } = log.end;
    await log.close();
    writeFileSync(golden, readFileSync(join(folder, NAME)).subarray(0, offset));
  }
  cpSync(golden, join(folder, NAME));
  const log = await FolderLog.open({ fs: nodeFileSystem, folder });
  const found = [...log.read(1 as Sequence)];
  expect(found.map(({ type, version, payload }) => decodeEvent(type, version, payload))).toEqual(EVENTS);
  expect(found.map(({ sequence, at, actor }) => [sequence, at, actor])).toEqual(
    EVENTS.map((_, i) => [i + 1, 1_800_000_000_000_000 + i, i % 2 === 0 ? '' : 'agent']),
  );
  await log.close();
  rmSync(folder, { recursive: true });
});
