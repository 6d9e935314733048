/** All projections, in the order in which they fold an event. */
import type { Pager } from '../src/tree/pager.ts';
import type { Node } from '../src/tree/node.ts';
import { AgentsProjection } from './agents/agents.ts';
import { AuditProjection } from './audit/audit.ts';
import { GovernanceProjection } from './governance/governance.ts';
import { HistoryProjection } from './history/history.ts';
import { ObjectsProjection } from './objects/objects.ts';
import { OutboxProjection } from './outbox/outbox.ts';
import { OutcomesProjection } from './outcomes/outcomes.ts';
import { ReadsProjection } from './reads/reads.ts';
import { RolesProjection } from './roles/roles.ts';
import { SettingsProjection } from './settings/settings.ts';
import { WorldsProjection } from './worlds/worlds.ts';

export type Projections = {
  worlds: WorldsProjection;
  history: HistoryProjection;
  objects: ObjectsProjection;
  agents: AgentsProjection;
  settings: SettingsProjection;
  audit: AuditProjection;
  governance: GovernanceProjection;
  outbox: OutboxProjection;
  outcomes: OutcomesProjection;
  reads: ReadsProjection;
  roles: RolesProjection;
};

export const projections = {
  // Version 3: earlier ones lost sequence positions in large commits.
  worlds: { slot: 1, version: 3, make: (pager: Pager, root: Node | null): WorldsProjection => new WorldsProjection(pager, root) },
  history: { slot: 2, version: 1, make: (pager: Pager, root: Node | null): HistoryProjection => new HistoryProjection(pager, root) },
  objects: { slot: 3, version: 1, make: (pager: Pager, root: Node | null): ObjectsProjection => new ObjectsProjection(pager, root) },
  agents: { slot: 4, version: 1, make: (pager: Pager, root: Node | null): AgentsProjection => new AgentsProjection(pager, root) },
  settings: { slot: 5, version: 1, make: (pager: Pager, root: Node | null): SettingsProjection => new SettingsProjection(pager, root) },
  audit: { slot: 6, version: 1, make: (pager: Pager, root: Node | null): AuditProjection => new AuditProjection(pager, root) },
  governance: { slot: 10, version: 1, make: (pager: Pager, root: Node | null): GovernanceProjection => new GovernanceProjection(pager, root) },
  outbox: { slot: 11, version: 1, make: (pager: Pager, root: Node | null): OutboxProjection => new OutboxProjection(pager, root) },
  outcomes: { slot: 12, version: 2, make: (pager: Pager, root: Node | null): OutcomesProjection => new OutcomesProjection(pager, root) },
  reads: { slot: 13, version: 1, make: (pager: Pager, root: Node | null): ReadsProjection => new ReadsProjection(pager, root) },
  roles: { slot: 8, version: 1, make: (pager: Pager, root: Node | null): RolesProjection => new RolesProjection(pager, root) },
} as const;
