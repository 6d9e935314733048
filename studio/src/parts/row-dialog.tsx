/** One row: its values, its history with who and when, and a change of it, which is made in a fork. */
import { useState } from 'preact/hooks';
import { CallError, op } from '../api.ts';
import type { Column, Named, Table } from '../catalog.ts';
import type { HistoryEvent, Row, SqlReply, World } from '../shapes.ts';
import { at, go, href, isPast, route, say, visitor } from '../state.ts';
import { Whole } from './diff.tsx';
import { asParameter, editable } from './edited-value.ts';
import { Choices, Dialog, Failure, Loading, Tag, useLoad, When } from './ui.tsx';
import { literal, quoted, quotedTable, textOf } from './text.ts';
import { Text, Value } from './value.tsx';

interface RowDialogProps {
  world: string;
  full: string;
  named: Named;
  kind: Table['kind'];
  columns: readonly Column[];
  row: Row;
  onClose: () => void;
  /** The row was changed in the world that is shown. */
  onChanged: () => void;
}

interface Rights {
  /** What is changed in place; null: a world without a parent, which is changed by merges. */
  readonly fork: World | null;
  readonly mayFork: boolean;
}

const MAY_FORK = 'SELECT rolsuper OR rolcreatedb AS may FROM pg_roles WHERE rolname = current_user';

async function rightsIn(world: string, signal: AbortSignal): Promise<Rights> {
  const [found, { results }] = await Promise.all([
    op<World>('world', { branch: world }, { signal }),
    op<SqlReply>('sql', { branch: world, sql: MAY_FORK }, { signal }),
  ]);
  return { fork: found.parent === null || found.state !== undefined ? null : found, mayFork: results[0]!.rows[0]?.['may'] === true };
}

/** Why a row cannot be changed here; null: it can. */
function whyNot({ kind, columns }: Pick<RowDialogProps, 'kind' | 'columns'>, rights: Rights | null): string | null {
  if (isPast.value) return 'The past is read only.';
  if (kind !== 'table') return `Rows of a ${kind} are not changed here: SQL may.`;
  if (!columns.some(({ isKey }) => isKey)) return 'This table has no primary key, so no one row can be named: change it with SQL.';
  if (!columns.some(({ isKey, mayWrite }) => mayWrite && !isKey))
    return `Role ${visitor.value!.role ?? ''} has no UPDATE privilege on a column outside the key.`;
  if (rights !== null && rights.fork === null && !rights.mayFork)
    return `Rows of main are changed in a fork, and role ${visitor.value!.role ?? ''} may not fork (CREATEDB): open the table in a fork that is there.`;
  return null;
}

export function RowDialog({ world, full, named, kind, columns, row, onClose, onChanged }: RowDialogProps) {
  const keys = columns.filter(({ isKey }) => isKey).map(({ name }) => name);
  const [tab, setTab] = useState<'row' | 'history'>('row');
  const [edits, setEdits] = useState<Readonly<Record<string, string | null>>>({});
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const rights = useLoad((signal) => rightsIn(world, signal), [world]);
  const reason = whyNot({ kind, columns }, rights.value);
  const mayEdit = reason === null && rights.value !== null;
  const id = keys.map((name) => (keys.length === 1 ? textOf(row[name]) : escaped(textOf(row[name])))).join(',');
  const changed = Object.keys(edits);
  const update = async (branch: string): Promise<void> => {
    const typeOf = (name: string): string => columns.find((column) => column.name === name)!.type;
    const values = [...changed.map((name) => asParameter(edits[name]!, typeOf(name), name)), ...keys.map((name) => row[name])];
    const set = changed.map((name, i) => `${quoted(name)} = $${i + 1}`).join(', ');
    const where = keys.map((name, i) => `${quoted(name)} = $${changed.length + i + 1}`).join(' AND ');
    const sql = `UPDATE ${quotedTable(named.schema, named.name)} SET ${set} WHERE ${where}`;
    const { results } = await op<SqlReply>('sql', { branch, sql, params: values });
    if (results[0]!.command !== 'UPDATE 1')
      throw new CallError(409, { message: 'the row is not there any more, or not to be changed by you', code: '40001', hint: 'Reload the table.' });
  };
  const inFork = async (): Promise<void> => {
    const fork = `edit-${Date.now().toString(36)}`;
    const meta = { intent: `Edit a row of ${full}` };
    // Roles work by SQL; operations are for superusers.
    const isOperator = visitor.value!.superuser;
    if (isOperator) await op<{ world: World }>('fork', { name: fork, from: world, meta });
    else await op<SqlReply>('sql', { sql: `CREATE WORLD ${quoted(fork)} FROM ${quoted(world)} META ${literal(JSON.stringify(meta))}` });
    try {
      await update(fork);
    } catch (failed) {
      await (isOperator ? op('discard', { branch: fork }) : op('sql', { sql: `DROP WORLD ${quoted(fork)}` })).catch(() => {});
      throw failed;
    }
    say(`Changed in ${fork}, a fork of ${world}: merge it when it is right`);
    // Changes of a world are listed for superusers.
    go(isOperator ? href('world', fork) : href('table', fork, ...route.value.args.slice(1)));
  };
  const here = async (): Promise<void> => {
    await update(world);
    say(`Changed in ${world}`);
    onClose();
    onChanged();
  };
  const save = (act: () => Promise<void>) => async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await act();
    } catch (failed) {
      setError(failed);
    }
    setBusy(false);
  };
  return (
    <Dialog title={`${full} / ${id.slice(0, 80)}`} onClose={onClose}>
      {visitor.value!.superuser && keys.length > 0 ? (
        <Choices
          label="Row"
          choices={[
            ['row', 'Values'],
            ['history', 'History'],
          ]}
          chosen={tab}
          onChoose={(each) => setTab(each as 'row' | 'history')}
        />
      ) : null}
      <div class="scroll" role={visitor.value!.superuser && keys.length > 0 ? 'tabpanel' : undefined} aria-label={tab === 'row' ? 'Values' : 'History'}>
        {tab === 'history' ? (
          <RowHistory world={world} table={full} id={id} />
        ) : (
          <table class="sides">
            <tbody>
              {columns.map(({ name, type, isKey, mayWrite }) => (
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
                    {!mayEdit || isKey || !mayWrite || name in edits ? null : (
                      <button
                        type="button"
                        class="small plain"
                        aria-label={`Edit ${name}`}
                        onClick={() => setEdits({ ...edits, [name]: editable(row[name], type) })}
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
      {reason === null || tab === 'history' ? null : <p class="quiet">{reason}</p>}
      {rights.error === null ? null : <Failure error={rights.error} />}
      {changed.length === 0 || rights.value === null ? null : (
        <footer>
          <button type="button" onClick={() => setEdits({})}>
            Undo
          </button>
          {rights.value.mayFork ? (
            <button type="button" class={rights.value.fork === null ? 'primary' : ''} disabled={busy} onClick={() => void save(inFork)()}>
              {busy ? 'Saving…' : `Save in a fork of ${world}`}
            </button>
          ) : null}
          {rights.value.fork === null ? null : (
            <button type="button" class="primary" disabled={busy} onClick={() => void save(here)()}>
              {busy ? 'Saving…' : `Save in ${world}`}
            </button>
          )}
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
