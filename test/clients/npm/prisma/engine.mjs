// Pushes a schema, applies migrations, reads the schema back, finds differences.
import { content, filters, push, schemaOf, withEngine } from './schema-engine.mjs';

const say = (name, value) => console.log(`-- ${name}\n${typeof value === 'string' ? value : JSON.stringify(value)}`);
const database = (text) => ({ tag: 'schemaDatasource', configDir: '.', ...schemaOf(text) });
const wanted = (text) => ({ tag: 'schemaDatamodel', ...schemaOf(text) });
const script = async (text, from, to) => (await withEngine(text, (engine) => engine.diff({ from, to, script: true, exitCode: true, filters }))).stdout;

say('script', await script(content, { tag: 'empty' }, wanted(content)));
say('push', await push(content));
say('push again', await push(content));
say('database to schema', await script(content, database(content), wanted(content)));
say('empty to database', await script(content, { tag: 'empty' }, database(content)));
const changed = content
  .replace(/views +Int +@default\(0\)/, 'views   BigInt     @default(1)\n  note    String?    @unique @db.VarChar(9)')
  .replace('  WRITER\n', '  WRITER\n  EDITOR\n')
  .replace('@@index([authorId, shown])', '@@index([title(ops: raw("varchar_pattern_ops")), views(sort: Desc)], map: "by_title")');
say('changes', await script(changed, database(changed), wanted(changed)));
say('push of changes', await push(changed, true));
say('no difference is left', await script(changed, database(changed), wanted(changed)));
await withEngine(content, (engine) => engine.reset({ filter: filters }));
say('schema after a reset', await script(content, { tag: 'empty' }, database(content)));
const directory = (name, text) => ({ path: name, migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: text } } });
const migrationsList = {
  baseDir: '.',
  lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"' },
  shadowDbInitScript: '',
  migrationDirectories: [directory('20260101000000_first', await script(content, { tag: 'empty' }, wanted(content)))],
};
const apply = () => withEngine(content, (engine) => engine.applyMigrations({ migrationsList, filters }));
say('migrations', [await apply(), await apply()]);
migrationsList.migrationDirectories.push(directory('20260102000000_second', await script(changed, database(changed), wanted(changed))));
say('second migration', await apply());
migrationsList.migrationDirectories.push(directory('20260103000000_wrong', 'ALTER TABLE "User" ADD COLUMN "x" int; ALTER TABLE "nowhere" ADD COLUMN "x" int;'));
say('failed migration', await apply().catch((error) => [error.code, error.message]));
say('marked', await withEngine(content, (engine) => engine.markMigrationRolledBack({ migrationName: '20260103000000_wrong' })));
migrationsList.migrationDirectories.pop();
const { history, failedMigrationNames, hasMigrationsTable } = await withEngine(content, (engine) =>
  engine.diagnoseMigrationHistory({ migrationsList, optInToShadowDatabase: false, filters }),
);
say('history', { history, failedMigrationNames, hasMigrationsTable });
const introspected = await withEngine(content, (engine) =>
  engine.introspect({
    schema: schemaOf('datasource db {\n  provider = "postgresql"\n}\n'),
    baseDirectoryPath: '.',
    force: true,
    compositeTypeDepth: -1,
    namespaces: null,
  }),
);
say('introspected', introspected.schema.files[0].content);
process.exit(0);
