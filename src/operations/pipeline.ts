/**
 * The one way of a call, from every entrance:
 *
 *     open? ──► second names ──► whole rows for a role? ──► mask ──► state of the engine ──► quota ──► authorize ──► run ──► count
 *
 * What changes a world is authorized once more by its command, which has found the world, in the turn in which it commits.
 */
import type { Static, TSchema } from 'typebox';
import { SvcError } from '../base/errors/svc-error.ts';
import type { RunControl } from '../commands/run-control.ts';
import { authorize, READ } from '../session/authorize.ts';
import { describe, type Principal } from '../session/principal.ts';
import { chargeWrite } from '../session/quotas.ts';
import type { Operation } from './define-operation.ts';
import { withoutAliases } from './field-aliases.ts';
import type { Services } from './services.ts';

export function callOperation<Name extends string, Input extends TSchema, Output extends TSchema>(
  operation: Operation<Name, Input, Output>,
  services: Services,
  by: Principal,
  received: Static<Input>,
  control: RunControl = {},
): Promise<Static<Output>> {
  try {
    if (services.isClosed()) throw new SvcError('57P01', 'the database is closed');
    const input = operation.fieldAliases === undefined ? received : withoutAliases(operation, received);
    if (takesRows(operation, input)) refuseRowsOfRoles(by);
    const run = (given: Static<Input>, followed: RunControl): Promise<Static<Output>> => gated(operation, services, by, given, followed);
    return operation.mask === undefined || seesAll(by) ? run(input, control) : operation.mask({ services, input, by, control }, run);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** The database's own user, and the database itself. */
function seesAll({ kind, sight }: Principal): boolean {
  return (kind === 'owner' || kind === 'system') && sight !== 'masked';
}

function takesRows<Input extends TSchema>({ rows }: Operation<string, Input, TSchema>, input: Static<Input>): boolean {
  return typeof rows === 'function' ? rows(input) : rows === true;
}

/** Roles read and write rows through SQL only, where privileges and row policies apply. */
function refuseRowsOfRoles(by: Principal): void {
  if (by.kind !== 'role' || by.superuser) return;
  throw new SvcError('42501', `permission denied: ${describe(by)} reads and writes rows by SQL`, { hint: 'Privileges and row policies apply there.' });
}

function gated<Input extends TSchema, Output extends TSchema>(
  operation: Operation<string, Input, Output>,
  services: Services,
  by: Principal,
  input: Static<Input>,
  control: RunControl,
): Promise<Static<Output>> {
  const call = { services, input, by, control };
  if (operation.gate === 'own') return operation.run(call);
  const { engine } = services.context;
  const effect = operation.effectOf?.(input, control) ?? operation.effect;
  if (effect === 'read') {
    return engine.read(() => {
      authorize(by, operation.needs ?? READ);
      return operation.run(call);
    });
  }
  const change = (): Promise<Static<Output>> => {
    chargeWrite(by);
    return operation.run(call);
  };
  const work = effect === 'grow' ? engine.writeIfSpace(change) : engine.write(change);
  if (!operation.errors.includes('SV409')) return work;
  return work.catch((error: unknown) => {
    if (error instanceof SvcError && error.code === 'SV409') services.onConflict();
    throw error;
  });
}
