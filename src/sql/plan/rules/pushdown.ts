/**
 * Predicate pushdown: through projections, joins, set operations and grouping. An outer join whose nulls a predicate rejects becomes
 * an inner one. Volatile predicates stay.
 */
import type { Bound, ColumnId } from '../bound.ts';
import type { JoinPlan, Plan } from '../logical.ts';
import { factored, impliedBy, isFirstUse } from './factor.ts';
import { knownKeys } from './known-keys.ts';
import { isLeakproof } from './leakproof.ts';
import { refusesNulls } from './refuses-nulls.ts';
import { columnsOfSide, filtered, conjunction, substitute, withInputs } from './rewrite.ts';
import { columnsOf, hasCorrelated, hasSubquery, inputsOf, isVolatile } from './walk.ts';

export function pushDown(plan: Plan): Plan {
  return push(plan, []);
}

function columnsIn(plan: Plan): Set<ColumnId> {
  return new Set(plan.columns.map((column) => column.id));
}

/**
 * The plan under the predicates, which name its columns (or outer ones). `asked` are predicates over its neighbours' columns too,
 * which stay above: rows that fail them may be dropped early.
 */
function push(plan: Plan, predicates: readonly Bound[], asked: readonly Bound[] = []): Plan {
  if (predicates.some(isVolatile)) {
    return filtered(
      push(
        plan,
        predicates.filter((e) => !isVolatile(e)),
      ),
      predicates.filter(isVolatile),
    );
  }
  switch (plan.op) {
    case 'filter':
      return push(plan.input, [...factored(plan.predicate), ...predicates], asked);
    case 'project': {
      const by = new Map(plan.items.map((item) => [item.id, item.value]));
      const [down, stay] = split(
        predicates,
        (e) => (plan.barrier !== true || isLeakproof(e)) && [...columnsOf(e)].every((id) => !by.has(id) || movable(by.get(id)!)),
      );
      return filtered(
        {
          ...plan,
          input: push(
            plan.input,
            down.map((e) => substitute(e, by)),
            plan.barrier === true ? [] : asked.map((e) => substitute(e, by)),
          ),
        },
        stay,
      );
    }
    case 'join':
      return pushJoin(plan, predicates, asked);
    case 'aggregate': {
      if (plan.groups.length === 0 || plan.sets !== null) break;
      const by = new Map(plan.groups.map((group) => [group.id, group.value]));
      const made = columnsIn(plan);
      const [down, stay] = split(predicates, (e) => [...columnsOf(e)].every((id) => !made.has(id) || (by.has(id) && movable(by.get(id)!))));
      return filtered(
        {
          ...plan,
          input: push(
            plan.input,
            down.map((e) => substitute(e, by)),
          ),
        },
        stay,
      );
    }
    case 'window': {
      const partition = new Set(plan.partitionBy.flatMap((e) => (e.kind === 'column' ? [e.id] : [])));
      const made = columnsIn(plan);
      const [down, stay] = split(predicates, (e) => [...columnsOf(e)].every((id) => !made.has(id) || partition.has(id)));
      return filtered({ ...plan, input: push(plan.input, down) }, stay);
    }
    case 'projectSet': {
      const made = new Set(plan.functions.map((f) => f.id));
      const [down, stay] = split(predicates, (e) => [...columnsOf(e)].every((id) => !made.has(id)));
      return filtered({ ...plan, input: push(plan.input, down) }, stay);
    }
    case 'sort':
      if (plan.top !== undefined) break;
      return { ...plan, input: push(plan.input, predicates) };
    case 'distinct':
      if (plan.on !== null) break;
      return { ...plan, input: push(plan.input, predicates) };
    case 'setOperation': {
      const side = (input: Plan): Plan => {
        const by = columnsOfSide(plan, input);
        return push(
          input,
          predicates.map((e) => substitute(e, by)),
        );
      };
      return { ...plan, left: side(plan.left), right: side(plan.right) };
    }
    case 'with':
      return {
        ...plan,
        definitions: plan.definitions.map((definition) => ({ ...definition, plan: push(definition.plan, []) })),
        body: push(plan.body, predicates),
      };
    default:
      break;
  }
  return filtered(
    withInputs(
      plan,
      inputsOf(plan).map((input) => push(input, [])),
    ),
    predicates,
  );
}

/** An expression that may replace its column in a predicate. */
function movable(e: Bound): boolean {
  return !isVolatile(e) && !hasSubquery(e);
}

