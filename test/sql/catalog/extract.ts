/**
 * Writes src/sql/catalog/data/*.ts: what PostgreSQL 15 says of its own catalogs, as far as clients may rely on it (oids of
 * types, functions and operators, names and types of the columns of system relations). Facts only; run by hand against a
 * fresh cluster: `node test/sql/catalog/extract.ts <psql connection string>`.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , connection] = process.argv;
const folder = join(import.meta.dirname, '../../../src/sql/catalog/data');

/** Lines of fields with a blank between. */
function lines(sql: string, separator = ' '): string[] {
  return execFileSync('psql', ['-d', connection, '-AtX', '-F', separator, '-c', sql], { encoding: 'utf8', maxBuffer: 1 << 26 })
    .split('\n')
    .filter((line) => line !== '');
}

function write(file: string, parts: readonly { name: string; doc: string; lines: readonly string[] }[]): void {
  const out = ['/** Read from the catalogs of PostgreSQL 15 by test/sql/catalog/extract.ts; not written by hand. */'];
  for (const { name, doc, lines: all } of parts) {
    const text = all.join('\n').replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${');
    out.push('', `/** ${doc} */`, `export const ${name} = \`${text}\`;`);
  }
  writeFileSync(join(folder, file), `${out.join('\n')}\n`);
}

/** Families of types that the engine has no part of; functions over them are left out. */
const FOREIGN = `select oid from pg_type where typname ~ '^_?gtsvector$'`;
const OWN = (column: string): string => `${column} not in (${FOREIGN})`;

write('relations.ts', [
  {
    name: 'RELATIONS',
    doc: 'oid, kind, schema (c: pg_catalog, i: information_schema), name, then each column as name:type with ! where it is not null. Domains stand as what they are over.',
    lines: lines(`select c.oid, c.relkind, case when n.nspname = 'pg_catalog' then 'c' else 'i' end, c.relname,
      (select string_agg(attname || ':' || coalesce(b.typname, t.typname) || case when attnotnull then '!' else '' end, ' ' order by attnum)
       from pg_attribute a join pg_type t on t.oid = atttypid left join pg_type b on b.oid = t.typbasetype where attrelid = c.oid and attnum > 0 and not attisdropped)
      from pg_class c join pg_namespace n on n.oid = relnamespace
      where relkind in ('r', 'v') and nspname in ('pg_catalog', 'information_schema') order by nspname desc, relname collate "C"`),
  },
]);

write('types.ts', [
  {
    name: 'TYPES',
    doc: 'oid name len byval type category preferred delim elem array input output receive send modin modout analyze align storage collation subscript',
    lines: lines(`select oid, typname, typlen, typbyval, typtype, typcategory, typispreferred, typdelim, typelem, typarray, typinput::oid, typoutput::oid,
      typreceive::oid, typsend::oid, typmodin::oid, typmodout::oid, typanalyze::oid, typalign, typstorage, typcollation, typsubscript::oid
      from pg_type where typnamespace = 'pg_catalog'::regnamespace and typrelid = 0
      and not exists (select from pg_type e where e.oid = pg_type.typelem and e.typrelid <> 0) order by oid`),
  },
]);

write('functions.ts', [
  {
    name: 'FUNCTIONS',
    doc: 'oid name returns kind volatility strict set, then the oids of arguments',
    lines: lines(`select rtrim(concat_ws(' ', oid, proname, prorettype, prokind, provolatile, proisstrict, proretset, proargtypes::text))
      from pg_proc where pronamespace = 'pg_catalog'::regnamespace and ${OWN('prorettype')}
      and not exists (select from unnest(proargtypes) t where t in (${FOREIGN})) order by oid`),
  },
]);

write('function-traits.ts', [
  {
    name: 'FUNCTION_TRAITS',
    doc: 'oid leakproof parallel cost rows language support, of the functions of which one is not f s 1 0 (a set: 1000) 12 0',
    lines: lines(`select oid, proleakproof, proparallel, procost, prorows, prolang, prosupport::oid from pg_proc
      where pronamespace = 'pg_catalog'::regnamespace and (proleakproof, proparallel, procost, prorows, prolang, prosupport)
      is distinct from (false, 's'::"char", 1, case when proretset then 1000 else 0 end, 12, 0) order by oid`),
  },
  {
    name: 'FUNCTION_PARAMETERS',
    doc: 'oid modes types names, of the functions that have one of them; - for those that are null',
    lines: lines(`select oid, coalesce(array_to_string(proargmodes, ','), '-'), coalesce(array_to_string(proallargtypes, ','), '-'),
      coalesce(array_to_string(proargnames, ','), '-') from pg_proc
      where pronamespace = 'pg_catalog'::regnamespace and (proargmodes is not null or proargnames is not null) order by oid`),
  },
  {
    name: 'FUNCTION_DEFAULTS',
    doc: 'oid, then the defaults of the last parameters',
    lines:
      lines(`select oid, (select string_agg(pg_get_function_arg_default(oid, i), ' ' order by i) from generate_series(pronargs - pronargdefaults + 1, pronargs) i)
      from pg_proc where pronamespace = 'pg_catalog'::regnamespace and pronargdefaults > 0 order by oid`),
  },
]);

write('symbols.ts', [
  {
    name: 'SYMBOLS',
    doc: 'oid prosrc of the functions of LANGUAGE internal that have another name there; - for those of other languages.',
    lines: lines(`select oid, case when prolang = 12 then prosrc else '-' end from pg_proc
      where pronamespace = 'pg_catalog'::regnamespace and prokind <> 'a' and (prolang <> 12 or prosrc <> proname) and ${OWN('prorettype')}
      and not exists (select from unnest(proargtypes) t where t in (${FOREIGN})) order by oid`),
  },
]);

write('operators.ts', [
  {
    name: 'OPERATORS',
    doc: 'oid name left right result commutator negator function restrict join merges hashes',
    lines: lines(`select oid, oprname, oprleft, oprright, oprresult, oprcom, oprnegate, oprcode::oid, oprrest::oid, oprjoin::oid, oprcanmerge, oprcanhash
      from pg_operator where ${OWN('oprleft')} and ${OWN('oprright')} and ${OWN('oprresult')} order by oid`),
  },
]);

write('casts.ts', [
  {
    name: 'CASTS',
    doc: 'oid source target function context method',
    lines: lines(
      `select oid, castsource, casttarget, castfunc, castcontext, castmethod from pg_cast where ${OWN('castsource')} and ${OWN('casttarget')} order by oid`,
    ),
  },
]);

write('conversions.ts', [
  {
    name: 'CONVERSIONS',
    doc: 'oid name from to function default',
    lines: lines(`select oid, conname, conforencoding, contoencoding, conproc::oid, condefault from pg_conversion order by oid`),
  },
]);

write('aggregates.ts', [
  {
    name: 'AGGREGATES',
    doc: 'Columns of pg_aggregate, regproc as oids, _ for null',
    lines: lines(`select aggfnoid::oid, aggkind, aggnumdirectargs, aggtransfn::oid, aggfinalfn::oid, aggcombinefn::oid, aggserialfn::oid, aggdeserialfn::oid,
      aggmtransfn::oid, aggminvtransfn::oid, aggmfinalfn::oid, aggfinalextra, aggmfinalextra, aggfinalmodify, aggmfinalmodify, aggsortop, aggtranstype,
      aggtransspace, aggmtranstype, aggmtransspace, coalesce(agginitval, '_'), coalesce(aggminitval, '_') from pg_aggregate order by 1`),
  },
]);

write('access-methods.ts', [
  { name: 'ACCESS_METHODS', doc: 'oid name handler type', lines: lines('select oid, amname, amhandler::oid, amtype from pg_am order by oid') },
  {
    name: 'OPERATOR_FAMILIES',
    doc: 'oid method name',
    lines: lines(`select oid, opfmethod, opfname from pg_opfamily order by oid`),
  },
  {
    name: 'OPERATOR_CLASSES',
    doc: 'oid method name family type default keytype',
    lines: lines(`select oid, opcmethod, opcname, opcfamily, opcintype, opcdefault, opckeytype from pg_opclass
      where ${OWN('opcintype')} order by oid`),
  },
]);

write('family-members.ts', [
  {
    name: 'FAMILY_OPERATORS',
    doc: 'oid family left right strategy purpose operator method sortfamily',
    lines: lines(
      `select oid, amopfamily, amoplefttype, amoprighttype, amopstrategy, amoppurpose, amopopr, amopmethod, amopsortfamily from pg_amop order by oid`,
    ),
  },
  {
    name: 'FAMILY_FUNCTIONS',
    doc: 'oid family left right number function',
    lines: lines(`select oid, amprocfamily, amproclefttype, amprocrighttype, amprocnum, amproc::oid from pg_amproc order by oid`),
  },
]);

write('../../functions/system/catalog-key-list.ts', [
  {
    name: 'CATALOG_KEYS',
    doc: 'table columns referenced-table referenced-columns array optional, in the order of pg_get_catalog_foreign_keys()',
    lines: lines(`select fktable::regclass, array_to_string(fkcols, ','), pktable::regclass, array_to_string(pkcols, ','), is_array, is_opt
      from pg_get_catalog_foreign_keys()`),
  },
]);

write('../../functions/system/keyword-list.ts', [
  { name: 'KEYWORDS', doc: 'word category, then bare labels as t or f', lines: lines('select word, catcode, barelabel from pg_get_keywords()') },
]);

write('settings.ts', [
  {
    name: 'SETTINGS_DATA',
    doc: 'name|unit|category|context|type|min|max|values|value without any configuration, ~ for null',
    lines: lines(
      `select name, unit, category, context, vartype, min_val, max_val, array_to_string(enumvals, ','), coalesce(boot_val, '~') from pg_settings order by name`,
      '|',
    ),
  },
]);
