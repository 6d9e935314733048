/** One world: what it changed, by table, row and column; its definitions, readers and effects; what becomes of it. */
import { useState } from 'preact/hooks';
import { op } from '../api.ts';
import { DiffList, TableList, useDiff } from '../parts/diff.tsx';
import { Definitions, Effects, Readers, Scope } from '../parts/facts.tsx';
import { Ago, CopyButton, Dialog, Empty, Loading, Page, Tabs, Tag, Tally, useLoad, useTask, When, Working } from '../parts/ui.tsx';
import { several, textOf } from '../parts/text.ts';
import { Name, Text, Value } from '../parts/value.tsx';
import { Virtual } from '../parts/virtual.tsx';
import type { Counts, World } from '../shapes.ts';
import { asOf, at, go, href, isPast, moment, route, say, visitor, waiting } from '../state.ts';
import { ForkDialog, sum } from './worlds.tsx';

export function WorldPage() {
  const name = route.value.args[0] ?? 'main';
  const tab = route.value.query.get('tab') ?? 'changes';
  const { superuser } = visitor.value!;
  const [dialog, setDialog] = useState<'fork' | 'discard' | null>(null);
  const world = useLoad((signal) => op<World>('world', { branch: name, ...asOf() }, { signal }), [name, moment.value]);
  const counts = useLoad<Counts | null>(
    (signal) =>
      superuser && world.value?.parent !== undefined && world.value.parent !== null
        ? op<Counts>('diff', { branch: at(world.value.id), count: true, readers: true }, { signal })
        : Promise.resolve(null),
    [name, moment.value, world.value],
  );
  const found = world.value;
  const review = waiting.value?.find((each) => each.world === name);
  const gone = found?.state !== undefined;
  const reload = (): void => {
    world.reload();
    counts.reload();
  };
  return (
    <Page
      wide
      title={<Name name={found?.name ?? name} />}
      lead={found === null ? undefined : <Lead world={found} />}
      actions={
        found === null || !superuser || isPast.value || gone ? null : (
          <>
            <button type="button" onClick={() => setDialog('fork')}>
              Fork
            </button>
            {found.parent === null ? null : (
              <>
                <button type="button" class="danger" onClick={() => setDialog('discard')}>
                  Discard
                </button>
                <a class="button primary" href={review === undefined ? href('merge', name) : href('review', name)}>
                  {review === undefined ? 'Merge…' : 'Review…'}
                </a>
              </>
            )}
          </>
        )
      }
    >
      <Loading of={world}>
        {found === null ? null : found.parent === null && tab !== 'details' ? (
          <Empty title="This world has no parent to compare with">
            <p>
              <a href={href('tables', name)}>Its tables</a> · <a href={href('history', name)}>Its history</a>
            </p>
            <Details world={found} />
          </Empty>
        ) : !superuser ? (
          <Empty title="Changes of worlds need a superuser role">
            <p>
              <a href={href('tables', name)}>Tables of this world</a>
            </p>
            <Details world={found} />
          </Empty>
        ) : (
          <>
            <Tabs
              label="Parts of the world"
              tabs={[
                ['changes', 'Changes', counts.value === null ? undefined : String(counts.value.total)],
                ['definitions', 'Definitions', count(counts.value?.definitions?.length)],
                ['readers', 'Readers and effects', count((counts.value?.readers?.length ?? 0) + (counts.value?.effects?.length ?? 0))],
                ['sql', 'As SQL'],
                ['details', 'Details'],
              ]}
            />
            <Loading of={counts}>
              {counts.value === null ? null : tab === 'changes' ? (
                <Changes world={found} counts={counts.value} reload={reload} />
              ) : tab === 'definitions' ? (
                <Definitions list={counts.value.definitions ?? []} />
              ) : tab === 'readers' ? (
                <>
                  <Readers list={counts.value.readers ?? []} coverage={counts.value.coverage} />
                  <Effects list={counts.value.effects ?? []} />
                </>
              ) : tab === 'sql' ? (
                <AsSql branch={at(found.id)} />
              ) : (
                <>
                  <Scope meta={found.meta} counts={counts.value} />
                  <Details world={found} />
                </>
              )}
            </Loading>
          </>
        )}
      </Loading>
      {dialog === 'fork' ? <ForkDialog from={name} onClose={() => setDialog(null)} /> : null}
      {dialog === 'discard' && found !== null ? <DiscardDialog world={found} counts={counts.value} onClose={() => setDialog(null)} /> : null}
    </Page>
  );
}

function count(n: number | undefined): string | undefined {
  return n === undefined || n === 0 ? undefined : String(n);
}

