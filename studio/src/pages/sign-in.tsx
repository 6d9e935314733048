/** The door: a role and its password, or word that the link is wanted. */
import { useState } from 'preact/hooks';
import { api, CallError } from '../api.ts';
import { Failure, Field, Input } from '../parts/ui.tsx';
import type { Door } from '../state.ts';

export function SignIn({ login, message, unreachable, enter }: Door & { enter: () => Promise<void> }) {
  const [role, setRole] = useState('');
  const [password, setPassword] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await api('sign-in', { role, password });
      await enter();
    } catch (failed) {
      setError(failed);
      setPassword('');
    }
    setBusy(false);
  };
  return (
    <main class="door">
      <form onSubmit={(event) => void submit(event)} aria-label="Sign in">
        <p class="brand">
          <Mark /> svc studio
        </p>
        {unreachable === true ? (
          <>
            <h1>The server does not answer</h1>
            <p class="note warn">{message}</p>
            <button type="button" class="primary" onClick={() => void enter()}>
              Try again
            </button>
          </>
        ) : login ? (
          <>
            <h1>Sign in</h1>
            <p class="quiet">With a role of the database. It acts with that role’s rights.</p>
            {message === '' ? null : <p class="note warn">{message}</p>}
            {error === null ? null : <Failure error={error instanceof CallError ? error : new CallError(0, { message: String(error) })} />}
            <Field label="Role">
              <Input value={role} onText={setRole} name="username" autocomplete="username" required autofocus />
            </Field>
            <Field label="Password">
              <Input value={password} onText={setPassword} name="password" type="password" autocomplete="current-password" required />
            </Field>
            <button class="primary" type="submit" disabled={busy}>
              {busy ? 'Signing in…' : 'Sign in'}
            </button>
          </>
        ) : (
          <>
            <h1>Open the link</h1>
            <p>This console is for the holder of the link that the server printed when it started. It ends in a key.</p>
            {message === '' ? null : <p class="note warn">{message}</p>}
            <p class="quiet">Each start prints another one. A new tab needs the link, too.</p>
          </>
        )}
      </form>
    </main>
  );
}

export function Mark() {
  return (
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" class="logo-ground" />
      <path d="M10 7v18M10 17c0-6 12-3 12-9" class="logo-line" />
      <circle cx="10" cy="25" r="3" class="logo-main" />
      <circle cx="22" cy="8" r="3" class="logo-fork" />
    </svg>
  );
}
