/** Expressions: raw parse tree to AST. Left-deep chains of binary operators are followed in a loop, all else by bounded recursion. */
import type * as pg from '@pgsql/types';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Expression, FunctionCall, OperatorName, Subscript, ValueFunctionName } from '../ast/expression.ts';
import { lowerJsonExpression } from './lower-json.ts';
import { lowerQuery, lowerSortKeys, lowerWindow } from './lower-query.ts';
import { lowerTypeName } from './lower-type-name.ts';
import { lowerXml } from './lower-xml.ts';
import { bodyOf, kindOf, listItems, stringOf, strings, type Body, type Lowering } from './lowering.ts';
import { STATEMENT_LIMITS } from './statement-limits.ts';
import { characterPosition } from './text-offsets.ts';

export function lowerExpression(cx: Lowering, node: pg.Node): Expression {
  cx.enter();
  const lowered = lowerNode(cx, node);
  cx.leave();
  return lowered;
}

export function lowerOptional(cx: Lowering, node: pg.Node | undefined): Expression | null {
  return node === undefined ? null : lowerExpression(cx, node);
}

export function lowerList(cx: Lowering, nodes: pg.Node[] | undefined): Expression[] {
  if (nodes === undefined) return [];
  const lowered: Expression[] = [];
  for (const node of nodes) lowered.push(lowerExpression(cx, node));
  return lowered;
}

function lowerNode(cx: Lowering, node: pg.Node): Expression {
  const kind = kindOf(node);
  switch (kind) {
    case 'ColumnRef':
      return lowerColumn(cx, bodyOf(node, kind));
    case 'A_Const':
      return lowerConstant(cx, bodyOf(node, kind));
    case 'A_Expr':
      return lowerOperatorChain(cx, bodyOf(node, kind));
    case 'FuncCall':
      return lowerCall(cx, bodyOf(node, kind));
    case 'BoolExpr':
      return lowerLogic(cx, bodyOf(node, kind));
    case 'TypeCast': {
      const raw = bodyOf(node, kind);
      // `date $1`; a cast with `::` or CAST has a location of its own.
      if (raw.location === -1 && 'ParamRef' in raw.arg!) throw cx.misplacedParameter(raw.arg.ParamRef);
      return {
        type: 'cast',
        arg: lowerExpression(cx, raw.arg!),
        to: lowerTypeName(cx, raw.typeName!),
        at: cx.at(raw.location === -1 ? raw.typeName!.location : raw.location),
      };
    }
    case 'ParamRef': {
      const raw = bodyOf(node, kind);
      const at = cx.at(raw.location);
      const number = raw.number ?? 0;
      if (number < 1 || number > STATEMENT_LIMITS.parameterNumberMax)
        throw new SvcError('42P02', `there is no parameter $${number}`, { position: characterPosition(cx.text, at) });
      return { type: 'parameter', number, at };
    }
    case 'NullTest': {
      const raw = bodyOf(node, kind);
      return { type: 'isNull', arg: lowerExpression(cx, raw.arg!), negated: raw.nulltesttype === 'IS_NOT_NULL', at: cx.at(raw.location) };
    }
    case 'BooleanTest': {
      const raw = bodyOf(node, kind);
      const test = raw.booltesttype!;
      const value = test.endsWith('UNKNOWN') ? null : test.endsWith('TRUE');
      return { type: 'isBoolean', arg: lowerExpression(cx, raw.arg!), value, negated: test.startsWith('IS_NOT_'), at: cx.at(raw.location) };
    }
    case 'SubLink':
      return lowerSubquery(cx, bodyOf(node, kind));
    case 'CaseExpr': {
      const raw = bodyOf(node, kind);
      return {
        type: 'case',
        arg: lowerOptional(cx, raw.arg),
        branches: (raw.args ?? []).map((branch) => {
          const { expr, result, location } = bodyOf(branch, 'CaseWhen');
          // oxlint-disable-next-line unicorn/no-thenable -- `then` is a node, never a function
          return { when: lowerExpression(cx, expr!), then: lowerExpression(cx, result!), at: cx.at(location) };
        }),
        otherwise: lowerOptional(cx, raw.defresult),
        at: cx.at(raw.location),
      };
    }
    case 'CoalesceExpr': {
      const raw = bodyOf(node, kind);
      return { type: 'coalesce', args: lowerList(cx, raw.args), at: cx.at(raw.location) };
    }
    case 'MinMaxExpr': {
      const raw = bodyOf(node, kind);
      return { type: raw.op === 'IS_GREATEST' ? 'greatest' : 'least', args: lowerList(cx, raw.args), at: cx.at(raw.location) };
    }
    case 'A_ArrayExpr': {
      const raw = bodyOf(node, kind);
      return { type: 'array', elements: lowerList(cx, raw.elements), at: cx.at(raw.location) };
    }
    case 'RowExpr': {
      const raw = bodyOf(node, kind);
      return { type: 'row', fields: lowerList(cx, raw.args), explicit: raw.row_format === 'COERCE_EXPLICIT_CALL', at: cx.at(raw.location) };
    }
    case 'A_Indirection':
      return lowerIndirection(cx, bodyOf(node, kind));
    case 'CollateClause': {
      const raw = bodyOf(node, kind);
      return { type: 'collate', arg: lowerExpression(cx, raw.arg!), collation: strings(raw.collname), at: cx.at(raw.location) };
    }
    case 'SQLValueFunction':
      return lowerValueFunction(cx, bodyOf(node, kind));
    case 'GroupingFunc': {
      const raw = bodyOf(node, kind);
      return { type: 'grouping', args: lowerList(cx, raw.args), at: cx.at(raw.location) };
    }
    case 'SetToDefault':
      return { type: 'default', at: cx.at(bodyOf(node, kind).location) };
    case 'CurrentOfExpr':
      return { type: 'currentOf', cursor: bodyOf(node, kind).cursor_name ?? '', at: cx.statementAt };
    case 'MergeSupportFunc':
      return { type: 'mergeAction', at: cx.at(bodyOf(node, kind).location) };
    case 'XmlExpr':
      return lowerXml(cx, bodyOf(node, kind));
    case 'XmlSerialize': {
      const raw = bodyOf(node, kind);
      const document = raw.xmloption !== 'XMLOPTION_CONTENT';
      return { type: 'xmlSerialize', value: lowerExpression(cx, raw.expr!), document, to: lowerTypeName(cx, raw.typeName!), at: cx.at(raw.location) };
    }
    case 'NamedArgExpr':
      throw cx.syntaxError('a named argument is allowed in a function call alone', cx.at(bodyOf(node, kind).location));
    default: {
      const json = lowerJsonExpression(cx, node, kind);
      if (json !== null) return json;
      throw cx.unsupported(kind, cx.statementAt);
    }
  }
}

