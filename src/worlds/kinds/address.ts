/** Addresses of objects in statements: how DROP, COMMENT and the dependency graph name them. */

export type NumberedAddress =
  | 'table'
  | 'view'
  | 'sequence'
  | 'index'
  | 'type'
  | 'schema'
  | 'function'
  | 'operator'
  | 'cast'
  | 'operator family'
  | 'operator class'
  | 'family operator'
  | 'family function'
  | 'collation'
  | 'conversion'
  | 'text search dictionary'
  | 'text search configuration'
  | 'extended statistics'
  | 'publication'
  | 'subscription'
  | 'publication table'
  | 'event trigger'
  | 'foreign data wrapper'
  | 'server'
  | 'user mapping'
  | 'extension';

export type Address =
  | { readonly kind: NumberedAddress; readonly number: number }
  | { readonly kind: 'column'; readonly table: number; readonly column: number }
  | { readonly kind: 'constraint' | 'policy' | 'trigger' | 'rule'; readonly table: number; readonly name: string };

/** Parts that can be dropped while their object stays. */
export type PartAddress =
  | { readonly kind: 'default'; readonly table: number; readonly column: number }
  | { readonly kind: 'attribute'; readonly composite: number; readonly attnum: number };
