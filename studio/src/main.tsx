/** Starts the console: takes the key out of the address, asks who is here, and shows the pages or the sign-in. */
import { render } from 'preact';
import { api, CallError, onSignedOut, takeKey } from './api.ts';
import { Frame } from './frame.tsx';
import { SignIn } from './pages/sign-in.tsx';
import { door, lookForReviews, readRoute, setTheme, theme, visitor, type Visitor } from './state.ts';

/** A quiet look for reviews, so that the mark in the navigation is true. */
const LOOK_MS = 20_000;

async function knock(message: string): Promise<void> {
  const { login } = await api<{ login: boolean }>('door');
  visitor.value = null;
  door.value = { login, message };
}

const WHO = 'svc-who';

export async function enter(): Promise<void> {
  try {
    const who = await api<Visitor>('who');
    if (isAnother(who)) return;
    visitor.value = who;
    door.value = null;
    void lookForReviews(false);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    if (error.status === 0 || error.status >= 500) door.value = { login: false, message: `${error.message}. ${error.hint}`, unreachable: true };
    else await knock(error.code === '28000' ? '' : error.message).catch(() => {});
  }
}

/** What one role wrote and saw in a tab is not for the next one: the page starts afresh. */
function isAnother({ role }: Visitor): boolean {
  const before = sessionStorage.getItem(WHO);
  if (role === null || before === role) return false;
  if (before !== null) sessionStorage.clear();
  sessionStorage.setItem(WHO, role);
  if (before !== null) location.reload();
  return before !== null;
}

onSignedOut.call = () => {
  const who = visitor.value;
  if (who === null) return;
  const message =
    who.kind === 'key'
      ? 'The server has started again, with another key: open the link that it printed last.'
      : 'Your session is over: it ends after 30 minutes without use, after 12 hours, with your role, and when the server starts again.';
  knock(message).catch(() => {});
};

function App() {
  if (visitor.value !== null) return <Frame />;
  if (door.value !== null) return <SignIn enter={enter} {...door.value} />;
  return <p class="starting">Starting…</p>;
}

takeKey();
readRoute();
addEventListener('hashchange', readRoute);
setTheme(theme.value);
const root = document.getElementById('app')!;
root.replaceChildren();
render(<App />, root);
void enter();
setInterval(() => {
  if (visitor.value !== null && !document.hidden) void lookForReviews(true);
}, LOOK_MS);
