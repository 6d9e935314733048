/** How the database is: what it says of itself, its settings, its rules, and whether its files are whole. */
import { useState } from 'preact/hooks';
import { op } from '../api.ts';
import { Empty, Field, Input, Loading, Page, Tabs, Tag, useLoad, useTask, When, Working } from '../parts/ui.tsx';
import { textOf } from '../parts/text.ts';
import { Name, Text, Value } from '../parts/value.tsx';
import { Outbox } from '../parts/outbox.tsx';
import type { Row, SqlReply } from '../shapes.ts';
import { asOf, isPast, moment, route, say, visitor } from '../state.ts';

export function StatusPage() {
  const tab = route.value.query.get('tab') ?? 'metrics';
  const { superuser, release } = visitor.value!;
  return (
    <Page title="Status" lead={`svc ${release}`}>
      {superuser ? (
        <Tabs
          label="Parts of the status"
          tabs={[
            ['metrics', 'Health'],
            ['settings', 'Settings'],
            ['policies', 'Merge policies'],
            ['checks', 'Checks and readers'],
            ['outbox', 'Outbox'],
            ['verify', 'Verify'],
          ]}
        />
      ) : null}
      {isPast.value && (tab === 'metrics' || tab === 'verify' || !superuser) ? (
        <OnlyNow what={tab === 'verify' && superuser ? 'The files are read as they are now' : 'Counters and sizes are of the running process'} />
      ) : tab === 'metrics' || !superuser ? (
        <Metrics />
      ) : tab === 'settings' ? (
        <Settings />
      ) : tab === 'policies' ? (
        <Policies />
      ) : tab === 'checks' ? (
        <Checks />
      ) : tab === 'outbox' ? (
        <Outbox />
      ) : (
        <Verify />
      )}
    </Page>
  );
}

/** Parts of the status that the log says nothing of. */
function OnlyNow({ what }: { what: string }) {
  return (
    <Empty title="This part is known of now alone">
      <p>{what}; the log does not keep what they were.</p>
      <button type="button" onClick={() => (moment.value = '')}>
        Back to now
      </button>
    </Empty>
  );
}

const BYTES = /bytes$/;
const OF_PROCESS = /^(svc_)?(process|nodejs)_/;

function Metrics() {
  const metrics = useLoad((signal) => op<SqlReply>('sql', { sql: 'SHOW METRICS' }, { signal }), []);
  const result = metrics.value?.results[0];
  const facts = (result?.rows ?? []).map((row) => {
    const [name, value] = result!.columns.map((column) => (row as Row)[column]);
    return { name: textOf(name), value };
  });
  // What the database counts comes before what its process does.
  facts.sort((a, b) => Number(OF_PROCESS.test(a.name)) - Number(OF_PROCESS.test(b.name)));
  const writable = facts.find(({ name }) => name.endsWith('writable'));
  return (
    <Loading of={metrics}>
      {writable === undefined ? null : textOf(writable.value) === '1' ? (
        <p class="note good">Reads and writes are answered.</p>
      ) : (
        <p class="note bad" role="alert">
          Writes are refused: the disk failed, or is full. Reads are answered.
        </p>
      )}
      <div class="toolbar">
        <button type="button" onClick={metrics.reload}>
          Reload
        </button>
      </div>
      <dl class="facts metrics">
        {facts.map(({ name, value }) => (
          <div>
            <dt>{name.replace(/^svc_/, '').replaceAll('_', ' ')}</dt>
            <dd>
              <Value value={value} /> {BYTES.test(name) ? <span class="quiet">({size(Number(textOf(value)))})</span> : null}
            </dd>
          </div>
        ))}
      </dl>
    </Loading>
  );
}

function size(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let n = bytes;
  let unit = 0;
  while (n >= 1024 && unit < units.length - 1) {
    n /= 1024;
    unit++;
  }
  return `${n < 10 && unit > 0 ? n.toFixed(1) : Math.round(n)} ${units[unit]}`;
}

function Settings() {
  const settings = useLoad(
    (signal) => op<{ settings: { name: string; value: string; description: string }[] }>('settings', asOf(), { signal }),
    [moment.value],
  );
  return (
    <Loading of={settings}>
      <ul class="cards narrow-cards">
        {(settings.value?.settings ?? []).map((each) => (
          <Setting key={`${each.name} ${moment.value}`} {...each} onDone={settings.reload} />
        ))}
      </ul>
    </Loading>
  );
}

