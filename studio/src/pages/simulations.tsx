/** Many worlds from one moment, a script in each, a score: run, watched, and the best looked at or played again. */
import { useEffect, useState } from 'preact/hooks';
import { Field, Input, Page, Tag, useTask, Working } from '../parts/ui.tsx';
import { several, textOf } from '../parts/text.ts';
import { Name, Text, Value } from '../parts/value.tsx';
import { Virtual } from '../parts/virtual.tsx';
import { WorldPicker } from '../parts/world-picker.tsx';
import { at, go, href, lookForReviews, route, say } from '../state.ts';

interface Simulated {
  world: string;
  id: string | null;
  index: number;
  seed: number;
  score: unknown;
  error: string | null;
  kept: boolean;
}

interface Reply {
  worlds: Simulated[];
  base: string;
  at: string;
  timings: { total_ms: number };
}

interface Replayed {
  world: string;
  identical: boolean;
  rows_differing: number;
  score: unknown;
  recorded_score: unknown;
  error: string | null;
}

export function SimulationsPage() {
  const world = route.value.args[0] ?? 'main';
  const [worlds, setWorlds] = useState('100');
  const [prefix, setPrefix] = useState(() => `sim-${Date.now().toString(36)}`);
  const [script, setScript] = useState('');
  const [score, setScore] = useState('');
  const [keep, setKeep] = useState('5');
  const [order, setOrder] = useState('desc');
  const [seed, setSeed] = useState('0');
  const [reply, setReply] = useState<Reply | null>(null);
  const task = useTask();
  return (
    <Page
      wide
      title="Simulations"
      lead="Each world is a fork of one moment; random() follows its seed, so the same call gives the same worlds."
      actions={<WorldPicker world={world} onPick={(name) => go(href('simulations', name))} />}
    >
      <form
        class="card stack"
        aria-label="Simulation"
        onSubmit={(event) => {
          event.preventDefault();
          const input = { worlds: Number(worlds), prefix, script, score, from: at(world), keep: Number(keep), order, seed: Number(seed) };
          void task.run<Reply>('simulate', input, (made) => {
            setReply(made);
            say(`${several(made.worlds.length, 'world')} simulated in ${Math.round(made.timings.total_ms).toLocaleString('en-US')} ms`);
            setPrefix(`sim-${Date.now().toString(36)}`);
            void lookForReviews(true);
          });
        }}
      >
        <div class="two">
          <Field label="Script, run in each world" note="$1 is its index from 0, $2 its seed">
            <textarea
              rows={5}
              class="mono"
              spellcheck={false}
              value={script}
              onInput={(event) => setScript((event.currentTarget as HTMLTextAreaElement).value)}
              placeholder="UPDATE prices SET price = price * (0.8 + random() * 0.4)"
            />
          </Field>
          <Field label="Score, one number" note="a SELECT">
            <textarea
              rows={5}
              class="mono"
              spellcheck={false}
              required
              value={score}
              onInput={(event) => setScore((event.currentTarget as HTMLTextAreaElement).value)}
              placeholder="SELECT sum(price * stock) FROM prices"
            />
          </Field>
        </div>
        <div class="fields">
          <Field label="Worlds">
            <Input value={worlds} onText={setWorlds} inputMode="numeric" pattern="\d+" required />
          </Field>
          <Field label="Keep the best">
            <Input value={keep} onText={setKeep} inputMode="numeric" pattern="\d+" required />
          </Field>
          <Field label="Best is">
            <select value={order} onChange={(event) => setOrder((event.currentTarget as HTMLSelectElement).value)}>
              <option value="desc">the highest</option>
              <option value="asc">the lowest</option>
            </select>
          </Field>
          <Field label="Seed">
            <Input value={seed} onText={setSeed} inputMode="numeric" pattern="-?\d+" required />
          </Field>
          <Field label="Names begin with">
            <Input value={prefix} onText={setPrefix} required />
          </Field>
        </div>
        <Working task={task} what="Simulating" />
        <footer>
          <button type="submit" class="primary" disabled={task.busy || score.trim() === ''}>
            Simulate
          </button>
        </footer>
      </form>
      {reply === null ? null : <Results reply={reply} />}
    </Page>
  );
}

