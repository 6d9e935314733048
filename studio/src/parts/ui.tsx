/** Small pieces of the pages. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { CallError, op, type Control } from '../api.ts';
import { route, say } from '../state.ts';
import { ago, clock, several, visible } from './text.ts';
import { Text } from './value.tsx';

export function Ago({ time }: { time: string }) {
  return (
    <time dateTime={time} title={time}>
      {ago(time)}
    </time>
  );
}

export function When({ time }: { time: string }) {
  return (
    <time dateTime={time} title={time} class="when">
      {clock(time)}
    </time>
  );
}

export function Tag({ kind = '', children, title }: { kind?: string; children: ComponentChildren; title?: string }) {
  return (
    <span class={`tag ${kind}`} title={title}>
      {children}
    </span>
  );
}

export function Failure({ error, again }: { error: unknown; again?: () => void }) {
  const { message, hint, code, isStale } =
    error instanceof CallError ? error : { message: String((error as Error).message), hint: '', code: '', isStale: false };
  return (
    <div class={`note ${isStale ? 'warn' : 'bad'}`} role="alert">
      <p>
        <strong>{isStale ? 'Changed since you looked. ' : ''}</strong>
        <Text text={message} most={2000} />
        {code === '' ? null : <code class="code">{code}</code>}
      </p>
      {hint === '' ? null : (
        <p class="quiet">
          <Text text={hint} most={1000} />
        </p>
      )}
      {again === undefined ? null : (
        <button type="button" onClick={again}>
          Reload
        </button>
      )}
    </div>
  );
}

export interface Loaded<T> {
  readonly value: T | null;
  readonly error: unknown;
  readonly busy: boolean;
  reload(): void;
}

/** Loads when a dependency changes; what is replaced is stopped. `keep`: the value before stays in sight until the next one is there. */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, on: readonly unknown[], keep = false): Loaded<T> {
  const [state, setState] = useState<{ value: T | null; error: unknown; busy: boolean }>({ value: null, error: null, busy: true });
  const [turn, setTurn] = useState(0);
  const seen = useRef(0);
  // The call leaves before the page is painted: an effect would wait for a frame.
  useLayoutEffect(() => {
    const abort = new AbortController();
    setState((was) => {
      const value = keep || turn > seen.current ? was.value : null;
      return was.busy && was.error === null && was.value === value ? was : { value, error: null, busy: true };
    });
    seen.current = turn;
    load(abort.signal).then(
      (value) => abort.signal.aborted || setState({ value, error: null, busy: false }),
      (error: unknown) => abort.signal.aborted || setState({ value: null, error, busy: false }),
    );
    return () => abort.abort();
  }, [...on, turn]);
  return { ...state, reload: () => setTurn((n) => n + 1) };
}

export function Loading({ of, children }: { of: Loaded<unknown>; children: ComponentChildren }) {
  if (of.error !== null) return <Failure error={of.error} again={of.reload} />;
  if (of.value === null) return <Skeleton />;
  return <>{children}</>;
}

export function Skeleton() {
  return (
    <div class="skeleton" role="status" aria-label="Loading">
      <i />
      <i />
      <i />
    </div>
  );
}

export interface Task {
  readonly busy: boolean;
  readonly progress: { done: number; total: number } | null;
  readonly error: unknown;
  /** `isHere`: its person has not gone to another page meanwhile. */
  run<T>(name: string, input: object, after: (reply: T, isHere: boolean) => void): Promise<void>;
  stop(): void;
  clear(): void;
}

/** A call that a person started: one at a time, with progress, and it can be stopped. */
export function useTask(): Task {
  const [state, setState] = useState<Pick<Task, 'busy' | 'progress' | 'error'>>({ busy: false, progress: null, error: null });
  const running = useRef<AbortController | null>(null);
  const isHere = useRef(true);
  useEffect(() => () => void (isHere.current = false), []);
  return {
    ...state,
    async run<T>(name: string, input: object, after: (reply: T, isHere: boolean) => void) {
      if (running.current !== null) return;
      const abort = (running.current = new AbortController());
      setState({ busy: true, progress: null, error: null });
      const control: Control = { signal: abort.signal, onProgress: (done, total) => setState((was) => ({ ...was, progress: { done, total } })) };
      try {
        const reply = await op<T>(name, input, control);
        running.current = null;
        setState({ busy: false, progress: null, error: null });
        after(reply, isHere.current);
      } catch (error) {
        running.current = null;
        if (isHere.current) setState({ busy: false, progress: null, error });
        else say(error instanceof Error ? error.message : String(error), 'bad');
      }
    },
    stop: () => running.current?.abort(),
    clear: () => setState((was) => ({ ...was, error: null })),
  };
}

