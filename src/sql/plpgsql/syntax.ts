/** The syntax tree of a PL/pgSQL function. SQL expressions and statements are kept as text. Manual, chapter 43. */

/** SQL text with its position in the function's body. */
export interface Fragment {
  readonly text: string;
  /** From 0. */
  readonly at: number;
  /** For the value of an assignment: the whole of it, and the offset of the value in it. */
  readonly assignment?: { readonly text: string; readonly offset: number };
  /** Cache of the prepared form. */
  made?: object | null;
}

export interface Block {
  readonly kind: 'block';
  readonly label: string | null;
  readonly declarations: readonly Declaration[];
  readonly body: readonly Statement[];
  readonly handlers: readonly Handler[];
  readonly line: number;
}

export type Declaration =
  | {
      readonly kind: 'variable';
      readonly name: string;
      /** As written: `int[]`, `t.a%TYPE`, `t%ROWTYPE`, `record`. */
      readonly type: string;
      readonly constant: boolean;
      readonly notNull: boolean;
      readonly value: Fragment | null;
      readonly line: number;
    }
  | { readonly kind: 'alias'; readonly name: string; readonly of: readonly string[]; readonly line: number }
  | {
      readonly kind: 'cursor';
      readonly name: string;
      readonly scroll: boolean | null;
      readonly args: readonly { readonly name: string; readonly type: string }[];
      readonly query: Fragment;
      readonly line: number;
    };

export interface Handler {
  /** Names of conditions, `others`, or codes of five characters. */
  readonly conditions: readonly string[];
  readonly body: readonly Statement[];
}

/** The target of an assignment: a variable, followed by fields and subscripts as written. */
export interface Target {
  /** `x`, `label.x`, `rec.field`. */
  readonly parts: readonly string[];
  /** `[1].f` and similar after the names. */
  readonly path: Fragment | null;
  readonly at: number;
}

export interface Into {
  readonly strict: boolean;
  readonly targets: readonly Target[];
}

export type RaiseOption = 'message' | 'detail' | 'hint' | 'errcode' | 'column' | 'constraint' | 'datatype' | 'table' | 'schema';
export type Level = 'debug' | 'log' | 'info' | 'notice' | 'warning' | 'exception';

/** FETCH and MOVE. */
export interface Direction {
  readonly direction: 'forward' | 'backward' | 'absolute' | 'relative';
  /** null: all. */
  readonly count: Fragment | number | null;
}

export type Statement = (
  | Block
  | { readonly kind: 'assign'; readonly target: Target; readonly value: Fragment }
  | {
      readonly kind: 'if';
      readonly branches: readonly { readonly when: Fragment; readonly body: readonly Statement[] }[];
      readonly otherwise: readonly Statement[];
    }
  | {
      readonly kind: 'case';
      readonly value: Fragment | null;
      readonly branches: readonly { readonly when: Fragment; readonly body: readonly Statement[] }[];
      /** null: there is no ELSE. */
      readonly otherwise: readonly Statement[] | null;
    }
  | { readonly kind: 'loop'; readonly label: string | null; readonly body: readonly Statement[] }
  | { readonly kind: 'while'; readonly label: string | null; readonly when: Fragment; readonly body: readonly Statement[] }
  | {
      readonly kind: 'count';
      readonly label: string | null;
      readonly name: string;
      readonly reverse: boolean;
      readonly from: Fragment;
      readonly to: Fragment;
      readonly step: Fragment | null;
      readonly body: readonly Statement[];
    }
  | {
      readonly kind: 'forQuery';
      readonly label: string | null;
      readonly targets: readonly Target[];
      readonly query: Fragment;
      readonly body: readonly Statement[];
    }
  | {
      readonly kind: 'forExecute';
      readonly label: string | null;
      readonly targets: readonly Target[];
      readonly query: Fragment;
      readonly using: readonly Fragment[];
      readonly body: readonly Statement[];
    }
  | {
      readonly kind: 'forCursor';
      readonly label: string | null;
      readonly targets: readonly Target[];
      readonly cursor: string;
      readonly args: Fragment | null;
      readonly body: readonly Statement[];
    }
  | {
      readonly kind: 'foreach';
      readonly label: string | null;
      readonly targets: readonly Target[];
      readonly slice: number;
      readonly array: Fragment;
      readonly body: readonly Statement[];
    }
  | { readonly kind: 'exit'; readonly next: boolean; readonly label: string | null; readonly when: Fragment | null }
  | { readonly kind: 'return'; readonly value: Fragment | null }
  | { readonly kind: 'returnNext'; readonly value: Fragment | null }
  | { readonly kind: 'returnQuery'; readonly query: Fragment }
  | { readonly kind: 'returnExecute'; readonly query: Fragment; readonly using: readonly Fragment[] }
  | {
      readonly kind: 'raise';
      readonly level: Level;
      /** null with `condition` null: re-raises the current error. */
      readonly message: string | null;
      readonly condition: string | null;
      readonly args: readonly Fragment[];
      readonly options: readonly { readonly option: RaiseOption; readonly value: Fragment }[];
    }
  | { readonly kind: 'assert'; readonly when: Fragment; readonly message: Fragment | null }
  | { readonly kind: 'sql'; readonly sql: Fragment; readonly into: Into | null }
  | { readonly kind: 'perform'; readonly query: Fragment }
  | { readonly kind: 'execute'; readonly query: Fragment; readonly into: Into | null; readonly using: readonly Fragment[] }
  | { readonly kind: 'call'; readonly sql: Fragment }
  | { readonly kind: 'diagnostics'; readonly stacked: boolean; readonly items: readonly { readonly target: Target; readonly item: string }[] }
  | {
      readonly kind: 'open';
      readonly cursor: Target;
      readonly scroll: boolean | null;
      readonly query: Fragment | null;
      readonly execute: Fragment | null;
      readonly using: readonly Fragment[];
      readonly args: Fragment | null;
    }
  | { readonly kind: 'fetch'; readonly cursor: Target; readonly move: boolean; readonly direction: Direction; readonly targets: readonly Target[] }
  | { readonly kind: 'close'; readonly cursor: Target }
  | { readonly kind: 'null' }
  | { readonly kind: 'transaction'; readonly what: 'commit' | 'rollback'; readonly chain: boolean }
) & { readonly line: number };

export interface Routine {
  readonly block: Block;
  /** The meaning of a name that is both a variable and a column: an error by default. */
  readonly conflict: 'error' | 'variable' | 'column' | null;
  /** Errors of INTO STRICT show the values of variables; null: by the setting. */
  readonly printStrict: boolean | null;
}
