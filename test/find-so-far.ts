/** Rows of a table that may not have been made yet: `find` refuses an unknown table with 42P01. */
import type { Database } from '../src/database.ts';

type Find = Database['find'];

export async function findSoFar(db: Pick<Database, 'find'>, ...given: Parameters<Find>): Promise<Awaited<ReturnType<Find>>['hits']> {
  try {
    return (await db.find(...given)).hits;
  } catch (error) {
    if ((error as { code?: string }).code !== '42P01') throw error;
    return [];
  }
}
