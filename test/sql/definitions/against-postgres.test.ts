/** Scripts of definitions, and of what is shown and said of them, run here and by Postgres 15, statement by statement. */
import { besidePostgres } from '../procedural/beside-postgres.ts';

besidePostgres(new URL('./scripts/', import.meta.url), 'test/sql/definitions/against-postgres');
