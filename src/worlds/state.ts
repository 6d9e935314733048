/**
 * The projections as the layers above them see them: an interface each. `projections/index.ts` lists the classes; the composition root holds that list to
 * this one by type when it opens the engine.
 */
import type { Projection } from '../projection/projection.ts';
import type { Attachment } from './attachment.ts';
import type { Governance, NotedReads, Outbox, Outcomes } from './governance.ts';
import type { Agents, Audit, History, Objects, RoleBook, StoredSettings, Worlds } from './world.ts';

interface Interfaces {
  worlds: Worlds;
  history: History;
  objects: Objects;
  roles: RoleBook;
  agents: Agents;
  settings: StoredSettings;
  audit: Audit;
  governance: Governance;
  outbox: Outbox;
  outcomes: Outcomes;
  reads: NotedReads;
  attachment: Attachment;
}

export type State = { [Name in keyof Interfaces]: Projection & Interfaces[Name] };

/** Projections of which the whole folder's past is made; of worlds, only records. */
export type PastState = Pick<State, 'worlds' | 'agents' | 'settings' | 'governance' | 'outbox' | 'outcomes' | 'attachment'>;
