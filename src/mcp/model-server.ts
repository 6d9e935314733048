/**
 * The MCP server of one session, over any transport: tools only. A failed tool call answers a result with `isError` and a
 * text that says how to fix it; JSON-RPC errors are for invalid messages.
 */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { ErrorCode, ListToolsRequestSchema, McpError, PingRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { SvcError } from '../base/errors/svc-error.ts';
import { nearestName } from '../base/nearest-name.ts';
import { describe } from '../session/principal.ts';
import { enterRunning } from '../session/quotas.ts';
import { checkedInput } from './checked-input.ts';
import { instructions } from './instructions.ts';
import { ticker } from './progress.ts';
import { listedSchema } from './listed-schema.ts';
import { isListed, type ModelSession, type Tool, type ToolCall } from './tool.ts';
import { TOOLS } from './tools.ts';

const PROTOCOL = '2025-06-18';

interface ToolResult {
  content: { type: 'text'; text: string }[];
  isError?: true;
  [extra: string]: unknown;
}

export function modelServer(session: ModelSession, version: string): Server {
  const info = { name: 'svc', version };
  const server = new Server(info, { capabilities: { tools: {} }, instructions: instructions(session) });
  server.removeRequestHandler('initialize');
  server.setRequestHandler(PingRequestSchema, () => ({}));
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listedTools(session) }) as never);
  // Both methods are validated here: the schema validator's own messages would not help the model.
  server.fallbackRequestHandler = async ({ method, params = {} }, { signal, sendNotification, _meta }) => {
    if (method === 'initialize') {
      const { protocolVersion = PROTOCOL, clientInfo } = params as { protocolVersion?: unknown; clientInfo?: { name?: unknown } };
      nameSession(session, clientInfo?.name);
      if (typeof protocolVersion !== 'string') throw new McpError(ErrorCode.InvalidParams, 'protocolVersion is a string such as "2025-06-18"');
      return { protocolVersion, capabilities: { tools: {} }, serverInfo: info, instructions: instructions(session) };
    }
    if (method !== 'tools/call') throw new McpError(ErrorCode.MethodNotFound, 'Method not found');
    const { name, arguments: given } = params as { name?: unknown; arguments?: unknown };
    const token = _meta?.progressToken;
    const progress = ticker(String(name), (update) => {
      if (token === undefined || signal.aborted) return;
      void sendNotification({ method: 'notifications/progress', params: { progressToken: token, ...update } }).catch(() => {});
    });
    try {
      return await callTool(session, name, given ?? {}, { signal, report: progress.report });
    } finally {
      progress.stop();
    }
  };
  return server;
}

/** Who a session of safe mode belongs to, for the worlds that it forks. */
function nameSession({ principal }: ModelSession, client: unknown): void {
  if (principal.kind !== 'safe' || principal.session === undefined || typeof client !== 'string' || client === '') return;
  const [own] = principal.session.split(' of ');
  principal.session = `${own} of ${client.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 60)}`;
}

export function listedTools(session: ModelSession): object[] {
  return TOOLS.filter((tool) => isListed(tool, session)).map(({ name, title, description, shown, annotations }) => ({
    name,
    description,
    inputSchema: listedSchema(shown),
    annotations: { title, ...annotations, openWorldHint: false },
  }));
}

async function callTool(session: ModelSession, name: unknown, given: unknown, call: ToolCall): Promise<ToolResult> {
  let leave: (() => void) | null = null;
  try {
    if (typeof name !== 'string') throw new SvcError('22023', 'the tool to call is not named', { hint: 'Say which in `name`; tools/list names them.' });
    const tool = TOOLS.find((each) => each.name === name);
    if (tool === undefined) {
      const near = nearestName(
        name,
        TOOLS.filter((each) => isListed(each, session)).map((each) => each.name),
      );
      throw new SvcError('42883', `there is no tool "${name.slice(0, 60)}"`, { hint: near === null ? 'tools/list names them.' : `Did you mean ${near}?` });
    }
    if (session.safe && tool.unsafe) {
      throw new SvcError('42501', `${name} is not allowed in safe mode`, { hint: 'Report the branch name: a person does that.' });
    }
    if (!isListed(tool, session)) {
      throw new SvcError('42501', `${describe(session.principal)} may not ${name}: it needs ${neededText(tool)}`, {
        hint: 'Ask an administrator of the database.',
      });
    }
    const input = checkedInput(tool, given);
    leave = enterRunning(session.principal);
    return { content: [{ type: 'text', text: await tool.run(session, input, call) }] };
  } catch (error) {
    return { content: [{ type: 'text', text: refusal(error) }], isError: true };
  } finally {
    leave?.();
  }
}

function neededText({ needs: { some, all } }: Tool): string {
  return [some.join(' or '), ...all].join(' and ');
}

/** Expected errors are reported; internal errors without details. */
function refusal(error: unknown): string {
  if (!(error instanceof SvcError)) return `internal error: ${(error as Error).message}`;
  return [error.message, error.detail, error.hint, `(${error.code})`].filter((part) => part !== undefined && part !== '').join('\n');
}
