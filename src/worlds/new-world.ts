/** A newly created world: no writes, no forks, no state of its own. */
import type { Sequence } from '../base/brands.ts';
import type { World } from './world.ts';

/** Identity, origin and initial content; `root` is its fork point. */
export type NewWorld = Pick<World, 'number' | 'name' | 'created' | 'parent' | 'depth' | 'owner' | 'meta' | 'root' | 'catalog' | 'edit'>;

export function newWorld({ number, name, created, parent, depth, owner, meta, root, catalog, edit }: NewWorld): World {
  return {
    number,
    name,
    created,
    parent,
    depth,
    owner,
    meta,
    version: 0,
    active: created,
    pinned: false,
    ttl: null,
    changed: 0,
    flagged: false,
    lastWrite: 0 as Sequence,
    confirmed: 0 as Sequence,
    rebased: 0 as Sequence,
    children: 0,
    status: 'open',
    gone: 0 as Sequence,
    merges: [],
    checkpoints: [],
    root,
    base: root,
    catalog,
    used: 0,
    edit,
  };
}
