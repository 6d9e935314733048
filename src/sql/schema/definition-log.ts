/** What a statement puts, removes and drops of definitions, in order, for whoever tells of it afterwards. */
import type { CatalogObject } from '../../worlds/definition.ts';
import type { DropTarget } from './drop-target.ts';

export interface DroppedTarget {
  readonly target: DropTarget;
  /** The statement names it. */
  readonly original: boolean;
  /** It goes because it uses something that goes, not as a part of it. */
  readonly uses: boolean;
}

export class DefinitionLog {
  readonly put: CatalogObject[] = [];
  readonly removed: CatalogObject[] = [];
  readonly dropped: DroppedTarget[] = [];
}
