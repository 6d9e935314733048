/** What an undo would put back, before it is done. */
import type { AttachedPostgres, TableSummary } from '../shapes.ts';
import { PostgresSays } from './attached.tsx';
import { keyParts, several } from './text.ts';
import { Tally } from './ui.tsx';
import { Name, Text } from './value.tsx';

export interface Undone {
  undone: number;
  skipped: number;
  summary?: TableSummary[];
  keys?: string[];
  postgres?: AttachedPostgres;
}

const KEYS_SHOWN = 50;

export function UndoPreview({ of: { undone, skipped, summary = [], keys = [], postgres } }: { of: Undone }) {
  return (
    <section class="block" aria-label="Preview">
      <h3>
        It puts {several(undone, 'row')} back{skipped === 0 ? '' : `, and leaves ${several(skipped, 'row')} alone`}
      </h3>
      <ul class="plain-list">
        {summary.map((each) => (
          <li>
            <Name name={each.table} /> <Tally {...each} />
          </li>
        ))}
      </ul>
      <p class="quiet keys-list">
        {keys.slice(0, KEYS_SHOWN).map((key) => (
          <span>
            <Text text={`${keyParts(key).table}/${keyParts(key).id}`} most={80} />{' '}
          </span>
        ))}
        {undone > KEYS_SHOWN ? <span>and {several(undone - KEYS_SHOWN, 'more row')}</span> : null}
      </p>
      {postgres === undefined ? null : <PostgresSays of={postgres} />}
    </section>
  );
}
