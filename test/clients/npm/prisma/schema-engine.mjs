// Prisma's schema engine in WebAssembly over its pg adapter. The engine that `prisma migrate` downloads is the same code.
import { readFileSync } from 'node:fs';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { PrismaPg } from '@prisma/adapter-pg';

export const connection = { host: '127.0.0.1', port: Number(process.env.PORT), database: process.env.DATABASE, user: process.env.USER };
const at = (name) => new URL(`node_modules/@prisma/schema-engine-wasm/${name}`, import.meta.url);
const engineModule = await import(at('schema_engine_bg.js'));
const { instance } = await WebAssembly.instantiate(readFileSync(at('schema_engine_bg.wasm')), { './schema_engine_bg.js': engineModule });
engineModule.__wbg_set_wasm(instance.exports);
instance.exports.__wbindgen_start();

const path = 'schema.prisma';
export const content = readFileSync(new URL(path, import.meta.url), 'utf8');
export const schemaOf = (text) => ({ files: [{ path, content: text }] });
export const filters = { externalTables: [], externalEnums: [] };

// The adapter knows no type "char", whichever the database is, so the engine, which reads catalogs, gets text.
class Pool extends pg.Pool {
  async query(...query) {
    const result = await super.query(...query);
    for (const field of result.fields) if (field.dataTypeID === pg.types.builtins.CHAR) field.dataTypeID = pg.types.builtins.TEXT;
    return result;
  }
}
const pool = new Pool({ ...connection, max: 1 });
pool.setMaxListeners(0);

export async function withEngine(text, work) {
  const engine = await engineModule.SchemaEngine.new({ datamodels: [[path, text]] }, () => {}, bindMigrationAwareSqlAdapterFactory(new PrismaPg(pool)));
  try {
    return await work(engine);
  } finally {
    engine.free();
  }
}

export const push = (text, force = false) => withEngine(text, (engine) => engine.schemaPush({ force, schema: schemaOf(text), filters }));
