import { type Environment, STORED } from '../../../src/sql/types/environment.ts';

/** The environment of tests without a session. */
export const TEST_ENVIRONMENT: Environment = {
  timeZone: 'UTC',
  dateStyle: 'ISO',
  dateOrder: 'MDY',
  intervalStyle: 'postgres',
  extraFloatDigits: 1,
  byteaOutput: 'hex',
  arrayNulls: true,
  quotesAll: false,
  abbreviations: STORED.abbreviations,
  transactionStart: 0,
  statementStart: 0,
  clock: () => 0,
  random: () => 0.5,
  seedRandom: () => {},
  randomBytes: (count) => new Uint8Array(count),
  setting: () => undefined,
  setSetting: () => {},
};
