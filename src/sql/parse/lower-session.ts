/** Settings, transactions, prepared statements, cursors, notifications and maintenance. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type * as pg from '@pgsql/types';
import type { Expression } from '../ast/expression.ts';
import type {
  Begin,
  DeclareCursor,
  Discard,
  Do,
  EndTransaction,
  Execute,
  Fetch,
  LockMode,
  LockTable,
  Reindex,
  ResetVariable,
  Savepoint,
  SetTransaction,
  SetVariable,
  TransactionModes,
  TwoPhase,
  Vacuum,
} from '../ast/session.ts';
import { lowerExpression, lowerList } from './lower-expression.ts';
import { lowerOptions } from './lower-option.ts';
import { lowerQuery, lowerRelation } from './lower-query.ts';
import { bodyOf, strings, type Lowering } from './lowering.ts';

export function lowerSetting(cx: Lowering, raw: pg.VariableSetStmt): SetVariable | ResetVariable {
  switch (raw.kind) {
    case 'VAR_RESET':
      return { type: 'reset', name: raw.name ?? '', at: cx.statementAt };
    case 'VAR_RESET_ALL':
      return { type: 'reset', name: null, at: cx.statementAt };
    case 'VAR_SET_MULTI':
      throw cx.unsupported(`SET ${raw.name}`, cx.statementAt);
    default:
      return {
        type: 'set',
        name: raw.name ?? '',
        values: raw.kind === 'VAR_SET_VALUE' ? lowerSettingValues(cx, raw.args) : null,
        fromCurrent: raw.kind === 'VAR_SET_CURRENT',
        local: raw.is_local === true,
        at: cx.statementAt,
      };
  }
}

function lowerSettingValues(cx: Lowering, nodes: pg.Node[] | undefined): Expression[] {
  for (const node of nodes ?? []) if ('ParamRef' in node) throw cx.misplacedParameter(node.ParamRef);
  return lowerList(cx, nodes);
}

export function lowerSet(cx: Lowering, raw: pg.VariableSetStmt): SetVariable | ResetVariable | SetTransaction {
  if (raw.kind !== 'VAR_SET_MULTI') return lowerSetting(cx, raw);
  if (raw.name === 'TRANSACTION SNAPSHOT') {
    const snapshot = lowerExpression(cx, raw.args![0]);
    return {
      type: 'setTransaction',
      session: false,
      modes: lowerModes(cx, undefined),
      snapshot: snapshot.type === 'string' ? snapshot.value : '',
      at: cx.statementAt,
    };
  }
  return { type: 'setTransaction', session: raw.name === 'SESSION CHARACTERISTICS', modes: lowerModes(cx, raw.args), snapshot: null, at: cx.statementAt };
}

function lowerModes(cx: Lowering, options: pg.Node[] | undefined): TransactionModes {
  const modes: TransactionModes = { isolation: null, readOnly: null, deferrable: null };
  for (const node of options ?? []) {
    const option = bodyOf(node, 'DefElem');
    const value = lowerExpression(cx, option.arg!);
    if (option.defname === 'transaction_isolation' && value.type === 'string') modes.isolation = value.value as TransactionModes['isolation'];
    else if (option.defname === 'transaction_read_only') modes.readOnly = isOn(value);
    else if (option.defname === 'transaction_deferrable') modes.deferrable = isOn(value);
  }
  return modes;
}

function isOn(value: Expression): boolean {
  return value.type === 'integer' && value.value !== 0;
}

export function lowerTransaction(cx: Lowering, raw: pg.TransactionStmt): Begin | EndTransaction | Savepoint | TwoPhase {
  const at = cx.statementAt;
  const name = raw.savepoint_name ?? '';
  const id = raw.gid ?? '';
  const chain = raw.chain === true;
  switch (raw.kind) {
    case 'TRANS_STMT_COMMIT':
      return { type: 'commit', chain, at };
    case 'TRANS_STMT_ROLLBACK':
      return { type: 'rollback', chain, at };
    case 'TRANS_STMT_SAVEPOINT':
      return { type: 'savepoint', name, at };
    case 'TRANS_STMT_RELEASE':
      return { type: 'release', name, at };
    case 'TRANS_STMT_ROLLBACK_TO':
      return { type: 'rollbackTo', name, at };
    case 'TRANS_STMT_PREPARE':
      return { type: 'prepareTransaction', id, at };
    case 'TRANS_STMT_COMMIT_PREPARED':
      return { type: 'commitPrepared', id, at };
    case 'TRANS_STMT_ROLLBACK_PREPARED':
      return { type: 'rollbackPrepared', id, at };
    default:
      return { type: 'begin', start: raw.kind === 'TRANS_STMT_START', modes: lowerModes(cx, raw.options), at };
  }
}

export function lowerExecute(cx: Lowering, raw: pg.ExecuteStmt): Execute {
  return { type: 'execute', name: raw.name ?? '', args: lowerList(cx, raw.params), at: cx.statementAt };
}

/** The bits of nodes/parsenodes.h. */
const CURSOR = { binary: 0x1, scroll: 0x2, noScroll: 0x4, insensitive: 0x8, asensitive: 0x10, hold: 0x20 };

