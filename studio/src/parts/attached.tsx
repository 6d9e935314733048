/** Merges of a folder with tables of an external Postgres: what it says of one, and one whose fate there is not known. */
import { useState } from 'preact/hooks';
import { op } from '../api.ts';
import type { AttachedPostgres, Attachment, Row } from '../shapes.ts';
import { lookForReviews, say } from '../state.ts';
import { keyParts, same, several, textOf } from './text.ts';
import { Ago, Tag, Tally, useLoad, useTask, When, Working } from './ui.tsx';
import { Name, Text, Value } from './value.tsx';

const ROWS_SHOWN = 100;

export function PostgresSays({ of: { source, at, error, triggers, summary, rows } }: { of: AttachedPostgres }) {
  const changed = rows.filter((row) => row.changed);
  const made = rows.filter((row) => !row.changed);
  return (
    <section class="block" aria-label="Postgres">
      <h3>
        What <Text text={source} /> does <span class="quiet">tried and rolled back</span> <When time={at} />
      </h3>
      {error === null ? (
        <p class="note good">It takes the changes.</p>
      ) : (
        <p class="note bad" role="alert">
          It refuses them, or did not answer: <Text text={error.message} most={2000} /> <code class="code">{error.code}</code>
        </p>
      )}
      {summary.length === 0 ? null : (
        <ul class="summary">
          {summary.map((each) => (
            <li>
              <Name name={each.table} /> <Tally {...each} />
            </li>
          ))}
        </ul>
      )}
      {triggers.length === 0 ? null : (
        <>
          <h4>Triggers that fire there</h4>
          <ul class="plain-list">
            {triggers.map(({ table, name, event }) => (
              <li>
                <Name name={name} />{' '}
                <span class="quiet">
                  {event} on <Text text={table} />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      <PostgresRows title="Changed in Postgres since they were read" rows={changed} />
      <PostgresRows title="Made otherwise by its triggers and rules" rows={made} />
    </section>
  );
}

function PostgresRows({ title, rows }: { title: string; rows: AttachedPostgres['rows'] }) {
  if (rows.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <ul class="plain-list">
        {rows.slice(0, ROWS_SHOWN).map(({ key, postgres }) => (
          <li>
            <Key of={key} /> {postgres === null ? <Tag kind="del">deleted</Tag> : <Value value={postgres} most={400} />}
          </li>
        ))}
      </ul>
      {rows.length > ROWS_SHOWN ? <p class="quiet">and {several(rows.length - ROWS_SHOWN, 'more row')}</p> : null}
    </>
  );
}

function Key({ of }: { of: string }) {
  const { table, id } = keyParts(of);
  return (
    <>
      <span class="quiet">
        <Text text={table} most={80} />
      </span>{' '}
      <b>
        <Text text={id} most={120} />
      </b>
    </>
  );
}

/** Above what it holds up: nothing changes main, and no merge into it is tried, until this is decided. */
export function PendingWriteBack({ onDone }: { onDone: () => void }) {
  const attachment = useLoad((signal) => op<Attachment>('attachment', {}, { signal }), []);
  const pending = attachment.value?.pending ?? null;
  return pending === null ? null : <WriteBack pending={pending} onDone={() => (attachment.reload(), onDone())} />;
}

/** A merge that was written to Postgres, of which svc does not know whether it arrived. */
function WriteBack({ pending, onDone }: { pending: NonNullable<Attachment['pending']>; onDone: () => void }) {
  const { xid, branch, since, by, rows, fate, reason, changes } = pending;
  const [outcome, setOutcome] = useState<'committed' | 'aborted' | null>(null);
  const task = useTask();
  return (
    <section class="block held" aria-label="Write-back">
      <h3>
        A merge of <Name name={branch} /> waits for Postgres
      </h3>
      <p>
        {several(rows, 'row')} in transaction <code>{xid}</code> by <Text text={by} />, <Ago time={since} />.{' '}
        {fate === 'in progress' ? 'Postgres is asked every two seconds; main does not change until it has answered.' : null}
      </p>
      {reason === null ? null : (
        <p>
          <Text text={reason} most={600} />
        </p>
      )}
      {fate !== 'not known' ? null : (
        <>
          <p>
            Postgres does not know that transaction: compare these rows there, then say which case it is. Main has them as in that column afterwards; refresh
            the attachment then.
          </p>
          <div class="scroll">
            <table class="sides">
              <thead>
                <tr>
                  <th scope="col">Row</th>
                  <th scope="col">If it was aborted</th>
                  <th scope="col">If it was committed</th>
                </tr>
              </thead>
              <tbody>
                {changes.map(({ key, aborted, committed }) => (
                  <tr>
                    <th scope="row">
                      <Key of={key} />
                    </th>
                    <td>
                      <Differing row={aborted} from={committed} />
                    </td>
                    <td>
                      <Differing row={committed} from={aborted} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <Working task={task} what="Deciding" />
          <form
            class="verdict-buttons left"
            aria-label="What became of it"
            onSubmit={(event) => {
              event.preventDefault();
              if (outcome === null) return;
              void task.run('decide_write_back', { xid, outcome }, () => {
                say(`Transaction ${xid} was ${outcome}: refresh the attachment now`);
                void lookForReviews(false);
                onDone();
              });
            }}
          >
            {(['aborted', 'committed'] as const).map((each) => (
              <label class="check">
                <input type="radio" name="outcome" checked={outcome === each} onChange={() => setOutcome(each)} /> it was {each}
              </label>
            ))}
            <button type="submit" class="danger" disabled={task.busy || outcome === null}>
              Decide
            </button>
          </form>
        </>
      )}
    </section>
  );
}

/** The columns in which the two cases differ. */
function Differing({ row, from }: { row: Row | null; from: Row | null }) {
  if (row === null) return <Tag kind="del">not there</Tag>;
  const names = Object.keys(row).filter((name) => from === null || !same(row[name], from[name]));
  return (
    <span class="compact">
      {names.map((name) => (
        <span>
          <i>
            <Text text={name} most={60} />
          </i>
          <Value value={textOf(row[name])} most={120} />
        </span>
      ))}
    </span>
  );
}
