import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { serve } from '../wire/open-server.ts';
import { PROGRAMS, runChecks } from './checked-program.ts';
import { program, run } from './client-programs.ts';

const perl = program('perl');
const found = perl !== null && (await run(perl, ['-MDBD::Pg', '-e', '1'])).code === 0;
if (!found) process.stderr.write('SKIPPED: DBD::Pg is not installed; its tests did not run\n');

describe.skipIf(!found)('DBD::Pg', () => {
  test('passes its checks', async () => {
    const served = await serve();
    const { failed, count } = await runChecks(perl!, [join(PROGRAMS, 'dbd-pg.pl'), String(served.port)]);
    await served.close();
    expect(failed).toEqual([]);
    expect(count).toBe(20);
  });
});
