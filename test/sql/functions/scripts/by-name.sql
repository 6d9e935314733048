select hashint4(5), hashtext('abc'), hashint8(-5), hashfloat8(1.5), hash_numeric(12.50), hashchar('a'), hashtextextended('abc', 7), hashint4extended(5, 9), hash_array('{1,2,NULL}'::int[]), hash_range('[1,5)'::int4range), hash_record(row(1,2)), jsonb_hash('{"a":[1,null,"x"]}'), interval_hash('1 mon 2 days'), uuid_hash('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'), timetz_hash('12:00+02'), hashinet('10.0.0.0/8'), pg_lsn_hash('16/B374D848')

select int4in('5'), int4out(5), date_in('2020-01-01'), date_out('2020-02-03'), textin('x'), boolin('yes'), numeric_in('1.50', 0, -1), int4send(5), textsend('ab'), numeric_send(1.5)

select int4in('x')

select int4(2.5::float8), int8('7'::numeric), text('a'::"char"), varchar('abcdef'::varchar, 7, true), numeric(1.567, 655366), bit(5, 4), float8('1.5'), date('2020-01-01'), timestamp(6) '2020-01-01 00:00', "timestamp"('2020-01-01'::date)

select int4eq(1,1), texteq('a','b'), int4lt(1,2), numeric_add(1,2), int4pl(1,2), btint4cmp(1,2), btint2cmp(5::int2,2::int2), interval_cmp('1 day','24 hours'), oidlarger(1,2), int4larger(1,2), cash_words('12.34'), cash_words('1121.01'), cash_words('-0.5')

select dexp(1), dround(2.5), numeric_exp(1), textlen('abc'), int4inc(5), nameconcatoid('abc', 5), oidvectortypes('23 25'), numeric_div_trunc(7, 2)

select int4inc(2147483647)

select row(1,2)::record *= row(1,2)::record, row(1.0)::record *= row(1.00)::record, row(1.0)::record = row(1.00)::record, row(1,null::int)::record *< row(1,2)::record, row(2)::record *>= row(1)::record, row(1)::record *<> row(2)::record

select row(1)::record *= row(1::bigint)::record

select '16/B374D848'::pg_lsn - '16/B374D800'::pg_lsn, '16/0'::pg_lsn + 16, 16 + '16/0'::pg_lsn, '16/10'::pg_lsn - 16, pg_wal_lsn_diff('1/0','0/0'), '1/0'::pg_lsn < '2/0', pg_lsn(4294967296)

select '0/0'::pg_lsn - 1

select max(x), min(x) from (values ('1/0'::pg_lsn), ('FF/0')) t(x)

select pg_snapshot_xmin('10:20:10,14,15'), pg_snapshot_xmax('10:20:10,14,15'), pg_visible_in_snapshot('14','10:20:10,14,15'), pg_visible_in_snapshot('9','10:20:10,14,15'), pg_visible_in_snapshot('16','10:20:10,14,15')

select pg_snapshot_xip('10:20:10,14,14,15')

select '20:10:'::pg_snapshot

select pg_visible_in_snapshot(pg_current_xact_id(), pg_current_snapshot()), pg_xact_status(pg_current_xact_id()), pg_xact_status('1'), pg_xact_status('0')

select 'abc'::xid, '0x10'::xid, ' 12x'::xid8, '-1'::cid

create table ti(a int primary key default 5, b text check (b <> 'x'))

create view vi as select * from ti

create sequence sq

create domain dm as int constraint dd check (value > 0)

create schema "S x"

create table "S x"."T t"("C c" int)

create policy pp on ti

create function fx(int, text) returns int language sql as 'select 1'

select (pg_identify_object('pg_class'::regclass, oid, 0)).*, (pg_identify_object_as_address('pg_class'::regclass, oid, 0)).* from pg_class where relname in ('ti','ti_pkey','vi','sq','T t') order by relname