function Results({ reply }: { reply: Reply }) {
  const scores = reply.worlds.flatMap(({ score }) => (score === null ? [] : [Number(textOf(score))]));
  const failed = reply.worlds.filter(({ error }) => error !== null).length;
  const [replayed, setReplayed] = useState<Readonly<Record<string, Replayed>>>({});
  const task = useTask();
  return (
    <>
      <section class="card" aria-label="Distribution of scores">
        <div class="toolbar">
          <h2>Scores</h2>
          <span class="quiet">
            {several(reply.worlds.length, 'world')}
            {failed === 0 ? '' : `, ${failed} failed`}
          </span>
        </div>
        <Histogram scores={scores} />
      </section>
      <Working task={task} what="Playing again" />
      <Virtual
        class="rows"
        role="grid"
        columns={5}
        count={reply.worlds.length}
        line={36}
        label="Simulated worlds, best first"
        head={
          <div role="row" aria-rowindex={1} class="row-line row-head sim">
            <span role="columnheader">World</span>
            <span role="columnheader" class="right">
              Score
            </span>
            <span role="columnheader" class="right">
              Seed
            </span>
            <span role="columnheader">State</span>
            <span role="columnheader">Replay</span>
          </div>
        }
        render={(index) => {
          const each = reply.worlds[index]!;
          const again = replayed[each.world];
          return (
            <div key={each.index} role="row" aria-rowindex={index + 2} class="row-line sim">
              <span role="gridcell">{each.kept ? <a href={href('world', each.world)}>{each.world}</a> : <Name name={each.world} />}</span>
              <span role="gridcell" class="right num">
                <Value value={each.score} />
              </span>
              <span role="gridcell" class="right num">
                <Value value={each.seed} />
              </span>
              <span role="gridcell">
                {each.error === null ? each.kept ? <Tag kind="good">kept</Tag> : <span class="quiet">dropped</span> : <Text text={each.error} most={120} />}
              </span>
              <span role="gridcell">
                {!each.kept ? null : again === undefined ? (
                  <button
                    type="button"
                    class="small"
                    disabled={task.busy}
                    onClick={() => void task.run<Replayed>('replay', { world: each.world }, (made) => setReplayed((was) => ({ ...was, [each.world]: made })))}
                  >
                    Play again
                  </button>
                ) : again.identical ? (
                  <Tag kind="good">identical</Tag>
                ) : (
                  <Tag kind="bad">{several(again.rows_differing, 'row')} differ</Tag>
                )}
              </span>
            </div>
          );
        }}
      />
    </>
  );
}

const BARS = 40;

function Histogram({ scores }: { scores: readonly number[] }) {
  const [wide, setWide] = useState(640);
  useEffect(() => setWide(Math.max(280, Math.min(1200, innerWidth - 320))), []);
  if (scores.length === 0) return <p class="quiet">No world has a score.</p>;
  let least = Infinity;
  let most = -Infinity;
  for (const score of scores) {
    least = Math.min(least, score);
    most = Math.max(most, score);
  }
  const span = most - least || 1;
  const bars = Array.from({ length: BARS }, () => 0);
  for (const score of scores) bars[Math.min(BARS - 1, Math.floor(((score - least) / span) * BARS))]!++;
  const top = Math.max(...bars);
  const height = 120;
  return (
    <figure class="histogram">
      <svg viewBox={`0 0 ${wide} ${height}`} width={wide} height={height} role="img" aria-label={`Scores from ${least} to ${most}`}>
        {bars.map((n, i) => (
          <rect x={(i * wide) / BARS + 1} y={height - (n / top) * (height - 4)} width={wide / BARS - 2} height={(n / top) * (height - 4)} class="bar">
            <title>{`${several(n, 'world')} from ${(least + (span * i) / BARS).toPrecision(6)}`}</title>
          </rect>
        ))}
      </svg>
      <figcaption>
        <span>{least}</span>
        <span>{most}</span>
      </figcaption>
    </figure>
  );
}