function lowerColumn(cx: Lowering, raw: pg.ColumnRef): Expression {
  const fields = raw.fields!;
  const parts: string[] = [];
  let star = false;
  for (const field of fields) {
    if ('String' in field) parts.push(field.String.sval ?? '');
    else star = true;
  }
  return { type: 'column', parts, star, at: cx.at(raw.location) };
}

export function lowerConstant(cx: Lowering, raw: pg.A_Const): Expression {
  const at = cx.at(raw.location);
  if (raw.ival !== undefined) return { type: 'integer', value: raw.ival.ival ?? 0, at };
  if (raw.sval !== undefined) return { type: 'string', value: raw.sval.sval ?? '', at };
  if (raw.fval !== undefined) return { type: 'number', text: plainNumber(raw.fval.fval ?? '0'), at };
  if (raw.boolval !== undefined) return { type: 'boolean', value: raw.boolval.boolval === true, at };
  if (raw.bsval !== undefined) {
    const text = raw.bsval.bsval ?? 'b';
    return { type: 'bitString', digits: text.slice(1), hex: text.startsWith('x') || text.startsWith('X'), at };
  }
  return { type: 'null', at };
}

/** Decimal digits for `0x1F…`, `0o…`, `0b…` and `1_000`. */
export function plainNumber(text: string): string {
  if (text.includes('_')) text = text.replaceAll('_', '');
  const sign = text.startsWith('-') ? '-' : '';
  const digits = sign === '' ? text : text.slice(1);
  return /^0[xob]/i.test(digits) ? sign + BigInt(digits).toString() : text;
}

export function lowerOperatorName(names: pg.Node[]): OperatorName {
  return names.length > 1 ? { schema: stringOf(names[names.length - 2]), name: stringOf(names[names.length - 1]) } : { schema: null, name: stringOf(names[0]) };
}

