/** What stands around every page: navigation, the moment, the visitor, short messages, and the keys that work everywhere. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ComponentType, RefObject } from 'preact';
import { api, CallError } from './api.ts';
import { AgentPage, AgentsPage } from './pages/agents.tsx';
import { HistoryPage } from './pages/history.tsx';
import { MergePage } from './pages/merge.tsx';
import { ReviewPage, ReviewsPage } from './pages/reviews.tsx';
import { Mark } from './pages/sign-in.tsx';
import { SimulationsPage } from './pages/simulations.tsx';
import { SqlPage } from './pages/sql.tsx';
import { StatusPage } from './pages/status.tsx';
import { TablePage, TablesPage } from './pages/tables.tsx';
import { WorldPage } from './pages/world.tsx';
import { WorldsPage } from './pages/worlds.tsx';
import { MomentBar } from './moment-bar.tsx';
import { visible } from './parts/text.ts';
import { Text } from './parts/value.tsx';
import { Dialog, Empty } from './parts/ui.tsx';
import { go, isPast, isRejected, notice, route, say, setTheme, theme, visitor, waiting } from './state.ts';

interface Place {
  readonly page: string;
  readonly title: string;
  readonly key: string;
  /** For every role that signs in. */
  readonly free?: true;
}

const PLACES: readonly Place[] = [
  { page: 'reviews', title: 'Reviews', key: 'r' },
  { page: 'worlds', title: 'Worlds', key: 'w', free: true },
  { page: 'tables', title: 'Tables', key: 't', free: true },
  { page: 'sql', title: 'SQL', key: 'q', free: true },
  { page: 'history', title: 'History', key: 'h' },
  { page: 'agents', title: 'Agents', key: 'a' },
  { page: 'simulations', title: 'Simulations', key: 's' },
  { page: 'status', title: 'Status', key: 'i', free: true },
];

const PAGES: Record<string, ComponentType> = {
  reviews: ReviewsPage,
  review: ReviewPage,
  worlds: WorldsPage,
  world: WorldPage,
  merge: MergePage,
  tables: TablesPage,
  table: TablePage,
  sql: SqlPage,
  history: HistoryPage,
  agents: AgentsPage,
  agent: AgentPage,
  simulations: SimulationsPage,
  status: StatusPage,
};

/** Pages below one of the navigation. */
const WITHIN: Record<string, string> = { review: 'reviews', world: 'worlds', merge: 'worlds', table: 'tables', agent: 'agents' };