export function Working({ task, what }: { task: Task; what: string }) {
  if (!task.busy) return task.error === null ? null : <Failure error={task.error} />;
  const { progress } = task;
  return (
    <div class="working" role="status">
      <progress aria-label={what} {...(progress === null ? {} : { value: progress.done, max: Math.max(1, progress.total) })} />
      <span>
        {what}
        {progress === null ? '…' : ` ${Math.floor((100 * progress.done) / Math.max(1, progress.total))} %`}
      </span>
      <button type="button" onClick={task.stop}>
        Stop
      </button>
    </div>
  );
}

export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ComponentChildren }) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    box.current!.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={box} aria-label={visible(title)} onClose={onClose} onCancel={onClose}>
      <header>
        <h2>
          <Text text={title} />
        </h2>
        <button type="button" class="plain" aria-label="Close" onClick={onClose}>
          ✕
        </button>
      </header>
      {children}
    </dialog>
  );
}

/** Copies a text, and says whether it is copied: over plain HTTP from afar browsers let no page copy. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say('Copied');
  } catch {
    say('This browser lets the page copy nothing: select the text and copy it yourself', 'bad');
  }
}

export function CopyButton({ text, small = false, children }: { text: () => string; small?: boolean; children: ComponentChildren }) {
  return (
    <button type="button" class={small ? 'small' : ''} onClick={() => void copy(text())}>
      {children}
    </button>
  );
}

export function Field({ label, note, children }: { label: string; note?: ComponentChildren; children: ComponentChildren }) {
  return (
    <label class="field">
      <span>{label}</span>
      {children}
      {note === undefined ? null : <small>{note}</small>}
    </label>
  );
}

type InputProps = { value: string; onText: (text: string) => void; 'aria-label'?: string; 'aria-invalid'?: boolean; class?: string } & Partial<
  Record<'placeholder' | 'name' | 'type' | 'pattern' | 'inputMode' | 'autocomplete', string>
> & { required?: boolean; autofocus?: boolean; maxLength?: number };

export function Input({ value, onText, ...rest }: InputProps) {
  const attributes = { spellcheck: false, autocomplete: 'off', ...rest } as object;
  return <input {...attributes} value={value} onInput={(event) => onText((event.currentTarget as HTMLInputElement).value)} />;
}

export function Tabs({ tabs, label }: { tabs: readonly (readonly [id: string, title: string, mark?: string])[]; label: string }) {
  const { page, args, query } = route.value;
  const current = query.get('tab') ?? tabs[0]![0];
  const base = `#/${[page, ...args].map(encodeURIComponent).join('/')}`;
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(([id, title, mark]) => (
        <a href={id === tabs[0]![0] ? base : `${base}?tab=${id}`} aria-current={id === current ? 'page' : undefined}>
          {title}
          {mark === undefined ? null : <span class="mini">{mark}</span>}
        </a>
      ))}
    </nav>
  );
}

interface ChoicesProps {
  label: string;
  choices: readonly (readonly [id: string, title: string])[];
  chosen: string;
  onChoose: (id: string) => void;
}

/** Tabs without an address of their own: one stop of Tab, arrows choose. */
export function Choices({ label, choices, chosen, onChoose }: ChoicesProps) {
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const next = (choices.findIndex(([id]) => id === chosen) + by + choices.length) % choices.length;
    onChoose(choices[next]![0]);
    (event.currentTarget as HTMLElement).querySelectorAll('button')[next]?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {choices.map(([id, title]) => (
        <button type="button" role="tab" aria-selected={id === chosen} tabIndex={id === chosen ? 0 : -1} onClick={() => onChoose(id)}>
          {title}
        </button>
      ))}
    </div>
  );
}

/** Deletes, updates and inserts, in the order in which they hurt. */
export function Tally({ deleted, updated, inserted }: { deleted: number; updated: number; inserted: number }) {
  return (
    <span class="tally">
      {deleted > 0 ? (
        <span class="del" title={several(deleted, 'row') + ' deleted'}>
          −{deleted.toLocaleString('en-US')}
        </span>
      ) : null}
      {updated > 0 ? (
        <span class="upd" title={several(updated, 'row') + ' updated'}>
          ~{updated.toLocaleString('en-US')}
        </span>
      ) : null}
      {inserted > 0 ? (
        <span class="ins" title={several(inserted, 'row') + ' inserted'}>
          +{inserted.toLocaleString('en-US')}
        </span>
      ) : null}
      {deleted + updated + inserted === 0 ? <span class="quiet">no rows</span> : null}
    </span>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function Page({
  title,
  lead,
  actions,
  children,
  wide = false,
}: {
  title: ComponentChildren;
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
  wide?: boolean;
}) {
  return (
    <div class={`page ${wide ? 'wide' : ''}`}>
      <header class="page-head">
        <div>
          <h1>{title}</h1>
          {lead === undefined ? null : <div class="lead">{lead}</div>}
        </div>
        {actions === undefined ? null : <div class="actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
