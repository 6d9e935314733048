/** Values that grow until the runtime has no room for them are refused as too long; the database lives on. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { httpError } from '../../../src/http/errors.ts';
import { asSvcError } from '../../../src/wire/error-message.ts';
import { TestDatabase } from './open-database.ts';

let own: TestDatabase;
beforeAll(async () => {
  own = await TestDatabase.open();
});
afterAll(() => own.close());

test.each([
  ["DO $$ DECLARE s text := 'x'; BEGIN LOOP s := s || s; END LOOP; END $$"],
  ["DO $$ DECLARE s text := ''; BEGIN LOOP s := s || repeat('x', 1000000); END LOOP; END $$"],
  ["SELECT length(format('%1500000000s', 'x'))"],
])('%s', async (sql) => {
  const error: unknown = await own.run(sql).catch((thrown: unknown) => thrown);
  expect(asSvcError(error).code).toBe('54000');
  expect(httpError(error).body.error['code']).toBe('54000');
  expect(await own.lines('SELECT 1')).toEqual(['1']);
});
