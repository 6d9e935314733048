/**
 * The OpenAPI document, derived from the operations table. Schemas are written as tools for clients read them: a record is `additionalProperties`, a choice
 * of constants an `enum`, and shapes that occur often are components.
 */
import type { TSchema } from 'typebox';
import { SQLSTATES } from '../base/errors/sqlstate.ts';
import { COMMON_ERRORS, type AnyOperation } from '../operations/define-operation.ts';
import { acceptedInput } from '../operations/field-aliases.ts';
import * as s from '../operations/schemas.ts';
import { OPERATIONS } from '../operations/table.ts';
import { ERROR_BODY, REQUEST_REFUSALS } from './openapi-errors.ts';

type Json = Record<string, unknown>;

/** Shapes that have a name in the document. */
const COMPONENTS: Readonly<Record<string, TSchema>> = {
  Error: ERROR_BODY,
  World: s.world,
  Change: s.change,
  Conflict: s.conflict,
  Review: s.review,
  MergePolicy: s.policy,
  MergeCheck: s.mergeCheck,
};

const TOKEN = 'token';
const withToken = [{ [TOKEN]: [] }];
/** Without a server token, which loopback alone allows, requests need none. */
const withOrWithout = [...withToken, {}];

export function openApiDocument(version: string): object {
  const paths: Json = {};
  for (const operation of OPERATIONS) {
    for (const name of [operation.name, ...(operation.aliases ?? [])]) paths[`/v1/${name}`] = { post: operationObject(operation, name) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'svc',
      version,
      description: 'A branching, event-sourced database: fork a world, change it, read the diff, merge it back.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'http://127.0.0.1:7070', description: 'The standard of `svc serve`; `--listen` names another address, with TLS it is https.' }],
    security: withOrWithout,
    tags: [
      { name: 'operations', description: 'What the database does: POST a JSON object.' },
      { name: 'models', description: 'Tools for models.' },
      { name: 'server', description: 'The server itself.' },
    ],
    paths: { ...paths, ...OTHER_PATHS },
    components: {
      securitySchemes: {
        [TOKEN]: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The server token, the admin token, or the token of an agent. A server on loopback may have none; the metrics token reads /metrics alone.',
        },
      },
      schemas: Object.fromEntries(Object.entries(COMPONENTS).map(([name, schema]) => [name, plainSchema(schema, name)])),
    },
  };
}

function operationObject(operation: AnyOperation, name: string): object {
  const byStatus = new Map<number, string[]>();
  for (const code of [...COMMON_ERRORS, ...operation.errors]) {
    const { status, name: state } = SQLSTATES[code];
    byStatus.set(status, [...new Set([...(byStatus.get(status) ?? []), `${code} ${state}`])]);
  }
  const refusals = new Map<number, string>(Object.entries(REQUEST_REFUSALS).map(([status, description]) => [Number(status), description]));
  for (const [status, codes] of byStatus) {
    const before = refusals.get(status);
    refusals.set(status, before === undefined ? codes.join(', ') : `${before} Of the operation: ${codes.join(', ')}.`);
  }
  const examples = operation.examples.map(({ input }, i) => [`example${i + 1}`, { value: input }] as const);
  const outputs = operation.examples.flatMap(({ output }, i) => (output === undefined ? [] : [[`example${i + 1}`, { value: output }] as const]));
  return {
    operationId: name,
    tags: ['operations'],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    security: withOrWithout,
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: plainSchema(acceptedInput(operation)), ...(examples.length === 0 ? {} : { examples: Object.fromEntries(examples) }) },
      },
    },
    responses: {
      200: {
        description: 'Done.',
        content: { 'application/json': { schema: plainSchema(operation.output), ...(outputs.length === 0 ? {} : { examples: Object.fromEntries(outputs) }) } },
      },
      ...Object.fromEntries([...refusals].sort(([a], [b]) => a - b).map(([status, description]) => [status, errorResponse(description)])),
    },
  };
}

const errorResponse = (description: string): object => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

const refusals = (...statuses: readonly number[]): object => Object.fromEntries(statuses.map((status) => [status, errorResponse(REQUEST_REFUSALS[status])]));

