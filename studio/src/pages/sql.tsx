/** SQL in a world, now or as of a moment, or in a fork that is made for it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { CallError, op } from '../api.ts';
import { names } from '../catalog.ts';
import type { Editor } from '../editor.ts';
import { Plan, type PlanNode } from '../parts/plan.tsx';
import { Whole } from '../parts/diff.tsx';
import { Dialog, Page, Tag } from '../parts/ui.tsx';
import { several } from '../parts/text.ts';
import { Text, Value } from '../parts/value.tsx';
import { gridOf, Virtual } from '../parts/virtual.tsx';
import { WorldPicker } from '../parts/world-picker.tsx';
import type { Row, SqlReply, World } from '../shapes.ts';
import { at, go, href, isPast, route, visitor } from '../state.ts';

const DRAFT = 'svc-sql';

type Shown =
  { kind: 'results'; reply: SqlReply; ms: number; world: string } | { kind: 'plan'; plan: PlanNode | null; text: string[] } | { kind: 'error'; error: unknown };

export function SqlPage() {
  const world = route.value.args[0] ?? 'main';
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | null>(null);
  const running = useRef<AbortController | null>(null);
  const [busy, setBusy] = useState(false);
  const [missing, setMissing] = useState(false);
  const [shown, setShown] = useState<Shown | null>(null);
  const latest = useRef<() => void>(() => {});
  const work = async (act: (signal: AbortSignal) => Promise<Shown>): Promise<void> => {
    if (running.current !== null) return;
    const abort = (running.current = new AbortController());
    setBusy(true);
    setShown(null);
    try {
      setShown(await act(abort.signal));
    } catch (error) {
      setShown({ kind: 'error', error });
      const { position } = error instanceof CallError ? (error.data as { position?: number }) : {};
      const whole = editor.current?.text() === editor.current?.chosen();
      if (typeof position === 'number' && whole) editor.current?.point(position);
    }
    running.current = null;
    setBusy(false);
  };
  const sqlNow = (): string => editor.current?.chosen().trim() ?? '';
  const run = (): void => {
    const sql = sqlNow();
    if (sql === '') return;
    void work(async (signal) => {
      const begun = performance.now();
      const reply = await op<SqlReply>('sql', { branch: at(world), sql }, { signal });
      return { kind: 'results', reply, ms: performance.now() - begun, world };
    });
  };
  latest.current = run;
  const runInFork = (): void => {
    const sql = sqlNow();
    if (sql === '') return;
    void work(async (signal) => {
      const begun = performance.now();
      const { world: made } = await op<{ world: World }>(
        'fork',
        { name: `sql-${Date.now().toString(36)}`, from: at(world), meta: { intent: sql.slice(0, 200) } },
        { signal },
      );
      try {
        const reply = await op<SqlReply>('sql', { branch: made.name, sql }, { signal });
        return { kind: 'results', reply, ms: performance.now() - begun, world: made.name };
      } catch (error) {
        await op('discard', { branch: made.name }).catch(() => {});
        throw error;
      }
    });
  };
  const explain = (): void => {
    const sql = sqlNow().replace(/;\s*$/, '');
    if (sql === '') return;
    void work(async (signal) => {
      try {
        const { results } = await op<SqlReply>('sql', { branch: at(world), sql: `EXPLAIN (FORMAT JSON) ${sql}` }, { signal });
        const cell: unknown = Object.values(results[0]!.rows[0] ?? {})[0];
        const plans = (typeof cell === 'string' ? JSON.parse(cell) : cell) as { Plan: PlanNode }[];
        return { kind: 'plan', plan: plans[0]!.Plan, text: [] };
      } catch (error) {
        if (!(error instanceof CallError) || error.code !== '0A000') throw error;
        const { results } = await op<SqlReply>('sql', { branch: at(world), sql: `EXPLAIN ${sql}` }, { signal });
        return { kind: 'plan', plan: null, text: results[0]!.rows.map((row) => String(Object.values(row)[0])) };
      }
    });
  };
  useEffect(() => {
    let gone = false;
    const load = import('../editor.ts').then(({ mountEditor }) => {
      if (gone) return;
      editor.current = mountEditor(
        host.current!,
        sessionStorage.getItem(DRAFT) ?? '',
        () => latest.current(),
        (text) => sessionStorage.setItem(DRAFT, text),
      );
      editor.current.focus();
      void names(at(world)).then(
        (found) => editor.current?.setNames(found),
        () => {},
      );
    });
    load.catch(() => gone || setMissing(true));
    return () => {
      gone = true;
      running.current?.abort();
      editor.current?.destroy();
      editor.current = null;
    };
  }, [world]);
  return (
    <Page wide title="SQL" actions={<WorldPicker world={world} onPick={(name) => go(href('sql', name))} />}>
      {missing ? (
        <p class="note bad" role="alert">
          The editor could not be loaded: the server does not answer, or is of another release now.{' '}
          <button type="button" onClick={() => location.reload()}>
            Load the page again
          </button>
        </p>
      ) : null}
      <div class="editor" ref={host} />
      <div class="toolbar">
        <button type="button" class="primary" onClick={run} disabled={busy} title="Ctrl Enter">
          Run
        </button>
        <button type="button" onClick={explain} disabled={busy}>
          Explain
        </button>
        {visitor.value!.superuser && !isPast.value ? (
          <button type="button" onClick={runInFork} disabled={busy}>
            Run in a fork
          </button>
        ) : null}
        {busy ? (
          <span class="working" role="status">
            <progress aria-label="Running" /> Running…
            <button type="button" onClick={() => running.current?.abort()}>
              Stop
            </button>
          </span>
        ) : null}
        <span class="quiet">
          in <Text text={at(world)} />
          {isPast.value ? ': the past is read only' : ''} · a selection runs alone
        </span>
      </div>
      {shown === null ? null : shown.kind === 'error' ? (
        <SqlFailure error={shown.error} />
      ) : shown.kind === 'plan' ? (
        shown.plan === null ? (
          <pre class="card">
            <Text text={shown.text.join('\n')} most={20_000} />
          </pre>
        ) : (
          <Plan plan={shown.plan} />
        )
      ) : (
        <>
          {shown.world === world ? null : (
            <p class="note good">
              Ran in <a href={href('world', shown.world)}>{shown.world}</a>, a fork of {at(world)}.
            </p>
          )}
          {shown.reply.results.map((result) => (
            <Result {...result} />
          ))}
          <p class="quiet" role="status">
            {several(shown.reply.results.length, 'statement')} in {Math.max(1, Math.round(shown.ms))} ms
          </p>
        </>
      )}
    </Page>
  );
}

function SqlFailure({ error }: { error: unknown }) {
  const { message, code, hint, data } =
    error instanceof CallError ? error : { message: String(error), code: '', hint: '', data: {} as Record<string, unknown> };
  return (
    <div class={`note ${code === '57014' ? 'warn' : 'bad'}`} role="alert">
      <p>
        <Text text={message} most={2000} /> <code class="code">{code}</code>
      </p>
      {typeof data['detail'] === 'string' ? (
        <p>
          <Text text={data['detail']} most={2000} />
        </p>
      ) : null}
      {hint === '' ? null : (
        <p class="quiet">
          <Text text={hint} most={600} />
        </p>
      )}
    </div>
  );
}

const LINE = 30;

function Result({ command, columns, types, rows }: SqlReply['results'][number]) {
  const [cursor, setCursor] = useState(-1);
  const [open, setOpen] = useState<number | null>(null);
  if (columns.length === 0)
    return (
      <p class="result-head">
        <Tag kind="good">{command}</Tag>
      </p>
    );
  const { grid, wide } = gridOf(types, 0);
  return (
    <section aria-label={command}>
      <p class="result-head">
        <Tag kind="good">{command}</Tag> <span class="quiet">{several(rows.length, 'row')}</span>
      </p>
      <Virtual
        class={`grid low ${rows.length < 12 ? 'fit' : ''}`}
        role="grid"
        columns={columns.length}
        wide={wide}
        count={rows.length}
        line={LINE}
        cursor={cursor}
        onCursor={setCursor}
        onOpen={setOpen}
        label={`Rows of ${command}; arrow keys move, Enter opens a row`}
        head={
          <div role="row" aria-rowindex={1} class="grid-line grid-head" style={{ gridTemplateColumns: grid, minWidth: `${wide}px` }}>
            {columns.map((name, i) => (
              <span role="columnheader" title={types[i]}>
                <Text text={name} most={60} />
              </span>
            ))}
          </div>
        }
        render={(index, id) => (
          <div
            key={index}
            id={id}
            role="row"
            aria-selected={index === cursor}
            aria-rowindex={index + 2}
            class={`grid-line ${index === cursor ? 'chosen' : ''}`}
            style={{ gridTemplateColumns: grid }}
            onClick={() => (setCursor(index), setOpen(index))}
          >
            {columns.map((name) => (
              <span role="gridcell">
                <Value value={(rows[index] as Row)[name]} most={300} />
              </span>
            ))}
          </div>
        )}
      />
      {open === null ? null : (
        <Dialog title={`Row ${open + 1} of ${rows.length}`} onClose={() => setOpen(null)}>
          <div class="scroll">
            <table class="sides">
              <tbody>
                {columns.map((name, i) => (
                  <tr>
                    <th scope="row">
                      <Text text={name} /> <small class="quiet">{types[i]}</small>
                    </th>
                    <td>
                      <Whole value={(rows[open] as Row)[name]} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Dialog>
      )}
    </section>
  );
}
