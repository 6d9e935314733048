/** The time axis: which moment the page shows. It reaches as far back as the history that is kept. */
import { useEffect, useState } from 'preact/hooks';
import { op } from './api.ts';
import { clock } from './parts/text.ts';
import { moment, visitor } from './state.ts';

function shown(when: string): string {
  return when.startsWith('#') ? when : clock(when);
}

const STEPS = 1000;
/** Where the history cannot be asked, of which a role without superuser knows nothing. */
const USUAL_MS = 3_600_000;

export function MomentBar() {
  const [since, setSince] = useState(Date.now() - USUAL_MS);
  const [typed, setTyped] = useState('');
  const [refused, setRefused] = useState('');
  useEffect(() => {
    if (visitor.value?.superuser !== true) return;
    void op<{ since: string | null; events: { at: string }[] }>('history', { branch: 'main', limit: 1 }, { background: true }).then(
      async ({ since: begin }) => {
        if (begin !== null) setSince(Date.parse(begin));
        else {
          const { created } = await op<{ created: string }>('world', { branch: 'main' }, { background: true });
          setSince(Date.parse(created));
        }
      },
      () => {},
    );
  }, []);
  const now = Date.now();
  const span = Math.max(1000, now - since);
  const place = moment.value === '' ? STEPS : Math.max(0, Math.min(STEPS, Math.round(((Date.parse(moment.value) - since) / span) * STEPS)));
  const set = (to: string): void => {
    moment.value = to;
    setTyped('');
    setRefused('');
  };
  /** `-10m` is written out, so that the moment stays the same while one looks at it. */
  const take = (text: string): void => {
    const found = /^-?(\d+)\s*(s|m|h|d|w)$/.exec(text.trim());
    const unit = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
    if (found !== null) set(new Date(Date.now() - Number(found[1]) * unit[found[2] as 's']).toISOString());
    else if (/^#\d+$/.test(text.trim())) set(text.trim());
    else if (!/^\d{4}-\d\d-\d\d/.test(text.trim()) || Number.isNaN(Date.parse(text))) setRefused('That is no moment: write -10m, 2026-01-31T12:00Z or #42.');
    else if (Date.parse(text) > Date.now()) setRefused('That moment lies ahead.');
    else set(text.trim());
  };
  return (
    <div class={`moment ${moment.value === '' ? '' : 'on'}`} role="group" aria-label="Moment">
      <span class="moment-when">{moment.value === '' ? 'Now' : shown(moment.value)}</span>
      <input
        type="range"
        min={0}
        max={STEPS}
        value={Number.isNaN(place) ? STEPS : place}
        aria-label="Moment that is shown"
        aria-valuetext={moment.value === '' ? 'now' : shown(moment.value)}
        onChange={(event) => {
          const at = Number((event.currentTarget as HTMLInputElement).value);
          set(at >= STEPS ? '' : new Date(since + (span * at) / STEPS).toISOString());
        }}
      />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          take(typed);
        }}
      >
        <input
          value={typed}
          aria-label="Moment: a time, a time ago, or an event"
          placeholder="-10m, 2026-01-31T12:00Z, #42"
          aria-invalid={refused !== ''}
          onInput={(event) => (setRefused(''), setTyped((event.currentTarget as HTMLInputElement).value))}
        />
      </form>
      {refused === '' ? null : (
        <span class="refused" role="alert">
          {refused}
        </span>
      )}
      {moment.value === '' ? null : (
        <button type="button" onClick={() => set('')}>
          Back to now
        </button>
      )}
    </div>
  );
}