function split<T>(list: readonly T[], test: (one: T) => boolean): [T[], T[]] {
  const yes: T[] = [];
  const no: T[] = [];
  for (const one of list) (test(one) ? yes : no).push(one);
  return [yes, no];
}

function pushJoin(plan: JoinPlan, predicates: readonly Bound[], asked: readonly Bound[]): Plan {
  const left = columnsIn(plan.left);
  const right = columnsIn(plan.right);
  const sideOf = (e: Bound): 'left' | 'right' | 'both' | 'none' => {
    let l = false;
    let r = false;
    for (const id of columnsOf(e)) {
      if (left.has(id)) l = true;
      if (right.has(id)) r = true;
    }
    return l && r ? 'both' : l ? 'left' : r ? 'right' : 'none';
  };
  const on = plan.on === null ? [] : factored(plan.on);
  let { kind } = plan;
  const passed = [...predicates, ...asked];
  // A predicate that rejects rows of nulls turns the outer join into an inner one.
  if (kind === 'left' && passed.some((e) => refusesNulls(e, right))) kind = 'inner';
  else if (kind === 'right' && passed.some((e) => refusesNulls(e, left))) kind = 'inner';
  else if (kind === 'full') {
    const l = passed.some((e) => refusesNulls(e, left));
    const r = passed.some((e) => refusesNulls(e, right));
    if (l && r) kind = 'inner';
    else if (l) kind = 'left';
    else if (r) kind = 'right';
  }
  if (kind === 'inner') {
    const [plain, stay] = split([...on, ...predicates], (e) => !hasSubquery(e) && !isVolatile(e));
    const toLeft = plain.filter((e) => sideOf(e) === 'left' || sideOf(e) === 'none');
    const toRight = plain.filter((e) => sideOf(e) === 'right');
    const both = plain.filter((e) => sideOf(e) === 'both');
    for (const e of both) {
      if (e.kind !== 'or' || !isFirstUse(e)) continue;
      for (const [side, list] of [
        ['left', toLeft],
        ['right', toRight],
      ] as const) {
        const implied = impliedBy(e, (one) => sideOf(one) === side);
        if (implied !== null) list.push(implied);
      }
    }
    const join: Plan = {
      ...plan,
      kind,
      left: push(plan.left, [...toLeft, ...knownKeys(plan.left, plan.right, toRight, both)], [...asked, ...both]),
      right: push(plan.right, [...toRight, ...knownKeys(plan.right, plan.left, toLeft, both)], [...asked, ...both]),
      on: conjunction(both),
    };
    // Subqueries run on the final rows, except those that run once and use one side.
    const [one, other] = split(stay, (e) => !isVolatile(e) && !hasCorrelated(e) && (sideOf(e) === 'left' || sideOf(e) === 'right'));
    if (one.length === 0) return filtered(join, other);
    return filtered(
      {
        ...join,
        left: push(
          join.left,
          one.filter((e) => sideOf(e) === 'left'),
        ),
        right: push(
          join.right,
          one.filter((e) => sideOf(e) === 'right'),
        ),
      },
      other,
    );
  }
  if (kind === 'full') return filtered({ ...plan, kind, left: push(plan.left, []), right: push(plan.right, []) }, predicates);
  // Predicates from above are pushed into the preserved side, join conditions into the other one.
  const kept = kind === 'right' ? 'right' : 'left';
  const lost = kind === 'right' ? 'left' : 'right';
  const reduces = kind === 'semi' || kind === 'anti';
  const [down, stay] = split(predicates, (e) => sideOf(e) === kept && !(reduces && hasCorrelated(e)));
  const [inside, condition] = split(on, (e) => sideOf(e) === lost && !isVolatile(e) && kind !== 'single');
  // Rows of the nullable side that fail a condition would not be joined; those of the preserved side are dropped only by semi joins.
  const conditions = condition.filter((e) => !hasSubquery(e) && !isVolatile(e));
  if (kind !== 'single') inside.push(...knownKeys(lost === 'left' ? plan.left : plan.right, kept === 'left' ? plan.left : plan.right, down, conditions));
  const keptPlan = push(kept === 'left' ? plan.left : plan.right, down, kind === 'semi' ? [...asked, ...conditions] : asked);
  const lostPlan = push(lost === 'left' ? plan.left : plan.right, inside, kind === 'single' ? [] : conditions);
  return filtered(
    { ...plan, kind, left: kept === 'left' ? keptPlan : lostPlan, right: kept === 'left' ? lostPlan : keptPlan, on: conjunction(condition) },
    stay,
  );
}
