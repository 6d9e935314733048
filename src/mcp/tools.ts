/** All tools for models, in listing order. */
import { modelToolsOf } from '../operations/model-tool.ts';
import { OPERATIONS } from '../operations/table.ts';
import { describe } from './describe.ts';
import { safeSql } from './safe-sql.ts';
import { type Tool, toolOf } from './tool.ts';

export const TOOLS: readonly Tool[] = [
  describe,
  ...OPERATIONS.flatMap((operation) => modelToolsOf(operation).map((made) => toolOf(operation, made))).map((tool) =>
    tool.name === 'sql' ? safeSql(tool) : tool,
  ),
];