function Lead({ world }: { world: World }) {
  return (
    <>
      {world.parent === null ? null : (
        <>
          forked from <a href={href('world', world.parent)}>{world.parent}</a> <Ago time={world.created} />
        </>
      )}
      {world.owner === null ? null : (
        <>
          {' by '}
          <Name name={world.owner} />
        </>
      )}
      {' · '}version {world.version}
      {world.flagged ? (
        <>
          {' '}
          <Tag kind="bad">open in a crash</Tag>
        </>
      ) : null}
      {world.state === undefined ? null : (
        <>
          {' '}
          <Tag kind="warn">
            {world.state} {world.ended === undefined ? '' : <Ago time={world.ended} />}
          </Tag>
        </>
      )}
      {typeof world.meta['intent'] === 'string' ? (
        <div class="intent">
          <Text text={world.meta['intent']} most={600} />
        </div>
      ) : null}
    </>
  );
}

function Changes({ world, counts, reload }: { world: World; counts: Counts; reload: () => void }) {
  const [table, setTable] = useState<string | null>(null);
  const diff = useDiff(at(world.id), counts, 0);
  if (counts.total === 0)
    return <Empty title="No rows changed">{(counts.definitions?.length ?? 0) > 0 ? <p>Definitions did: see the tab Definitions.</p> : null}</Empty>;
  return (
    <div class="split">
      <TableList counts={counts} chosen={table} onChoose={setTable} seenKey={`seen ${world.id} ${counts.version} ${moment.value}`} />
      <DiffList diff={diff} counts={counts} table={table} onReload={reload} />
    </div>
  );
}

function AsSql({ branch }: { branch: string }) {
  const sql = useLoad((signal) => op<{ sql: string[] }>('diff', { branch, sql: true }, { signal }), [branch]);
  const list = sql.value?.sql ?? [];
  return (
    <Loading of={sql}>
      <div class="toolbar">
        <span class="quiet">{several(list.length, 'statement')}: run on the parent, they make the same change.</span>
        <CopyButton text={() => `${list.join('\n')}\n`}>Copy</CopyButton>
      </div>
      <Virtual
        class="statements"
        count={list.length}
        line={24}
        label="Statements"
        render={(index) => (
          <div key={index} role="listitem" class="line mono">
            <Text text={list[index]!.replaceAll('\n', ' ')} most={400} />
          </div>
        )}
      />
    </Loading>
  );
}

function Details({ world }: { world: World }) {
  const facts: [string, unknown][] = Object.entries(world.meta);
  return (
    <dl class="facts">
      <div>
        <dt>Id</dt>
        <dd>
          <code>{world.id}</code>
        </dd>
      </div>
      <div>
        <dt>Created</dt>
        <dd>
          <When time={world.created} />
        </dd>
      </div>
      <div>
        <dt>Last used</dt>
        <dd>
          <When time={world.active} />
        </dd>
      </div>
      {world.expires === null ? null : (
        <div>
          <dt>Ends</dt>
          <dd>
            <When time={world.expires} />
          </dd>
        </div>
      )}
      {world.checkpoints.map(({ name, at: when }) => (
        <div>
          <dt>Checkpoint</dt>
          <dd>
            <Name name={name} /> <When time={when} />
          </dd>
        </div>
      ))}
      {facts.map(([name, value]) => (
        <div>
          <dt>
            <Text text={name} most={60} />
          </dt>
          <dd>
            <Value value={typeof value === 'object' ? textOf(value) : value} most={600} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function DiscardDialog({ world, counts, onClose }: { world: World; counts: Counts | null; onClose: () => void }) {
  const [cascade, setCascade] = useState(false);
  const task = useTask();
  return (
    <Dialog title={`Discard ${world.name}`} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void task.run<{ discarded?: string[] }>('discard', { branch: world.name, cascade }, ({ discarded }, isHere) => {
            say(`Discarded ${(discarded ?? [world.name]).join(', ')}`);
            if (isHere) go('#/worlds');
          });
        }}
      >
        <p>Its changes are thrown away: {counts === null ? 'unknown' : <Tally {...sum(counts)} />}. Within retention its past can still be forked.</p>
        <label class="check">
          <input type="checkbox" checked={cascade} onChange={(event) => setCascade((event.currentTarget as HTMLInputElement).checked)} /> and every world that
          was forked from it
        </label>
        <Working task={task} what="Discarding" />
        <footer>
          <button type="button" onClick={onClose}>
            Keep it
          </button>
          <button type="submit" class="danger" disabled={task.busy}>
            Discard
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
