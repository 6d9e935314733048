/** A refresh of many changed rows holds no other client up: no turn of the event loop is long. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowsOf, Source } from './source.ts';

const ROWS = 100_000;
/** The longest on a quiet machine was 53 ms, 66 ms beside other work; without slices seconds. */
const TURN_MS = 150;
/** What else the machine does may disturb a measurement, which then is made again; a turn that is long is so each time. */
const TRIES = 4;

describe.runIf(Source.installed)('turns', () => {
  let source: Source;

  beforeAll(async () => {
    source = await Source.start();
  }, 60_000);

  afterAll(() => source?.stop());

  test('a refresh of 100,000 changed rows has no turn over 150 ms', { timeout: 120_000 }, async () => {
    const { url, sql } = await source.database(
      `CREATE TABLE many (id int PRIMARY KEY, n int, v text); INSERT INTO many SELECT i, i, 'value ' || i FROM generate_series(1, ${ROWS + 1000}) AS i`,
    );
    const attached = await source.attached(url);
    const longest: number[] = [];
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      await sql.query(`UPDATE many SET n = n + 1 WHERE id <= ${ROWS}; DELETE FROM many WHERE id = ${ROWS + attempt}; INSERT INTO many VALUES (${-attempt})`);
      const loop = monitorEventLoopDelay({ resolution: 1 });
      const used = process.cpuUsage();
      const begun = performance.now();
      loop.enable();
      const reply = await attached.db.refresh_attachment({});
      loop.disable();
      expect(reply.tables).toEqual([{ table: 'many', inserted: 1, updated: ROWS, deleted: 1 }]);
      // Time in which the process ran.
      const { user, system } = process.cpuUsage(used);
      longest.push((loop.max / 1e6) * Math.min(1, (user + system) / 1000 / (performance.now() - begun)));
      if (longest.at(-1)! < TURN_MS) break;
    }
    const query = 'SELECT count(*), sum(n), min(id), max(id) FROM many';
    expect(await attached.rows(query)).toEqual(await rowsOf(sql, query));
    expect(Math.min(...longest), `longest turns: ${longest.map(Math.round).join(', ')} ms`).toBeLessThan(TURN_MS);
  });
});
