/** Index entries as columns of the table, for index-only scans. */
import { type Datum, type Key, KIND, TAG } from '../../tree/datum.ts';
import type { Columns } from '../../tree/gathered.ts';
import type { Leaf } from '../../tree/node.ts';
import { Vec } from '../../tree/vec.ts';
import type { ScanPlan } from '../plan/logical.ts';
import type { Index, SqlColumn, SqlTable } from '../schema/table.ts';
import type { KeyCodec } from './context.ts';

/** Column of an index tree's rows that holds the key of the table's row. */
export const INDEX_ROW_KEY = 1;

interface Wanted {
  readonly column: SqlColumn;
  /** Its position in the index; -1: in the key. */
  readonly part: number;
  readonly keyPart: number;
}

export class EntryColumns implements Columns {
  count = 0;
  nkeys = new Float64Array(0);
  skeys: string[] = [];
  readonly #table: SqlTable;
  readonly #index: Index;
  readonly #codec: KeyCodec;
  readonly #wanted: readonly Wanted[];
  readonly #ofKey: boolean;
  readonly #vecs = new Map<number, Vec>();

  constructor({ table, access }: ScanPlan, ids: readonly number[], codec: KeyCodec) {
    this.#table = table;
    this.#index = access!.index!;
    this.#codec = codec;
    this.#wanted = ids.map((id) => {
      const source = table.columns.findIndex((column) => column.number === id);
      const part = this.#index.columns.findIndex(({ column }) => column === source);
      return { column: table.columns[source], part, keyPart: part >= 0 ? -1 : table.key.columns.indexOf(source) };
    });
    this.#ofKey = this.#wanted.some(({ part }) => part < 0);
  }

  /** Rows [from, to) of a leaf of the index. */
  show(leaf: Leaf, from: number, to: number): void {
    const count = to - from;
    const { numeric } = this.#table.key;
    this.count = count;
    if (numeric) this.nkeys = new Float64Array(count);
    else this.skeys = [];
    const datums: Datum[][] = this.#wanted.map(() => []);
    const decodes = this.#wanted.some(({ part }) => part >= 0);
    for (let i = from; i < to; i++) {
      const key = leaf.cell(i, INDEX_ROW_KEY) as Key;
      if (numeric) this.nkeys[i - from] = key as number;
      else this.skeys.push(key as string);
      const values = decodes ? this.#codec.entryValues(this.#index, leaf.skeys[i]) : [];
      const ofKey = this.#ofKey ? this.#codec.rowValues(this.#table, key) : [];
      for (let w = 0; w < datums.length; w++) {
        const { column, part, keyPart } = this.#wanted[w];
        const value = part >= 0 ? values[part] : ofKey[keyPart];
        datums[w].push(value === null ? null : column.storage.encode(value));
      }
    }
    for (let w = 0; w < datums.length; w++) this.#vecs.set(this.#wanted[w].column.number, vecOf(this.#wanted[w].column, datums[w]));
  }

  col(id: number): Vec | null {
    return this.#vecs.get(id) ?? null;
  }
}

function vecOf({ storage }: SqlColumn, datums: readonly Datum[]): Vec {
  const count = datums.length;
  let tags: Uint8Array | null = null;
  let kind = storage.kind;
  for (let i = 0; i < count; i++) {
    const datum = datums[i];
    if (datum === null) (tags ??= new Uint8Array(count))[i] = TAG.NULL;
    else if (typeof datum === 'bigint') kind = KIND.I64;
  }
  if (kind === KIND.TEXT) {
    return Vec.ofStrings(
      kind,
      datums.map((datum) => (datum === null ? '' : (datum as string))),
      tags,
      0,
    );
  }
  const vec = kind === KIND.I64 ? Vec.absent(kind, count, 0) : Vec.room(kind, count, 0);
  if (kind === KIND.I64) for (let i = 0; i < count; i++) vec.set(i, datums[i]);
  else {
    const into = kind === KIND.F64 ? vec.f64 : vec.i32;
    for (let i = 0; i < count; i++) if (datums[i] !== null) into[i] = Number(datums[i]);
    vec.tags = tags;
  }
  return vec;
}
