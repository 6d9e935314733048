/** What all pages share: who is here, which page is open, as of when, and how it looks. */
import { signal, computed } from '@preact/signals';
import { op } from './api.ts';
import type { Review } from './shapes.ts';

export interface Visitor {
  kind: 'key' | 'role';
  role: string | null;
  superuser: boolean;
  release: string;
}

export interface Door {
  login: boolean;
  message: string;
  /** The server did not answer: to be tried again. */
  unreachable?: true;
}

/** null: nobody yet; `door`: what the sign-in page says. */
export const visitor = signal<Visitor | null>(null);
export const door = signal<Door | null>(null);

// --- the page: `#/world/draft?tab=sql`

export interface Route {
  readonly page: string;
  readonly args: readonly string[];
  readonly query: URLSearchParams;
}

function routeNow(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?', 2);
  const [page = '', ...args] = path.split('/').map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  return { page, args, query: new URLSearchParams(query) };
}

export const route = signal<Route>({ page: '', args: [], query: new URLSearchParams() });

/** Reads the address: once the key is out of it, and whenever it changes. */
export function readRoute(): void {
  route.value = routeNow();
}

export function href(page: string, ...args: string[]): string {
  return `#/${[page, ...args].map(encodeURIComponent).join('/')}`;
}

export function go(to: string): void {
  location.hash = to.slice(1);
}

// --- the moment: '' is now

export const moment = signal('');
export const isPast = computed(() => moment.value !== '');

/** The moment at hand, as operations about the whole folder take it. */
export function asOf(): { at?: string } {
  return moment.value === '' ? {} : { at: moment.value };
}

/** A world as of the moment at hand. */
export function at(world: string): string {
  return moment.value === '' ? world : `${world}@${moment.value}`;
}

// --- held merges, for the mark in the navigation

export const waiting = signal<Review[] | null>(null);

/** A rejection ends the wait until the world changes. */
export function isRejected({ verdict, changed_since }: Review): boolean {
  return verdict === 'reject' && !changed_since;
}

export async function lookForReviews(background: boolean): Promise<void> {
  if (visitor.value?.superuser !== true) return;
  try {
    waiting.value = (await op<{ reviews: Review[] }>('reviews', {}, { background })).reviews;
  } catch {
    // The page at hand says what is wrong.
  }
}

// --- theme

export const theme = signal(localStorage.getItem('svc-theme') ?? 'auto');

export function setTheme(next: string): void {
  theme.value = next;
  localStorage.setItem('svc-theme', next);
  if (next === 'auto') document.documentElement.removeAttribute('data-theme');
  else document.documentElement.setAttribute('data-theme', next);
}

// --- short messages, read out by screen readers

export const notice = signal<{ text: string; kind: 'good' | 'bad' } | null>(null);
let timer = 0;

export function say(text: string, kind: 'good' | 'bad' = 'good'): void {
  notice.value = { text, kind };
  clearTimeout(timer);
  timer = window.setTimeout(() => (notice.value = null), kind === 'good' ? 6000 : 15_000);
}
