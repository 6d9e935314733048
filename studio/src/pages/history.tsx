/** What happened in a world, and what agents did anywhere: newest first, page by page. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { op } from '../api.ts';
import { Dialog, Failure, Page, Tabs, Tag, useTask, When, Working } from '../parts/ui.tsx';
import { several } from '../parts/text.ts';
import { type Undone, UndoPreview } from '../parts/undo-preview.tsx';
import { Name, Text } from '../parts/value.tsx';
import { WorldPicker } from '../parts/world-picker.tsx';
import type { AuditEvent, HistoryEvent } from '../shapes.ts';
import { at, go, href, isPast, moment, route, say } from '../state.ts';

const PAGE = 100;

/** Pages of events, each with the `next` of the one before. */
function useEvents<T>(
  name: string,
  input: object,
  on: string,
  /** The first page ends before this event or time. */
  newest?: string,
): { events: readonly T[]; next: string | null; since: string | null; error: unknown; more: () => void; busy: boolean } {
  const [state, setState] = useState<{ events: readonly T[]; next: string | null; since: string | null; error: unknown; busy: boolean }>({
    events: [],
    next: null,
    since: null,
    error: null,
    busy: true,
  });
  /** The latest list that was asked for: answers to earlier ones come too late. */
  const turn = useRef(0);
  const load = (before: string | undefined, kept: readonly T[]): void => {
    const mine = ++turn.current;
    setState((was) => ({ ...was, events: kept, busy: true }));
    op<{ events: T[]; next: string | null; since?: string | null }>(name, { ...input, limit: PAGE, before }).then(
      ({ events, next, since = null }) => mine === turn.current && setState({ events: [...kept, ...events], next, since, error: null, busy: false }),
      (error: unknown) => mine === turn.current && setState({ events: kept, next: null, since: null, error, busy: false }),
    );
  };
  useEffect(() => load(newest, []), [name, on]);
  return { ...state, more: () => load(state.next ?? undefined, state.events) };
}

export function HistoryPage() {
  const world = route.value.args[0] ?? 'main';
  const tab = route.value.query.get('tab') ?? 'world';
  return (
    <Page
      title="History"
      lead="Where it leads to a world that is gone, its name still works."
      actions={<WorldPicker world={world} onPick={(name) => go(href('history', name))} />}
    >
      <Tabs
        label="Kinds of history"
        tabs={[
          ['world', 'Events of the world'],
          ['audit', 'What agents did'],
        ]}
      />
      {tab === 'audit' ? <Audit /> : <Events world={world} />}
    </Page>
  );
}

function Events({ world }: { world: string }) {
  const branch = at(world);
  const list = useEvents<HistoryEvent>('history', { branch }, `${branch} ${moment.value} ${route.value.query.get('undone') ?? ''}`);
  const [undo, setUndo] = useState<HistoryEvent | null>(null);
  return (
    <>
      {list.error === null ? null : <Failure error={list.error} />}
      <ol class="timeline" aria-label="Events">
        {list.events.map((event) => (
          <li key={event.id}>
            <div class="event">
              <When time={event.at} /> <b>{event.event}</b>
              {event.rows > 0 ? <span> {several(event.rows, 'row')}</span> : null}
              {event.branch === undefined ? null : (
                <span>
                  {' '}
                  of{' '}
                  <a href={href('world', event.branch.id)}>
                    <Name name={event.branch.name} />
                  </a>
                </span>
              )}
              {event.into === undefined ? null : (
                <span>
                  {' '}
                  into <Name name={event.into.name} />
                </span>
              )}
              {event.by == null ? null : (
                <span class="quiet">
                  {' '}
                  by <Text text={event.by} most={80} />
                </span>
              )}
              {event.approval === undefined ? null : (
                <Tag kind={event.approval.way === 'approved' ? 'good' : ''}>
                  {WAY[event.approval.way] ?? event.approval.way}
                  {event.approval.by === null ? '' : ` ${event.approval.by}`}
                </Tag>
              )}
              <span class="quiet id">{event.id}</span>
              <span class="grow" />
              {isPast.value ? null : (
                <button type="button" class="small plain" onClick={() => (moment.value = event.id)}>
                  Look at this moment
                </button>
              )}
              {event.event === 'merge' && event.branch !== undefined && !isPast.value ? (
                <button type="button" class="small" onClick={() => setUndo(event)}>
                  Undo…
                </button>
              ) : null}
            </div>
          </li>
        ))}
      </ol>
      {list.next === null ? (
        <p class="quiet">
          {list.busy ? (
            'Loading…'
          ) : list.since === null ? (
            'This is all of it.'
          ) : (
            <>
              Older history has been dropped; it is kept since <When time={list.since} />.
            </>
          )}
        </p>
      ) : (
        <button type="button" onClick={list.more} disabled={list.busy}>
          Older events
        </button>
      )}
      {undo === null ? null : <UndoDialog event={undo} onClose={() => setUndo(null)} />}
    </>
  );
}

