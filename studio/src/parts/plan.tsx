/** A plan of EXPLAIN as a picture: steps as boxes, what feeds a step below it, wide bars for what costs. */
import { Text } from './value.tsx';
import { textOf } from './text.ts';

export interface PlanNode {
  readonly 'Node Type': string;
  readonly Plans?: readonly PlanNode[];
  readonly [fact: string]: unknown;
}

const SHOWN_APART = new Set([
  'Node Type',
  'Plans',
  'Relation Name',
  'Alias',
  'Index Name',
  'Plan Rows',
  'Total Cost',
  'Startup Cost',
  'Plan Width',
  'Schema',
  'Parallel Aware',
  'Async Capable',
  'Parent Relationship',
]);

export function Plan({ plan }: { plan: PlanNode }) {
  const most = Math.max(1, Number(plan['Total Cost'] ?? 1));
  return (
    <div class="plan card" role="group" aria-label="Plan">
      <Step node={plan} most={most} />
    </div>
  );
}

function Step({ node, most }: { node: PlanNode; most: number }) {
  const cost = Number(node['Total Cost'] ?? 0);
  const facts = Object.entries(node).filter(([name]) => !SHOWN_APART.has(name));
  const on = node['Relation Name'] ?? node['Index Name'];
  return (
    <div class="step">
      <div class="step-box">
        <b>{node['Node Type']}</b>
        {on === undefined ? null : (
          <span>
            {' '}
            on <Text text={textOf(on)} />
          </span>
        )}
        {node['Plan Rows'] === undefined ? null : <span class="quiet"> ~{Number(node['Plan Rows']).toLocaleString('en-US')} rows</span>}
        {node['Total Cost'] === undefined ? null : (
          <span class="cost" title={`cost ${textOf(node['Total Cost'])}`}>
            <i style={{ width: `${Math.max(1, (100 * cost) / most)}%` }} />
            <span class="quiet">cost {textOf(node['Total Cost'])}</span>
          </span>
        )}
        {facts.map(([name, value]) => (
          <small class="quiet">
            {name}: <Text text={textOf(value)} most={200} />
          </small>
        ))}
      </div>
      {(node.Plans?.length ?? 0) === 0 ? null : (
        <div class="step-inputs">
          {node.Plans!.map((each) => (
            <Step node={each} most={most} />
          ))}
        </div>
      )}
    </div>
  );
}
