/** A row value. Its field types are known to the expression that created it. */
import type { SqlType } from './type.ts';
import type { Value } from './value.ts';

export class RecordValue {
  readonly fields: readonly Value[];
  readonly types: readonly SqlType[];

  constructor(fields: readonly Value[], types: readonly SqlType[]) {
    this.fields = fields;
    this.types = types;
  }
}
