/**
 * Where the Postgres 15 is that tests are held against: Debian's package, or the folder named by SVC_POSTGRES_BIN, for another minor release.
 * A test compares with it what all minor releases of 15 have in common.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const POSTGRES_BIN = process.env['SVC_POSTGRES_BIN'] ?? '/usr/lib/postgresql/15/bin';
export const postgresInstalled = existsSync(join(POSTGRES_BIN, 'initdb'));
