/** Folding of texts under a nondeterministic collation: equal texts have the same folded text. */
import type { IcuCollation } from './icu-collation.ts';
import { rootOf } from './domain-type.ts';
import { trimBlanks } from './text-order.ts';
import type { SqlType } from './type.ts';

/** Prevents trailing blanks of a bpchar from being taken for padding. */
const END = '.';

export function foldedText(type: SqlType, collation: IcuCollation, text: string): string {
  return rootOf(type).name === 'bpchar' ? collation.keyOf!(trimBlanks(text)) + END : collation.keyOf!(text);
}

/** Whether keys of the type are available for the collation. */
export function canFold(type: SqlType, collation: IcuCollation): boolean {
  return collation.keyOf !== null && ['text', 'varchar', 'bpchar', 'name'].includes(rootOf(type).name);
}
