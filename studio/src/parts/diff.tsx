/**
 * What a world changed, row by row: deletes first, then table by table. Pages are loaded one after the other while the first are read already;
 * each is refused if the world changed since the first.
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { op } from '../api.ts';
import type { Change, Counts, Row } from '../shapes.ts';
import { CopyButton, Dialog, Failure, Tally } from './ui.tsx';
import { keyParts, same, several, textOf, visible } from './text.ts';
import { Text, Value } from './value.tsx';
import { Virtual } from './virtual.tsx';

const FIRST_PAGE = 200;
const PAGE = 4000;
/** More are listed by table alone. */
const CHANGES_MAX = 300_000;

export interface DiffState {
  readonly changes: readonly Change[];
  readonly done: boolean;
  readonly error: unknown;
}

/** Loads the changes of a world at a version. */
export function useDiff(branch: string, counts: Counts | null, turn: number): DiffState {
  const [state, setState] = useState<DiffState>({ changes: [], done: false, error: null });
  useEffect(() => {
    if (counts === null) return undefined;
    const abort = new AbortController();
    const changes: Change[] = [];
    const load = async (): Promise<void> => {
      const deleted = counts.summary.reduce((sum, each) => sum + each.deleted, 0);
      for (const deletes of deleted === counts.total ? [true] : deleted === 0 ? [false] : [true, false]) {
        let after: string | undefined;
        do {
          const limit = changes.length === 0 ? FIRST_PAGE : PAGE;
          const page: { changes: Change[]; next: string | null } = await op(
            'diff',
            { branch, version: counts.version, limit, after, deletes },
            { signal: abort.signal },
          );
          for (const change of page.changes) changes.push(change);
          after = page.next ?? undefined;
          setState({ changes, done: false, error: null });
        } while (after !== undefined && changes.length < CHANGES_MAX);
      }
      setState({ changes, done: true, error: null });
    };
    setState({ changes, done: false, error: null });
    load().catch((error: unknown) => {
      if (!abort.signal.aborted) setState({ changes, done: true, error });
    });
    return () => abort.abort();
  }, [branch, counts, turn]);
  return state;
}

type Kind = 'del' | 'upd' | 'ins';

function kindOf({ before, after }: Change): Kind {
  return after === null ? 'del' : before === null ? 'ins' : 'upd';
}

const WORD: Record<Kind, string> = { del: 'deleted', upd: 'updated', ins: 'inserted' };
const SIGN: Record<Kind, string> = { del: '−', upd: '~', ins: '+' };
const LINE = 28;

/** Lines of the list: a change each, and one more for each changed column of an update. */
function linesOf(changes: readonly Change[], table: string | null): { of: Uint32Array; column: Int16Array; length: number } {
  let length = 0;
  const size = (change: Change): number => (kindOf(change) === 'upd' ? 1 + change.columns.length : 1);
  const wanted = (change: Change): boolean => table === null || keyParts(change.key).table === table;
  for (const change of changes) if (wanted(change)) length += size(change);
  const of = new Uint32Array(length);
  const column = new Int16Array(length);
  let at = 0;
  changes.forEach((change, i) => {
    if (!wanted(change)) return;
    for (let c = 0; c < size(change); c++) {
      of[at] = i;
      column[at++] = c - 1;
    }
  });
  return { of, column, length };
}

export function DiffList({ diff, counts, table, onReload }: { diff: DiffState; counts: Counts; table: string | null; onReload: () => void }) {
  const [cursor, setCursor] = useState(-1);
  const [open, setOpen] = useState<Change | null>(null);
  const loaded = diff.changes.length;
  const lines = useMemo(() => linesOf(diff.changes, table), [diff.changes, loaded, table]);
  const optionOf = (index: number, id: string) => ({
    id,
    role: 'option' as const,
    'aria-selected': index === cursor,
    'aria-posinset': index + 1,
    'aria-setsize': lines.length,
  });
  const render = (index: number, id: string) => {
    const change = diff.changes[lines.of[index]!]!;
    const column = lines.column[index]!;
    const kind = kindOf(change);
    const chosen = index === cursor ? ' chosen' : '';
    const pick = (): void => {
      setCursor(index);
      setOpen(change);
    };
    if (column < 0) {
      const { table: name, id: key } = keyParts(change.key);
      const row = change.after ?? change.before ?? {};
      return (
        <div key={index} {...optionOf(index, id)} class={`line head ${kind}${chosen}`} onClick={pick}>
          <span class="sign" title={WORD[kind]} aria-label={WORD[kind]}>
            {SIGN[kind]}
          </span>
          <span class="key">
            <span class="table">
              <Text text={name} most={80} />
            </span>
            <b>
              <Text text={key} most={120} />
            </b>
          </span>
          {kind === 'upd' ? null : <Compact row={row} />}
        </div>
      );
    }
    const name = change.columns[column]!;
    return (
      <div key={index} {...optionOf(index, id)} class={`line cell${chosen}`} onClick={pick}>
        <span class="column">
          <Text text={name} most={80} />
        </span>
        <span class="was">
          <Value value={change.before?.[name]} most={160} />
        </span>
        <span class="arrow" aria-label="becomes">
          →
        </span>
        <span class="is">
          <Value value={change.after?.[name]} most={160} />
        </span>
      </div>
    );
  };
  const total = table === null ? counts.total : (counts.tables[table] ?? 0);
  return (
    <section class="diff">
      <div class="diff-bar" role="status">
        {several(total, 'row')}
        {table === null ? '' : ` of ${visible(table)}`}
        {diff.done ? null : <span class="quiet"> · {loaded.toLocaleString('en-US')} loaded</span>}
        {diff.done && loaded < counts.total ? <span class="quiet"> · the first {loaded.toLocaleString('en-US')} are listed</span> : null}
      </div>
      {diff.error === null ? null : <Failure error={diff.error} again={onReload} />}
      <Virtual
        class="diff-list"
        role="listbox"
        count={lines.length}
        line={LINE}
        cursor={cursor}
        onCursor={setCursor}
        onOpen={(index) => setOpen(diff.changes[lines.of[index]!]!)}
        label={`Changed rows${table === null ? '' : ` of ${visible(table)}`}; arrow keys move, Enter shows a row`}
        render={render}
      />
      {open === null ? null : <ChangeDialog change={open} onClose={() => setOpen(null)} />}
    </section>
  );
}

