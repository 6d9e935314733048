/** Merges that wait for a person, and the decision about one. What is approved is what was shown: its version and the hash of its changes. */
import { useEffect, useState } from 'preact/hooks';
import { CallError, op } from '../api.ts';
import { DiffList, TableList, useDiff } from '../parts/diff.tsx';
import { Definitions, Effects, Readers, Scope } from '../parts/facts.tsx';
import { Ago, Empty, Failure, Field, Input, Loading, Page, Tag, Tally, useLoad, useTask, When, Working } from '../parts/ui.tsx';
import { PendingWriteBack, PostgresSays } from '../parts/attached.tsx';
import { refuseEnded } from '../parts/ended.ts';
import { several } from '../parts/text.ts';
import { Name, Text, Value } from '../parts/value.tsx';
import type { Counts, HistoryEvent, Preview, Review, World } from '../shapes.ts';
import { asOf, at, go, href, isPast, lookForReviews, moment, route, say, waiting } from '../state.ts';
import { sum } from './worlds.tsx';

const REASONS_LISTED = 4;

/** Why a merge waits, in the words of the rule that it breaks; its name is at hand, for who wrote the policy. */
function Reason({ rule, message }: { rule: string; message: string }) {
  return (
    <span title={`rule ${rule}`}>
      <Text text={message.startsWith(`${rule}: `) ? message.slice(rule.length + 2) : message} most={600} />
    </span>
  );
}

export function ReviewsPage() {
  const list = useLoad((signal) => op<{ reviews: Review[] }>('reviews', asOf(), { signal }), [moment.value]);
  const reviews = list.value?.reviews ?? [];
  const named = (of: readonly Review[] | null): string => (of ?? []).map(({ world, version, verdict }) => `${world} ${version} ${verdict}`).join('\n');
  // What others decide meanwhile leaves the list.
  useEffect(() => {
    if (!isPast.value && list.value !== null && waiting.value !== null && named(waiting.value) !== named(reviews)) list.reload();
  }, [named(waiting.value)]);
  return (
    <Page
      title="Reviews"
      lead="Merges of agents that a policy holds until a person decides."
      actions={
        <button type="button" onClick={list.reload}>
          Reload
        </button>
      }
    >
      <Loading of={list}>
        {reviews.length === 0 ? (
          <Empty title={isPast.value ? 'Nothing waited then' : 'Nothing waits'}>
            <p>
              A merge appears here when it breaks a rule of its agent’s policy. <a href="#/worlds">Look at the worlds</a>, or{' '}
              <a href="#/agents">at the agents</a>.
            </p>
          </Empty>
        ) : (
          <ul class="cards" aria-label="Held merges">
            {reviews.map((review) => (
              <li class="card review-card">
                <a class="cover" href={href('review', review.world)} aria-label={`Review ${review.world}`} />
                <div class="review-top">
                  <h2>
                    <Name name={review.world} />
                  </h2>
                  <Tally {...sum({ summary: review.changes })} />
                </div>
                <p class="quiet">
                  asked by {review.owner === null ? 'the database’s own user' : <Name name={review.owner} />} under <Name name={review.policy} />,{' '}
                  <Ago time={review.asked} />
                </p>
                <ul class="reasons">
                  {review.reasons.slice(0, REASONS_LISTED).map(({ rule, message }) => (
                    <li>
                      <Reason rule={rule} message={message} />
                    </li>
                  ))}
                  {review.reasons.length > REASONS_LISTED ? <li class="quiet">and {several(review.reasons.length - REASONS_LISTED, 'more reason')}</li> : null}
                </ul>
                <p class="review-tags">
                  {review.conflicts === undefined ? null : <Tag kind="bad">{several(review.conflicts, 'conflict')}</Tag>}
                  {review.changed_since ? <Tag kind="bad">changed since it was held</Tag> : null}
                  {review.verdict === null ? null : <VerdictTag review={review} />}
                  {(review.definitions?.length ?? 0) > 0 ? <Tag kind="warn">{several(review.definitions!.length, 'definition')}</Tag> : null}
                  {review.effects.map(({ channel, count }) => (
                    <Tag kind="upd">
                      {channel} ×{count}
                    </Tag>
                  ))}
                </p>
              </li>
            ))}
          </ul>
        )}
      </Loading>
      {isPast.value ? <Approved /> : null}
    </Page>
  );
}

