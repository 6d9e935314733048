import { request, Agent } from 'node:http';
import { join } from 'node:path';
import Fastify from 'fastify';
import { open } from '../../src/database.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { perSecond, type Report, times } from './report.ts';

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

function post(port: number, path: string, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = request(
      { port, host: '127.0.0.1', path, method: 'POST', agent, headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) } },
      (response) => {
        response.resume();
        response.once('end', () => (response.statusCode === 200 ? resolve() : reject(new Error(`status ${response.statusCode}`))));
      },
    );
    call.once('error', reject);
    call.end(body);
  });
}

async function rate(port: number, path: string, body: (i: number) => string, count = 20_000): Promise<number> {
  let next = 0;
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      while (next < count) await post(port, path, body(next++));
    }),
  );
  return (count * 1000) / (performance.now() - begun);
}

/** get and put over HTTP as a share of a bare fastify route that echoes the same JSON; client and servers share the process. */
export async function benchHttp(report: Report, folder: string): Promise<void> {
  const db = await open(join(folder, 'http'));
  const server = createHttpServer({ commandsOf: (principal) => db.commandsOf(principal), version: 'bench' });
  const url = new URL(await server.listen('127.0.0.1', 0));
  const bare = Fastify();
  bare.post('/echo', (req, reply) => reply.send(req.body));
  const bareUrl = new URL(await bare.listen({ host: '127.0.0.1', port: 0 }));
  const record = (i: number): object => ({ name: `person ${i}`, city: 'Oslo', age: i % 90, tags: ['a', 'b'] });
  const put = (i: number): string => JSON.stringify({ table: 'people', id: `p${i % 5000}`, record: record(i) });
  const get = (i: number): string => JSON.stringify({ table: 'people', id: `p${i % 5000}` });
  const row = (i: number): string => JSON.stringify({ id: `p${i % 5000}`, row: record(i) });
  const port = Number(url.port);
  const barePort = Number(bareUrl.port);
  await rate(port, '/v1/put', put, 6000);
  await rate(port, '/v1/get', get, 3000);
  await rate(barePort, '/echo', put, 3000);
  const figures: Record<string, number[]> = { put: [], get: [], echoPut: [], echoGet: [] };
  for (let round = 0; round < 3; round++) {
    figures['put'].push(await rate(port, '/v1/put', put));
    figures['echoPut'].push(await rate(barePort, '/echo', put));
    figures['get'].push(await rate(port, '/v1/get', get));
    figures['echoGet'].push(await rate(barePort, '/echo', row));
  }
  const best = (name: string): number => Math.max(...figures[name]);
  report.section('HTTP', '64 connections; the client runs in the same process, so shares are of the whole round trip.');
  report.row('put', perSecond(best('put')));
  report.row('put, share of a bare route that echoes the same JSON', times(best('put') / best('echoPut')), '≥ 0.6 ×');
  report.row('get', perSecond(best('get')));
  report.row('get, share of a bare route that echoes the same JSON', times(best('get') / best('echoGet')), '≥ 0.6 ×');
  agent.destroy();
  await server.close();
  await bare.close();
  await db.close();
}
