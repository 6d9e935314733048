/** Pseudo-types, for signatures only. No column has them; void and cstring can be results. */
import { formatArray } from './array-text.ts';
import type { ArrayValue } from './array-value.ts';
import { makePseudoType as pseudo } from './make-type.ts';
import type { SqlType } from './type.ts';

export const VOID: SqlType = pseudo('void', 2278, { repr: 'string', parse: () => '', format: () => '' });
export const CSTRING: SqlType = pseudo('cstring', 2275, { length: -2, repr: 'string', arrayOid: 1263, parse: (text) => text, format: String });
export const ANY: SqlType = pseudo('any', 2276, { title: '"any"' });
export const ANYELEMENT: SqlType = pseudo('anyelement', 2283);
/** Catalog columns have arrays of any type, with texts as elements. */
export const ANYARRAY: SqlType = pseudo('anyarray', 2277, { length: -1, format: (value) => formatArray(value as ArrayValue, ',', String) });
export const ANYNONARRAY: SqlType = pseudo('anynonarray', 2776);
export const ANYENUM: SqlType = pseudo('anyenum', 3500);
export const ANYCOMPATIBLE: SqlType = pseudo('anycompatible', 5077);
export const ANYCOMPATIBLEARRAY: SqlType = pseudo('anycompatiblearray', 5078, { length: -1 });
export const ANYCOMPATIBLENONARRAY: SqlType = pseudo('anycompatiblenonarray', 5079);
export const ANYRANGE: SqlType = pseudo('anyrange', 3831, { length: -1 });
export const ANYMULTIRANGE: SqlType = pseudo('anymultirange', 4537, { length: -1 });
export const ANYCOMPATIBLERANGE: SqlType = pseudo('anycompatiblerange', 5080, { length: -1 });
export const ANYCOMPATIBLEMULTIRANGE: SqlType = pseudo('anycompatiblemultirange', 4538, { length: -1 });
export const TRIGGER: SqlType = pseudo('trigger', 2279);
export const EVENT_TRIGGER: SqlType = pseudo('event_trigger', 3838);
export const FDW_HANDLER: SqlType = pseudo('fdw_handler', 3115);
export const PG_DDL_COMMAND: SqlType = pseudo('pg_ddl_command', 32, { length: 8, repr: 'string' });
export const INTERNAL: SqlType = pseudo('internal', 2281, { length: 8 });