export function lowerDeclareCursor(cx: Lowering, raw: pg.DeclareCursorStmt): DeclareCursor {
  const bits = raw.options ?? 0;
  const both = (a: number, b: number): boolean => (bits & a) !== 0 && (bits & b) !== 0;
  if (both(CURSOR.scroll, CURSOR.noScroll)) throw new SvcError('42P11', 'cannot specify both SCROLL and NO SCROLL');
  if (both(CURSOR.insensitive, CURSOR.asensitive)) throw new SvcError('42P11', 'cannot specify both ASENSITIVE and INSENSITIVE');
  const choice = (on: number, off: number): boolean | null => ((bits & on) !== 0 ? true : (bits & off) !== 0 ? false : null);
  return {
    type: 'declareCursor',
    name: raw.portalname ?? '',
    binary: (bits & CURSOR.binary) !== 0,
    scroll: choice(CURSOR.scroll, CURSOR.noScroll),
    insensitive: choice(CURSOR.insensitive, CURSOR.asensitive),
    hold: (bits & CURSOR.hold) !== 0,
    query: lowerQuery(cx, bodyOf(raw.query!, 'SelectStmt')),
    at: cx.statementAt,
  };
}

/** FETCH_ALL of nodes/parsenodes.h: LONG_MAX, which has 32 bits where the grammar runs. */
const FETCH_ALL = 0x7fff_ffff;

export function lowerFetch(cx: Lowering, raw: pg.FetchStmt): Fetch {
  const directions = { FETCH_FORWARD: 'forward', FETCH_BACKWARD: 'backward', FETCH_ABSOLUTE: 'absolute', FETCH_RELATIVE: 'relative' } as const;
  const direction = directions[raw.direction ?? 'FETCH_FORWARD'];
  const count = Number(raw.howMany ?? 0);
  const all = count === FETCH_ALL && (direction === 'forward' || direction === 'backward');
  return { type: raw.ismove === true ? 'move' : 'fetch', cursor: raw.portalname ?? '', direction, count: all ? null : count, at: cx.statementAt };
}

export function lowerDiscard(cx: Lowering, raw: pg.DiscardStmt): Discard {
  const targets = { DISCARD_ALL: 'all', DISCARD_PLANS: 'plans', DISCARD_SEQUENCES: 'sequences', DISCARD_TEMP: 'temp' } as const;
  return { type: 'discard', what: targets[raw.target ?? 'DISCARD_ALL'], at: cx.statementAt };
}

const LOCK_MODES: LockMode[] = [
  'access share',
  'row share',
  'row exclusive',
  'share update exclusive',
  'share',
  'share row exclusive',
  'exclusive',
  'access exclusive',
];

export function lowerLockTable(cx: Lowering, raw: pg.LockStmt): LockTable {
  return {
    type: 'lockTable',
    tables: (raw.relations ?? []).map((node) => {
      const table = bodyOf(node, 'RangeVar');
      return { name: lowerRelation(cx, table), only: table.inh !== true };
    }),
    mode: LOCK_MODES[(raw.mode ?? 8) - 1],
    nowait: raw.nowait === true,
    at: cx.statementAt,
  };
}

export function lowerVacuum(cx: Lowering, raw: pg.VacuumStmt): Vacuum {
  return {
    type: raw.is_vacuumcmd === true ? 'vacuum' : 'analyze',
    options: lowerOptions(cx, raw.options),
    tables: (raw.rels ?? []).map((node) => {
      const table = bodyOf(node, 'VacuumRelation');
      return { name: lowerRelation(cx, table.relation!), columns: strings(table.va_cols) };
    }),
    at: cx.statementAt,
  };
}

export function lowerReindex(cx: Lowering, raw: pg.ReindexStmt): Reindex {
  const kinds = {
    REINDEX_OBJECT_INDEX: 'index',
    REINDEX_OBJECT_TABLE: 'table',
    REINDEX_OBJECT_SCHEMA: 'schema',
    REINDEX_OBJECT_SYSTEM: 'system',
    REINDEX_OBJECT_DATABASE: 'database',
  } as const;
  return {
    type: 'reindex',
    kind: kinds[raw.kind ?? 'REINDEX_OBJECT_INDEX'],
    relation: raw.relation === undefined ? null : lowerRelation(cx, raw.relation),
    name: raw.name ?? null,
    options: lowerOptions(cx, raw.params),
    at: cx.statementAt,
  };
}

export function lowerDo(cx: Lowering, raw: pg.DoStmt): Do {
  let language: string | null = null;
  let code: string | null = null;
  for (const option of lowerOptions(cx, raw.args)) {
    const value = option.value?.type === 'string' ? option.value.value : '';
    if (option.name === 'language') {
      if (language !== null) throw cx.syntaxError('conflicting or redundant options', option.at);
      language = value;
    } else {
      if (code !== null) throw cx.syntaxError('conflicting or redundant options', option.at);
      code = value;
    }
  }
  if (code === null) throw cx.syntaxError('no inline code specified', cx.statementAt);
  return { type: 'do', language, code, at: cx.statementAt };
}
