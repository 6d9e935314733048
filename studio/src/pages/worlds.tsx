/** All open worlds as a tree, with what needs a look. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { CallError, op } from '../api.ts';
import { Ago, Dialog, Empty, Field, Input, Loading, Page, Tag, Tally, useLoad, useTask, Working } from '../parts/ui.tsx';
import { several } from '../parts/text.ts';
import { Name, Text } from '../parts/value.tsx';
import { Virtual } from '../parts/virtual.tsx';
import type { Counts, Review, World } from '../shapes.ts';
import { asOf, at, go, href, isPast, isRejected, lookForReviews, moment, say, visitor, waiting } from '../state.ts';

const LINE = 40;
const WORLDS_MAX = 20_000;

interface Listed extends World {
  indent: number;
}

/** Children below their parent, the youngest last. */
function tree(worlds: readonly World[]): Listed[] {
  const below = new Map<string | null, World[]>();
  const names = new Set(worlds.map(({ name }) => name));
  for (const world of worlds) {
    const parent = world.parent !== null && names.has(world.parent) ? world.parent : null;
    const list = below.get(parent);
    if (list === undefined) below.set(parent, [world]);
    else list.push(world);
  }
  const out: Listed[] = [];
  const stack: [World, number][] = (below.get(null) ?? []).toReversed().map((world) => [world, 0]);
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const [world, indent] = top;
    out.push({ ...world, indent });
    for (const child of (below.get(world.name) ?? []).toReversed()) stack.push([child, indent + 1]);
  }
  return out;
}

export function WorldsPage() {
  const list = useLoad((signal) => op<{ branches: World[]; next?: string | null }>('branches', { limit: WORLDS_MAX, ...asOf() }, { signal }), [moment.value]);
  const [filter, setFilter] = useState('');
  const [forking, setForking] = useState(false);
  const [range, setRange] = useState<readonly [number, number]>([0, 30]);
  const [cursor, setCursor] = useState(-1);
  const worlds = useMemo(() => {
    const all = list.value?.branches ?? [];
    return filter === ''
      ? tree(all)
      : all.filter(({ name, owner }) => `${name} ${owner ?? ''}`.toLowerCase().includes(filter.toLowerCase())).map((world) => ({ ...world, indent: 0 }));
  }, [list.value, filter]);
  const held = new Map(useHeld().map((review) => [review.world, review]));
  const facts = useFacts(worlds.slice(range[0], range[1]));
  const { superuser } = visitor.value!;
  const render = (index: number, id: string) => {
    const world = worlds[index]!;
    const fact = facts.get(factKey(world));
    return (
      <div key={world.id} id={id} role="row" aria-selected={index === cursor} aria-rowindex={index + 2} class={`row-line ${index === cursor ? 'chosen' : ''}`}>
        <span role="gridcell" class="c-name" style={{ paddingLeft: `${world.indent * 18}px` }}>
          {world.indent > 0 ? <span class="branch" aria-hidden="true" /> : null}
          <a href={hrefOf(world)}>
            <Name name={world.name} />
          </a>
        </span>
        <span role="gridcell" class="c-changes">
          {world.parent === null || fact?.counts === undefined ? null : fact.counts.total === 0 && (fact.counts.definitions?.length ?? 0) === 0 ? (
            <span class="quiet">no changes</span>
          ) : (
            <Tally {...sum(fact.counts)} />
          )}
        </span>
        <span role="gridcell" class="c-flags">
          {held.has(world.name) ? (
            <a href={href('review', world.name)}>
              {isRejected(held.get(world.name)!) ? <Tag kind="bad">rejected</Tag> : <Tag kind="warn">waits for review</Tag>}
            </a>
          ) : null}
          {world.flagged ? (
            <Tag kind="bad" title="It was open in a crash: look before you merge">
              open in a crash
            </Tag>
          ) : null}
          {fact?.stale === true ? (
            <Tag kind="warn" title="Rows that it read have changed since">
              stale reads
            </Tag>
          ) : null}
          {world.pinned ? <Tag>pinned</Tag> : null}
        </span>
        <span role="gridcell" class="c-owner">
          {world.owner === null ? <span class="quiet">—</span> : <Name name={world.owner} />}
        </span>
        <span role="gridcell" class="c-age">
          <Ago time={world.created} />
          {world.expires === null ? null : (
            <small class="quiet">
              {' '}
              ends <Ago time={world.expires} />
            </small>
          )}
        </span>
      </div>
    );
  };
  return (
    <Page
      wide
      title="Worlds"
      lead="Each is a private copy of its parent as it was at the fork. Nothing here touches main until it is merged."
      actions={
        superuser && !isPast.value ? (
          <button type="button" class="primary" onClick={() => setForking(true)}>
            Fork a world
          </button>
        ) : null
      }
    >
      <div class="toolbar">
        <Input value={filter} onText={setFilter} placeholder="Filter by name or owner" aria-label="Filter worlds by name or owner" />
        <span class="quiet" role="status">
          {list.value === null ? '' : several(worlds.length, 'world')}
          {typeof list.value?.next === 'string' ? ' and more' : ''}
        </span>
        <button type="button" onClick={() => (known.clear(), list.reload())}>
          Reload
        </button>
      </div>
      {isPast.value && superuser ? (
        <p class="quiet">Stale reads are compared with what a world’s parent holds now, so they are not shown of the past.</p>
      ) : null}
      <Loading of={list}>
        {worlds.length === 0 ? (
          <Empty title="No world has such a name" />
        ) : (
          <Virtual
            class="rows"
            role="grid"
            columns={5}
            count={worlds.length}
            line={LINE}
            cursor={cursor}
            onCursor={setCursor}
            onOpen={(index) => go(hrefOf(worlds[index]!))}
            onRange={(from, to) => setRange([from, to])}
            label="Worlds"
            head={
              <div role="row" aria-rowindex={1} class="row-line row-head">
                <span role="columnheader" class="c-name">
                  World
                </span>
                <span role="columnheader" class="c-changes">
                  Changes
                </span>
                <span role="columnheader" class="c-flags">
                  State
                </span>
                <span role="columnheader" class="c-owner">
                  Owner
                </span>
                <span role="columnheader" class="c-age">
                  Age
                </span>
              </div>
            }
            render={render}
          />
        )}
      </Loading>
      {forking ? <ForkDialog from="main" onClose={() => setForking(false)} /> : null}
    </Page>
  );
}

