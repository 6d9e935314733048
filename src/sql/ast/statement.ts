/** A statement: the union of all families, distinguished by `type`. */
import type { DefineStatement } from './define.ts';
import type { Query } from './query.ts';
import type { SessionStatement } from './session.ts';
import type { WorldStatement } from './world.ts';
import type { WriteStatement } from './write.ts';

export type Statement = Query | WriteStatement | DefineStatement | SessionStatement | WorldStatement;
