/** What merges into main sent and no worker has done yet. Looking claims nothing. */
import { useState } from 'preact/hooks';
import { op } from '../api.ts';
import type { Effect } from '../shapes.ts';
import { asOf, isPast, moment, say } from '../state.ts';
import { several, textOf } from './text.ts';
import { Ago, Loading, Tag, useLoad, useTask, When, Working } from './ui.tsx';
import { Text, Value } from './value.tsx';

interface Waiting extends Effect {
  attempts: number;
  until: string | null;
  last_error: { message: string; at: string; by: string } | null;
}

const LISTED = 200;
/** Claimed so often, an effect is one that its worker cannot do. */
const MANY = 5;

export function Outbox() {
  const list = useLoad((signal) => op<{ effects: Waiting[]; total: number }>('outbox', { limit: LISTED, ...asOf() }, { signal }), [moment.value]);
  const [chosen, setChosen] = useState<string | null>(null);
  const task = useTask();
  const finish = (name: 'ack_outbox' | 'retry_outbox', id: string): void => {
    void task.run(name, { id }, () => {
      say(name === 'ack_outbox' ? 'Done: it is not delivered again' : 'Given back: a worker takes it');
      setChosen(null);
      list.reload();
    });
  };
  const { effects, total } = list.value ?? { effects: [], total: 0 };
  return (
    <div class="stack">
      <p>What merges into main sent, until a worker has done it: in order per channel, so the first one holds up those behind it. Looking takes nothing.</p>
      <div class="toolbar">
        <span class="quiet" role="status">
          {list.value === null ? '' : `${several(total, 'effect')}${total > effects.length ? `, the first ${effects.length} are listed` : ''}`}
        </span>
        <button type="button" onClick={list.reload}>
          Reload
        </button>
      </div>
      <Working task={task} what="Saying so" />
      <Loading of={list}>
        {effects.length === 0 ? (
          <p class="note good">{isPast.value ? 'Nothing waited then.' : 'Nothing waits.'}</p>
        ) : (
          <div class="scroll">
            <table class="list" aria-label="Outbox">
              <thead>
                <tr>
                  <th scope="col">Channel</th>
                  <th scope="col">Payload</th>
                  <th scope="col">By</th>
                  <th scope="col">Queued</th>
                  <th scope="col" class="right">
                    Attempts
                  </th>
                  <th scope="col">State</th>
                  <th scope="col">Last error</th>
                  <th scope="col">
                    <span class="sr">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {effects.map(({ id, channel, payload, by, queued, attempts, until, last_error: failed }) => (
                  <tr>
                    <th scope="row">
                      <Tag kind="upd">
                        <Text text={channel} most={80} />
                      </Tag>
                    </th>
                    <td>
                      <Value value={payload} most={200} />
                    </td>
                    <td>
                      <Text text={by} most={80} />
                    </td>
                    <td>
                      <Ago time={queued} />
                    </td>
                    <td class="right">{attempts >= MANY ? <Tag kind="bad">{textOf(attempts)}</Tag> : attempts}</td>
                    <td>
                      {until === null ? (
                        'waits'
                      ) : (
                        <>
                          held until <When time={until} />
                        </>
                      )}
                    </td>
                    <td>
                      {failed !== null ? (
                        <>
                          <Text text={failed.message} most={400} />{' '}
                          <span class="quiet">
                            <Ago time={failed.at} />, <Text text={failed.by === '' ? 'the database’s own user' : failed.by} most={80} />
                          </span>
                        </>
                      ) : attempts > 0 && until === null ? (
                        <span class="quiet">its worker ended without a word</span>
                      ) : (
                        <span class="quiet">—</span>
                      )}
                    </td>
                    <td class="right">
                      {isPast.value ? null : chosen === id ? (
                        <span class="verdict-buttons">
                          {until === null ? null : (
                            <button type="button" class="small" disabled={task.busy} onClick={() => finish('retry_outbox', id)}>
                              Give back
                            </button>
                          )}
                          <button type="button" class="small danger" disabled={task.busy} onClick={() => finish('ack_outbox', id)}>
                            It is done
                          </button>
                        </span>
                      ) : (
                        <button type="button" class="small plain" onClick={() => setChosen(id)} aria-label={`Take out ${id}`}>
                          Take out…
                        </button>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Loading>
    </div>
  );
}