/** Names pass from world to world; of the past, only an id says which one is meant. */
function hrefOf({ name, id }: World): string {
  return href('world', isPast.value ? id : name);
}

/** Merges that wait, or that waited at the moment. */
function useHeld(): readonly Review[] {
  const then = useLoad<{ reviews: Review[] }>(
    (signal) => (isPast.value && visitor.value?.superuser === true ? op('reviews', asOf(), { signal }) : Promise.resolve({ reviews: [] })),
    [moment.value],
  );
  return isPast.value ? (then.value?.reviews ?? []) : (waiting.value ?? []);
}

export function sum(counts: Pick<Counts, 'summary'>): { deleted: number; updated: number; inserted: number } {
  const out = { deleted: 0, updated: 0, inserted: 0 };
  for (const { deleted, updated, inserted } of counts.summary) {
    out.deleted += deleted;
    out.updated += updated;
    out.inserted += inserted;
  }
  return out;
}

interface Fact {
  counts?: Counts;
  stale?: boolean;
}

const AT_ONCE = 3;
const known = new Map<string, Fact>();

function factKey({ id, version }: World): string {
  return `${id} ${version} ${moment.value}`;
}

/** Changes and stale reads of the worlds in sight, some at a time; of the past, changes alone. */
function useFacts(worlds: readonly World[]): ReadonlyMap<string, Fact> {
  const [, shown] = useState(0);
  const wanted = worlds.map(factKey).join();
  useEffect(() => {
    if (visitor.value?.superuser !== true) return undefined;
    const abort = new AbortController();
    const queue = worlds.filter((world) => world.parent !== null && !known.has(factKey(world)));
    const work = async (): Promise<void> => {
      for (let world = queue.shift(); world !== undefined && !abort.signal.aborted; world = queue.shift()) {
        const fact: Fact = {};
        const key = factKey(world);
        const branch = at(world.id);
        const control = { signal: abort.signal, background: true };
        try {
          fact.counts = await op<Counts>('diff', { branch, count: true }, control);
          if (!isPast.value) fact.stale = (await op<{ stale: boolean }>('check_reads', { branch }, control)).stale;
        } catch (error) {
          if (!(error instanceof CallError) || error.status === 0) continue;
        }
        known.set(key, fact);
        shown((n) => n + 1);
      }
    };
    for (let i = 0; i < AT_ONCE; i++) void work();
    return () => abort.abort();
  }, [wanted]);
  return known;
}

export function ForkDialog({ from, onClose }: { from: string; onClose: () => void }) {
  const [name, setName] = useState('');
  const [intent, setIntent] = useState('');
  const task = useTask();
  const submit = (event: Event): void => {
    event.preventDefault();
    const meta = intent === '' ? {} : { meta: { intent } };
    void task.run<{ world: World }>('fork', { name, from, ...meta }, ({ world }, isHere) => {
      say(`Forked ${world.name}`);
      void lookForReviews(false);
      if (!isHere) return;
      onClose();
      go(href('world', world.name));
    });
  };
  return (
    <Dialog title="Fork a world" onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <p>
          From <Text text={from} />, as it is at that moment.
        </p>
        <Field label="Name">
          <Input value={name} onText={setName} required autofocus />
        </Field>
        <Field label="What it is for" note="Kept with the world as its intent.">
          <Input value={intent} onText={setIntent} />
        </Field>
        <Working task={task} what="Forking" />
        <footer>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={task.busy || name === ''}>
            Fork
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