export function Frame() {
  const { page } = route.value;
  const { superuser } = visitor.value!;
  const first = superuser ? 'reviews' : 'worlds';
  const name = page === '' ? first : page;
  const undecided = (waiting.value ?? []).filter((review) => !isRejected(review)).length;
  const within = WITHIN[name] ?? name;
  const place = PLACES.find((each) => each.page === within);
  const Shown = PAGES[name];
  const main = useRef<HTMLElement>(null);
  const [help, setHelp] = useState(false);
  useEffect(() => {
    document.title = visible(`${[...route.value.args, place?.title ?? 'svc'].join(' · ')} — svc studio`);
    scrollTo(0, 0);
    // In a narrow window the pages are a row that is scrolled.
    document.querySelector('.places [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [route.value]);
  useFocusOfPage(main, `${name}/${route.value.args.join('/')}`);
  useKeys(() => setHelp(true));
  return (
    <div class="frame">
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the page
      </a>
      <aside class="side">
        <a class="brand" href="#/" aria-label="svc studio, first page">
          <Mark /> <span>svc studio</span>
        </a>
        <nav aria-label="Pages" class="places">
          {PLACES.filter(({ free }) => superuser || free === true).map((each) => (
            <a href={`#/${each.page}`} aria-current={each.page === within ? 'page' : undefined} title={`g ${each.key}`}>
              {each.title}
              {each.page === 'reviews' && undecided > 0 ? (
                <span class="count" aria-label={`${undecided} wait`}>
                  {undecided}
                </span>
              ) : null}
            </a>
          ))}
        </nav>
        <Foot onHelp={() => setHelp(true)} />
      </aside>
      <div class="body">
        <MomentBar />
        <main id="main" ref={main} tabIndex={-1} class={isPast.value ? 'past' : ''}>
          {Shown === undefined ? (
            <Empty title="There is no such page">
              <p>
                <a href="#/">Go to the first page</a>
              </p>
            </Empty>
          ) : superuser || (place?.free === true && name !== 'merge') ? (
            <Shown key={`${name}/${route.value.args.join('/')}`} />
          ) : (
            <Empty title={`${name === 'merge' ? 'Merging' : (place?.title ?? 'This page')} needs a superuser role`}>
              <p>You are signed in as {visitor.value!.role}, whose privileges hold on the pages Worlds, Tables, SQL and Status.</p>
            </Empty>
          )}
        </main>
      </div>
      <div class="notices" role="status" aria-live="polite">
        {notice.value === null ? null : (
          <p class={notice.value.kind}>
            <Text text={notice.value.text} most={600} />
          </p>
        )}
      </div>
      {help ? <Help onClose={() => setHelp(false)} /> : null}
    </div>
  );
}

function Foot({ onHelp }: { onHelp: () => void }) {
  const who = visitor.value!;
  const signOut = async (): Promise<void> => {
    try {
      await api('sign-out');
    } catch (error) {
      // A session that is over already is what was wanted.
      if (!(error instanceof CallError) || error.status !== 401) {
        say(`You are still signed in: ${error instanceof Error ? error.message : String(error)}`, 'bad');
        return;
      }
    }
    sessionStorage.clear();
    location.reload();
  };
  return (
    <div class="foot">
      <div class="who" title="Everything here is done as">
        {who.kind === 'key' ? 'database’s own user' : who.role}
        {who.kind === 'role' ? (
          <button type="button" class="plain small" onClick={() => void signOut()}>
            Sign out
          </button>
        ) : null}
      </div>
      <div class="foot-row">
        <label>
          <span class="sr">Theme</span>
          <select value={theme.value} onChange={(event) => setTheme((event.currentTarget as HTMLSelectElement).value)}>
            <option value="auto">System</option>
            <option value="light">Light</option>
            <option value="dark">Dark</option>
          </select>
        </label>
        <button type="button" class="plain" onClick={onHelp} aria-label="Keys" title="Keys (?)">
          ?
        </button>
        <span class="quiet release">{who.release}</span>
      </div>
    </div>
  );
}

/** Another page takes the focus, so that keys and screen readers go on within it, unless one of its fields has it. */
function useFocusOfPage(main: RefObject<HTMLElement | null>, page: string): void {
  const before = useRef(page);
  useEffect(() => {
    if (before.current === page) return;
    before.current = page;
    const within = main.current;
    if (within !== null && !within.contains(document.activeElement)) within.focus({ preventScroll: true });
  }, [page]);
}

/** `g` and a letter opens a page, `?` lists the keys, `/` goes to the first field. */
function useKeys(help: () => void): void {
  useEffect(() => {
    let afterG = 0;
    const onKey = (event: KeyboardEvent): void => {
      const { target, key } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]') !== null) return;
      const isText =
        target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.shadowRoot !== null);
      if (isText) return;
      if (key === '?') help();
      else if (key === '/') {
        const field = document.querySelector<HTMLElement>('main input:not([type=checkbox]):not([type=range]), main textarea');
        if (field === null) return;
        field.focus();
      } else if (Date.now() - afterG < 1500) {
        const place = PLACES.find((each) => each.key === key);
        afterG = 0;
        if (place === undefined) return;
        go(`#/${place.page}`);
        document.getElementById('main')?.focus();
      } else if (key === 'g') {
        afterG = Date.now();
        return;
      } else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl class="keys">
        {PLACES.map(({ key, title }) => (
          <div>
            <dt>
              <kbd>g</kbd> <kbd>{key}</kbd>
            </dt>
            <dd>{title}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>/</kbd>
          </dt>
          <dd>the first field of the page</dd>
        </div>
        <div>
          <dt>
            <kbd>↑</kbd> <kbd>↓</kbd> <kbd>j</kbd> <kbd>k</kbd>
          </dt>
          <dd>move in a list</dd>
        </div>
        <div>
          <dt>
            <kbd>Enter</kbd>
          </dt>
          <dd>open the row</dd>
        </div>
        <div>
          <dt>
            <kbd>Ctrl</kbd> <kbd>Enter</kbd>
          </dt>
          <dd>run the SQL</dd>
        </div>
        <div>
          <dt>
            <kbd>Esc</kbd>
          </dt>
          <dd>close</dd>
        </div>
      </dl>
    </Dialog>
  );
}
