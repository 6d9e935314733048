/** The definitions that a statement puts, removes and drops, in order, for event triggers. */
import type { CatalogObject } from '../../worlds/definition.ts';
import type { DropTarget } from './drop-target.ts';

export interface DroppedTarget {
  readonly target: DropTarget;
  /** The statement names it. */
  readonly original: boolean;
  /** It is dropped because it depends on a dropped object, not as a part of it. */
  readonly uses: boolean;
}

export class DefinitionLog {
  readonly put: CatalogObject[] = [];
  readonly removed: CatalogObject[] = [];
  readonly dropped: DroppedTarget[] = [];
}
