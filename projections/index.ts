/** All projections, in the order in which they fold an event. Each file defines its own name, slot and version. */
import { agents } from './agents/agents.ts';
import { attachment } from './attachment/attachment.ts';
import { audit } from './audit/audit.ts';
import { governance } from './governance/governance.ts';
import { history } from './history/history.ts';
import { objects } from './objects/objects.ts';
import { outbox } from './outbox/outbox.ts';
import { outcomes } from './outcomes/outcomes.ts';
import { reads } from './reads/reads.ts';
import { roles } from './roles/roles.ts';
import { settings } from './settings/settings.ts';
import { worldRecords, worlds } from './worlds/worlds.ts';

export const projections = { worlds, history, objects, agents, settings, audit, governance, outbox, outcomes, reads, roles, attachment };

export type Projections = { [Name in keyof typeof projections]: ReturnType<(typeof projections)[Name]['make']> };

/** What a past moment of the whole folder consists of, beside the rows of its worlds: small, and folded again when it is read. */
export const pastProjections = { worlds: worldRecords, agents, settings, governance, outbox, outcomes, attachment };
