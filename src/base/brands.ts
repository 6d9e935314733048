/** Identities that must not be mixed up. They are erased at run time. */
declare const brand: unique symbol;
type Brand<T, B extends string> = T & { readonly [brand]: B };

/** Position of an event in the log: 1, 2, 3 … without gaps. */
export type Sequence = Brand<number, 'Sequence'>;
/** Internal number of a world: the sequence of the event that created it, so it is unique and never reused. */
export type WorldNumber = Brand<number, 'WorldNumber'>;
/** Public, ULID-like id of a world: 10 characters of creation time, 16 of its number, Crockford base 32. */
export type WorldId = Brand<string, 'WorldId'>;
/** Number of a table, index or other object; shared by every world that has the object. */
export type ObjectId = Brand<number, 'ObjectId'>;
/** Number of a column, unique in the whole database, so that leaves of any schema version can be read. */
export type ColumnId = Brand<number, 'ColumnId'>;
/** Number of a page in the page store; 0 means that the node has not been written. */
export type PageId = Brand<number, 'PageId'>;
/** Microseconds since 1970-01-01 UTC. */
export type Micros = Brand<number, 'Micros'>;
