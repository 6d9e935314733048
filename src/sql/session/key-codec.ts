/** Beginnings of keys, for scans by key and by index. */
import { utf8Key } from '../../worlds/catalog.ts';
import type { KeyCodec } from '../exec/context.ts';
import { encodePart } from '../schema/key-codec.ts';
import type { Schema } from '../schema/schema.ts';

const codecs = new WeakMap<Schema, KeyCodec>();

export function keyCodecOf(schema: Schema): KeyCodec {
  let codec = codecs.get(schema);
  if (codec === undefined) {
    codec = {
      rowKey(table, values) {
        const { columns } = table.key;
        if (columns.length === 1 && schema.keyCodec(table.columns[columns[0]].type).code === 'text') return utf8Key(values[0] as string);
        let out = '';
        for (let i = 0; i < values.length; i++) {
          const { type, typmod } = table.columns[columns[i]];
          out += schema.keyCodec(type, typmod).encode(values[i]);
        }
        return out;
      },
      indexKey(index, values) {
        const parts = schema.indexParts(index);
        let out = '';
        for (let i = 0; i < values.length; i++) out += encodePart(parts[i], values[i]);
        return out;
      },
    };
    codecs.set(schema, codec);
  }
  return codec;
}
