/**
 * The MCP server of one session, over any transport: tools only. A tool that fails answers a result with `isError` and a
 * text that says how to fix the call; JSON-RPC errors are for messages that are no calls of this protocol.
 */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, InitializeRequestSchema, ListToolsRequestSchema, PingRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Errors } from 'typebox/value';
import { SvcError } from '../base/errors/svc-error.ts';
import type { RunControl } from '../commands/contract.ts';
import { describe } from '../session/principal.ts';
import { enterRunning } from '../session/quotas.ts';
import { instructions } from './instructions.ts';
import { type AnyTool, isListed, type ModelSession } from './tool.ts';
import { TOOLS } from './tools.ts';

const PROGRESS_MS = 250;
const PROTOCOL = '2025-06-18';

interface ToolResult {
  content: { type: 'text'; text: string }[];
  isError?: true;
  [extra: string]: unknown;
}

export function modelServer(session: ModelSession, version: string): Server {
  const info = { name: 'svc', version };
  const server = new Server(info, { capabilities: { tools: {} }, instructions: instructions(session) });
  server.setRequestHandler(InitializeRequestSchema, (request) => ({
    protocolVersion: request.params.protocolVersion ?? PROTOCOL,
    capabilities: { tools: {} },
    serverInfo: info,
    instructions: instructions(session),
  }));
  server.setRequestHandler(PingRequestSchema, () => ({}));
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listedTools(session) }) as never);
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) =>
    callTool(session, params.name, params.arguments ?? {}, {
      signal: extra.signal,
      ...progressOf(params._meta?.progressToken, (notification) => extra.sendNotification(notification)),
    }),
  );
  return server;
}

export function listedTools(session: ModelSession): object[] {
  return TOOLS.filter((tool) => isListed(tool, session)).map(({ name, title, description, input, annotations }) => ({
    name,
    description,
    inputSchema: input,
    annotations: { title, ...annotations, openWorldHint: false },
  }));
}

export async function callTool(session: ModelSession, name: string, given: unknown, control?: RunControl): Promise<ToolResult> {
  let leave: (() => void) | null = null;
  try {
    const tool = TOOLS.find((each) => each.name === name);
    if (tool === undefined) throw new SvcError('42883', `there is no tool "${name.slice(0, 60)}"`, { hint: 'tools/list names them.' });
    if (session.safe && tool.unsafe === true) {
      throw new SvcError('42501', `${name} is not allowed in safe mode`, { hint: 'Report the branch name: a person does that.' });
    }
    if (!isListed(tool, session)) {
      throw new SvcError('42501', `${describe(session.principal)} may not ${name}: it needs ${[...tool.needs].join(' or ')}`, {
        hint: 'Ask an administrator of the database.',
      });
    }
    const input = checked(tool, given);
    leave = enterRunning(session.principal);
    return { content: [{ type: 'text', text: await tool.run(session, input, control) }] };
  } catch (error) {
    return { content: [{ type: 'text', text: refusal(session, error) }], isError: true };
  } finally {
    leave?.();
  }
}

type Progress = { method: 'notifications/progress'; params: { progressToken: string | number; progress: number; total: number } };

/** Progress is told to who asks for it, a few times a second. */
function progressOf(progressToken: string | number | undefined, send: (notification: Progress) => Promise<void>): Pick<RunControl, 'onProgress'> {
  if (progressToken === undefined) return {};
  let toldMs = performance.now();
  return {
    onProgress(progress, total) {
      if (performance.now() - toldMs < PROGRESS_MS) return;
      toldMs = performance.now();
      // Who does not listen any more is no concern of the call.
      send({ method: 'notifications/progress', params: { progressToken, progress, total } }).catch(() => {});
    },
  };
}

/** 22023 names the first field that is wrong. */
function checked(tool: AnyTool, given: unknown): never {
  const [wrong] = Errors(tool.input, given);
  if (wrong === undefined) return given as never;
  const { instancePath, message, params } = wrong as { instancePath: string; message: string; params?: Record<string, unknown> };
  const unknown = message === 'schema is false' ? instancePath.slice(1) : params?.['additionalProperties'];
  const missing = params?.['requiredProperties'];
  const field = instancePath === '' ? '' : `\`${instancePath.slice(1).replaceAll('/', '.')}\` `;
  const what =
    unknown !== undefined ? `there is no parameter \`${String(unknown)}\`` : missing !== undefined ? `\`${String(missing)}\` is missing` : `${field}${message}`;
  const names = Object.keys((tool.input as { properties?: object }).properties ?? {});
  throw new SvcError('22023', `${tool.name}: ${what}`, { hint: names.length === 0 ? 'It takes no parameters.' : `Parameters: ${names.join(', ')}.` });
}

/** Errors of the world outside are told; our own faults are told without their insides. */
function refusal({ safe }: ModelSession, error: unknown): string {
  if (!(error instanceof SvcError)) return `internal error: ${(error as Error).message}`;
  const fork =
    safe && error.code === '42501' && /may not change|may not put|may not/.test(error.message) ? 'Call fork first and pass its name as `branch`.' : undefined;
  const hint = fork ?? error.hint;
  return [error.message, error.detail, hint, `(${error.code})`].filter((part) => part !== undefined && part !== '').join('\n');
}
