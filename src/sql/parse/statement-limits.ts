/** Limits on the text of a statement list. Exceeding one is a typed error: 54000 for the length, 54001 for the rest. */
export const STATEMENT_LIMITS = {
  /** UTF-16 units of a whole list; as large as the largest body of the HTTP entrance. */
  textLengthMax: 32 * 1024 * 1024,
  /** A longer list is passed to the grammar in pieces between statements: a parse tree takes up to fifty times its text. */
  pieceLengthTarget: 256 * 1024,
  /** Of one statement, which cannot be split. Its tree is one JSON text, and V8's strings are limited to 512 MiB. */
  statementLengthMax: 12 * 1024 * 1024,
  tokenCountMax: 4_000_000,
  /** Parentheses, brackets and CASE. The module's stack overflows between 1,000 and 2,000 nested subqueries. */
  nestingMax: 500,
  /** Operators (also NOT, IS, COLLATE …) that may be nested in one expression. The module's stack overflows at 3,000 to 8,000. */
  operatorChainMax: 2000,
  /** JOIN, UNION, INTERSECT, EXCEPT in one statement. The module's stack overflows at 5,000 to 8,000. */
  relationChainMax: 4000,
  /** Recursion depth of the lowering. */
  treeDepthMax: 1500,
  parameterNumberMax: 65_535,
} as const;
