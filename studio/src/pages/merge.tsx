/**
 * A merge with its dry run beside it. Rows that both sides changed are shown with their common base; each is resolved as a whole, column by
 * column, or with a value of one's own, and every choice is tried at once.
 */
import { useMemo, useState } from 'preact/hooks';
import { CallError, op } from '../api.ts';
import { Whole } from '../parts/diff.tsx';
import { Definitions, Readers } from '../parts/facts.tsx';
import { Empty, Failure, Field, Input, Loading, Page, Tag, Tally, useLoad, useTask, Working } from '../parts/ui.tsx';
import { keyParts, same, several, textOf } from '../parts/text.ts';
import { Name, Text, Value } from '../parts/value.tsx';
import { Virtual } from '../parts/virtual.tsx';
import { parseExactJson } from '../../../src/base/exact-json.ts';
import type { Conflict, Counts, Preview, PreviewRow, Row, World } from '../shapes.ts';
import { go, href, lookForReviews, route, say } from '../state.ts';
import { sum } from './worlds.tsx';

type Pick = 'ours' | 'theirs' | 'delete' | Row;

interface Looked {
  world: World;
  counts: Counts;
  preview: Preview;
  /** Conflicts without any choice: they stay listed when they are resolved. */
  conflicts: Conflict[];
}

const ROWS_MAX = 5000;

export function MergePage() {
  const name = route.value.args[0] ?? '';
  const [columns, setColumns] = useState(false);
  const [picks, setPicks] = useState<Readonly<Record<string, Pick>>>({});
  const looked = useLoad<Looked>(
    async (signal) => {
      const base = { branch: name, dry_run: true, columns, hash: true };
      const [world, counts, all] = await Promise.all([
        op<World>('world', { branch: name }, { signal }),
        op<Counts>('diff', { branch: name, count: true }, { signal }),
        op<Preview>('merge', { ...base, count: true }, { signal }),
      ]);
      const preview = await op<Preview>(
        'merge',
        { ...base, count: counts.total > ROWS_MAX, ...(Object.keys(picks).length === 0 ? {} : { picks }) },
        { signal },
      );
      return { world, counts, preview, conflicts: all.conflicts };
    },
    [name, columns, picks],
    true,
  );
  const found = looked.value;
  const reload = (): void => {
    setPicks({});
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
      <Loading of={looked}>
        {found === null ? null : <Plan looked={found} picks={picks} setPicks={setPicks} columns={columns} setColumns={setColumns} reload={reload} />}
      </Loading>
    </Page>
  );
}

interface PlanProps {
  looked: Looked;
  picks: Readonly<Record<string, Pick>>;
  setPicks: (picks: Readonly<Record<string, Pick>>) => void;
  columns: boolean;
  setColumns: (columns: boolean) => void;
  reload: () => void;
}

function Plan({ looked, picks, setPicks, columns, setColumns, reload }: PlanProps) {
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
  const all = (choice: 'ours' | 'theirs'): void =>
    setPicks({ ...picks, ...Object.fromEntries(conflicts.filter(({ code }) => code === undefined).map(({ key }) => [key, choice])) });
  const merge = (): void => {
    const input = {
      branch: world.name,
      columns,
      version: preview.version,
      target: preview.target,
      diff: preview.diff,
      ...(Object.keys(picks).length === 0 ? {} : { picks }),
      ...(wanted === undefined ? {} : { confirm_deletes: Number(deletes) }),
    };
    void task.run<{ merged: number }>('merge', input, ({ merged }) => {
      say(`Merged ${several(merged, 'change')} of ${world.name} into ${world.parent ?? ''}`);
      void lookForReviews(false);
      go(href('history', world.parent ?? 'main'));
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
          {shown.map((conflict) => (
            <ConflictCard
              key={`${conflict.key} ${conflict.code ?? ''}`}
              conflict={conflict}
              world={world}
              choice={picks[conflict.key]}
              isOpen={preview.conflicts.some((each) => each.key === conflict.key)}
              onPick={(choice) => pick(conflict.key, choice)}
            />
          ))}
        </section>
      )}
      <section aria-label="Dry run">
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
            <button type="submit" class="primary" disabled={task.busy || open.size > 0 || !isCounted}>
              {open.size > 0 ? `${several(open.size, 'conflict')} left` : `Merge into ${world.parent ?? ''}`}
            </button>
          </div>
        </div>
      </form>
    </div>
  );
}

interface CardProps {
  conflict: Conflict;
  world: World;
  choice: Pick | undefined;
  isOpen: boolean;
  onPick: (choice: Pick | undefined) => void;
}