function VerdictTag({ review: { verdict, decided_by: by } }: { review: Review }) {
  return (
    <Tag kind={verdict === 'reject' ? 'bad' : ''}>
      {verdict === 'reject' ? 'rejected' : 'passed to a person'} by {by == null ? 'the database’s own user' : <Text text={by} most={80} />}
    </Tag>
  );
}

const DECIDED_AMONG = 500;

/** What had been approved by the moment: an approval is a merge, so it is in the history of main. */
function Approved() {
  const list = useLoad((signal) => op<{ events: HistoryEvent[] }>('history', { branch: at('main'), limit: DECIDED_AMONG }, { signal }), [moment.value]);
  const approved = (list.value?.events ?? []).filter(({ approval }) => approval?.way === 'approved');
  return (
    <Loading of={list}>
      <h2>Approved by then</h2>
      {approved.length === 0 ? (
        <p class="quiet">None among the latest {DECIDED_AMONG} events of main.</p>
      ) : (
        <ol class="timeline" aria-label="Approved merges">
          {approved.map((event) => (
            <li key={event.id}>
              <div class="event">
                <When time={event.at} />
                {event.branch === undefined ? null : (
                  <a href={href('world', event.branch.id)}>
                    <Name name={event.branch.name} />
                  </a>
                )}
                <span>{several(event.rows, 'row')}</span>
                <Tag kind="good">approved by {event.approval!.by ?? 'the database’s own user'}</Tag>
                <span class="quiet id">{event.id}</span>
              </div>
            </li>
          ))}
        </ol>
      )}
    </Loading>
  );
}

/** A review as it stood at the moment: nothing is decided there. */
function PastReview({ name }: { name: string }) {
  const [table, setTable] = useState<string | null>(null);
  const seen = useLoad(
    async (signal) => {
      const [world, { reviews }] = await Promise.all([
        op<World>('world', { branch: name, ...asOf() }, { signal }),
        op<{ reviews: Review[] }>('reviews', asOf(), { signal }),
      ]);
      const counts = await op<Counts>('diff', { branch: at(world.id), count: true, readers: true }, { signal });
      return { world, counts, review: reviews.find((each) => each.world === world.name) ?? null };
    },
    [name, moment.value],
  );
  const found = seen.value;
  const diff = useDiff(found === null ? '' : at(found.world.id), found?.counts ?? null, 0);
  return (
    <Page
      wide
      title={<Name name={found?.world.name ?? name} />}
      lead={
        found?.review == null ? undefined : (
          <>
            {found.review.owner === null ? null : <Name name={found.review.owner} />} asked to merge it into <b>{found.world.parent}</b> ·{' '}
            <When time={found.review.asked} />
          </>
        )
      }
    >
      <Loading of={seen}>
        {found === null ? null : found.review === null ? (
          <Empty title="It did not wait for a decision then" />
        ) : (
          <div class="review">
            <div class="review-facts">
              <section class="block held" aria-label="Why it waited">
                <h3>Why it waited</h3>
                <ul class="reasons">
                  {found.review.reasons.map(({ rule, message }) => (
                    <li>
                      <Reason rule={rule} message={message} />
                    </li>
                  ))}
                </ul>
                <p class="quiet">
                  policy <Name name={found.review.policy} />
                </p>
                {found.review.verdict === null ? <p>No decision had been made.</p> : <VerdictTag review={found.review} />}
                {found.review.reason === null ? null : (
                  <p>
                    <Text text={found.review.reason} most={600} />
                  </p>
                )}
              </section>
              <Scope meta={found.review.scope ?? {}} counts={found.counts} />
              <Effects list={found.counts.effects ?? []} />
              <Readers list={found.counts.readers ?? []} coverage={found.counts.coverage} />
            </div>
            <div class="review-changes">
              <p class="quiet">The changes of the world as of then. What a merge would have met in {found.world.parent} is not kept.</p>
              {(found.counts.definitions?.length ?? 0) > 0 ? <Definitions list={found.counts.definitions!} /> : null}
              {found.counts.total === 0 ? null : (
                <div class="split above">
                  <TableList counts={found.counts} chosen={table} onChoose={setTable} seenKey={`seen ${found.world.id} ${moment.value}`} />
                  <DiffList diff={diff} counts={found.counts} table={table} onReload={seen.reload} />
                </div>
              )}
            </div>
          </div>
        )}
      </Loading>
    </Page>
  );
}