function lowerOperatorChain(cx: Lowering, top: pg.A_Expr): Expression {
  if (top.kind !== 'AEXPR_OP') return lowerSpecialOperator(cx, top);
  const pending: pg.A_Expr[] = [];
  let node: pg.A_Expr = top;
  for (;;) {
    pending.push(node);
    const below = node.lexpr;
    if (below === undefined || !('A_Expr' in below) || below.A_Expr.kind !== 'AEXPR_OP') break;
    node = below.A_Expr;
  }
  const bottom = node.lexpr;
  let left: Expression | null = bottom === undefined ? null : lowerExpression(cx, bottom);
  for (let i = pending.length - 1; i >= 0; i--) {
    const raw = pending[i];
    left = { type: 'operator', operator: lowerOperatorName(raw.name!), left, right: lowerExpression(cx, raw.rexpr!), at: cx.at(raw.location) };
  }
  return left!;
}

function lowerSpecialOperator(cx: Lowering, raw: pg.A_Expr): Expression {
  const at = cx.at(raw.location);
  switch (raw.kind) {
    case 'AEXPR_OP_ANY':
    case 'AEXPR_OP_ALL': {
      const quantifier = raw.kind === 'AEXPR_OP_ANY' ? 'any' : 'all';
      const left = lowerExpression(cx, raw.lexpr!);
      return { type: 'quantifiedArray', quantifier, operator: lowerOperatorName(raw.name!), left, right: lowerExpression(cx, raw.rexpr!), at };
    }
    case 'AEXPR_DISTINCT':
    case 'AEXPR_NOT_DISTINCT': {
      const negated = raw.kind === 'AEXPR_NOT_DISTINCT';
      return { type: 'isDistinct', left: lowerExpression(cx, raw.lexpr!), right: lowerExpression(cx, raw.rexpr!), negated, at };
    }
    case 'AEXPR_NULLIF':
      return { type: 'nullIf', left: lowerExpression(cx, raw.lexpr!), right: lowerExpression(cx, raw.rexpr!), at };
    case 'AEXPR_IN': {
      const negated = stringOf(raw.name![0]) === '<>';
      return { type: 'in', arg: lowerExpression(cx, raw.lexpr!), list: lowerList(cx, listItems(raw.rexpr)), negated, at };
    }
    case 'AEXPR_LIKE':
    case 'AEXPR_ILIKE':
    case 'AEXPR_SIMILAR': {
      const kind = raw.kind === 'AEXPR_LIKE' ? 'like' : raw.kind === 'AEXPR_ILIKE' ? 'ilike' : 'similar';
      const [pattern, escape] = patternOf(raw.rexpr!);
      const negated = stringOf(raw.name![0]).startsWith('!');
      return {
        type: 'like',
        kind,
        arg: lowerExpression(cx, raw.lexpr!),
        pattern: lowerExpression(cx, pattern),
        escape: lowerOptional(cx, escape),
        negated,
        at,
      };
    }
    case 'AEXPR_BETWEEN':
    case 'AEXPR_NOT_BETWEEN':
    case 'AEXPR_BETWEEN_SYM':
    case 'AEXPR_NOT_BETWEEN_SYM': {
      const [low, high] = listItems(raw.rexpr);
      return {
        type: 'between',
        arg: lowerExpression(cx, raw.lexpr!),
        low: lowerExpression(cx, low),
        high: lowerExpression(cx, high),
        symmetric: raw.kind.endsWith('SYM'),
        negated: raw.kind.startsWith('AEXPR_NOT'),
        at,
      };
    }
    default:
      throw cx.unsupported(String(raw.kind), at);
  }
}

/** The grammar wraps the right side of LIKE … ESCAPE and of every SIMILAR TO in a function of pg_catalog. */
function patternOf(right: pg.Node): [pg.Node, pg.Node | undefined] {
  if ('FuncCall' in right) {
    const names = strings(right.FuncCall.funcname);
    if (names.length === 2 && names[0] === 'pg_catalog' && (names[1] === 'like_escape' || names[1] === 'similar_to_escape')) {
      const args = right.FuncCall.args ?? [];
      return [args[0], args[1]];
    }
  }
  return [right, undefined];
}

function lowerLogic(cx: Lowering, raw: pg.BoolExpr): Expression {
  const at = cx.at(raw.location);
  if (raw.boolop !== 'NOT_EXPR') return { type: raw.boolop === 'AND_EXPR' ? 'and' : 'or', args: lowerList(cx, raw.args), at };
  const arg = lowerExpression(cx, raw.args![0]);
  if (arg.type === 'inQuery' && !arg.negated) return { ...arg, negated: true };
  return { type: 'not', arg, at };
}