const WAY: Record<string, string> = { rules: 'passed the rules', none: 'no policy', approved: 'approved by', person: 'merged by a person' };

/** The undo is tried first: what it would put back is seen before it is done. */
function UndoDialog({ event, onClose }: { event: HistoryEvent; onClose: () => void }) {
  const [skip, setSkip] = useState(false);
  const [preview, setPreview] = useState<(Undone & { parent: string }) | null>(null);
  const task = useTask();
  const input = { branch: event.branch!.id, skip_changed: skip };
  const submit = (submitted: Event): void => {
    submitted.preventDefault();
    if (preview === null) void task.run<Undone & { parent: string }>('undo_merge', { ...input, dry_run: true }, setPreview);
    else
      void task.run<{ parent: string; undone: number; skipped: number }>('undo_merge', input, ({ parent, undone, skipped }, isHere) => {
        say(`Put ${several(undone, 'row')} back in ${parent}${skipped === 0 ? '' : `, left ${several(skipped, 'row')} alone`}`);
        if (!isHere) return;
        onClose();
        go(`#/history/${encodeURIComponent(parent)}?undone=${Date.now()}`);
      });
  };
  return (
    <Dialog title={`Undo the merge of ${event.branch!.name}`} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <p>
          {several(event.rows, 'row')} of {event.into?.name ?? 'the parent'} go back to what they were before it. If others changed one since, nothing is undone
          and the rows are named.
        </p>
        <p>
          <a href={`${href('world', event.branch!.id)}`}>What it changed</a>
        </p>
        <label class="check">
          <input
            type="checkbox"
            checked={skip}
            onChange={(changed) => {
              setSkip((changed.currentTarget as HTMLInputElement).checked);
              setPreview(null);
              task.clear();
            }}
          />{' '}
          leave rows alone that changed since
        </label>
        {preview === null ? null : <UndoPreview of={preview} />}
        <Working task={task} what={preview === null ? 'Trying' : 'Undoing'} />
        <footer>
          <button type="button" onClick={onClose}>
            Keep it
          </button>
          <button type="submit" class={preview === null ? 'primary' : 'danger'} disabled={task.busy || preview?.undone === 0}>
            {preview === null ? 'Preview' : `Undo ${several(preview.undone, 'row')}`}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

/** A bound of pages, which is exclusive, for the moment at hand. */
function upToMoment(): string | undefined {
  const event = /^#(\d+)$/.exec(moment.value);
  return event !== null ? `#${Number(event[1]) + 1}` : moment.value === '' ? undefined : moment.value;
}

export function Audit({ agent }: { agent?: string }) {
  const list = useEvents<AuditEvent>('audit', agent === undefined ? {} : { agent }, `${agent ?? ''} ${moment.value}`, upToMoment());
  return (
    <>
      {list.error === null ? null : <Failure error={list.error} />}
      <ol class="timeline" aria-label="Audit">
        {list.events.map((event) => (
          <li key={event.id}>
            <div class="event">
              <When time={event.at} />
              {agent === undefined ? (
                <a href={href('agent', event.agent)}>
                  <Name name={event.agent} />
                </a>
              ) : null}
              <b>
                <Text text={event.action} most={120} />
              </b>
              <span>
                in <Name name={event.world} />
              </span>
              {event.rows > 0 ? <span>{several(event.rows, 'row')}</span> : null}
              <span class="quiet id">{event.id}</span>
            </div>
          </li>
        ))}
      </ol>
      {list.events.length === 0 && !list.busy ? <p class="quiet">Nothing within the history that is kept.</p> : null}
      {list.next === null ? null : (
        <button type="button" onClick={list.more} disabled={list.busy}>
          Older
        </button>
      )}
    </>
  );
}