interface Seen {
  review: Review;
  world: World;
  counts: Counts;
  preview: Preview;
}

/** All that is shown, of one version: a world that moves while it is read is read again. */
async function look(branch: string, signal: AbortSignal, tries = 5): Promise<Seen> {
  const [world, { reviews }] = await Promise.all([op<World>('world', { branch }, { signal }), op<{ reviews: Review[] }>('reviews', {}, { signal })]);
  refuseEnded(world);
  const review = reviews.find((each) => each.world === branch || each.world === world.name);
  if (review === undefined)
    throw new CallError(404, {
      message: `no merge of ${world.name} is held for review`,
      code: '55000',
      hint: 'It was decided, or its agent has not asked to merge.',
    });
  const [counts, preview] = await Promise.all([
    op<Counts>('diff', { branch, count: true, readers: true }, { signal }),
    op<Preview>('merge', { branch, dry_run: true, held: true, count: true, hash: true }, { signal }),
  ]);
  if (counts.version !== preview.version) {
    if (tries > 1) return look(branch, signal, tries - 1);
    throw new CallError(409, {
      message: `${branch} changes faster than it can be read`,
      code: '40001',
      hint: 'Its agent still writes: wait until it is done.',
    });
  }
  return { review, world, counts, preview };
}

export function ReviewPage() {
  const name = route.value.args[0] ?? '';
  return isPast.value ? <PastReview name={name} /> : <OpenReview name={name} />;
}

function OpenReview({ name }: { name: string }) {
  const seen = useLoad((signal) => look(name, signal), [name]);
  const found = seen.value;
  return (
    <Page
      wide
      title={<Name name={name} />}
      lead={
        found === null ? undefined : (
          <>
            {found.review.owner === null ? null : <Name name={found.review.owner} />} asks to merge it into <b>{found.world.parent}</b> ·{' '}
            <Ago time={found.review.asked} />
            {typeof found.world.meta['intent'] === 'string' ? (
              <div class="intent">
                <Text text={found.world.meta['intent']} most={600} />
              </div>
            ) : null}
          </>
        )
      }
      actions={
        <>
          <a class="button" href={href('world', name)}>
            The world
          </a>
          {found === null || found.preview.conflicts.length === 0 ? null : (
            <a class="button primary" href={href('merge', name)}>
              Resolve {several(found.preview.conflicts.length, 'conflict')}
            </a>
          )}
        </>
      }
    >
      <PendingWriteBack onDone={seen.reload} />
      <Loading of={seen}>{found === null ? null : <Decision key={found.preview.diff} seen={found} reload={seen.reload} />}</Loading>
    </Page>
  );
}

function Decision({ seen, reload }: { seen: Seen; reload: () => void }) {
  const { review, world, counts, preview } = seen;
  const [table, setTable] = useState<string | null>(null);
  const diff = useDiff(world.name, counts, 0);
  const moved = useMoved(world);
  const hasRows = counts.total > 0;
  return (
    <div class="review">
      <div class="review-facts">
        <section class="block held" aria-label="Why it waits">
          <h3>Why it waits</h3>
          <ul class="reasons">
            {review.reasons.map(({ rule, message }) => (
              <li>
                <Reason rule={rule} message={message} />
              </li>
            ))}
            {preview.blocked.map(({ rule, message }) => (
              <li>
                <Reason rule={rule} message={message} />
              </li>
            ))}
          </ul>
          <p class="quiet">
            policy <Name name={review.policy} />
          </p>
        </section>
        <Scope meta={review.scope ?? {}} counts={counts} />
        <Effects list={counts.effects ?? []} />
        <Readers list={preview.readers} coverage={preview.coverage} />
      </div>
      <div class="review-changes">
        {moved || review.changed_since ? (
          <div class="note warn" role="alert">
            <p>
              <strong>Changed since you looked.</strong>{' '}
              {review.changed_since ? 'It changed after its merge was held: its agent has to ask again.' : 'What you see is not what is there now.'}
            </p>
            <button type="button" onClick={reload}>
              Reload
            </button>
          </div>
        ) : null}
        {preview.postgres === undefined ? null : <PostgresSays of={preview.postgres} />}
        {(counts.definitions?.length ?? 0) > 0 ? <Definitions list={counts.definitions!} /> : null}
        {hasRows ? (
          <div class="split above">
            <TableList counts={counts} chosen={table} onChoose={setTable} seenKey={`seen ${world.id} ${counts.version}`} />
            <DiffList diff={diff} counts={counts} table={table} onReload={reload} />
          </div>
        ) : null}
      </div>
      <Verdict seen={seen} stopped={moved || !(diff.done || !hasRows)} reload={reload} />
    </div>
  );
}

