/** EXPLAIN [ANALYZE]: the plan as lines of text, in Postgres's manner. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Option } from '../ast/define.ts';
import type { Explain } from '../ast/session.ts';
import { explain as explainPlan } from '../exec/explain.ts';
import type { Plan } from '../plan/logical.ts';
import { parameterValues } from './parameters.ts';
import { isQuery } from './prepare.ts';
import type { StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

export async function explain(session: SqlSession, { statement, options, at }: Explain, params: readonly unknown[]): Promise<StatementResult> {
  session.startStatement();
  const inner = statement.type === 'createTableAs' && statement.body.type !== 'execute' ? statement.body : statement;
  if (!isQuery(inner)) throw new SvcError('0A000', 'EXPLAIN of this statement is not supported', { position: at + 1 });
  const analyze = isOn(options, 'analyze');
  const format = options.find(({ name }) => name === 'format');
  if (format !== undefined && !(format.value?.type === 'string' && format.value.value.toLowerCase() === 'text')) {
    throw new SvcError('0A000', 'EXPLAIN gives text only in this release', { position: format.at + 1 });
  }
  const started = performance.now();
  const prepared = session.prepare(inner, [], false, analyze);
  const planned = performance.now();
  if (prepared.failure !== null) throw prepared.failure;
  const lines: string[] = [];
  if (analyze) {
    const values = parameterValues(params, prepared.parameters, session.env);
    const ran = performance.now();
    let rowsOf: (plan: Plan) => number | undefined = () => undefined;
    await session.execute(
      prepared,
      values,
      () => {},
      (cursor) => {
        rowsOf = (plan) => cursor.rowsOf(plan);
      },
    );
    lines.push(...explainPlan(prepared.plan, { env: session.env, actualRows: rowsOf }));
    if (!isOff(options, 'timing') && !isOff(options, 'summary')) {
      lines.push(`Planning Time: ${(planned - started).toFixed(3)} ms`, `Execution Time: ${(performance.now() - ran).toFixed(3)} ms`);
    }
  } else lines.push(...explainPlan(prepared.plan, { env: session.env }));
  return {
    command: 'EXPLAIN',
    columns: [{ name: 'QUERY PLAN', type: session.host.registry.type('text'), typmod: -1 }],
    rows: lines.map((line) => [line]),
    notices: session.notices,
  };
}

function isOn(options: readonly Option[], name: string): boolean {
  const found = options.find((option) => option.name === name);
  return found !== undefined && !isOff(options, name);
}

function isOff(options: readonly Option[], name: string): boolean {
  const value = options.find((option) => option.name === name)?.value;
  if (value === undefined || value === null) return false;
  if (value.type === 'boolean') return !value.value;
  return (value.type === 'string' && /^(off|false|0|no)$/i.test(value.value)) || (value.type === 'integer' && value.value === 0);
}
