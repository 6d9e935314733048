/** References to functions. */

/** A user-defined function by its number, or a system function by its name and the arguments' types. */
export type RoutineReference = { own: number } | { name: string };

/** The number of a user-defined function; null for one of the system. */
export function ownRoutine(reference: RoutineReference | null): number | null {
  return reference !== null && 'own' in reference ? reference.own : null;
}
