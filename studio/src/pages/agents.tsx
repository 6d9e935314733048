/** Agents: what each did, what became of it, its limits, and how to take it back. */
import { useState } from 'preact/hooks';
import { op } from '../api.ts';
import { Ago, CopyButton, Dialog, Empty, Field, Input, Loading, Page, Tabs, Tag, useLoad, useTask, Working } from '../parts/ui.tsx';
import { several } from '../parts/text.ts';
import { type Undone, UndoPreview } from '../parts/undo-preview.tsx';
import { Name, Value } from '../parts/value.tsx';
import type { Agent, Outcomes } from '../shapes.ts';
import { asOf, go, href, isPast, moment, route, say } from '../state.ts';
import { Audit } from './history.tsx';

const CAPABILITIES = ['read', 'fork', 'write_own', 'write', 'write_main', 'merge_own', 'merge', 'restore', 'outbox', 'admin'];
const QUOTAS: readonly (readonly [string, string])[] = [
  ['max_worlds', 'Worlds at once'],
  ['max_changes', 'Changed rows of a world'],
  ['writes_per_minute', 'Writes a minute'],
  ['world_ttl', 'Life of its worlds, ms'],
  ['max_query_ms', 'Time of a statement, ms'],
  ['max_concurrent', 'Statements at once'],
  ['max_memory_mb', 'Memory of a statement, MB'],
  ['max_idle_ms', 'Idle in a transaction, ms'],
];

async function look(signal: AbortSignal): Promise<{ agents: Agent[]; outcomes: Map<string, Outcomes> }> {
  const [{ agents }, { outcomes }] = await Promise.all([
    op<{ agents: Agent[] }>('agents', asOf(), { signal }),
    op<{ outcomes: Outcomes[] }>('merge_outcomes', asOf(), { signal }),
  ]);
  return { agents, outcomes: new Map(outcomes.map((each) => [each.agent ?? '', each])) };
}

