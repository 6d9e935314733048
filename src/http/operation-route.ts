/** How an operation takes its input over HTTP: the schema of the body, and what is done to a body before the schema is applied. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnyOperation } from '../operations/define-operation.ts';
import { withPlainNumbers } from '../operations/exact-input.ts';
import { acceptedInput } from '../operations/field-aliases.ts';
import { hasExactNumbers } from './json-body.ts';

type PreValidation = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

export function routeOf(operation: AnyOperation): { readonly schema: { readonly body: object }; readonly preValidation: PreValidation[] } {
  const body = acceptedInput(operation);
  const plainNumbers: PreValidation = (request, _reply, done) => {
    try {
      if (hasExactNumbers(request.body)) request.body = withPlainNumbers(body, request.body);
      done();
    } catch (error) {
      done(error as Error);
    }
  };
  return { schema: { body }, preValidation: [...everyBranch(operation), plainNumbers] };
}

/** Every operation takes `branch`: one that concerns the whole database ignores it. */
function everyBranch({ input }: AnyOperation): PreValidation[] {
  if ('branch' in ((input as { properties?: object }).properties ?? {})) return [];
  return [
    (request, _reply, done) => {
      const body = request.body as { branch?: unknown } | null;
      if (body !== null && typeof body === 'object' && typeof body.branch === 'string' && body.branch !== '') delete body.branch;
      done();
    },
  ];
}
