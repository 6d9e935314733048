/** The fields of the first column of a COPY binary file, read without the code under test. */
export function firstColumn(file: Uint8Array): (Buffer | null)[] {
  const bytes = Buffer.from(file);
  const fields: (Buffer | null)[] = [];
  let at = 19;
  for (;;) {
    const count = bytes.readInt16BE(at);
    at += 2;
    if (count === -1) return fields;
    for (let i = 0; i < count; i++) {
      const size = bytes.readInt32BE(at);
      at += 4;
      if (i === 0) fields.push(size === -1 ? null : bytes.subarray(at, at + size));
      at += Math.max(0, size);
    }
  }
}

/** A COPY binary file of one column and these fields. */
export function fileOf(fields: readonly Uint8Array[]): Buffer {
  const parts: Uint8Array[] = [Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')];
  for (const field of fields) {
    const head = Buffer.alloc(6);
    head.writeInt16BE(1, 0);
    head.writeInt32BE(field.length, 2);
    parts.push(head, field);
  }
  parts.push(Buffer.from([0xff, 0xff]));
  return Buffer.concat(parts);
}
