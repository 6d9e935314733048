/** One row: its values, its history with who and when, and a change of it, which is made in a fork. */
import { useState } from 'preact/hooks';
import { CallError, op } from '../api.ts';
import { type Column, tableNamed } from '../catalog.ts';
import type { HistoryEvent, Row, SqlReply, World } from '../shapes.ts';
import { at, go, href, isPast, say, visitor } from '../state.ts';
import { Whole } from './diff.tsx';
import { Dialog, Failure, Loading, Tag, useLoad, When } from './ui.tsx';
import { quoted, quotedTable, textOf } from './text.ts';
import { Text, Value } from './value.tsx';

interface RowDialogProps {
  world: string;
  full: string;
  columns: readonly Column[];
  row: Row;
  onClose: () => void;
}

export function RowDialog({ world, full, columns, row, onClose }: RowDialogProps) {
  const keys = columns.filter(({ isKey }) => isKey).map(({ name }) => name);
  const [tab, setTab] = useState<'row' | 'history'>('row');
  const [edits, setEdits] = useState<Readonly<Record<string, string | null>>>({});
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const mayEdit = visitor.value!.superuser && keys.length > 0 && !isPast.value;
  const id = keys.map((name) => (keys.length === 1 ? textOf(row[name]) : escaped(textOf(row[name])))).join(',');
  const changed = Object.keys(edits);
  const save = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    const { schema, name: table } = tableNamed(full);
    const fork = `edit-${Date.now().toString(36)}`;
    const values = [...changed.map((name) => edits[name]), ...keys.map((name) => row[name])];
    const set = changed.map((name, i) => `${quoted(name)} = $${i + 1}`).join(', ');
    const where = keys.map((name, i) => `${quoted(name)} = $${changed.length + i + 1}`).join(' AND ');
    try {
      await op<{ world: World }>('fork', { name: fork, from: world, meta: { intent: `Edit a row of ${full}` } });
      try {
        const { results } = await op<SqlReply>('sql', { branch: fork, sql: `UPDATE ${quotedTable(schema, table)} SET ${set} WHERE ${where}`, params: values });
        if (results[0]!.command !== 'UPDATE 1') throw new CallError(409, { message: 'the row is not there any more', code: '40001' });
      } catch (failed) {
        await op('discard', { branch: fork });
        throw failed;
      }
      say(`Changed in ${fork}, a fork of ${world}: merge it when it is right`);
      go(href('world', fork));
    } catch (failed) {
      setError(failed);
    }
    setBusy(false);
  };
  return (
    <Dialog title={`${full} / ${id.slice(0, 80)}`} onClose={onClose}>
      <div class="tabs" role="tablist" aria-label="Row">
        {(['row', 'history'] as const)
          .filter((each) => each === 'row' || (visitor.value!.superuser && keys.length > 0))
          .map((each) => (
            <button type="button" role="tab" aria-selected={tab === each} onClick={() => setTab(each)}>
              {each === 'row' ? 'Values' : 'History'}
            </button>
          ))}
      </div>
      <div class="scroll">
        {tab === 'history' ? (
          <RowHistory world={world} table={full} id={id} />
        ) : (
          <table class="sides">
            <tbody>
              {columns.map(({ name, type, isKey }) => (
                <tr>
                  <th scope="row">
                    <Text text={name} /> <small class="quiet">{type}</small>
                  </th>
                  <td>
                    {name in edits ? (
                      <span class="edit">
                        <textarea
                          rows={Math.min(8, (edits[name] ?? '').split('\n').length)}
                          aria-label={name}
                          disabled={edits[name] === null}
                          value={edits[name] ?? ''}
                          onInput={(event) => setEdits({ ...edits, [name]: (event.currentTarget as HTMLTextAreaElement).value })}
                        />
                        <label class="check">
                          <input
                            type="checkbox"
                            checked={edits[name] === null}
                            onChange={(event) => setEdits({ ...edits, [name]: (event.currentTarget as HTMLInputElement).checked ? null : '' })}
                          />{' '}
                          null
                        </label>
                      </span>
                    ) : (
                      <Whole value={row[name]} />
                    )}
                  </td>
                  <td class="right">
                    {!mayEdit || isKey || name in edits ? null : (
                      <button
                        type="button"
                        class="small plain"
                        aria-label={`Edit ${name}`}
                        onClick={() => setEdits({ ...edits, [name]: row[name] === null || row[name] === undefined ? null : textOf(row[name]) })}
                      >
                        Edit
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
      {error === null ? null : <Failure error={error} />}
      {changed.length === 0 ? null : (
        <footer>
          <button type="button" onClick={() => setEdits({})}>
            Undo
          </button>
          <button type="button" class="primary" disabled={busy} onClick={() => void save()}>
            {busy ? 'Saving…' : `Save in a fork of ${world}`}
          </button>
        </footer>
      )}
    </Dialog>
  );
}

/** As keys of several columns are written in ids. */
function escaped(text: string): string {
  return text.replace(/[,/%\s]/g, encodeURIComponent);
}

function RowHistory({ world, table, id }: { world: string; table: string; id: string }) {
  const history = useLoad(
    (signal) => op<{ events: HistoryEvent[]; since: string | null }>('history', { branch: at(world), table, id, limit: 100 }, { signal }),
    [world, table, id],
  );
  return (
    <Loading of={history}>
      <ol class="timeline">
        {(history.value?.events ?? []).map((event) => (
          <li>
            <div>
              <Tag kind={event.change === 'delete' ? 'del' : event.change === 'insert' ? 'ins' : 'upd'}>{event.change ?? event.event}</Tag>{' '}
              <When time={event.at} />{' '}
              <span class="quiet">
                by <Text text={event.by ?? 'the database’s own user'} />
                {event.branch === undefined ? '' : `, merge of ${event.branch.name}`} {event.id}
              </span>
            </div>
            <ul class="plain-list">
              {(event.columns ?? []).map((name) => (
                <li>
                  <i>
                    <Text text={name} />
                  </i>{' '}
                  {event.before == null ? null : (
                    <>
                      <Value value={event.before[name]} /> →{' '}
                    </>
                  )}
                  {event.after == null ? null : <Value value={event.after[name]} />}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
      {(history.value?.events.length ?? 0) === 0 ? <p class="quiet">Nothing within the history that is kept.</p> : null}
    </Loading>
  );
}
