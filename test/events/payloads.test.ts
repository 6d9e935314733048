/** The payload of every event type has the bytes that releases before wrote. New types are added here; a line is never edited. */
import { expect, test } from 'vitest';
import type { Micros, Sequence, WorldNumber } from '../../src/base/brands.ts';
import type { AgentState } from '../../src/events/agent.ts';
import type { TreeChanges } from '../../src/events/changes.ts';
import { decodeEvent, encodeEvent, EVENT_TYPES, versionOf } from '../../src/events/codec.ts';
import type { Event } from '../../src/events/event.ts';
import { EVENTS } from '../../src/events/table.ts';
import type { Recipe } from '../../src/events/types/simulated.ts';
import { KIND } from '../../src/tree/datum.ts';

const world = 2 as WorldNumber;
const sequence = 300 as Sequence;
const at = 1_800_000_000_000_000 as Micros;
const shape = { ids: [16385], kinds: [KIND.F64] };
/** A row written, one changed and one deleted: of version 1. */
const changes: TreeChanges[] = [
  {
    tree: 16384,
    numeric: true,
    rows: [
      { key: 1, shape, before: null, after: [1] },
      { key: 2, shape, before: [-1.5], after: [null] },
      { key: 3, shape, before: [3], after: null },
    ],
  },
];
const merged = { type: 'merged', branch: world, stays: true, whole: true, disjoint: true, carries: false, passage: null } as const;
const agent: AgentState = {
  id: 'a0',
  name: 'ann',
  tokenHash: 'h',
  scram: 's',
  can: ['read'],
  quotas: { max_worlds: 1, max_changes: 2, writes_per_minute: 3, world_ttl: 4, max_query_ms: 5, max_concurrent: 6, max_memory_mb: 7, max_idle_ms: 8 },
  policy: null,
  disabled: false,
  created: at,
};
const recipe: Recipe = { prefix: 'p', script: 'S', score: 'T', seed: 1, sequence, at, runner: null };

