/** The operations of a database as methods: of one principal, or with the principal as an argument. */
import type { AllCommands, DirectCommands } from '../commands/contract.ts';
import type { RunControl } from '../commands/run-control.ts';
import { OWNER, type Principal } from '../session/principal.ts';
import { checkInput } from './check-input.ts';
import type { AnyOperation, ResultColumn } from './define-operation.ts';
import { mergeOperation } from './merge.ts';
import { callOperation } from './pipeline.ts';
import type { Services } from './services.ts';
import { ALL_OPERATIONS } from './table.ts';

/** For entrances, which check inputs themselves. */
export function commandsOf(services: Services, by: Principal): AllCommands {
  return methods(
    (operation) =>
      (input = {}, control?: RunControl) =>
        callOperation(operation, services, by, input, control),
  ) as AllCommands;
}

/** For programs: inputs are checked here. */
export function checkedCommandsOf(services: Services, by: Principal): AllCommands {
  return methods(
    (operation) =>
      (input = {}, control?: RunControl) =>
        callChecked(operation, services, by, input, control),
  ) as AllCommands;
}

/** For programs: inputs are checked here. Without `by` it is the database's own user. */
export function directCommands(services: Services): DirectCommands {
  return methods(
    (operation) =>
      (input = {}, by: Principal = OWNER, control?: RunControl) =>
        callChecked(operation, services, by, input, control),
  ) as DirectCommands;
}

function callChecked(operation: AnyOperation, services: Services, by: Principal, input: object, control?: RunControl): Promise<unknown> {
  try {
    checkInput(operation, input);
  } catch (error) {
    return Promise.reject(error);
  }
  return callOperation(operation, services, by, input, control);
}

type Method = (input?: object, ...rest: never[]) => Promise<unknown>;

function methods(method: (operation: AnyOperation) => Method): unknown {
  const merge = method(mergeOperation);
  const preview: Method = (input, ...rest) => merge({ ...input, dry_run: true }, ...rest);
  return { ...Object.fromEntries(ALL_OPERATIONS.map((operation) => [operation.name, method(operation)])), preview };
}

/** Columns of the statements of SQL that an operation answers. */
export function resultColumns(name: string, form = 'result'): readonly ResultColumn[] {
  return ALL_OPERATIONS.find((operation) => operation.name === name)!.sql![form];
}