function Setting({ name, value, description, onDone }: { name: string; value: string; description: string; onDone: () => void }) {
  const [text, setText] = useState(value);
  const task = useTask();
  if (isPast.value)
    return (
      <li class="card">
        <h3>{name}</h3>
        <p>{value}</p>
        <p class="quiet">{description}</p>
      </li>
    );
  return (
    <li class="card">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void task.run('set_setting', { name, value: text }, () => {
            say(`${name} is ${text}`);
            onDone();
          });
        }}
      >
        <Field label={name} note={description}>
          <Input value={text} onText={setText} />
        </Field>
        <Working task={task} what="Saving" />
        {text === value ? null : (
          <footer>
            <button type="button" onClick={() => setText(value)}>
              Undo
            </button>
            <button type="submit" class="primary" disabled={task.busy}>
              Save
            </button>
          </footer>
        )}
      </form>
    </li>
  );
}

interface Policy {
  name: string;
  created: string;
  [rule: string]: unknown;
}

/** Rules that are at their default say nothing. */
function isSilent(value: unknown): boolean {
  return value === null || value === false || (Array.isArray(value) && value.length === 0);
}

function Policies() {
  const policies = useLoad((signal) => op<{ policies: Policy[] }>('merge_policies', asOf(), { signal }), [moment.value]);
  return (
    <Loading of={policies}>
      {(policies.value?.policies.length ?? 0) === 0 ? (
        <p class="quiet">No policies: agents merge as their rights say. CREATE MERGE POLICY makes one.</p>
      ) : (
        <ul class="cards">
          {policies.value!.policies.map(({ name, created, ...rules }) => (
            <li class="card">
              <h3>
                <Name name={name} />
              </h3>
              <p class="quiet">
                A merge waits for a person, unless it keeps these · since <When time={created} />
              </p>
              <dl class="facts">
                {Object.entries(rules)
                  .filter(([, value]) => !isSilent(value))
                  .map(([rule, value]) => (
                    <div>
                      <dt>{rule.replaceAll('_', ' ')}</dt>
                      <dd>
                        <Text text={Array.isArray(value) ? value.join(', ') : textOf(value)} />
                      </dd>
                    </div>
                  ))}
              </dl>
            </li>
          ))}
        </ul>
      )}
    </Loading>
  );
}

function Checks() {
  const checks = useLoad(
    (signal) =>
      Promise.all([
        op<{ checks: { name: string; tables: string[]; timeout_ms: number; query: string }[] }>('merge_checks', asOf(), { signal }),
        op<{ readers: { name: string; table: string; columns: string[]; kind: string; critical: boolean; detail: string }[] }>('readers', asOf(), { signal }),
      ]),
    [moment.value],
  );
  return (
    <Loading of={checks}>
      <h2>Merge checks</h2>
      {checks.value?.[0].checks.length === 0 ? <p class="quiet">None. A check is a query whose rows make a merge fail.</p> : null}
      <ul class="cards">
        {(checks.value?.[0].checks ?? []).map((each) => (
          <li class="card">
            <h3>
              <Name name={each.name} />
            </h3>
            <pre>
              <Text text={each.query} most={4000} />
            </pre>
            <p class="quiet">
              {each.tables.length === 0 ? 'every merge' : each.tables.join(', ')} · at most {each.timeout_ms} ms
            </p>
          </li>
        ))}
      </ul>
      <h2>Readers</h2>
      {checks.value?.[1].readers.length === 0 ? <p class="quiet">None registered; views and functions are found without.</p> : null}
      <ul class="plain-list">
        {(checks.value?.[1].readers ?? []).map((each) => (
          <li>
            <Tag kind={each.critical ? 'warn' : ''}>{each.critical ? 'critical' : each.kind}</Tag> <Name name={each.name} /> <span class="quiet">reads</span>{' '}
            <Text text={`${each.table}${each.columns.length === 0 ? '' : ` (${each.columns.join(', ')})`}`} />
          </li>
        ))}
      </ul>
    </Loading>
  );
}

function Verify() {
  const [found, setFound] = useState<{ pages: number; bytes: number; log_records: number } | null>(null);
  const task = useTask();
  return (
    <div class="stack">
      <p>Reads the whole log and every page, and compares their checksums. Clients are answered meanwhile.</p>
      <Working task={task} what="Verifying" />
      {found === null ? null : (
        <p class="note good">
          Whole: {found.log_records.toLocaleString('en-US')} records of the log, {found.pages.toLocaleString('en-US')} pages, {size(found.bytes)}.
        </p>
      )}
      <footer>
        <button type="button" class="primary" disabled={task.busy} onClick={() => void task.run<typeof found>('verify', {}, setFound)}>
          Verify
        </button>
      </footer>
    </div>
  );
}
