/** EXPLAIN [ANALYZE]: the plan in the requested format; with ANALYZE it is run first. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Option } from '../ast/define.ts';
import type { Statement } from '../ast/statement.ts';
import type { Explain } from '../ast/session.ts';
import { explainTree } from '../exec/explain.ts';
import { jsonText, textLines, xmlText, yamlText } from '../exec/explain-formats.ts';
import { checkAccess } from './check-access.ts';
import type { Plan } from '../plan/logical.ts';
import { estimateRows } from '../plan/rules/estimate.ts';
import { areTyped, type Parameters } from './parameters.ts';
import { isQuery, type QueryStatement } from './prepare.ts';
import { isTrue } from './definition-options.ts';
import { executed } from './prepared-statement.ts';
import type { StatementResult } from './results.ts';
import { runInTurns, type Steps } from './plpgsql/steps.ts';
import type { SqlSession } from './sql-session.ts';

const SWITCHES = ['analyze', 'verbose', 'costs', 'settings', 'generic_plan', 'buffers', 'wal', 'timing', 'summary', 'memory'];
/** Result type of each format. */
const FORMATS: Record<string, string> = { text: 'text', json: 'json', yaml: 'text', xml: 'text' };

export async function explain(session: SqlSession, statement: Explain, params: Parameters): Promise<StatementResult> {
  return runInTurns(session, explainSteps(session, statement, params));
}

/** The same, in steps. */
export function* explainSteps(session: SqlSession, { statement, options, at }: Explain, params: Parameters): Steps<StatementResult> {
  session.startStatement();
  const { format, isOn, isSet } = readOptions(options);
  const inner = explained(statement);
  const named = inner.type === 'execute' ? executed(session, inner) : null;
  if (named === null && !isQuery(inner)) throw new SvcError('0A000', 'EXPLAIN of this statement is not supported', { position: at + 1 });
  const analyze = isOn('analyze', false);
  for (const name of ['wal', 'timing']) {
    if (!analyze && isSet(name) && isOn(name, false)) throw new SvcError('22023', `EXPLAIN option ${name.toUpperCase()} requires ANALYZE`);
  }
  const started = performance.now();
  if (named === null && isQuery(inner) && !areTyped(params)) yield* session.planSteps(inner, [], analyze && params.length === 0, analyze);
  // Without ANALYZE parameters may be unset.
  const { prepared, values } =
    named !== null || !isQuery(inner)
      ? { ...named!, prepared: analyze ? session.prepare(named!.known.statement as QueryStatement, named!.known.types, false, true) : named!.prepared }
      : analyze || areTyped(params)
        ? session.withParameters(inner, params, analyze)
        : { prepared: session.prepare(inner, [], false, false), values: [] };
  const planningMs = performance.now() - started;
  // As for a run: without the right to read a table its plan is not shown.
  checkAccess(session, prepared.access);
  if (prepared.failure !== null) throw prepared.failure;
  let executionMs: number | null = null;
  let actualRows: ((plan: Plan) => number | undefined) | undefined;
  let skippedRows: typeof actualRows;
  if (analyze) {
    const ran = performance.now();
    yield* session.executeSteps(
      prepared,
      values,
      () => {},
      (cursor) => {
        actualRows = (plan) => cursor.rowsOf(plan);
        skippedRows = (plan) => cursor.skippedOf(plan);
      },
    );
    executionMs = performance.now() - ran;
  }
  const statistics = session.statistics();
  const verbose = isOn('verbose', false);
  // Rules rewrite a statement into any number of others.
  const plans = prepared.steps === undefined ? [prepared.plan] : prepared.steps.map(({ plan }) => plan);
  const trees = plans.map((each, i) =>
    explainTree(each, {
      env: session.env,
      estimatedRows: isOn('costs', true) ? (plan) => estimateRows(plan, statistics) : undefined,
      actualRows: i === 0 ? actualRows : undefined,
      skippedRows: i === 0 ? skippedRows : undefined,
      verbose,
    }),
  );
  const summary = isOn('summary', analyze);
  const printed = { verbose, planningMs: summary ? planningMs : null, executionMs: summary ? executionMs : null, timing: isOn('timing', true) };
  const texts =
    format === 'text'
      ? trees.length === 0
        ? ['Query rewrites to nothing']
        : trees.flatMap((tree, i) => [...(i === 0 ? [] : ['']), ...textLines(tree, printed)])
      : [
          trees
            .map((tree) => (format === 'json' ? jsonText(tree, printed) : format === 'yaml' ? yamlText(tree, printed) : xmlText(tree, printed)))
            .reduce((all, each) => (format === 'json' ? `${all.slice(0, -2)},${each.slice(1)}` : `${all}\n${each}`)),
        ];
  return {
    command: 'EXPLAIN',
    columns: [{ name: 'QUERY PLAN', type: session.host.registry.type(FORMATS[format]), typmod: -1 }],
    rows: texts.map((text) => [text]),
    notices: session.notices,
  };
}

interface Read {
  readonly format: string;
  isOn(name: string, otherwise: boolean): boolean;
  isSet(name: string): boolean;
}

/** The last option of each name counts. */
function readOptions(options: readonly Option[]): Read {
  let format = 'text';
  const set = new Map<string, boolean>();
  for (const { name, value, at } of options) {
    if (name === 'format') {
      const given = value?.type === 'string' ? value.value.toLowerCase() : '';
      if (!Object.hasOwn(FORMATS, given)) {
        throw new SvcError('22023', `unrecognized value for EXPLAIN option "format": "${value?.type === 'string' ? value.value : ''}"`, { position: at + 1 });
      }
      format = given;
    } else if (SWITCHES.includes(name)) set.set(name, isTrue({ name, value }));
    else throw new SvcError('42601', `unrecognized EXPLAIN option "${name}"`, { position: at + 1 });
  }
  return { format, isOn: (name, otherwise) => set.get(name) ?? otherwise, isSet: (name) => set.has(name) };
}

/** The query inside a statement that creates something from it. */
function explained(statement: Statement): Statement {
  if (statement.type === 'declareCursor') return statement.query;
  return statement.type === 'createTableAs' && statement.body.type !== 'execute' ? statement.body : statement;
}
