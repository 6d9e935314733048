/**
 * Scripts of functions, procedures and cursors run here and by Postgres 15, statement by statement: rows, messages with
 * their context, and errors with their place and what ran inside what.
 */
import { besidePostgres } from './beside-postgres.ts';

besidePostgres(new URL('./scripts/', import.meta.url), 'test/sql/procedural/against-postgres');
