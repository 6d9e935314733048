/** The tables of a world with their exact counts, and the rows of one as a grid. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { op } from '../api.ts';
import { type Named, type Opened, openTable, selected, type Table, tableHref, tableNamed, tablesOf } from '../catalog.ts';
import { Empty, Failure, Input, Loading, Page, useLoad } from '../parts/ui.tsx';
import { quoted, quotedTable, several, textOf, visible } from '../parts/text.ts';
import { Name, Text, Value } from '../parts/value.tsx';
import { type Filter, FilterForm, HOW, SearchForm } from '../parts/row-filter.tsx';
import { gridOf, Virtual } from '../parts/virtual.tsx';
import { WorldPicker } from '../parts/world-picker.tsx';
import { RowDialog } from '../parts/row-dialog.tsx';
import type { Row, SqlReply } from '../shapes.ts';
import { at, go, href, route, visitor } from '../state.ts';

const COUNTED_AT_ONCE = 20;
/** Types that stand at the right, digit under digit. */
const OF_DIGITS = /^(smallint|integer|bigint|numeric|real|double precision|money|oid)/;

export function TablesPage() {
  const world = route.value.args[0] ?? 'main';
  const branch = at(world);
  const tables = useLoad((signal) => tablesOf(branch, signal), [branch]);
  const [filter, setFilter] = useState('');
  const counts = useCounts(branch, tables.value);
  const list = (tables.value ?? []).filter(({ full }) => full.toLowerCase().includes(filter.toLowerCase()));
  return (
    <Page
      title="Tables"
      lead="Counts are exact: the tree of each table keeps them."
      actions={<WorldPicker world={world} onPick={(name) => go(href('tables', name))} />}
    >
      <div class="toolbar">
        <Input value={filter} onText={setFilter} placeholder="Filter by name" aria-label="Filter tables by name" />
        <span class="quiet" role="status">
          {tables.value === null ? '' : several(list.length, 'table')}
        </span>
      </div>
      <Loading of={tables}>
        {list.length === 0 ? (
          <Empty title={filter === '' ? 'This world has no tables' : 'No table has such a name'}>
            <p>
              <a href={href('sql', world)}>Make one with SQL</a>
            </p>
          </Empty>
        ) : (
          <table class="list">
            <thead>
              <tr>
                <th scope="col">Table</th>
                <th scope="col" class="right">
                  Rows
                </th>
                <th scope="col">Kind</th>
              </tr>
            </thead>
            <tbody>
              {list.map((table) => (
                <tr>
                  <th scope="row">
                    {table.mayRead ? (
                      <a href={tableHref(world, table)}>
                        <Name name={table.full} />
                      </a>
                    ) : (
                      <Name name={table.full} />
                    )}
                  </th>
                  <td class="right num">{table.mayRead ? <Value value={counts.get(table.full) ?? ''} /> : <span class="quiet">no privilege</span>}</td>
                  <td class="quiet">{table.kind}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Loading>
    </Page>
  );
}

function useCounts(branch: string, tables: readonly Table[] | null): ReadonlyMap<string, unknown> {
  const [counts, setCounts] = useState<ReadonlyMap<string, unknown>>(new Map());
  useEffect(() => {
    if (tables === null) return undefined;
    const abort = new AbortController();
    const found = new Map<string, unknown>();
    const wanted = tables.filter(({ kind, mayRead }) => mayRead && kind === 'table');
    const load = async (): Promise<void> => {
      for (let i = 0; i < wanted.length; i += COUNTED_AT_ONCE) {
        const part = wanted.slice(i, i + COUNTED_AT_ONCE);
        const sql = `SELECT ${part.map(({ schema, name }, n) => `(SELECT count(*) FROM ${quotedTable(schema, name)}) AS c${n}`).join(', ')}`;
        const { results } = await op<SqlReply>('sql', { branch, sql }, { signal: abort.signal });
        part.forEach(({ full }, n) => found.set(full, results[0]!.rows[0]![`c${n}`]));
        setCounts(new Map(found));
      }
    };
    load().catch(() => {});
    return () => abort.abort();
  }, [branch, tables]);
  return counts;
}

const LINE = 30;
/** Of the column with the numbers of the rows. */
const NUMBERS_PX = 64;
const PAGE = 200;
const PAGES_KEPT = 40;

export function TablePage() {
  const [world = 'main', full = '', schema] = route.value.args;
  const branch = at(world);
  const named = tableNamed(full, schema);
  const opened = useLoad((signal) => openTable(branch, named, PAGE, signal), [branch, full, schema]);
  return (
    <Page
      wide
      title={<Name name={full} />}
      lead={
        <>
          in <a href={href('world', world)}>{world}</a> · <a href={href('tables', world)}>all tables</a>
        </>
      }
      actions={<WorldPicker world={world} onPick={(name) => go(href('table', name, full, ...(schema === undefined ? [] : [schema])))} />}
    >
      <Loading of={opened}>
        {opened.value === null ? null : (
          <Grid key={branch} world={world} branch={branch} full={full} named={named} opened={opened.value} reload={opened.reload} />
        )}
      </Loading>
    </Page>
  );
}

interface GridProps {
  world: string;
  branch: string;
  full: string;
  named: Named;
  opened: Opened;
  reload: () => void;
}

function Grid({ world, branch, full, named, opened, reload }: GridProps) {
  const columns = opened.columns.filter(({ mayRead }) => mayRead);
  const keys = columns.filter(({ isKey }) => isKey).map((column) => column.name);
  const [sort, setSort] = useState<{ column: string; down: boolean } | null>(null);
  const [filter, setFilter] = useState<Filter | null>(null);
  const [words, setWords] = useState('');
  const [open, setOpen] = useState<Row | null>(null);
  const [cursor, setCursor] = useState(-1);
  const where = filter === null ? '' : ` WHERE ${HOW[filter.how]!(quoted(filter.column))}`;
  const params = filter === null ? [] : [filter.value];
  const byKey = keys.map(quoted).join(', ');
  const order =
    sort === null
      ? byKey === '' || opened.inKeyOrder
        ? ''
        : ` ORDER BY ${byKey}`
      : ` ORDER BY ${quoted(sort.column)}${sort.down ? ' DESC' : ''}${byKey === '' ? '' : `, ${byKey}`}`;
  const from = `FROM ${quotedTable(named.schema, named.name)}${where}`;
  const list = selected(opened.columns);
  /** As the table was opened: its rows are in the first paint of the grid. */
  const isPlain = params.length === 0 && sort === null;
  const plain = useMemo(() => ({ n: opened.count, first: opened.first }), [opened]);
  const asked = useLoad<{ n: unknown; first: readonly Row[] } | null>(
    async (signal) => {
      if (isPlain) return null;
      if (params.length === 0) {
        // One call, one moment: the count belongs to the rows.
        const { results } = await op<SqlReply>(
          'sql',
          { branch, sql: `SELECT count(*) AS n ${from}; SELECT ${list} ${from}${order} LIMIT ${PAGE}` },
          { signal },
        );
        return { n: results[0]!.rows[0]!['n'], first: results[1]!.rows };
      }
      const [counted, page] = await Promise.all([
        op<SqlReply>('sql', { branch, sql: `SELECT count(*) AS n ${from}`, params }, { signal }),
        op<SqlReply>('sql', { branch, sql: `SELECT ${list} ${from}${order} LIMIT ${PAGE}`, params }, { signal }),
      ]);
      return { n: counted.results[0]!.rows[0]!['n'], first: page.results[0]!.rows };
    },
    [opened, where, order, params.join()],
  );
  const total = { ...asked, value: isPlain ? plain : asked.value };
  const found = useLoad<{ total: number; hits: { id: string; row: Row }[] } | null>(
    async (signal) => {
      if (words === '') return null;
      const reply = await op<{ total: number; hits: { id: string; row: Row }[] }>('find', { branch, table: full, text: words, limit: 200 }, { signal });
      // The key of a table of documents is not among the fields of its rows.
      return { total: reply.total, hits: reply.hits.map(({ id, row }) => ({ id, row: 'id' in row ? row : { id, ...row } })) };
    },
    [branch, full, words],
  );
  const rows = usePages(total.value, (offset, signal) =>
    op<SqlReply>('sql', { branch, sql: `SELECT ${list} ${from}${order} LIMIT ${PAGE} OFFSET ${offset}`, params }, { signal }),
  );
  const count = words === '' ? Number(total.value?.n ?? 0) : (found.value?.hits.length ?? 0);
  const rowAt = (index: number): Row | undefined => (words === '' ? rows.at(index) : found.value?.hits[index]?.row);
  const { grid, wide } = gridOf(
    columns.map(({ type }) => type),
    NUMBERS_PX,
  );
  const open_ = (index: number): void => {
    const row = rowAt(index);
    if (row !== undefined) setOpen(row);
  };
  return (
    <>
      <div class="toolbar">
        <FilterForm columns={columns} filter={filter} onFilter={setFilter} />
        {visitor.value!.superuser ? <SearchForm onSearch={setWords} /> : null}
        <span class="quiet" role="status" data-total>
          {words === '' ? (
            total.value === null ? (
              ''
            ) : (
              <>
                <Value value={formatted(total.value.n)} /> {textOf(total.value.n) === '1' ? 'row' : 'rows'}
              </>
            )
          ) : found.value === null ? (
            ''
          ) : (
            `${found.value.total.toLocaleString('en-US')} found${found.value.total > found.value.hits.length ? `, the best ${found.value.hits.length} are listed` : ''}`
          )}
        </span>
      </div>
      {total.error === null ? null : <Failure error={total.error} again={reload} />}
      {found.error === null ? null : <Failure error={found.error} />}
      {rows.error === null ? null : <Failure error={rows.error} again={reload} />}
      <Virtual
        class="grid"
        role="grid"
        columns={columns.length}
        wide={wide}
        count={count}
        line={LINE}
        cursor={cursor}
        onCursor={setCursor}
        onOpen={open_}
        onRange={rows.want}
        label={`Rows of ${visible(full)}; arrow keys move, Enter opens a row`}
        head={
          <div role="row" aria-rowindex={1} class="grid-line grid-head" style={{ gridTemplateColumns: grid, minWidth: `${wide}px` }}>
            <span role="columnheader" class="grid-number">
              <span class="sr">Number</span>
            </span>
            {columns.map(({ name: column, type, isKey }) => (
              <span
                role="columnheader"
                class={OF_DIGITS.test(type) ? 'digits' : ''}
                aria-sort={sort?.column === column ? (sort.down ? 'descending' : 'ascending') : 'none'}
              >
                <button
                  type="button"
                  class="plain"
                  title={type}
                  onClick={() => setSort(sort?.column !== column ? { column, down: false } : sort.down ? null : { column, down: true })}
                >
                  {isKey ? <span class="key-mark">key</span> : null}
                  <Text text={column} most={60} />
                  {sort?.column === column ? <span aria-hidden="true">{sort.down ? ' ↓' : ' ↑'}</span> : null}
                </button>
              </span>
            ))}
          </div>
        }
        render={(index, id) => {
          const row = rowAt(index);
          return (
            <div
              key={index}
              id={id}
              role="row"
              aria-selected={index === cursor}
              aria-rowindex={index + 2}
              class={`grid-line ${index === cursor ? 'chosen' : ''}`}
              style={{ gridTemplateColumns: grid }}
              onClick={() => (setCursor(index), open_(index))}
            >
              <span role="rowheader" class="grid-number">
                {index + 1}
              </span>
              {columns.map(({ name: column, type }) => (
                <span role="gridcell" class={OF_DIGITS.test(type) ? 'digits' : ''}>
                  {row === undefined ? <i class="wait" /> : <Value value={row[column]} most={120} />}
                </span>
              ))}
            </div>
          );
        }}
      />
      {count === 0 && total.value !== null ? <p class="quiet">No rows{filter === null ? '' : ' match'}.</p> : null}
      {open === null ? null : (
        <RowDialog world={world} full={full} named={named} kind={opened.kind} columns={columns} row={open} onClose={() => setOpen(null)} onChanged={reload} />
      )}
    </>
  );
}

/** Digits in groups, of a count that may be beyond a double. */
function formatted(n: unknown): string {
  return textOf(n).replace(/\B(?=(\d{3})+$)/g, ',');
}

interface Pages {
  at(index: number): Row | undefined;
  want(from: number, to: number): void;
  readonly error: unknown;
}

/** Pages of the list that are in sight, and the latest ones that were. */
function usePages(start: { first: readonly Row[] } | null, load: (offset: number, signal: AbortSignal) => Promise<SqlReply>): Pages {
  const pages = useRef(new Map<number, readonly Row[]>());
  const of = useRef<unknown>(null);
  const abort = useRef(new AbortController());
  const loading = useRef(new Set<number>());
  const [, shown] = useState(0);
  const [failed, setFailed] = useState<{ of: unknown; error: unknown } | null>(null);
  if (of.current !== start) {
    of.current = start;
    abort.current.abort();
    abort.current = new AbortController();
    pages.current = new Map(start === null ? [] : [[0, start.first]]);
    loading.current = new Set();
  }
  return {
    error: failed !== null && failed.of === start ? failed.error : null,
    at: (index) => pages.current.get(Math.floor(index / PAGE))?.[index % PAGE],
    want(first, last) {
      if (start === null) return;
      for (let page = Math.floor(first / PAGE); page <= Math.floor(Math.max(first, last - 1) / PAGE); page++) {
        if (pages.current.has(page) || loading.current.has(page)) continue;
        loading.current.add(page);
        const mine = of.current;
        load(page * PAGE, abort.current.signal).then(
          ({ results }) => {
            if (of.current !== mine) return;
            loading.current.delete(page);
            pages.current.set(page, results[0]!.rows);
            for (const old of pages.current.keys()) {
              if (pages.current.size <= PAGES_KEPT) break;
              if (old !== page) pages.current.delete(old);
            }
            shown((n) => n + 1);
          },
          (error: unknown) => {
            if (of.current !== mine) return;
            loading.current.delete(page);
            setFailed({ of: mine, error });
          },
        );
      }
    },
  };
}
