/**
 * A merge with its dry run beside it. Rows that both sides changed are shown with their common base; each is resolved as a whole, column by
 * column, or with a value of one's own, and every choice is tried at once.
 */
import { useMemo, useState } from 'preact/hooks';
import { CallError, op } from '../api.ts';
import { ConflictCard, type Pick } from '../parts/conflict.tsx';
import { Definitions, Readers } from '../parts/facts.tsx';
import { Empty, Failure, Field, Input, Loading, Page, Tag, Tally, useLoad, useTask, Working } from '../parts/ui.tsx';
import { keyParts, same, several } from '../parts/text.ts';
import { Name, Text, Value } from '../parts/value.tsx';
import { Virtual } from '../parts/virtual.tsx';
import { PendingWriteBack, PostgresSays } from '../parts/attached.tsx';
import { refuseEnded } from '../parts/ended.ts';
import type { Conflict, Counts, Preview, PreviewRow, World } from '../shapes.ts';
import { go, href, isPast, lookForReviews, moment, route, say } from '../state.ts';
import { sum } from './worlds.tsx';

interface Looked {
  world: World;
  counts: Counts;
  preview: Preview;
  /** Conflicts without any choice: they stay listed when they are resolved. */
  conflicts: Conflict[];
}

/** How conflicts end that have no choice of their own. */
type Rest = 'fail' | 'ours' | 'theirs';

/** More are counted, and resolved together. */
const CONFLICTS_SHOWN = 200;

const ROWS_MAX = 5000;

export function MergePage() {
  const name = route.value.args[0] ?? '';
  return isPast.value ? (
    <Page
      title={
        <>
          Merge <Name name={name} />
        </>
      }
    >
      <Empty title="A merge joins worlds as they are now">
        <p>
          What it would have met at another moment is not kept. <a href={href('world', name)}>The changes of the world as of then</a>
        </p>
        <button type="button" onClick={() => (moment.value = '')}>
          Back to now
        </button>
      </Empty>
    </Page>
  ) : (
    <Merge name={name} />
  );
}

function Merge({ name }: { name: string }) {
  const [columns, setColumns] = useState(false);
  const [picks, setPicks] = useState<Readonly<Record<string, Pick>>>({});
  const [rest, setRest] = useState<Rest>('fail');
  const looked = useLoad<Looked>(
    async (signal) => {
      const base = { branch: name, dry_run: true, columns, hash: true };
      const world = await op<World>('world', { branch: name }, { signal });
      refuseEnded(world);
      const [counts, all] = await Promise.all([
        op<Counts>('diff', { branch: name, count: true }, { signal }),
        op<Preview>('merge', { ...base, count: true }, { signal }),
      ]);
      const preview = await op<Preview>(
        'merge',
        { ...base, count: counts.total > ROWS_MAX, resolve: rest, ...(Object.keys(picks).length === 0 ? {} : { picks }) },
        { signal },
      );
      return { world, counts, preview, conflicts: all.conflicts };
    },
    [name, columns, picks, rest],
    true,
  );
  const found = looked.value;
  const reload = (): void => {
    setPicks({});
    setRest('fail');
    looked.reload();
  };
  return (
    <Page
      wide
      title={
        <>
          Merge <Name name={name} />
        </>
      }
      lead={
        found === null ? undefined : (
          <>
            into <b>{found.world.parent}</b> · <Tally {...sum(found.preview)} />
          </>
        )
      }
      actions={
        <a class="button" href={href('world', name)}>
          The world
        </a>
      }
    >
      <PendingWriteBack onDone={reload} />
      <Loading of={looked}>
        {found === null ? null : (
          <Plan
            looked={found}
            busy={looked.busy}
            picks={picks}
            setPicks={setPicks}
            rest={rest}
            setRest={setRest}
            columns={columns}
            setColumns={setColumns}
            reload={reload}
          />
        )}
      </Loading>
    </Page>
  );
}

