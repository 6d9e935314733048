/** Prefixes of keys, for scans by key and by index: a value looked up in a folded column is folded, too (`bind/collated.ts`). */
import { utf8Key } from '../../worlds/catalog.ts';
import type { KeyCodec } from '../exec/context.ts';
import { decodeParts, encodePart, FOLDED, rowKeyCodec } from '../schema/key-codec.ts';
import type { Schema } from '../schema/schema.ts';
import type { Index, SqlTable } from '../schema/table.ts';

const codecs = new WeakMap<Schema, KeyCodec>();

/** Caches codecs of key columns and index parts, since keys are built row by row. */
function remembered<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) known.set(key, (value = make(key)));
    return value;
  };
}

export function keyCodecOf(schema: Schema): KeyCodec {
  let codec = codecs.get(schema);
  if (codec === undefined) {
    const ofTable = remembered((table: SqlTable) =>
      table.key.columns.map((column) => {
        const { type, typmod, folding } = table.columns[column];
        return folding === undefined ? schema.keyCodec(type, typmod) : FOLDED;
      }),
    );
    const ofIndex = remembered((index: Index) =>
      schema.indexParts(index).map((part, i) => (index.columns[i].folding === undefined ? part : { ...part, codec: FOLDED })),
    );
    const ofRow = remembered((table: SqlTable) =>
      rowKeyCodec(
        table.key.columns.map((column) => table.columns[column]),
        schema.labelOrders,
      ),
    );
    codec = {
      rowKey(table, values) {
        const columns = ofTable(table);
        if (columns.length === 1 && columns[0].code === 'text') return utf8Key(values[0] as string);
        let out = '';
        for (let i = 0; i < values.length; i++) out += columns[i].encode(values[i]);
        return out;
      },
      indexKey(index, values) {
        const parts = ofIndex(index);
        let out = '';
        for (let i = 0; i < values.length; i++) out += encodePart(parts[i], values[i]);
        return out;
      },
      entryValues: (index, entry) => decodeParts(ofIndex(index), entry).values,
      rowValues: (table, key) => ofRow(table).decode(key),
    };
    codecs.set(schema, codec);
  }
  return codec;
}
