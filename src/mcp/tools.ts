/** All tools for models, in listing order. */
import type { AnyTool } from './tool.ts';
import { MERGE_TOOLS } from './tools/merge.ts';
import { POLICY_TOOLS } from './tools/policies.ts';
import { ROW_TOOLS } from './tools/rows.ts';
import { SQL_TOOLS } from './tools/sql.ts';
import { SIMULATION_TOOLS } from './tools/simulation.ts';
import { WORLD_TOOLS } from './tools/worlds.ts';

export const TOOLS: readonly AnyTool[] = [...ROW_TOOLS, ...SQL_TOOLS, ...WORLD_TOOLS, ...MERGE_TOOLS, ...POLICY_TOOLS, ...SIMULATION_TOOLS];
