/** World statements, dispatched by their first words. */
import type { Show, WorldStatement } from '../../ast/world.ts';
import { parseDefineAgent, parseDropAgent } from './agents.ts';
import { parseCreateMergeCheck, parseDefineMergePolicy, parseDropMergeCheck, parseDropMergePolicy, parseReviewWorld, parseShowMerge } from './merge-rules.ts';
import { parseCreateReader, parseDropReader, parseNotifyOnMerge, parseOutbox } from './readers-and-outbox.ts';
import { parseReplayWorld, parseSimulate } from './simulate.ts';
import { WorldReader, type InnerParser } from './world-reader.ts';
import {
  parseAlterWorld,
  parseCheckpoint,
  parseCreateWorld,
  parseDropWorld,
  parseRestoreWorld,
  parseShowAudit,
  parseShowHistory,
  parseShowWorlds,
  parseUndo,
  parseUseWorld,
} from './worlds.ts';
import { parseDiffWorld, parseMergeWorld, parseRebaseWorld } from './merge-world.ts';

/** The statement from `start` to `end`, whose first words are svc's (first-words.ts). */
export function parseWorldStatement(text: string, start: number, end: number, inner: InnerParser): WorldStatement {
  const reader = new WorldReader(text, start, end, inner);
  const statement = parseByFirstWords(reader);
  reader.expectEnd();
  return statement;
}

function parseByFirstWords(reader: WorldReader): WorldStatement {
  const first = reader.word;
  reader.expect(first);
  switch (first) {
    case 'create':
      if (reader.accept('world')) return parseCreateWorld(reader);
      if (reader.accept('agent')) return parseDefineAgent(reader, 'createAgent');
      if (reader.accept('reader')) return parseCreateReader(reader);
      if (reader.accept('or', 'replace')) {
        reader.expect('merge', 'check');
        return parseCreateMergeCheck(reader, true);
      }
      if (reader.accept('merge', 'check')) return parseCreateMergeCheck(reader);
      reader.expect('merge', 'policy');
      return parseDefineMergePolicy(reader, 'createMergePolicy');
    case 'fork':
      reader.accept('world');
      return parseCreateWorld(reader);
    case 'use':
      return parseUseWorld(reader);
    case 'drop':
      if (reader.accept('world')) return parseDropWorld(reader);
      if (reader.accept('agent')) return parseDropAgent(reader);
      if (reader.accept('reader')) return parseDropReader(reader);
      if (reader.accept('merge', 'check')) return parseDropMergeCheck(reader);
      reader.expect('merge', 'policy');
      return parseDropMergePolicy(reader);
    case 'alter':
      if (reader.accept('world')) return parseAlterWorld(reader);
      if (reader.accept('agent')) return parseDefineAgent(reader, 'alterAgent');
      reader.expect('merge', 'policy');
      return parseDefineMergePolicy(reader, 'alterMergePolicy');
    case 'show':
      return parseShow(reader);
    case 'diff':
      return parseDiffWorld(reader);
    case 'merge':
      return parseMergeWorld(reader);
    case 'rebase':
      return parseRebaseWorld(reader);
    case 'restore':
      return parseRestoreWorld(reader);
    case 'checkpoint':
      return parseCheckpoint(reader);
    case 'undo':
      return parseUndo(reader);
    case 'review':
      return parseReviewWorld(reader);
    case 'notify':
      return parseNotifyOnMerge(reader);
    case 'claim':
    case 'ack':
    case 'retry':
      return parseOutbox(reader, first);
    case 'simulate':
      return parseSimulate(reader);
    case 'backup':
      reader.expect('to');
      return { type: 'backup', to: reader.string(), at: reader.start };
    case 'verify':
      return { type: 'verify', at: reader.start };
    case 'replay':
      return parseReplayWorld(reader);
    default:
      throw reader.failure();
  }
}

const SHOWN: Record<string, Show['type']> = {
  world: 'showWorld',
  metrics: 'showMetrics',
  agents: 'showAgents',
  reviews: 'showReviews',
  readers: 'showReaders',
};

/** What there is only of now. */
const PRESENT: ReadonlySet<Show['type']> = new Set(['showWorld', 'showMetrics']);

function parseShow(reader: WorldReader): WorldStatement {
  if (reader.accept('worlds')) return parseShowWorlds(reader);
  if (reader.accept('history')) return parseShowHistory(reader);
  if (reader.accept('audit')) return parseShowAudit(reader);
  if (reader.accept('merge')) return parseShowMerge(reader);
  const type = SHOWN[reader.word];
  if (type === undefined) throw reader.failure();
  reader.expect(reader.word);
  return { type, asOf: PRESENT.has(type) ? null : reader.asOf(), at: reader.start };
}
