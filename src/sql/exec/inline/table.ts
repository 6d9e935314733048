/** All procedures that are inlined, by Postgres's name. */
import { COMPARISONS } from './comparisons.ts';
import { FLOATS } from './floats.ts';
import { INTEGERS } from './integers.ts';
import { LIKES } from './likes.ts';
import { NUMERICS } from './numerics.ts';
import type { Inline } from './rule.ts';

export const INLINE: ReadonlyMap<string, Inline> = new Map([...INTEGERS, ...FLOATS, ...COMPARISONS, ...NUMERICS, ...LIKES]);
