/** Every event type, in the order of the numbers. What an event is (`event.ts`) and how it is read (`codec.ts`) follow from this list. */
import { agentChanged } from './types/agent-changed.ts';
import { agentDropped } from './types/agent-dropped.ts';
import { attached } from './types/attached.ts';
import { checkpointed } from './types/checkpointed.ts';
import { closed } from './types/closed.ts';
import { committed } from './types/committed.ts';
import { configured } from './types/configured.ts';
import { confirmed } from './types/confirmed.ts';
import { discarded } from './types/discarded.ts';
import { effectHandled } from './types/effect-handled.ts';
import { forked } from './types/forked.ts';
import { kept } from './types/kept.ts';
import { mergeHeld } from './types/merge-held.ts';
import { merged } from './types/merged.ts';
import { metaChanged } from './types/meta-changed.ts';
import { numbered } from './types/numbered.ts';
import { opened } from './types/opened.ts';
import { policyChanged } from './types/policy-changed.ts';
import { readsRecorded } from './types/reads-recorded.ts';
import { rebased } from './types/rebased.ts';
import { refused } from './types/refused.ts';
import { reviewed } from './types/reviewed.ts';
import { rolesChanged } from './types/roles-changed.ts';
import { sealed } from './types/sealed.ts';
import { simulated } from './types/simulated.ts';
import { simulationDropped } from './types/simulation-dropped.ts';
import { simulationKept } from './types/simulation-kept.ts';
import { swept } from './types/swept.ts';
import { trimmed } from './types/trimmed.ts';
import { undone } from './types/undone.ts';
import { worldKept } from './types/world-kept.ts';
import { writeBackDropped } from './types/write-back-dropped.ts';
import { writeBackIntended } from './types/write-back-intended.ts';

export const EVENTS = [
  opened,
  closed,
  committed,
  forked,
  merged,
  undone,
  rebased,
  discarded,
  metaChanged,
  confirmed,
  checkpointed,
  sealed,
  trimmed,
  swept,
  agentChanged,
  agentDropped,
  configured,
  kept,
  rolesChanged,
  policyChanged,
  mergeHeld,
  reviewed,
  refused,
  effectHandled,
  readsRecorded,
  numbered,
  simulated,
  worldKept,
  simulationKept,
  simulationDropped,
  attached,
  writeBackIntended,
  writeBackDropped,
] as const;
