/** Texts as a collation that is not deterministic tells them apart: the same text where it holds two for equal. */
import type { IcuCollation } from './icu-collation.ts';
import { rootOf } from './domain-type.ts';
import { trimBlanks } from './text-order.ts';
import type { SqlType } from './type.ts';

/** Keeps blanks at the end of what a bpchar is made from being taken for its padding. */
const END = '.';

export function foldedText(type: SqlType, collation: IcuCollation, text: string): string {
  return rootOf(type).name === 'bpchar' ? collation.keyOf!(trimBlanks(text)) + END : collation.keyOf!(text);
}

/** Whether keys can hold values of the type by the collation. */
export function canFold(type: SqlType, collation: IcuCollation): boolean {
  return collation.keyOf !== null && ['text', 'varchar', 'bpchar', 'name'].includes(rootOf(type).name);
}
