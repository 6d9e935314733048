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

export async function enter(): Promise<void> {
  try {
    visitor.value = await api<Visitor>('who');
    door.value = null;
    void lookForReviews(false);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    if (error.status === 0 || error.status >= 500) door.value = { login: false, message: `${error.message}. ${error.hint}` };
    else await knock(error.code === '28000' ? '' : error.message).catch(() => {});
  }
}

onSignedOut.call = () => {
  if (visitor.value !== null) void knock('Your session is over: it ends after 30 minutes without use, after 12 hours, and with your role.');
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