function Compact({ row }: { row: Row }) {
  return (
    <span class="compact">
      {Object.entries(row)
        .slice(0, 12)
        .map(([name, value]) => (
          <span>
            <i>
              <Text text={name} most={60} />
            </i>
            <Value value={value} most={80} />
          </span>
        ))}
    </span>
  );
}

function ChangeDialog({ change, onClose }: { change: Change; onClose: () => void }) {
  const { table, id } = keyParts(change.key);
  const names = [...new Set([...Object.keys(change.before ?? {}), ...Object.keys(change.after ?? {})])];
  return (
    <Dialog title={`${WORD[kindOf(change)]}: ${table} / ${id.slice(0, 80)}`} onClose={onClose}>
      <div class="scroll">
        <table class="sides">
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {names.map((name) => (
              <tr class={same(change.before?.[name], change.after?.[name]) ? '' : 'changed'}>
                <th scope="row">
                  <Text text={name} />
                </th>
                <td>{change.before === null ? null : <Whole value={change.before[name]} />}</td>
                <td>{change.after === null ? null : <Whole value={change.after[name]} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Dialog>
  );
}

const WHOLE_MAX = 20_000;

/** A long value in full, as far as a page bears it; the rest can be copied. */
export function Whole({ value }: { value: unknown }) {
  const text = textOf(value);
  if (text.length <= WHOLE_MAX) return <Value value={value} most={WHOLE_MAX} />;
  return (
    <>
      <Value value={value} most={WHOLE_MAX} />
      <CopyButton small text={() => text}>
        Copy all
      </CopyButton>
    </>
  );
}

/** Tables of a diff, those that lose most first, with marks of what was viewed. */
export function TableList({
  counts,
  chosen,
  onChoose,
  seenKey,
}: {
  counts: Counts;
  chosen: string | null;
  onChoose: (table: string | null) => void;
  seenKey: string;
}) {
  const [seen, setSeen] = useState<ReadonlySet<string>>(() => readSeen(seenKey));
  const key = useRef(seenKey);
  if (key.current !== seenKey) {
    key.current = seenKey;
    setSeen(readSeen(seenKey));
  }
  const mark = (table: string, isSeen: boolean): void => {
    const next = new Set(seen);
    if (isSeen) next.add(table);
    else next.delete(table);
    setSeen(next);
    sessionStorage.setItem(seenKey, JSON.stringify([...next]));
  };
  return (
    <nav class="tables" aria-label="Changed tables">
      <button type="button" class="plain row" aria-pressed={chosen === null} onClick={() => onChoose(null)}>
        <span>All tables</span>
        <span class="quiet">{counts.total.toLocaleString('en-US')}</span>
      </button>
      {counts.summary.map((each) => (
        <div class="table-row">
          <input
            type="checkbox"
            aria-label={`viewed ${visible(each.table)}`}
            title="Viewed"
            checked={seen.has(each.table)}
            onChange={(event) => mark(each.table, (event.currentTarget as HTMLInputElement).checked)}
          />
          <button
            type="button"
            class={`plain row ${seen.has(each.table) ? 'seen' : ''}`}
            aria-pressed={chosen === each.table}
            onClick={() => onChoose(each.table)}
          >
            <span>
              <Text text={each.table} most={60} />
            </span>
            <Tally {...each} />
          </button>
        </div>
      ))}
    </nav>
  );
}

function readSeen(key: string): Set<string> {
  try {
    return new Set(JSON.parse(sessionStorage.getItem(key) ?? '[]') as string[]);
  } catch {
    return new Set();
  }
}