function ConflictCard({ conflict, world, choice, isOpen, onPick }: CardProps) {
  const { key, base, ours, theirs, code, explanation } = conflict;
  const { table, id } = keyParts(key);
  const [editing, setEditing] = useState<string | null>(null);
  const isDefinition = key.startsWith('_svc_schema/');
  const names = [...new Set([base, ours, theirs].flatMap((row) => Object.keys(row ?? {})))];
  const moved = names.filter((name) => !same(base?.[name], ours?.[name]) || !same(base?.[name], theirs?.[name]));
  const [whole, setWhole] = useState(false);
  const group = `pick ${key}`;
  const isRow = typeof choice === 'object';
  /** One column from a side: the row becomes one of its own. */
  const from = (name: string, value: unknown): void => {
    const start: Row = isRow ? choice : choice === 'theirs' ? { ...theirs } : { ...(ours ?? theirs) };
    onPick({ ...start, [name]: value });
  };
  const mixed: Row | null = isRow ? choice : choice === 'ours' ? ours : choice === 'theirs' ? theirs : choice === 'delete' ? null : null;
  const side = (which: 'ours' | 'theirs', title: string, row: Row | null) => (
    <th scope="col">
      <label class="check">
        <input type="radio" name={group} checked={choice === which} onChange={() => onPick(which)} />
        {title} {row === null ? <Tag kind="del">deleted</Tag> : null}
      </label>
    </th>
  );
  return (
    <article class={`card conflict ${isOpen ? 'open' : 'resolved'}`} aria-label={`Conflict ${table} ${id}`}>
      <header>
        <h3>
          <span class="quiet">
            <Text text={table} />
          </span>{' '}
          <Text text={id} />
        </h3>
        {code === undefined ? null : (
          <Tag kind="bad">
            {conflict.constraint ?? 'constraint'} {code}
          </Tag>
        )}
        {isOpen ? <Tag kind="bad">open</Tag> : <Tag kind="good">resolved</Tag>}
        {choice === undefined ? null : (
          <button type="button" class="plain small" onClick={() => onPick(undefined)}>
            Undo
          </button>
        )}
      </header>
      {/* Of a row that both changed the table below says it all. */}
      {code === undefined && !isDefinition ? null : (
        <p>
          <Text text={explanation} most={600} />
        </p>
      )}
      {isDefinition ? (
        <div class="verdict-buttons left">
          <button type="button" aria-pressed={choice === 'ours'} onClick={() => onPick('ours')}>
            As in {world.parent}
          </button>
          <button type="button" aria-pressed={choice === 'theirs'} onClick={() => onPick('theirs')}>
            As in {world.name}
          </button>
        </div>
      ) : (
        <>
          <div class="scroll">
            <table class="sides three">
              <thead>
                <tr>
                  <th scope="col">Column</th>
                  <th scope="col">At the fork</th>
                  {side('ours', world.parent ?? 'ours', ours)}
                  {side('theirs', world.name, theirs)}
                  <th scope="col">Result</th>
                </tr>
              </thead>
              <tbody>
                {(whole ? names : moved).map((name) => {
                  const isBoth = !same(base?.[name], ours?.[name]) && !same(base?.[name], theirs?.[name]);
                  const cell = (which: 'ours' | 'theirs', row: Row | null) => {
                    const isChosen = mixed !== null && row !== null && same(mixed[name], row[name]) && !same(ours?.[name], theirs?.[name]);
                    return (
                      <td class={isChosen ? 'chosen' : ''}>
                        {row === null ? null : same(ours?.[name], theirs?.[name]) || ours === null || theirs === null ? (
                          <Whole value={row[name]} />
                        ) : (
                          <button type="button" class="cell-pick" aria-pressed={isChosen} onClick={() => from(name, row[name] ?? null)}>
                            <span class="sr">
                              {name} as in {which === 'ours' ? world.parent : world.name}:{' '}
                            </span>
                            <Value value={row[name]} most={400} />
                          </button>
                        )}
                      </td>
                    );
                  };
                  return (
                    <tr class={isBoth ? 'both' : ''}>
                      <th scope="row">
                        <Text text={name} />
                      </th>
                      <td>{base === null ? null : <Whole value={base[name]} />}</td>
                      {cell('ours', ours)}
                      {cell('theirs', theirs)}
                      <td class="result">
                        {choice === 'delete' ? (
                          <span class="null">deleted</span>
                        ) : mixed === null ? (
                          <span class="quiet">—</span>
                        ) : editing === name ? (
                          <EditCell value={mixed[name]} label={name} onDone={(value) => (setEditing(null), value === undefined || from(name, value))} />
                        ) : (
                          <button type="button" class="cell-pick" onClick={() => setEditing(name)}>
                            <span class="sr">Edit {name}: </span>
                            <Value value={mixed[name]} most={400} />
                          </button>
                        )}
                      </td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </div>
          <div class="verdict-buttons left">
            <button type="button" class="small" aria-pressed={choice === 'delete'} onClick={() => onPick('delete')}>
              Delete the row
            </button>
            {names.length > moved.length ? (
              <button type="button" class="small plain" onClick={() => setWhole(!whole)}>
                {whole ? 'Only what changed' : `All ${names.length} columns`}
              </button>
            ) : null}
          </div>
        </>
      )}
    </article>
  );
}

/** A value of one's own: JSON where it is JSON, else text. Numbers stay as they are typed. */
function EditCell({ value, label, onDone }: { value: unknown; label: string; onDone: (value: unknown) => void }) {
  const isText = typeof value === 'string';
  const [text, setText] = useState(textOf(value));
  const finish = (): void => {
    if (isText) return onDone(text);
    try {
      onDone(parseExactJson(text));
    } catch {
      onDone(text);
    }
  };
  return (
    <input
      value={text}
      aria-label={label}
      ref={(element) => element?.focus()}
      onInput={(event) => setText((event.currentTarget as HTMLInputElement).value)}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          event.preventDefault();
          finish();
        } else if (event.key === 'Escape') onDone(undefined);
      }}
    />
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