/** Looks now and then whether the world moved under one's hands. */
function useMoved({ name, version }: World): boolean {
  const [moved, setMoved] = useState(false);
  useEffect(() => {
    const timer = setInterval(() => {
      void op<World>('world', { branch: name }, { background: true }).then(
        (now) => setMoved(now.version !== version || now.state !== undefined),
        () => {},
      );
    }, 4000);
    return () => clearInterval(timer);
  }, [name, version]);
  return moved;
}

function Verdict({ seen, stopped, reload }: { seen: Seen; stopped: boolean; reload: () => void }) {
  const { review, world, preview } = seen;
  const [reason, setReason] = useState('');
  const [deletes, setDeletes] = useState('');
  const task = useTask();
  const wanted = preview.confirm_deletes;
  const decide = (verdict: 'approve' | 'reject' | 'pass'): void => {
    const given = verdict === 'approve' ? { diff: preview.diff, ...(wanted === undefined ? {} : { confirm_deletes: Number(deletes) }) } : {};
    void task.run<{ merged?: number }>(
      'review',
      { branch: world.name, verdict, version: preview.version, ...given, ...(reason === '' ? {} : { reason }) },
      ({ merged }, isHere) => {
        say(
          merged === undefined
            ? `${verdict === 'reject' ? 'Rejected' : 'Passed on'}: ${world.name}`
            : `Merged ${several(merged, 'change')} of ${world.name} into ${world.parent ?? ''}`,
        );
        void lookForReviews(false);
        if (isHere) go('#/reviews');
      },
    );
  };
  const isCounted = wanted === undefined || (/^\d+$/.test(deletes) && Number(deletes) === wanted.deletes);
  const hasConflicts = preview.conflicts.length > 0;
  return (
    <form class="verdict" aria-label="Decision" onSubmit={(event) => event.preventDefault()}>
      {task.error !== null && task.error instanceof CallError && task.error.isStale ? (
        <Failure error={task.error} again={reload} />
      ) : (
        <Working task={task} what="Deciding" />
      )}
      {hasConflicts ? (
        <p class="note bad">
          {several(preview.conflicts.length, 'conflict')} with {world.parent}: <a href={href('merge', world.name)}>resolve them</a>, or reject.
        </p>
      ) : null}
      <div class="verdict-row">
        <Field label="Reason">
          <Input value={reason} onText={setReason} placeholder="optional, kept with the verdict" maxLength={10_000} />
        </Field>
        {wanted === undefined ? null : (
          <Field label={`It deletes ${several(wanted.deletes, 'row')}, more than ${wanted.over}: type the number`}>
            <Input value={deletes} onText={setDeletes} inputMode="numeric" class="narrow" aria-invalid={!isCounted} />
          </Field>
        )}
        <div class="verdict-buttons">
          <button type="button" onClick={() => decide('pass')} disabled={task.busy}>
            Pass
          </button>
          <button type="button" class="danger" onClick={() => decide('reject')} disabled={task.busy}>
            Reject
          </button>
          {/* No submit button: Enter in the reason, which may be that of a rejection, must not approve. */}
          <button
            type="button"
            class="primary"
            disabled={task.busy || stopped || !isCounted || hasConflicts || review.changed_since}
            onClick={() => decide('approve')}
          >
            Approve and merge
          </button>
        </div>
      </div>
      <p class="seal quiet">
        Approves version {preview.version}, <Tally {...sum(preview)} />, changes <code title={preview.diff}>{preview.diff?.slice(0, 12)}</code>
        {stopped ? ' · the changes are still being loaded, or have moved' : ''}
        {review.verdict === null ? null : (
          <>
            {' · '}
            earlier verdict: {review.verdict} {review.reason === null ? null : <Value value={review.reason} />}
          </>
        )}
      </p>
    </form>
  );
}