/** An event, the version of its record, and its payload. */
const PAYLOADS: readonly (readonly [Event, number, string])[] = [
  [{ type: 'opened', release: '0.1.0' }, 1, '05302e312e30'],
  [{ type: 'opened', release: '0.1.0', first: true }, 1, '05302e312e3001'],
  [{ type: 'opened', release: '0.1.0', lost: { from: 7, to: 300 } }, 1, '05302e312e300207ac02'],
  [{ type: 'opened', release: '0.1.0', first: true, lost: { from: 7, to: 300 } }, 1, '05302e312e300307ac02'],
  [{ type: 'closed' }, 1, ''],
  [{ type: 'committed', how: 'restore', changes }, 1, '02018080010101018180010303000401040101040206000000000000f8bf010204030403'],
  [{ type: 'committed', how: 'write', number: sequence, changes }, 4, '00ac02018080010101018180010303000401040101040206000000000000f8bf010204030403'],
  [{ type: 'forked', name: 'draft', parent: world, owner: null, meta: {}, changes: [] }, 1, '0564726166740200027b7d00'],
  [
    { type: 'forked', name: 'draft', parent: world, owner: 'ann', meta: { intent: 'try' }, changes },
    1,
    '056472616674020103616e6e107b22696e74656e74223a22747279227d018080010101018180010303000401040101040206000000000000f8bf010204030403',
  ],
  [
    { ...merged, stays: false, whole: false, disjoint: false, changes, baseChanges: [] },
    1,
    '0200018080010101018180010303000401040101040206000000000000f8bf01020403040300',
  ],
  [
    { ...merged, carries: true, changes: [], baseChanges: changes, passage: { policy: 'p', approvedBy: 'person', rows: 3, deletes: 1 } },
    1,
    '021f00018080010101018180010303000401040101040206000000000000f8bf010204030403327b22706f6c696379223a2270222c22776179223a22706572736f6e222c22726f7773223a332c2264656c65746573223a317d',
  ],
  [{ ...merged, common: 'part', changes: [], baseChanges: [] }, 4, '02270000'],
  [
    { ...merged, common: 'all', changes, baseChanges: [], passage: { policy: null, approvedBy: 'none', rows: 0, deletes: 0 } },
    4,
    '026f018080010101018180010303000401040101040206000000000000f8bf01020403040300317b22706f6c696379223a6e756c6c2c22776179223a226e6f6e65222c22726f7773223a302c2264656c65746573223a307d',
  ],
  [
    { type: 'undone', branch: world, merge: sequence, changes, baseChanges: [] },
    1,
    '02ac02018080010101018180010303000401040101040206000000000000f8bf01020403040300',
  ],
  [{ type: 'rebased', changes }, 1, '018080010101018180010303000401040101040206000000000000f8bf010204030403'],
  [{ type: 'discarded' }, 1, ''],
  [{ type: 'metaChanged', meta: { a: [1, null] } }, 1, '0e7b2261223a5b312c6e756c6c5d7d'],
  [{ type: 'confirmed' }, 1, ''],
  [{ type: 'checkpointed', name: 'é' }, 1, '02c3a9'],
  [{ type: 'sealed', covers: sequence, root: 'ab', treeHead: 'cd' }, 1, 'ac02026162026364'],
  [{ type: 'trimmed', through: sequence, at, gone: [4, 300] }, 1, 'ac028080e2c4f2a299030204ac02'],
  [{ type: 'swept', through: sequence, at, from: { world: 2, sequence: 0 }, to: null, gone: [] }, 1, 'ac028080e2c4f2a299030200000000'],
  [
    { type: 'swept', through: sequence, at, from: { world: 2, sequence: 0 }, to: { world: 7, sequence: 300 }, gone: [4] },
    1,
    'ac028080e2c4f2a29903020007ac020104',
  ],
  [
    { type: 'agentChanged', agent },
    1,
    '91027b226964223a226130222c226e616d65223a22616e6e222c22746f6b656e48617368223a2268222c22736372616d223a2273222c2263616e223a5b2272656164225d2c2271756f746173223a7b226d61785f776f726c6473223a312c226d61785f6368616e676573223a322c227772697465735f7065725f6d696e757465223a332c22776f726c645f74746c223a342c226d61785f71756572795f6d73223a352c226d61785f636f6e63757272656e74223a362c226d61785f6d656d6f72795f6d62223a372c226d61785f69646c655f6d73223a387d2c22706f6c696379223a6e756c6c2c2264697361626c6564223a66616c73652c2263726561746564223a313830303030303030303030303030307d',
  ],
  [{ type: 'agentDropped', name: 'ann' }, 1, '03616e6e'],
  [{ type: 'configured', name: 'a', value: null }, 1, '016100'],
  [{ type: 'configured', name: 'a', value: '' }, 1, '01610100'],
  [{ type: 'kept', pinned: true, ttl: null }, 1, '0100'],
  [{ type: 'kept', pinned: false, ttl: 60_000 }, 1, '00e0d403'],
  [{ type: 'rolesChanged', changes }, 1, '018080010101018180010303000401040101040206000000000000f8bf010204030403'],
  [{ type: 'policyChanged', kind: 'check', name: 'c', value: null }, 1, '287b226b696e64223a22636865636b222c226e616d65223a2263222c2276616c7565223a6e756c6c7d'],
  [
    { type: 'mergeHeld', into: world, version: 3, policy: 'p', input: { branch: 'b' }, reasons: [{ rule: 'r' }] },
    1,
    '537b22696e746f223a322c2276657273696f6e223a332c22706f6c696379223a2270222c22696e707574223a7b226272616e6368223a2262227d2c22726561736f6e73223a5b7b2272756c65223a2272227d5d7d',
  ],
  [{ type: 'reviewed', verdict: 'reject', reason: null }, 1, '227b2276657264696374223a2272656a656374222c22726561736f6e223a6e756c6c7d'],
  [{ type: 'refused', why: 'stale reads' }, 1, '157b22776879223a227374616c65207265616473227d'],
  [
    { type: 'effectHandled', what: 'retry', ids: ['a'], until: at },
    1,
    '357b2277686174223a227265747279222c22696473223a5b2261225d2c22756e74696c223a313830303030303030303030303030307d',
  ],
  [
    { type: 'readsRecorded', reads: { '16384': { whole: true }, '16385': { ranges: [[null, 5]], keys: ['a'] } } },
    1,
    '4d7b227265616473223a7b223136333834223a7b2277686f6c65223a747275657d2c223136333835223a7b2272616e676573223a5b5b6e756c6c2c355d5d2c226b657973223a5b2261225d7d7d7d',
  ],
  [{ type: 'numbered' }, 1, ''],
  [
    { type: 'simulated', recipe, changes },
    1,
    '637b22707265666978223a2270222c22736372697074223a2253222c2273636f7265223a2254222c2273656564223a312c2273657175656e6365223a3330302c226174223a313830303030303030303030303030302c2272756e6e6572223a6e756c6c7d018080010101018180010303000401040101040206000000000000f8bf010204030403',
  ],
  [{ type: 'worldKept', run: sequence, base: world, owner: null, index: 7, score: -1.5, changes: [] }, 1, 'ac02020007000000000000f8bf00'],
  [
    { type: 'worldKept', run: sequence, base: world, owner: 'ann', index: 7, score: -1.5, changes },
    1,
    'ac02020103616e6e07000000000000f8bf018080010101018180010303000401040101040206000000000000f8bf010204030403',
  ],
  [{ type: 'simulationKept', run: sequence, count: 2 }, 1, 'ac0202'],
  [{ type: 'simulationDropped', run: sequence, worlds: [world, 301 as WorldNumber], last: false }, 1, 'ac02000202ad02'],
  [
    {
      type: 'attached',
      source: { system: '77', timeline: 1, database: 'shop', lsn: '0/1', snapshot: '7:7:' },
      tables: [
        {
          name: 's.t',
          schema: 's',
          table: 't',
          oid: 16385,
          columns: [{ name: 'id', type: 'integer', attnum: 1, key: true, identity: 'always', mask: null }],
        },
      ],
    },
    1,
    'f7017b22736f75726365223a7b2273797374656d223a223737222c2274696d656c696e65223a312c226461746162617365223a2273686f70222c226c736e223a22302f31222c22736e617073686f74223a22373a373a227d2c227461626c6573223a5b7b226e616d65223a22732e74222c22736368656d61223a2273222c227461626c65223a2274222c226f6964223a31363338352c22636f6c756d6e73223a5b7b226e616d65223a226964222c2274797065223a22696e7465676572222c226174746e756d223a312c226b6579223a747275652c226964656e74697479223a22616c77617973222c226d61736b223a6e756c6c7d5d7d5d7d',
  ],
  [
    {
      type: 'writeBackIntended',
      xid: '730',
      system: '77',
      timeline: 1,
      branch: world,
      rows: 300,
      completes: { type: 5, version: 4, payload: new Uint8Array([1, 2, 3]) },
    },
    1,
    '033733300237370102ac02050403010203',
  ],
  [{ type: 'writeBackDropped', xid: '730', by: 'person' }, 1, '1b7b22786964223a22373330222c226279223a22706572736f6e227d'],
];

test('every event type has a payload here', () => {
  expect(new Set(PAYLOADS.map(([{ type }]) => type))).toEqual(new Set(EVENTS.map(({ type }) => type)));
});

test.each(PAYLOADS.map(([event, version, hex]) => ({ type: event.type, event, version, hex })))(
  '$type is written as $hex, and read',
  ({ event, version, hex }) => {
    const payload = Buffer.from(encodeEvent(event));
    expect(payload.toString('hex')).toBe(hex);
    expect(versionOf(event)).toBe(version);
    expect(decodeEvent(EVENT_TYPES[event.type], version, payload)).toEqual(event);
  },
);

test.each(EVENTS.map(({ type, number, versions }) => ({ type, number, latest: versions.latest })))(
  '$type is refused in a later version',
  ({ number, latest }) => {
    for (const version of [0, latest + 1]) {
      expect(() => decodeEvent(number, version, new Uint8Array())).toThrow(`the log holds an event of type ${number} in version ${version}`);
    }
  },
);

test('numbers of no type are refused', () => {
  for (const number of [0, 254, 100_000]) expect(() => decodeEvent(number, 1, new Uint8Array())).toThrow(`unknown type ${number}`);
});
