/** The suites run on the naive model: they are shown to be sound before they judge the engine. */
import { describe } from 'vitest';
import { allSuites } from '../suite/all-suites.ts';
import { openModel } from './open-model.ts';

describe('naive model', () => allSuites(openModel));
