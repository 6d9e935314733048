/** The OpenAPI document, derived from the operations table. */
import { SQLSTATES } from '../base/errors/sqlstate.ts';
import { COMMON_ERRORS } from '../operations/define-operation.ts';
import { acceptedInput } from '../operations/field-aliases.ts';
import { OPERATIONS } from '../operations/table.ts';

const ERROR_BODY = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['message', 'code'],
      properties: {
        message: { type: 'string' },
        code: { type: 'string', description: 'SQLSTATE' },
        detail: { type: 'string' },
        hint: { type: 'string' },
        conflicts: { type: 'array' },
      },
    },
  },
};

export function openApiDocument(version: string): object {
  const paths: Record<string, object> = {};
  for (const operation of OPERATIONS) {
    const byStatus = new Map<number, string[]>();
    for (const code of [...COMMON_ERRORS, ...operation.errors]) {
      const { status, name } = SQLSTATES[code];
      byStatus.set(status, [...(byStatus.get(status) ?? []), `${code} ${name}`]);
    }
    const responses: Record<string, object> = {
      200: { description: 'Done.', content: { 'application/json': { schema: operation.output } } },
    };
    for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
      responses[status] = { description: codes.join(', '), content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };
    }
    const examples = Object.fromEntries(operation.examples.map(({ input }, i) => [`example${i + 1}`, { value: input }]));
    for (const name of [operation.name, ...(operation.aliases ?? [])]) {
      paths[`/v1/${name}`] = {
        post: {
          operationId: name,
          summary: operation.summary,
          description: operation.description,
          requestBody: { required: true, content: { 'application/json': { schema: acceptedInput(operation), examples } } },
          responses,
        },
      };
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'svc', version, description: 'A branching, event-sourced database.', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    paths: {
      ...paths,
      '/v1/health': {
        get: {
          operationId: 'health',
          summary: 'Whether the server answers, and how far its clock lies behind the newest event (clock.behind_ms).',
          responses: { 200: { description: 'It does.' } },
        },
      },
      '/metrics': { get: { operationId: 'metrics', summary: 'Metrics in Prometheus text form.', responses: { 200: { description: 'Metrics.' } } } },
    },
    components: { schemas: { Error: ERROR_BODY } },
  };
}
