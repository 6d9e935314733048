/**
 * WITH (…) of tables, indexes and columns: known parameters and their values (manual: CREATE TABLE, CREATE INDEX). They are stored and
 * have no effect, except for those of bm25 indexes.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { optionText } from '../ast/option-text.ts';
import type { Option } from '../ast/define.ts';
import { checkConfiguration, weightsIn } from '../schema/searched-fields.ts';
import { bool } from './setting-values.ts';

type Rule =
  | 'bool'
  | { readonly check: (text: string) => void }
  | { readonly whole: readonly [number, number] }
  | { readonly real: readonly [number, number] }
  | { readonly words: readonly string[] };

const MAX = 2147483647;
const AUTOVACUUM: Readonly<Record<string, Rule>> = {
  autovacuum_enabled: 'bool',
  autovacuum_vacuum_threshold: { whole: [0, MAX] },
  autovacuum_vacuum_insert_threshold: { whole: [-1, MAX] },
  autovacuum_vacuum_cost_limit: { whole: [1, 10000] },
  autovacuum_freeze_min_age: { whole: [0, 1_000_000_000] },
  autovacuum_multixact_freeze_min_age: { whole: [0, 1_000_000_000] },
  autovacuum_freeze_max_age: { whole: [100_000, 2_000_000_000] },
  autovacuum_multixact_freeze_max_age: { whole: [10_000, 2_000_000_000] },
  autovacuum_freeze_table_age: { whole: [0, 2_000_000_000] },
  autovacuum_multixact_freeze_table_age: { whole: [0, 2_000_000_000] },
  log_autovacuum_min_duration: { whole: [-1, MAX] },
  autovacuum_vacuum_cost_delay: { real: [0, 100] },
  autovacuum_vacuum_scale_factor: { real: [0, 100] },
  autovacuum_vacuum_insert_scale_factor: { real: [0, 100] },
  vacuum_index_cleanup: { words: ['auto', 'on', 'off', 'true', 'false', 'yes', 'no', '1', '0'] },
  vacuum_truncate: 'bool',
};
const TABLE: Readonly<Record<string, Rule>> = {
  ...AUTOVACUUM,
  autovacuum_analyze_threshold: { whole: [0, MAX] },
  autovacuum_analyze_scale_factor: { real: [0, 100] },
  fillfactor: { whole: [10, 100] },
  parallel_workers: { whole: [0, 1024] },
  // Not Postgres's: records with further fields widen the table.
  documents: 'bool',
  toast_tuple_target: { whole: [128, 8160] },
  user_catalog_table: 'bool',
};
const FILL: Readonly<Record<string, Rule>> = { fillfactor: { whole: [10, 100] } };
const KINDS = {
  table: TABLE,
  partitioned: {},
  column: { n_distinct: { real: [-1, Infinity] }, n_distinct_inherited: { real: [-1, Infinity] } },
  btree: { ...FILL, vacuum_cleanup_index_scale_factor: { real: [0, 1e10] }, deduplicate_items: 'bool' },
  hash: FILL,
  spgist: FILL,
  gist: { ...FILL, buffering: { words: ['auto', 'on', 'off'] } },
  gin: { fastupdate: 'bool', gin_pending_list_limit: { whole: [64, MAX] } },
  hnsw: { m: { whole: [2, 100] }, ef_construction: { whole: [4, 1000] } },
  ivfflat: { lists: { whole: [1, 32768] } },
  bm25: { config: { check: checkConfiguration }, weights: { check: weightsIn } },
  brin: { pages_per_range: { whole: [1, 131072] }, autosummarize: 'bool' },
} satisfies Record<string, Readonly<Record<string, Rule>>>;
export type OptionsOf = keyof typeof KINDS;

/** `name=value` texts of the options. 22023 for unknown parameters and invalid values. */
export function storageOptions(kind: OptionsOf, options: readonly Option[]): string[] {
  const out: string[] = [];
  const seen = new Set<string>();
  for (const { namespace, name, value } of options) {
    const text = value === null ? 'true' : (optionText(value) ?? '');
    if (namespace === null && name === 'oids') {
      if (bool(text) !== 'off') throw new SvcError('0A000', 'tables declared WITH OIDS are not supported');
      continue;
    }
    const rules: Readonly<Record<string, Rule>> = namespace === 'toast' && kind === 'table' ? AUTOVACUUM : KINDS[kind];
    if (namespace !== null && (namespace !== 'toast' || kind === 'column')) throw new SvcError('22023', `unrecognized parameter namespace "${namespace}"`);
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) throw new SvcError('22023', `unrecognized parameter "${name}"`);
    const full = `${namespace ?? ''}.${name}`;
    if (seen.has(full)) throw new SvcError('22023', `parameter "${name}" specified more than once`);
    seen.add(full);
    check(rule, name, text);
    // There are no TOAST tables.
    if (namespace === null) out.push(`${name}=${text}`);
  }
  return out;
}

function check(rule: Rule, name: string, text: string): void {
  if (rule === 'bool') {
    if (bool(text) === null) throw new SvcError('22023', `invalid value for boolean option "${name}": ${text}`);
    return;
  }
  if ('check' in rule) {
    rule.check(text);
    return;
  }
  if ('words' in rule) {
    if (rule.words.includes(text.toLowerCase())) return;
    throw new SvcError('22023', `invalid value for enum option "${name}": ${text}`, { detail: 'Valid values are "on", "off", and "auto".' });
  }
  const number = text.trim() === '' ? NaN : Number(text);
  const whole = 'whole' in rule;
  const [min, max] = whole ? rule.whole : rule.real;
  if (Number.isNaN(number) || (whole && !Number.isInteger(number)))
    throw new SvcError('22023', `invalid value for ${whole ? 'integer' : 'floating point'} option "${name}": ${text}`);
  if (number >= min && number <= max) return;
  const shown = (limit: number): string => (whole ? String(limit) : limit.toFixed(6));
  throw new SvcError('22023', `value ${text} out of bounds for option "${name}"`, { detail: `Valid values are between "${shown(min)}" and "${shown(max)}".` });
}