interface PlanProps {
  looked: Looked;
  /** A choice is being tried: what is shown is not its outcome yet. */
  busy: boolean;
  rest: Rest;
  setRest: (rest: Rest) => void;
  picks: Readonly<Record<string, Pick>>;
  setPicks: (picks: Readonly<Record<string, Pick>>) => void;
  columns: boolean;
  setColumns: (columns: boolean) => void;
  reload: () => void;
}

function Plan({ looked, busy, picks, setPicks, rest, setRest, columns, setColumns, reload }: PlanProps) {
  const { world, counts, preview, conflicts } = looked;
  const [deletes, setDeletes] = useState('');
  const task = useTask();
  const open = new Set(preview.conflicts.map(({ key }) => key));
  const resolved = [...new Set(conflicts.map(({ key }) => key))].filter((key) => !open.has(key)).length;
  const of = new Set([...conflicts.map(({ key }) => key), ...open]).size;
  const shown = useMemo(() => {
    const later = preview.conflicts.filter(({ key, code }) => code !== undefined && !conflicts.some((each) => each.key === key && each.code === code));
    return [...conflicts, ...later];
  }, [preview, conflicts]);
  const wanted = preview.confirm_deletes;
  const isCounted = wanted === undefined || (/^\d+$/.test(deletes) && Number(deletes) === wanted.deletes);
  const pick = (key: string, choice: Pick | undefined): void => {
    const next = { ...picks };
    if (choice === undefined) delete next[key];
    else next[key] = choice;
    setPicks(next);
  };
  const all = (choice: 'ours' | 'theirs'): void => {
    setPicks({});
    setRest(choice);
  };
  const merge = (): void => {
    const input = {
      branch: world.name,
      columns,
      resolve: rest,
      version: preview.version,
      target: preview.target,
      diff: preview.diff,
      ...(Object.keys(picks).length === 0 ? {} : { picks }),
      ...(wanted === undefined ? {} : { confirm_deletes: Number(deletes) }),
    };
    void task.run<{ merged: number }>('merge', input, ({ merged }, isHere) => {
      say(`Merged ${several(merged, 'change')} of ${world.name} into ${world.parent ?? ''}`);
      void lookForReviews(false);
      if (isHere) go(href('history', world.parent ?? 'main'));
    });
  };
  return (
    <div class="merge">
      {shown.length === 0 ? null : (
        <section aria-label="Conflicts">
          <div class="toolbar">
            <h2>{several(of, 'conflict')}</h2>
            <span class="quiet" role="status">
              {resolved} resolved
            </span>
            <span class="grow" />
            <label class="check">
              <input type="checkbox" checked={columns} onChange={(event) => setColumns((event.currentTarget as HTMLInputElement).checked)} /> only columns that
              both changed
            </label>
            <button type="button" onClick={() => all('ours')}>
              All as in {world.parent}
            </button>
            <button type="button" onClick={() => all('theirs')}>
              All as in {world.name}
            </button>
          </div>
          {shown.slice(0, CONFLICTS_SHOWN).map((conflict) => (
            <ConflictCard
              key={`${conflict.key} ${conflict.code ?? ''}`}
              conflict={conflict}
              world={world}
              choice={picks[conflict.key] ?? (rest === 'fail' || conflict.code !== undefined ? undefined : rest)}
              isOwn={conflict.key in picks}
              isOpen={open.has(conflict.key)}
              onPick={(choice) => pick(conflict.key, choice)}
            />
          ))}
          {shown.length > CONFLICTS_SHOWN ? (
            <p class="note warn">
              {several(shown.length - CONFLICTS_SHOWN, 'more conflict')}: the buttons above resolve them together, and the first {CONFLICTS_SHOWN} can differ.
            </p>
          ) : null}
        </section>
      )}
      <section aria-label="Dry run" aria-busy={busy}>
        <div class="toolbar">
          <h2>What the merge does</h2>
          <span class="quiet">a dry run with your choices; nothing has changed yet</span>
        </div>
        {preview.blocked.length === 0 ? null : (
          <div class="note bad">
            <ul class="reasons">
              {preview.blocked.map(({ rule, message }) => (
                <li>
                  <Text text={message} most={600} />
                  <small class="quiet">{rule}</small>
                </li>
              ))}
            </ul>
          </div>
        )}
        {(preview.definitions?.length ?? 0) > 0 ? <Definitions list={preview.definitions!} /> : null}
        {preview.summary.length === 0 && preview.conflicts.length === 0 && (preview.definitions?.length ?? 0) === 0 ? (
          <Empty title="It changes nothing" />
        ) : null}
        {preview.summary.length === 0 ? null : (
          <ul class="summary">
            {preview.summary.map((each) => (
              <li>
                <Name name={each.table} /> <Tally {...each} />
              </li>
            ))}
          </ul>
        )}
        {preview.rows.length === 0 ? (
          counts.total > ROWS_MAX ? (
            <p class="quiet">
              More than {ROWS_MAX.toLocaleString('en-US')} rows: <a href={href('world', world.name)}>the world’s page lists them</a>.
            </p>
          ) : null
        ) : (
          <DryRows rows={preview.rows} />
        )}
        {preview.postgres === undefined ? null : <PostgresSays of={preview.postgres} />}
        <Readers list={preview.readers} coverage={preview.coverage} />
      </section>
      <form
        class="verdict"
        aria-label="Merge"
        onSubmit={(event) => {
          event.preventDefault();
          merge();
        }}
      >
        {task.error instanceof CallError && task.error.isStale ? <Failure error={task.error} again={reload} /> : <Working task={task} what="Merging" />}
        <div class="verdict-row">
          {wanted === undefined ? null : (
            <Field label={`It deletes ${several(wanted.deletes, 'row')}, more than ${wanted.over}: type the number`}>
              <Input value={deletes} onText={setDeletes} inputMode="numeric" class="narrow" />
            </Field>
          )}
          <p class="seal quiet">
            Version {preview.version} into version {preview.target} of {world.parent}, changes <code title={preview.diff}>{preview.diff?.slice(0, 12)}</code>
          </p>
          <div class="verdict-buttons">
            <button type="submit" class="primary" disabled={task.busy || busy || open.size > 0 || !isCounted}>
              {open.size > 0 ? `${several(open.size, 'conflict')} left` : `Merge into ${world.parent ?? ''}`}
            </button>
          </div>
        </div>
      </form>
    </div>
  );
}

