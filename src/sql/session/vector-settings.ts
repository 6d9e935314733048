/** The settings of the extension pgvector, with its defaults and bounds. */
import { acceptOf, type SettingFacts } from './setting-values.ts';
import type { Setting } from './settings.ts';

type Whole = readonly [name: string, standard: number, least: number, most: number, doc: string];

/** As a setting's value. */
export const HNSW_BEAM = '40';

const WHOLE: readonly Whole[] = [
  ['hnsw.ef_search', Number(HNSW_BEAM), 1, 1000, 'How widely an approximate search of vectors looks; the default, 40, is automatic.'],
  ['hnsw.max_scan_tuples', 20_000, 1, 2_147_483_647, 'Taken and without effect: a filtered search finds all of its rows.'],
  ['ivfflat.probes', 1, 1, 32_768, 'Taken and without effect: how many lists are read is automatic.'],
  ['ivfflat.max_probes', 32_768, 1, 32_768, 'Taken and without effect: how many lists are read is automatic.'],
];
const SCANS = 'Taken and without effect: a filtered search finds all of its rows, in strict order.';

function facts(part: Pick<SettingFacts, 'name' | 'type'> & Partial<SettingFacts>): SettingFacts {
  return { unit: '', context: 'user', min: '', max: '', values: '', standard: null, ...part };
}

export const VECTOR_SETTINGS: readonly Setting[] = [
  ...WHOLE.map(([name, standard, least, most, doc]): Setting => ({
    name,
    standard: String(standard),
    accept: acceptOf(facts({ name, type: 'integer', min: String(least), max: String(most) })),
    doc,
    unlisted: true,
  })),
  ...['hnsw', 'ivfflat'].map((method): Setting => {
    const name = `${method}.iterative_scan`;
    return { name, standard: 'off', accept: acceptOf(facts({ name, type: 'enum', values: 'off,relaxed_order,strict_order' })), doc: SCANS, unlisted: true };
  }),
  {
    name: 'hnsw.scan_mem_multiplier',
    standard: '1',
    accept: acceptOf(facts({ name: 'hnsw.scan_mem_multiplier', type: 'real', min: '1', max: '1000' })),
    doc: SCANS,
    unlisted: true,
  },
];