function lowerSubquery(cx: Lowering, raw: pg.SubLink): Expression {
  const at = cx.at(raw.location);
  const query = lowerQuery(cx, bodyOf(raw.subselect!, 'SelectStmt'));
  switch (raw.subLinkType) {
    case 'EXISTS_SUBLINK':
      return { type: 'exists', query, at };
    case 'ARRAY_SUBLINK':
      return { type: 'arrayQuery', query, at };
    case 'EXPR_SUBLINK':
      return { type: 'subquery', query, at };
    case 'ANY_SUBLINK':
    case 'ALL_SUBLINK': {
      const left = lowerExpression(cx, raw.testexpr!);
      if (raw.operName === undefined) return { type: 'inQuery', arg: left, query, negated: false, at };
      const quantifier = raw.subLinkType === 'ANY_SUBLINK' ? 'any' : 'all';
      return { type: 'quantifiedQuery', quantifier, operator: lowerOperatorName(raw.operName), left, query, at };
    }
    default:
      throw cx.unsupported(String(raw.subLinkType), at);
  }
}

export function lowerCall(cx: Lowering, raw: pg.FuncCall): FunctionCall {
  const sqlSyntax = raw.funcformat === 'COERCE_SQL_SYNTAX';
  const args: Expression[] = [];
  let argNames: (string | null)[] | null = null;
  const first = raw.args?.[0];
  if (sqlSyntax && first !== undefined && 'ParamRef' in first && stringOf(raw.funcname![raw.funcname!.length - 1]) === 'extract') {
    throw cx.misplacedParameter(first.ParamRef);
  }
  for (const arg of raw.args ?? []) {
    if ('NamedArgExpr' in arg) {
      argNames ??= args.map(() => null);
      if (argNames.includes(arg.NamedArgExpr.name ?? '')) {
        throw cx.syntaxError(`argument name "${arg.NamedArgExpr.name}" used more than once`, cx.at(arg.NamedArgExpr.location));
      }
      argNames.push(arg.NamedArgExpr.name ?? '');
      args.push(lowerExpression(cx, arg.NamedArgExpr.arg!));
    } else {
      if (argNames !== null) throw cx.syntaxError('positional argument cannot follow named argument', cx.at(locationOf(arg)));
      args.push(lowerExpression(cx, arg));
    }
  }
  return {
    type: 'call',
    name: strings(raw.funcname),
    args,
    argNames,
    variadic: raw.func_variadic === true,
    star: raw.agg_star === true,
    distinct: raw.agg_distinct === true,
    orderBy: lowerSortKeys(cx, raw.agg_order),
    withinGroup: raw.agg_within_group === true,
    filter: lowerOptional(cx, raw.agg_filter),
    over: lowerOver(cx, raw.over),
    overPlace: { at: raw.over === undefined ? cx.at(raw.location) : cx.at(raw.over.location) },
    sqlSyntax,
    at: cx.at(raw.location),
  };
}

export function lowerOver(cx: Lowering, raw: pg.WindowDef | undefined): FunctionCall['over'] {
  if (raw === undefined) return null;
  return raw.name === undefined ? lowerWindow(cx, raw) : raw.name;
}

function locationOf(node: pg.Node): number | undefined {
  const body = bodyOf(node, kindOf(node)) as { location?: number };
  return body.location ?? 0;
}

function lowerIndirection(cx: Lowering, raw: pg.A_Indirection): Expression {
  let node = lowerExpression(cx, raw.arg!);
  const path = raw.indirection ?? [];
  for (let i = 0; i < path.length; i++) {
    const step = path[i];
    if ('A_Indices' in step) {
      const subscripts = [lowerSubscript(cx, step.A_Indices)];
      for (; i + 1 < path.length && 'A_Indices' in path[i + 1]; i++) subscripts.push(lowerSubscript(cx, bodyOf(path[i + 1], 'A_Indices')));
      node = { type: 'subscript', arg: node, subscripts, at: node.at };
    } else if ('String' in step) node = { type: 'field', arg: node, name: step.String.sval ?? '', at: node.at };
    else node = { type: 'fieldStar', arg: node, at: node.at };
  }
  return node;
}

export function lowerSubscript(cx: Lowering, raw: Body<'A_Indices'>): Subscript {
  return { slice: raw.is_slice === true, lower: lowerOptional(cx, raw.lidx), upper: lowerOptional(cx, raw.uidx) };
}

function lowerValueFunction(cx: Lowering, raw: pg.SQLValueFunction): Expression {
  const word = raw.op!.slice('SVFOP_'.length).toLowerCase();
  const name = word.replace(/_n$/, '') as ValueFunctionName;
  return { type: 'valueFunction', name, precision: word.endsWith('_n') ? (raw.typmod ?? 0) : null, at: cx.at(raw.location) };
}
