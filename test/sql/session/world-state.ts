/** A world's definitions and rows as lines that can be compared. */
import { SvcError } from '../../../src/base/errors/svc-error.ts';
import type { TestDatabase } from './open-database.ts';

/** Who owns it, and who may do what with it. */
function rights(acl: string, kind: string, owner: string): string {
  return `${owner}::regrole, (SELECT string_agg(x::text, ' ' ORDER BY x::text) FROM unnest(coalesce(${acl}, acldefault(${kind}, ${owner}))) x)`;
}

const DEFINITIONS = [
  `SELECT c.relname, c.relkind, obj_description(c.oid, 'pg_class') FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace`,
  `SELECT attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid), attgenerated, attislocal FROM pg_attribute a
     LEFT JOIN pg_attrdef d ON adrelid = attrelid AND adnum = attnum JOIN pg_class c ON c.oid = attrelid WHERE attnum > 0 AND NOT attisdropped AND c.relnamespace = 'public'::regnamespace`,
  `SELECT conrelid::regclass, conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace`,
  `SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'`,
  `SELECT pg_get_triggerdef(oid), tgenabled FROM pg_trigger WHERE NOT tgisinternal`,
  `SELECT viewname, definition FROM pg_views WHERE schemaname = 'public'`,
  `SELECT rulename, definition FROM pg_rules WHERE schemaname = 'public'`,
  `SELECT typname, typtype, typnotnull, typdefault, format_type(typbasetype, typtypmod), (SELECT string_agg(enumlabel, ' ' ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = t.oid), obj_description(oid, 'pg_type'),
     typisdefined, typinput, typoutput, typlen, typcategory FROM pg_type t WHERE typnamespace = 'public'::regnamespace`,
  `SELECT CASE WHEN prokind = 'a' THEN oid::regprocedure::text ELSE pg_get_functiondef(oid) END FROM pg_proc WHERE pronamespace = 'public'::regnamespace`,
  `SELECT polrelid::regclass, polname, polcmd, pg_get_expr(polqual, polrelid) FROM pg_policy`,
  `SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_'`,
  `SELECT schemaname, tablename, rowsecurity FROM pg_tables WHERE schemaname !~ '^(pg_|information)'`,
  `SELECT oid::regclass, reloptions, relreplident FROM pg_class WHERE relkind IN ('r', 'v', 'p') AND relnamespace = 'public'::regnamespace`,
  `SELECT sequencename, data_type, start_value, min_value, max_value, increment_by, cycle, cache_size FROM pg_sequences`,
  `SELECT objid::regclass, refobjid::regclass, refobjsubid FROM pg_depend WHERE deptype IN ('a', 'i') AND objid IN (SELECT oid FROM pg_class WHERE relkind = 'S')`,
  `SELECT pg_get_statisticsobjdef(oid) FROM pg_statistic_ext`,
  `SELECT objoid::regclass, objsubid, description FROM pg_description WHERE objsubid > 0`,
  `SELECT oid::regoperator::text, oprcode FROM pg_operator WHERE oprnamespace = 'public'::regnamespace`,
  `SELECT attrelid::regclass, attname, attidentity, collname FROM pg_attribute a LEFT JOIN pg_collation c ON c.oid = attcollation WHERE attnum > 0 AND attrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace) AND NOT attisdropped`,
  `SELECT subname, subskiplsn, subenabled, subbinary, substream, subtwophasestate, subdisableonerr, subconninfo, subslotname, subsynccommit, subpublications FROM pg_subscription`,
  `SELECT pubname, prrelid::regclass FROM pg_publication LEFT JOIN pg_publication_rel r ON r.prpubid = pg_publication.oid`,
  `SELECT inhrelid::regclass, inhparent::regclass FROM pg_inherits`,
  `SELECT indexrelid::regclass, indisclustered, indisreplident FROM pg_index WHERE indrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)`,
  `SELECT c.oid::regclass, relkind, ${rights('relacl', `(CASE relkind WHEN 'S' THEN 's' ELSE 'r' END)::"char"`, 'relowner')} FROM pg_class c WHERE relkind IN ('r', 'v', 'p', 'm', 'S', 'f') AND relnamespace = 'public'::regnamespace`,
  `SELECT attrelid::regclass, attname, (SELECT string_agg(x::text, ' ' ORDER BY x::text) FROM unnest(attacl) x) FROM pg_attribute WHERE attacl IS NOT NULL`,
  `SELECT nspname, ${rights('nspacl', `'n'`, 'nspowner')} FROM pg_namespace`,
  `SELECT oid::regprocedure, ${rights('proacl', `'f'`, 'proowner')} FROM pg_proc WHERE pronamespace = 'public'::regnamespace`,
  `SELECT typname, ${rights('typacl', `'T'`, 'typowner')} FROM pg_type WHERE typtype IN ('e', 'd') AND typnamespace = 'public'::regnamespace`,
  `SELECT oprname, oprowner::regrole FROM pg_operator WHERE oprnamespace = 'public'::regnamespace`,
  `SELECT opfname, opfmethod, opfnamespace::regnamespace, opfowner::regrole FROM pg_opfamily WHERE oid > 16383`,
  `SELECT pg_describe_object('pg_opclass'::regclass, oid, 0), pg_describe_object('pg_opfamily'::regclass, opcfamily, 0), opcintype::regtype, opcdefault, opckeytype, opcowner::regrole FROM pg_opclass WHERE oid > 16383`,
  `SELECT pg_describe_object('pg_amop'::regclass, oid, 0) FROM pg_amop WHERE oid > 16383`,
  `SELECT pg_describe_object('pg_amproc'::regclass, oid, 0) FROM pg_amproc WHERE oid > 16383`,
  `SELECT conname, conowner::regrole, conforencoding, contoencoding, conproc::regproc, condefault FROM pg_conversion WHERE connamespace = 'public'::regnamespace`,
  `SELECT collname, collowner::regrole FROM pg_collation WHERE collnamespace = 'public'::regnamespace`,
  `SELECT stxname, stxowner::regrole FROM pg_statistic_ext`,
  `SELECT defaclrole::regrole, defaclnamespace::regnamespace, defaclobjtype, (SELECT string_agg(x::text, ' ' ORDER BY x::text) FROM unnest(defaclacl) x) FROM pg_default_acl`,
];