export function AgentsPage() {
  const list = useLoad(look, [moment.value]);
  const [making, setMaking] = useState(false);
  const agents = list.value?.agents ?? [];
  return (
    <Page
      title="Agents"
      lead="Programs with a name, a token and limits. They fork, change what they forked, and ask to merge."
      actions={
        isPast.value ? null : (
          <button type="button" class="primary" onClick={() => setMaking(true)}>
            New agent
          </button>
        )
      }
    >
      <Loading of={list}>
        {agents.length === 0 ? (
          <Empty title={isPast.value ? 'There were no agents then' : 'No agents yet'} />
        ) : (
          <div class="scroll">
            <table class="list">
              <thead>
                <tr>
                  <th scope="col">Agent</th>
                  <th scope="col">Policy</th>
                  <th scope="col" class="right">
                    Merged
                  </th>
                  <th scope="col" class="right">
                    Held
                  </th>
                  <th scope="col" class="right">
                    Rejected
                  </th>
                  <th scope="col" class="right">
                    Conflicts
                  </th>
                  <th scope="col" class="right">
                    Open worlds
                  </th>
                  <th scope="col">May</th>
                </tr>
              </thead>
              <tbody>
                {agents.map((agent) => {
                  const of = list.value!.outcomes.get(agent.name);
                  const merged = Number(of?.['on_rules'] ?? 0) + Number(of?.['no_policy'] ?? 0) + Number(of?.['approved'] ?? 0);
                  return (
                    <tr>
                      <th scope="row">
                        <a href={href('agent', agent.name)}>
                          <Name name={agent.name} />
                        </a>{' '}
                        {agent.disabled ? <Tag kind="bad">disabled</Tag> : null}
                      </th>
                      <td>{agent.policy === null ? <span class="quiet">none</span> : <Name name={agent.policy} />}</td>
                      <td class="right">{merged}</td>
                      <td class="right">{String(of?.['holds'] ?? 0)}</td>
                      <td class="right">{String(of?.['rejected'] ?? 0)}</td>
                      <td class="right">{String(of?.['conflicts'] ?? 0)}</td>
                      <td class="right">{String(of?.['open'] ?? 0)}</td>
                      <td class="quiet">{agent.can.join(', ')}</td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </div>
        )}
      </Loading>
      {making ? <AgentDialog onClose={() => setMaking(false)} onDone={list.reload} /> : null}
    </Page>
  );
}

export function AgentPage() {
  const name = route.value.args[0] ?? '';
  const tab = route.value.query.get('tab') ?? 'did';
  const list = useLoad(look, [name, moment.value]);
  const [dialog, setDialog] = useState<'edit' | 'undo' | null>(null);
  const task = useTask();
  const agent = list.value?.agents.find((each) => each.name === name);
  const of = list.value?.outcomes.get(name);
  const setDisabled = (disabled: boolean): void => {
    void task.run('alter_agent', { name, disabled }, () => {
      say(disabled ? `${name} is disabled: its token works no longer` : `${name} is enabled`);
      list.reload();
    });
  };
  return (
    <Page
      title={<Name name={name} />}
      lead={
        agent === undefined ? undefined : (
          <>
            made <Ago time={agent.created} /> · policy {agent.policy ?? 'none'} {agent.disabled ? <Tag kind="bad">disabled</Tag> : null}
          </>
        )
      }
      actions={
        isPast.value ? null : (
          <>
            <button type="button" onClick={() => setDialog('undo')}>
              Undo what it did…
            </button>
            {agent === undefined ? null : (
              <>
                <button type="button" onClick={() => setDialog('edit')}>
                  Rights and limits
                </button>
                <button type="button" class={agent.disabled ? '' : 'danger'} onClick={() => setDisabled(!agent.disabled)} disabled={task.busy}>
                  {agent.disabled ? 'Enable' : 'Disable'}
                </button>
              </>
            )}
          </>
        )
      }
    >
      <Working task={task} what="Changing" />
      <Tabs
        label="Of the agent"
        tabs={[
          ['did', 'What it did'],
          ['outcomes', 'What became of it'],
          ['limits', 'Rights and limits'],
        ]}
      />
      <Loading of={list}>
        {tab === 'did' ? (
          <Audit agent={name} />
        ) : tab === 'outcomes' ? (
          <dl class="facts">
            {Object.entries(of ?? {}).map(([what, value]) => (
              <div>
                <dt>{what.replaceAll('_', ' ')}</dt>
                <dd>
                  <Value value={value} />
                </dd>
              </div>
            ))}
            {of === undefined ? <p class="quiet">Nothing within the history that is kept.</p> : null}
          </dl>
        ) : agent === undefined ? (
          <p class="quiet">There {isPast.value ? 'was no such agent then' : 'is no such agent now'}.</p>
        ) : (
          <dl class="facts">
            <div>
              <dt>May</dt>
              <dd>{agent.can.join(', ')}</dd>
            </div>
            {QUOTAS.map(([quota, title]) => (
              <div>
                <dt>{title}</dt>
                <dd>{quotaOf(agent, quota) === 0 ? <span class="quiet">no limit</span> : String(quotaOf(agent, quota))}</dd>
              </div>
            ))}
          </dl>
        )}
      </Loading>
      {dialog === 'edit' && agent !== undefined ? <AgentDialog agent={agent} onClose={() => setDialog(null)} onDone={list.reload} /> : null}
      {dialog === 'undo' ? <UndoAgent name={name} onClose={() => setDialog(null)} /> : null}
    </Page>
  );
}

function quotaOf(agent: Agent, quota: string): number {
  const own = agent[quota] ?? (agent['quotas'] as Record<string, unknown> | undefined)?.[quota];
  return Number(own ?? 0);
}

function AgentDialog({ agent, onClose, onDone }: { agent?: Agent; onClose: () => void; onDone: () => void }) {
  const [name, setName] = useState(agent?.name ?? '');
  const [can, setCan] = useState<readonly string[]>(agent?.can ?? ['read', 'fork', 'write_own']);
  const [policy, setPolicy] = useState(agent?.policy ?? '');
  const [quotas, setQuotas] = useState<Readonly<Record<string, string>>>(
    Object.fromEntries(QUOTAS.map(([quota]) => [quota, agent === undefined ? '' : String(quotaOf(agent, quota) || '')])),
  );
  const [token, setToken] = useState<string | null>(null);
  const policies = useLoad((signal) => op<{ policies: { name: string }[] }>('merge_policies', {}, { signal }), []);
  const task = useTask();
  const submit = (event: Event): void => {
    event.preventDefault();
    const limits = Object.fromEntries(Object.entries(quotas).map(([quota, text]) => [quota, text === '' ? 0 : Number(text)]));
    const input = { name, can, policy: policy === '' ? null : policy, ...limits };
    void task.run<{ token?: string }>(agent === undefined ? 'create_agent' : 'alter_agent', input, (reply) => {
      onDone();
      if (reply.token === undefined) {
        say(`Changed ${name}`);
        onClose();
      } else setToken(reply.token);
    });
  };
  if (token !== null)
    return (
      <Dialog title={`The token of ${name}`} onClose={onClose}>
        <div class="stack">
          <p>It is shown this once: only its hash is kept. Copy it to where the agent runs.</p>
          <output class="token">{token}</output>
          <footer>
            <CopyButton text={() => token}>Copy</CopyButton>
            <button type="button" class="primary" onClick={onClose}>
              I have it
            </button>
          </footer>
        </div>
      </Dialog>
    );
  return (
    <Dialog title={agent === undefined ? 'New agent' : `Rights and limits of ${agent.name}`} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        {agent === undefined ? (
          <Field label="Name" note="letters, digits, _ and -">
            <Input value={name} onText={setName} pattern="[A-Za-z0-9_\-]+" required autofocus />
          </Field>
        ) : null}
        <fieldset>
          <legend>May</legend>
          <div class="checks">
            {CAPABILITIES.map((each) => (
              <label class="check">
                <input
                  type="checkbox"
                  checked={can.includes(each)}
                  onChange={(event) => setCan((event.currentTarget as HTMLInputElement).checked ? [...can, each] : can.filter((other) => other !== each))}
                />{' '}
                {each}
              </label>
            ))}
          </div>
        </fieldset>
        <Field label="Merge policy">
          <select value={policy} onChange={(event) => setPolicy((event.currentTarget as HTMLSelectElement).value)}>
            <option value="">none: it merges as its rights say</option>
            {(policies.value?.policies ?? []).map((each) => (
              <option value={each.name}>{each.name}</option>
            ))}
          </select>
        </Field>
        <fieldset>
          <legend>Limits (empty: none)</legend>
          <div class="fields">
            {QUOTAS.map(([quota, title]) => (
              <Field label={title}>
                <Input value={quotas[quota] ?? ''} onText={(text) => setQuotas({ ...quotas, [quota]: text })} inputMode="numeric" pattern="\d*" />
              </Field>
            ))}
          </div>
        </fieldset>
        <Working task={task} what="Saving" />
        <footer>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={task.busy || name === ''}>
            {agent === undefined ? 'Create' : 'Save'}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

/** The undo is tried first: what it would put back is seen before it is done. */
function UndoAgent({ name, onClose }: { name: string; onClose: () => void }) {
  const [since, setSince] = useState('');
  const [skip, setSkip] = useState(false);
  const [preview, setPreview] = useState<Undone | null>(null);
  const task = useTask();
  const input = { branch: 'main', name, skip_changed: skip, ...(since === '' ? {} : { since }) };
  const change = (act: () => void): void => {
    act();
    setPreview(null);
    task.clear();
  };
  return (
    <Dialog title={`Undo what ${name} did to main`} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (preview === null) void task.run<Undone>('undo_agent', { ...input, dry_run: true }, setPreview);
          else
            void task.run<Undone>('undo_agent', input, ({ undone, skipped }, isHere) => {
              say(`Put ${several(undone, 'row')} back${skipped === 0 ? '' : `, left ${several(skipped, 'row')} alone`}`);
              if (!isHere) return;
              onClose();
              go(href('history', 'main'));
            });
        }}
      >
        <Field label="Since" note="a time, a time ago (-1h), or an event (#42); empty: as far as history reaches">
          <Input value={since} onText={(text) => change(() => setSince(text))} placeholder="-1h" autofocus />
        </Field>
        <label class="check">
          <input type="checkbox" checked={skip} onChange={(event) => change(() => setSkip((event.target as HTMLInputElement).checked))} /> leave rows alone that
          others changed since
        </label>
        {preview === null ? null : <UndoPreview of={preview} />}
        <Working task={task} what={preview === null ? 'Trying' : 'Undoing'} />
        <footer>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class={preview === null ? 'primary' : 'danger'} disabled={task.busy || preview?.undone === 0}>
            {preview === null ? 'Preview' : `Undo ${several(preview.undone, 'row')}`}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