const OUTCOME: Record<PreviewRow['outcome'], string> = { insert: 'ins', update: 'upd', delete: 'del', conflict: 'bad', keep: '', converged: '' };

function DryRows({ rows }: { rows: readonly PreviewRow[] }) {
  return (
    <Virtual
      class="dry-rows"
      count={rows.length}
      line={28}
      label="Rows of the dry run"
      render={(index) => {
        const row = rows[index]!;
        const { table, id } = keyParts(row.key);
        return (
          <div key={index} role="listitem" class="line head">
            <Tag kind={OUTCOME[row.outcome]}>{row.outcome}</Tag>
            <span class="key">
              <span class="table">
                <Text text={table} most={80} />
              </span>
              <b>
                <Text text={id} most={120} />
              </b>
            </span>
            <span class="compact">
              {row.detail === '' ? (
                Object.keys(row.result ?? {})
                  .filter((name) => !same(row.ours?.[name], row.result?.[name]))
                  .slice(0, 6)
                  .map((name) => (
                    <span>
                      <i>
                        <Text text={name} most={60} />
                      </i>
                      {row.ours === null ? null : (
                        <>
                          <Value value={row.ours[name]} most={60} /> →{' '}
                        </>
                      )}
                      <Value value={row.result?.[name]} most={60} />
                    </span>
                  ))
              ) : (
                <Text text={row.detail} most={200} />
              )}
            </span>
          </div>
        );
      }}
    />
  );
}
