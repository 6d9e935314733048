/** Functions that definitions name. */

/** A function of the world by its number, or one of the system's by its name; which one of the name, its arguments say. */
export type RoutineReference = { own: number } | { name: string };

/** The function of the world that is meant; null for one of the system's. */
export function ownRoutine(reference: RoutineReference | null): number | null {
  return reference !== null && 'own' in reference ? reference.own : null;
}