select pg_identify_object('pg_class'::regclass, 'ti'::regclass, 2), pg_identify_object('pg_class'::regclass, '"S x"."T t"'::regclass, 1), pg_identify_object('pg_class'::regclass, 999999, 0), pg_identify_object('pg_class'::regclass, 'ti'::regclass, 99)

select pg_identify_object('pg_type'::regclass, 23, 0), pg_identify_object('pg_type'::regclass, 1007, 0), pg_identify_object('pg_type'::regclass, 'dm'::regtype, 0), pg_identify_object_as_address('pg_type'::regclass, '"S x"."T t"'::regtype, 0)

select pg_identify_object('pg_proc'::regclass, 'fx'::regproc, 0), pg_identify_object_as_address('pg_proc'::regclass, 'fx'::regproc, 0), pg_identify_object('pg_proc'::regclass, 'abs(int)'::regprocedure, 0), pg_identify_object('pg_proc'::regclass, 'max(int)'::regprocedure, 0)

select pg_identify_object('pg_constraint'::regclass, oid, 0), pg_identify_object_as_address('pg_constraint'::regclass, oid, 0) from pg_constraint where conname in ('ti_pkey','ti_b_check','dd') order by conname

select pg_identify_object('pg_policy'::regclass, oid, 0), pg_identify_object_as_address('pg_policy'::regclass, oid, 0) from pg_policy

select pg_identify_object('pg_rewrite'::regclass, oid, 0) from pg_rewrite where ev_class = 'vi'::regclass

select pg_identify_object('pg_operator'::regclass, 551, 0), pg_identify_object_as_address('pg_operator'::regclass, 484, 0), pg_identify_object('pg_collation'::regclass, 950, 0), pg_identify_object('pg_am'::regclass, 403, 0), pg_identify_object('pg_opclass'::regclass, 1978, 0), pg_identify_object('pg_ts_config'::regclass, 3748, 0), pg_identify_object('pg_namespace'::regclass, '"S x"'::regnamespace, 0)

select pg_identify_object(0, 1, 0)

select pg_describe_object('pg_operator'::regclass, 551, 0), pg_describe_object('pg_class'::regclass, 999999, 0), pg_describe_object('pg_collation'::regclass, 950, 0)

select pg_get_object_address('table','{ti}','{}') = row('pg_class'::regclass::oid, 'ti'::regclass::oid, 0), (pg_get_object_address('table column','{public,ti,b}','{}')).objsubid, (pg_get_object_address('function','{fx}','{int,text}')).objid = 'fx'::regproc::oid

select pg_get_object_address('tabl','{ti}','{}')

select pg_get_object_address('table','{nope}','{}')

select pg_get_object_address('function','{nope}','{int}')

select float8_accum('{1,2,0}', 3), float8_combine('{1,2,0}','{2,5,1}'), float8_regr_accum('{0,0,0,0,0,0}', 1, 2), float8_regr_sxx('{2,3,0.5,4,0.5,0.1}'), float8_corr('{2,3,0.5,4,0.5,0.1}'), int4_avg_accum_inv('{2,5}', 3), int8_sum(1.5, 3), interval_avg('{6 days,00:00:00.000003}'), float8_avg('{1,2}')

select pg_options_to_table('{a=1,b}')

select pg_options_to_table('{a,NULL}')

select to_regclass('2020-01-01'), to_regclass('a%b'), to_regtype('nope'), 'a-b'::regclass

select format_type(25, 3), format_type(23, 5), format_type(1043, 7)

select polygon(2147483647, '<(0,0),1>'::circle)

select acldefault('r', 10) @> makeaclitem(10, 10, 'SELECT', false), makeaclitem(10, 10, 'SELECT', false) = makeaclitem(10, 10, 'SELECT', true)

select aclinsert(acldefault('r', 10), makeaclitem(10, 10, 'SELECT', false))

select 'a=r'::aclitem::text, 'x'::aclitem

select int4multirange(null::int4range), int4multirange('[1,3)'::int4range), int4multirange('[1,3)', '[2,5)')
