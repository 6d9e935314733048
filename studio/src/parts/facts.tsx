/** What stands beside the rows of a change: definitions, readers, effects, the declared scope, checks. */
import type { Counts, Definition, Effect, ReaderOf } from '../shapes.ts';
import { Empty, Tag, When } from './ui.tsx';
import { textOf } from './text.ts';
import { Name, Text, Value } from './value.tsx';

const WORD = { create: 'new', alter: 'changed', drop: 'dropped' } as const;
const KIND = { create: 'ins', alter: 'upd', drop: 'del' } as const;

export function Definitions({ list }: { list: readonly Definition[] }) {
  if (list.length === 0) return <Empty title="No definitions changed" />;
  return (
    <div class="definitions">
      {list.map((each) => (
        <section class="card">
          <h3>
            <Tag kind={KIND[each.change]}>{WORD[each.change]}</Tag> <Text text={each.object} />
          </h3>
          {each.change === 'alter' && each.before !== null && each.after !== null ? (
            <div class="sides-of-two">
              <pre class="was">
                <Text text={each.before} most={4000} />
              </pre>
              <pre class="is">
                <Text text={each.after} most={4000} />
              </pre>
            </div>
          ) : null}
          <pre>
            <Text text={each.statement} most={4000} />
          </pre>
        </section>
      ))}
    </div>
  );
}

export function Readers({ list, coverage }: { list: readonly ReaderOf[]; coverage?: Counts['coverage'] }) {
  return (
    <section class="block">
      <h3>Who reads what changed</h3>
      {list.length === 0 ? <p class="quiet">No view, function or registered reader reads it.</p> : null}
      <ul class="plain-list">
        {list.map((each) => (
          <li>
            <Tag>{each.kind}</Tag> <Name name={each.reader} /> <span class="quiet">reads</span> <Name name={each.table} />
            {each.columns.length === 0 ? null : (
              <span class="quiet">
                {' '}
                (<Text text={each.columns.join(', ')} />)
              </span>
            )}
            {each.detail === '' ? null : (
              <span class="quiet">
                {' '}
                <Text text={each.detail} />
              </span>
            )}
          </li>
        ))}
      </ul>
      {coverage === undefined || coverage.not_analysed.length === 0 ? null : (
        <p class="quiet">
          Not analysed: <Text text={coverage.not_analysed.join(', ')} />.
        </p>
      )}
    </section>
  );
}

export function Effects({ list }: { list: readonly Effect[] }) {
  if (list.length === 0) return null;
  return (
    <section class="block">
      <h3>What the merge sends</h3>
      <ul class="plain-list">
        {list.map((each) => (
          <li>
            <Tag kind="upd">{each.channel}</Tag> <Value value={each.payload} />{' '}
            <span class="quiet">
              by <Text text={each.by} />,{' '}
            </span>
            <When time={each.queued} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface Promise_ {
  readonly what: string;
  readonly declared: string;
  readonly kept: boolean | null;
  readonly found: string;
}

/** What the world declared it would do, against what it did. */
function promises(meta: Record<string, unknown>, counts: Pick<Counts, 'summary'>): Promise_[] {
  const out: Promise_[] = [];
  const rows = counts.summary.reduce((sum, each) => sum + each.deleted + each.updated + each.inserted, 0);
  const deletes = counts.summary.reduce((sum, each) => sum + each.deleted, 0);
  const { may_change: may, max_rows: maxRows, max_deletes: maxDeletes, tenant } = meta;
  if (Array.isArray(may)) {
    const allowed = may.map(String);
    const others = counts.summary.map(({ table }) => table).filter((table) => !allowed.some((each) => each === table || each.startsWith(`${table}.`)));
    out.push({
      what: 'Changes only',
      declared: allowed.join(', '),
      kept: others.length === 0,
      found: others.length === 0 ? 'nothing else' : `also ${others.join(', ')}`,
    });
  }
  if (typeof maxRows === 'number') out.push({ what: 'At most rows', declared: String(maxRows), kept: rows <= maxRows, found: String(rows) });
  if (typeof maxDeletes === 'number') out.push({ what: 'At most deletes', declared: String(maxDeletes), kept: deletes <= maxDeletes, found: String(deletes) });
  if (tenant !== undefined) out.push({ what: 'Tenant', declared: textOf(tenant), kept: null, found: 'checked when it merges' });
  return out;
}

export function Scope({ meta, counts }: { meta: Record<string, unknown>; counts: Pick<Counts, 'summary'> }) {
  const list = promises(meta, counts);
  if (list.length === 0) return null;
  return (
    <section class="block">
      <h3>Declared, and done</h3>
      <ul class="scope">
        {list.map(({ what, declared, kept, found }) => (
          <li class={kept === false ? 'broken' : ''}>
            <span class="tick" aria-label={kept === null ? 'not checked here' : kept ? 'kept' : 'broken'}>
              {kept === null ? '·' : kept ? '✓' : '✕'}
            </span>
            <span>
              {what}{' '}
              <b>
                <Text text={declared} />
              </b>
            </span>
            <span class="quiet">
              <Text text={found} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
