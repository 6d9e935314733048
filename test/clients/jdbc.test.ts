import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { serve } from '../wire/open-server.ts';
import { PROGRAMS, runChecks } from './checked-program.ts';
import { program, run } from './client-programs.ts';

const javac = program('javac');
const java = program('java');
/** As libpostgresql-jdbc-java puts it. */
const driver = '/usr/share/java/postgresql.jar';
if (!existsSync(driver)) process.stderr.write('SKIPPED: the JDBC driver is not installed; its tests did not run\n');

describe.skipIf(java === null || javac === null || !existsSync(driver))('JDBC', () => {
  test('passes its checks', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-jdbc-'));
    const compiled = await run(javac!, ['-cp', driver, '-d', folder, join(PROGRAMS, 'Jdbc.java')]);
    expect(compiled.err).toBe('');
    const served = await serve();
    const { failed, count } = await runChecks(java!, ['-cp', `${folder}:${driver}`, 'Jdbc', String(served.port)]);
    await served.close();
    rmSync(folder, { recursive: true });
    expect(failed).toEqual([]);
    expect(count).toBe(36);
  });
});
