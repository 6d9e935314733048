/** DIFF, MERGE and REBASE. */
import type { DiffWorld, MergeWorld, RebaseWorld, Resolve } from '../../ast/world.ts';
import type { WorldReader } from './world-reader.ts';

/** `WORLD a [TO b] [TABLES (…)] [AFTER 'key'] [LIMIT n] [COUNT | AS SQL | READERS]` */
export function parseDiffWorld(reader: WorldReader): DiffWorld {
  reader.expect('world');
  const diff: DiffWorld = {
    type: 'diffWorld',
    world: reader.reference(),
    to: null,
    tables: null,
    after: null,
    limit: null,
    output: 'changes',
    at: reader.start,
  };
  reader.clauses(() => {
    if (reader.accept('to')) {
      diff.to = reader.reference();
      return 'to';
    }
    if (reader.accept('tables')) {
      diff.tables = reader.list(() => reader.table());
      return 'tables';
    }
    if (reader.accept('after')) {
      diff.after = reader.string();
      return 'after';
    }
    if (reader.accept('limit')) {
      diff.limit = reader.count();
      return 'limit';
    }
    if (reader.accept('count')) diff.output = 'count';
    else if (reader.accept('as', 'sql')) diff.output = 'sql';
    else if (reader.accept('readers')) diff.output = 'readers';
    else return '';
    return 'output';
  });
  return diff;
}

function parseResolve(reader: WorldReader): Resolve {
  if (reader.accept('fail')) return 'fail';
  if (reader.accept('ours')) return 'ours';
  reader.expect('theirs');
  return 'theirs';
}

/** A row's key: text, or a number or word taken as text. */
function parseKey(reader: WorldReader): string {
  if (reader.isString) return reader.string().value;
  return reader.isNumber || reader.word === '-' ? reader.numberText() : reader.name();
}

/**
 * `WORLD a [INTO b] [RESOLVE …] [BY COLUMNS] [STRICT] [ONLY TABLES (…)] [ONLY KEYS (…)] [ROWS '{…}'] [VERSION n] [TARGET n]
 * [CONFIRM] [CONFIRM DELETES n] [DRY RUN]`
 */
export function parseMergeWorld(reader: WorldReader): MergeWorld {
  reader.expect('world');
  const merge: MergeWorld = {
    type: 'mergeWorld',
    name: reader.name(),
    into: null,
    resolve: null,
    byColumns: false,
    strict: false,
    onlyTables: null,
    onlyKeys: null,
    rows: null,
    version: null,
    target: null,
    confirm: false,
    confirmDeletes: null,
    dryRun: false,
    at: reader.start,
  };
  reader.clauses(() => {
    if (reader.accept('into')) {
      merge.into = reader.name();
      return 'into';
    }
    if (reader.accept('only', 'tables')) {
      merge.onlyTables = reader.list(() => reader.table());
      return 'tables';
    }
    if (reader.accept('only', 'keys')) {
      merge.onlyKeys = reader.list(() => parseKey(reader));
      return 'keys';
    }
    if (reader.accept('target')) {
      merge.target = reader.count();
      return 'target';
    }
    if (reader.accept('confirm', 'deletes')) {
      merge.confirmDeletes = reader.count();
      return 'deletes';
    }
    if (reader.accept('confirm')) {
      merge.confirm = true;
      return 'confirm';
    }
    if (reader.accept('dry', 'run')) {
      merge.dryRun = true;
      return 'dry';
    }
    return parseSharedClause(reader, merge);
  });
  return merge;
}

/** `WORLD a [BY COLUMNS] [STRICT] [RESOLVE …] [ROWS '{…}'] [VERSION n]` */
export function parseRebaseWorld(reader: WorldReader): RebaseWorld {
  reader.expect('world');
  const rebase: RebaseWorld = {
    type: 'rebaseWorld',
    name: reader.name(),
    resolve: null,
    byColumns: false,
    strict: false,
    rows: null,
    version: null,
    at: reader.start,
  };
  reader.clauses(() => parseSharedClause(reader, rebase));
  return rebase;
}

function parseSharedClause(reader: WorldReader, into: MergeWorld | RebaseWorld): string {
  if (reader.accept('resolve')) {
    into.resolve = parseResolve(reader);
    return 'resolve';
  }
  if (reader.accept('by', 'columns')) {
    into.byColumns = true;
    return 'columns';
  }
  if (reader.accept('strict')) {
    into.strict = true;
    return 'strict';
  }
  if (reader.accept('rows')) {
    into.rows = reader.string();
    return 'rows';
  }
  if (reader.accept('version')) {
    into.version = reader.count();
    return 'version';
  }
  return '';
}
