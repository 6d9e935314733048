/**
 * Starts the longest files first, so that both processes end together: a file of two minutes that starts last leaves a core
 * idle for as long. Files with a process of their own come first, since those that share one run sequentially in it.
 */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files of more than ten seconds, longest first. The others follow, the larger source first; a file that is missing here costs some seconds. */
export const LONGEST = [
  'test/merge-oracle/merge-oracle.test.ts',
  'test/simulation/simulate.test.ts',
  'test/sql/session/generic-statement.test.ts',
  'test/slt/files.test.ts',
  'test/sql/session/bulk-changes.test.ts',
  'test/identity/code-matrix.test.ts',
  'test/mcp/inspector.test.ts',
  'test/sql/session/past-laws.test.ts',
  'test/wire/floods.test.ts',
  'test/database/damaged-folders.test.ts',
  'test/soak/kill.test.ts',
  'test/sql/differential/differential.test.ts',
  'test/database/package.test.ts',
  'test/shell/psql.test.ts',
  'test/identity/rights.test.ts',
  'test/sql/tpch/tpch.test.ts',
  'test/model/engine-against-model.test.ts',
  'test/shell/command-line.test.ts',
  'test/sql/session/world-laws.test.ts',
  'test/clients/pg-dump.test.ts',
  'test/soak/agents.test.ts',
  'test/http/http.test.ts',
  'test/shell/stopping.test.ts',
  'test/mcp/mcp.test.ts',
  'test/shell/terminal.test.ts',
  'test/wire/memory-bounds.test.ts',
  'test/mcp/protocol.test.ts',
  'test/sql/session/metamorphic.test.ts',
  'test/worlds/engine-suites.test.ts',
  'test/log/damage.test.ts',
  'test/sql/compute/prompt.test.ts',
  'test/clients/application.test.ts',
  'test/mcp/progress.test.ts',
  'test/worlds/undo-rows.test.ts',
  'test/sql/catalog/client-results.test.ts',
  'test/sql/array/array-functions.test.ts',
  'test/mcp/every-tool.test.ts',
  'test/sql/time/time.test.ts',
  'test/sql/transactions/scenarios.test.ts',
  'test/projections/foreseen-ends.test.ts',
  'test/identity/rights-wire.test.ts',
  'test/sql/roles/against-postgres.test.ts',
  'test/sql/text/collation-keys.test.ts',
  'test/soak/damage.test.ts',
  'test/sql/differential/triggers.test.ts',
  'test/projections/projections.test.ts',
  'test/sql/manual/manual-examples.test.ts',
  'test/simulation/outages.test.ts',
  'test/sql/session/judged-states.test.ts',
  'test/sql/transactions/interleavings.test.ts',
  'test/sql/text/regexp.test.ts',
  'test/sql/session/partitions-as-plain.test.ts',
  'test/sql/json/json-operators.test.ts',
  'test/sql/plan/found-rows.test.ts',
  'test/sql/parse/deparse.test.ts',
  'test/storage/encryption.test.ts',
  'test/simulation/crashes.test.ts',
  'test/sql/exec/decimals.test.ts',
  'test/http/every-string.test.ts',
  'test/sql/chinook/chinook.test.ts',
  'test/identity/operator-environment.test.ts',
  'test/mcp/kill.test.ts',
  'test/sql/parse/parse-queries.test.ts',
  'test/sql/exec/zones.test.ts',
  'test/wire/unsynced.test.ts',
  'test/sql/schema/merge-definitions.test.ts',
  'test/sql/transactions/serializable.test.ts',
  'test/sql/catalog/against-postgres.test.ts',
  'test/sql/procedural/against-postgres.test.ts',
  'test/sql/session/limits.test.ts',
  'test/sql/session/renames-of-both.test.ts',
  'test/sql/session/diff-laws.test.ts',
  'test/database/retention.test.ts',
  'test/sql/transactions/locks.test.ts',
  'test/sql/search/search.test.ts',
  'test/sql/copy/copy-reader.test.ts',
  'test/sql/session/honest-undo.test.ts',
  'test/sql/session/large-commit.test.ts',
  'test/clients/frameworks.test.ts',
  'test/sql/exec/spill.test.ts',
  'test/sql/geometry/geometry.test.ts',
  'test/sql/numbers/aggregates.test.ts',
  'test/identity/quotas.test.ts',
  'test/sql/json/json-functions.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const places = new Map(LONGEST.map((path, place) => [path, place]));
    const placeOf = (file: TestSpecification): number => places.get(relative(this.ctx.config.root, file.moduleId)) ?? LONGEST.length;
    const groupOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder * 2 + (project.config.isolate ? 0 : 1);
    // The order of Vitest decides between those that are not in the list: the sort is stable.
    return (await super.sort(files)).toSorted((a, b) => groupOf(a) - groupOf(b) || placeOf(a) - placeOf(b));
  }
}
