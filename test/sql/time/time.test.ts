/** Dates, times and intervals against real Postgres; one instance of it serves all suites, because its start costs seconds. */
import { afterAll, beforeAll, describe } from 'vitest';
import { operatorsAndFunctions } from './functions.ts';
import { inputAndOutput } from './input-output.ts';
import { Oracle } from './oracle.ts';
import { templates } from './templates.ts';
import { zoneConversions } from './zones.ts';

let oracle: Oracle;
beforeAll(async () => {
  oracle = await Oracle.start();
});
afterAll(() => oracle.close());

describe('input and output', () => inputAndOutput(() => oracle));
describe('zones', () => zoneConversions(() => oracle));
describe('operators and functions', () => operatorsAndFunctions(() => oracle));
describe('templates', () => templates(() => oracle));