const ID = { type: ['string', 'integer', 'null'] };
const RPC_RESPONSE = {
  type: 'object',
  required: ['jsonrpc', 'id'],
  properties: {
    jsonrpc: { type: 'string', const: '2.0' },
    id: ID,
    result: { type: 'object', additionalProperties: true },
    error: { type: 'object', required: ['code', 'message'], properties: { code: { type: 'integer' }, message: { type: 'string' }, data: {} } },
  },
};
const rpc = (description: string): object => ({ description, content: { 'application/json': { schema: RPC_RESPONSE } } });

const OTHER_PATHS = {
  '/mcp': {
    post: {
      operationId: 'mcp',
      tags: ['models'],
      summary: 'Answers one message of MCP (JSON-RPC 2.0), without an event stream.',
      description: "For agents' tokens, and for the guest of safe mode. A message is at most 8 MB.",
      security: withOrWithout,
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['jsonrpc'],
              properties: {
                jsonrpc: { type: 'string', const: '2.0' },
                id: ID,
                method: { type: 'string' },
                params: { type: 'object', additionalProperties: true },
              },
            },
            examples: { tools: { value: { jsonrpc: '2.0', id: 1, method: 'tools/list' } } },
          },
        },
      },
      responses: {
        200: rpc('The response to a request.'),
        202: { description: 'A notification or a response was taken.' },
        400: rpc('Not JSON (-32700), a batch, or no message of JSON-RPC (-32600).'),
        ...refusals(401, 403, 411, 413, 415, 429, 500, 503),
      },
    },
  },
  '/metrics': {
    get: {
      operationId: 'metrics',
      tags: ['server'],
      summary: 'Metrics in the text format of Prometheus.',
      description: "For the server token or the metrics token, if the server has one. An agent's token is refused.",
      security: withOrWithout,
      responses: { 200: { description: 'Metrics.', content: { 'text/plain': { schema: { type: 'string' } } } }, ...refusals(401, 403, 429, 503) },
    },
  },
  '/v1/health': {
    get: {
      operationId: 'health',
      tags: ['server'],
      summary: 'Whether the server answers, and how far its clock is behind the newest event.',
      security: [],
      responses: {
        200: {
          description: 'It does.',
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['ok', 'version', 'uptime_ms', 'clock'],
                properties: {
                  ok: { type: 'boolean', const: true },
                  version: { type: 'string', description: 'The release.' },
                  uptime_ms: { type: 'integer', minimum: 0 },
                  clock: { type: 'object', required: ['behind_ms'], properties: { behind_ms: { type: 'number', minimum: 0 } } },
                },
              },
            },
          },
        },
        ...refusals(403, 503),
      },
    },
  },
  '/v1/openapi.json': {
    get: {
      operationId: 'openapi',
      tags: ['server'],
      summary: 'This document.',
      security: withOrWithout,
      responses: {
        200: { description: 'OpenAPI 3.1.', content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } } },
        ...refusals(401, 403, 429, 503),
      },
    },
  },
};

/** A schema as a document has it; `own` is the component that it is the definition of. */
function plainSchema(schema: unknown, own?: string): unknown {
  if (Array.isArray(schema)) return schema.map((each) => plainSchema(each));
  if (typeof schema !== 'object' || schema === null) return schema;
  const known = Object.keys(COMPONENTS).find((name) => COMPONENTS[name] === schema);
  if (known !== undefined && known !== own) return { $ref: `#/components/schemas/${known}` };
  const { patternProperties, anyOf, ...rest } = schema as Json & { anyOf?: Json[] };
  const plain = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, key === 'properties' ? propertiesOf(value as Json) : plainSchema(value)]));
  if (patternProperties !== undefined) {
    const [values] = Object.values(patternProperties as Json);
    plain['additionalProperties'] = Object.keys(values as Json).length === 0 ? true : plainSchema(values);
  }
  if (anyOf === undefined) return plain;
  const constants = anyOf.map((each) => each['const']);
  if (constants.every((each) => typeof each === 'string')) return { ...plain, type: 'string', enum: constants };
  return { ...plain, anyOf: plainSchema(anyOf) };
}

/** Names of properties are no keywords: one may be called `anyOf`. */
const propertiesOf = (properties: Json): Json => Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, plainSchema(value)]));
