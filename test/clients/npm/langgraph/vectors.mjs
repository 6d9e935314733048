// The store over an index of vectors. Debian has no pgvector for Postgres 15, so what it prints stands in vectors.txt.
import pg from 'pg';
import { say, url, useStore } from './store.mjs';

await useStore('graph', { indexType: 'hnsw', distanceMetric: 'cosine' });
await useStore('lists', { indexType: 'ivfflat', distanceMetric: 'l2', ivfflat: { lists: 1 } });
const client = new pg.Client(url);
await client.connect();
say('indexes', (await client.query(`SELECT indexdef FROM pg_indexes WHERE indexdef ~ 'USING (hnsw|ivfflat)' ORDER BY 1`)).rows);
await client.end();
process.exit(0);
