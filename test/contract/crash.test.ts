/** Worlds that are open while the server is killed. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newFolder, type ServerProcess, startServer } from './server-process.ts';

let place: ReturnType<typeof newFolder>;
let server: ServerProcess;
beforeEach(() => {
  place = newFolder();
});
afterEach(async () => {
  await server.stop();
  place.remove();
});

// contract: world.5, state.16, version.3, merge.3, error.409
test('a world that was open in a crash is flagged, and is merged by its version, by confirm, or discarded', async () => {
  server = await startServer(place.folder);
  const names = ['seen', 'taken', 'dropped', 'asked'];
  for (const name of names) {
    await server.call('fork', { name });
    await server.call('put', { branch: name, table: 'd', id: name, record: { n: 1 } });
  }
  await server.stop('SIGKILL');
  server = await startServer(place.folder);
  const world = async (branch: string): Promise<Record<string, unknown>> => (await server.call('world', { branch })).body;
  for (const name of names) expect([name, await world(name)]).toEqual([name, expect.objectContaining({ flagged: true, version: 1 })]);

  for (const body of [{ branch: 'seen' }, { branch: 'seen', version: 0 }]) expect([body, (await server.call('merge', body)).status]).toEqual([body, 409]);
  expect((await server.call('merge', { branch: 'seen', version: 1 })).body).toEqual({ merged: 1 });
  expect((await server.call('merge', { branch: 'taken', confirm: true })).body).toEqual({ merged: 1 });
  expect((await server.call('discard', { branch: 'dropped' })).body).toEqual({ ok: true });
  expect((await server.call('confirm', { branch: 'asked' })).body).toMatchObject({ flagged: false });
  expect((await server.call('merge', { branch: 'asked' })).body).toEqual({ merged: 1 });
  const found = (await server.call('find', { table: 'd' })).body['hits'] as { id: string }[];
  expect(found.map(({ id }) => id)).toEqual(['asked', 'seen', 'taken']);
});
