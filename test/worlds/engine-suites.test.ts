/** The suites on the real engine, each database in its own folder. */
import { describe } from 'vitest';
import { allSuites } from '../suite/all-suites.ts';
import { openEngine } from './open-engine.ts';

describe('engine', () => allSuites(openEngine));
