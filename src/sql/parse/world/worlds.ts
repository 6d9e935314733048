/** Worlds: create, use, alter, drop, restore. */
import type {
  AlterWorld,
  CreateCheckpoint,
  CreateWorld,
  DropWorld,
  RestoreWorld,
  ShowAudit,
  ShowHistory,
  ShowWorlds,
  Text,
  UndoAgent,
  UndoMerge,
  UseWorld,
  WorldReference,
} from '../../ast/world.ts';
import type { WorldReader } from './world-reader.ts';

/** `n [FROM w[@when]] [META '{…}']` */
export function parseCreateWorld(reader: WorldReader): CreateWorld {
  const name = reader.name();
  let from: WorldReference | null = null;
  let meta: Text | null = null;
  reader.clauses(() => {
    if (reader.accept('from')) {
      from = reader.reference();
      return 'from';
    }
    if (!reader.accept('meta')) return '';
    meta = reader.string();
    return 'meta';
  });
  return { type: 'createWorld', name, from, meta, at: reader.start };
}

/** `[WORLD] w[@when]`; a world may be named `world`. */
export function parseUseWorld(reader: WorldReader): UseWorld {
  const at = reader.at;
  if (reader.accept('world') && reader.atEnd) reader.skipTo(at);
  return { type: 'useWorld', world: reader.reference(), at: reader.start };
}

/** `n [CASCADE]` */
export function parseDropWorld(reader: WorldReader): DropWorld {
  const name = reader.name();
  return { type: 'dropWorld', name, cascade: reader.accept('cascade'), at: reader.start };
}

/** `n SET META '{…}' | PIN | UNPIN | SET TTL interval | RESET TTL | CONFIRM` */
export function parseAlterWorld(reader: WorldReader): AlterWorld {
  return { type: 'alterWorld', name: reader.name(), action: parseAction(reader), at: reader.start };
}

function parseAction(reader: WorldReader): AlterWorld['action'] {
  if (reader.accept('pin')) return { kind: 'pin' };
  if (reader.accept('unpin')) return { kind: 'unpin' };
  if (reader.accept('confirm')) return { kind: 'confirm' };
  if (reader.accept('reset')) {
    reader.expect('ttl');
    return { kind: 'resetTtl' };
  }
  reader.expect('set');
  if (reader.accept('meta')) return { kind: 'setMeta', meta: reader.string() };
  reader.expect('ttl');
  return { kind: 'setTtl', ttl: reader.duration() };
}

/** `WORLD a TO 'when' | TO CHECKPOINT c` */
export function parseRestoreWorld(reader: WorldReader): RestoreWorld {
  reader.expect('world');
  const name = reader.name();
  reader.expect('to');
  const to: RestoreWorld['to'] = reader.accept('checkpoint') ? { kind: 'checkpoint', name: reader.name() } : { kind: 'moment', when: reader.string() };
  return { type: 'restoreWorld', name, to, at: reader.start };
}

/** `c [ON WORLD a]` */
export function parseCheckpoint(reader: WorldReader): CreateCheckpoint {
  const name = reader.name();
  let world: string | null = null;
  if (reader.accept('on')) {
    reader.expect('world');
    world = reader.name();
  }
  return { type: 'createCheckpoint', name, world, at: reader.start };
}

/** `MERGE a [SKIP CHANGED]` or `AGENT n [SINCE 'when'] [SKIP CHANGED]` */
export function parseUndo(reader: WorldReader): UndoMerge | UndoAgent {
  const agent = reader.accept('agent');
  if (!agent) reader.expect('merge');
  const name = reader.name();
  let since: Text | null = null;
  let skipChanged = false;
  let dryRun = false;
  reader.clauses(() => {
    if (agent && reader.accept('since')) {
      since = reader.string();
      return 'since';
    }
    if (reader.accept('dry', 'run')) {
      dryRun = true;
      return 'dry';
    }
    if (!reader.accept('skip', 'changed')) return '';
    skipChanged = true;
    return 'skip';
  });
  return agent ? { type: 'undoAgent', name, since, skipChanged, dryRun, at: reader.start } : { type: 'undoMerge', name, skipChanged, dryRun, at: reader.start };
}

/** `[FOR WORLD w | FOR ROW 't/id' [IN | OF WORLD w]] [IN | OF WORLD w] [WITH DEFINITIONS] [LIMIT n] [BEFORE x] [AFTER x]` */
export function parseShowHistory(reader: WorldReader): ShowHistory {
  let world: WorldReference | null = null;
  let row: Text | null = null;
  let definitions = false;
  const page: Page = { limit: null, before: null, after: null };
  reader.clauses(() => {
    if (reader.accept('for', 'row')) {
      row = reader.string();
      return 'row';
    }
    if (reader.accept('for', 'world') || reader.accept('of', 'world') || reader.accept('in', 'world')) {
      world = reader.reference();
      return 'world';
    }
    if (reader.accept('with', 'definitions')) {
      definitions = true;
      return 'definitions';
    }
    return pageClause(reader, page);
  });
  return { type: 'showHistory', world, row, definitions, ...page, at: reader.start };
}

interface Page {
  limit: number | null;
  before: string | null;
  after: string | null;
}

function pageClause(reader: WorldReader, page: Page): string {
  if (reader.accept('limit')) {
    page.limit = reader.count();
    return 'limit';
  }
  for (const bound of ['before', 'after'] as const) {
    if (!reader.accept(bound)) continue;
    page[bound] = reader.string().value;
    return bound;
  }
  return '';
}

/** `[LIKE 'prefix%'] [AFTER w] [LIMIT n]` */
export function parseShowWorlds(reader: WorldReader): ShowWorlds {
  const like = reader.accept('like') ? reader.string().value : null;
  let after: string | null = null;
  if (reader.accept('after')) after = reader.isString ? reader.string().value : reader.name();
  const limit = reader.accept('limit') ? reader.count() : null;
  return { type: 'showWorlds', like, after, limit, asOf: reader.asOf(), at: reader.start };
}

/** `[FOR AGENT n] [LIMIT n] [BEFORE x] [AFTER x]` */
export function parseShowAudit(reader: WorldReader): ShowAudit {
  let agent: string | null = null;
  const page: Page = { limit: null, before: null, after: null };
  reader.clauses(() => {
    if (!reader.accept('for', 'agent')) return pageClause(reader, page);
    agent = reader.name();
    return 'agent';
  });
  return { type: 'showAudit', agent, ...page, at: reader.start };
}