export type Ask = (sql: string) => Promise<string[]>;

export interface Look {
  readonly sequences?: boolean;
  readonly byName?: boolean;
  readonly ask?: Ask;
}

/** Rows and definitions of a world, sorted; with `sequences`, how far they are. `byName`: whatever the order of columns, and without rows that queries gave. */
export async function stateOf(
  t: TestDatabase,
  branch: string,
  { sequences = false, byName = false, ask = (sql) => t.lines(sql, branch) }: Look = {},
): Promise<string[]> {
  const out: string[] = [];
  for (const sql of DEFINITIONS) out.push(...(await ask(`SELECT r::text FROM (${sql}) r`)).sort());
  const kinds = byName ? "'r', 'p'" : "'r', 'p', 'm'";
  const tables = await ask(`SELECT quote_ident(relname) FROM pg_class WHERE relkind IN (${kinds}) AND relnamespace = 'public'::regnamespace ORDER BY 1`);
  const row = byName ? 'to_jsonb(x)' : 'x';
  for (const table of tables) out.push(...(await ask(`SELECT concat_ws(' ', '${table}', tableoid::regclass, ${row}) FROM ONLY ${table} x`)).sort());
  if (sequences) out.push(...(await ask("SELECT concat_ws(' ', sequencename, last_value) FROM pg_sequences ORDER BY 1")));
  return out;
}

/** What a statement answers, or the SQLSTATE of its refusal. */
export async function outcomeOf(t: TestDatabase, sql: string, branch = 'main'): Promise<string> {
  try {
    return (await t.run(sql, branch)).join('; ');
  } catch (error) {
    if (!(error instanceof SvcError)) throw new Error(sql, { cause: error });
    return error.code;
  }
}
