-- Extensions beside those of Postgres 15: each statement by itself.

CREATE SCHEMA ext

create extension if not exists hstore with schema ext

create extension if not exists citext

create extension if not exists intarray

create extension if not exists tablefunc

create extension if not exists pg_trgm

create extension if not exists pgcrypto

set search_path=public,ext

select 'a=>1, b=>2, "c d"=>NULL'::hstore

select 'a=>NULL, b=>"NULL", c=>null'::hstore

select ''::hstore, ' '::hstore

select 'a'::hstore

select 'a=1'::hstore

select 'a=>'::hstore

select 'a=>"b'::hstore

select '=>b'::hstore

select 'a=>1 b=>2'::hstore

select 'a=>1,'::hstore

select 'a\=>b=>c'::hstore

select E'"a\\"b"=>"c\\\\d"'::hstore

select 'bb=>1, a=>2, a=>3'::hstore

select 'a=>1'::hstore -> 'a', 'a=>1'::hstore -> 'b'

select 'a=>1,b=>2,c=>3'::hstore -> ARRAY['c','a','x']

select 'a=>1,b=>2'::hstore || 'b=>3,d=>4'

select 'a=>1,b=>NULL'::hstore ? 'b', exist('a=>1','b'), defined('a=>1,b=>NULL','b')

select 'a=>1,b=>2'::hstore ?& ARRAY['a','b'], 'a=>1'::hstore ?| ARRAY['x','a']

select 'a=>b, b=>1, c=>NULL'::hstore @> 'b=>1', 'a=>c'::hstore <@ 'a=>b, b=>1'

select 'a=>1, b=>2, c=>3'::hstore - 'b'::text, 'a=>1, b=>2, c=>3'::hstore - ARRAY['a','b'], 'a=>1, b=>2'::hstore - 'a=>4, b=>2'::hstore

select %% 'a=>foo, b=>bar'::hstore, %# 'a=>foo, b=>bar'::hstore, %% ''::hstore, %# ''::hstore

select hstore('a','b'), hstore('a',null), hstore(null,'b'), hstore(ARRAY['a','1','b','2']), hstore(ARRAY[['c','3'],['d','4']]), hstore(ARRAY['a','b'], ARRAY['1','2'])

select hstore(ARRAY['a','1','b'])

select hstore(ARRAY['a',null], ARRAY['1','2'])

select hstore(ROW(1,2)), hstore(t) from (values (1,'x'::text,null::int)) t(a,b,c)

select akeys('a=>1,b=>2'), avals('a=>1,b=>NULL')

select skeys('a=>1,b=>2')

select * from each('a=>1,b=>NULL')

select hstore_to_json('"a key"=>1, b=>t, c=>null, d=>12345, e=>012345, f=>1.234, g=>2.345e+4'), hstore_to_json_loose('"a key"=>1, b=>t, c=>null, d=>12345, e=>012345, f=>1.234, g=>2.345e+4')

select hstore_to_jsonb('"a key"=>1, b=>t, c=>null'), hstore_to_jsonb_loose('"a key"=>1, b=>t, c=>null, d=>12345, f=>1.234')

select 'a=>1'::hstore::json, 'a=>1'::hstore::jsonb, '{a,1}'::text[]::hstore

select slice('a=>1,b=>2,c=>3', ARRAY['b','c','x'])

select 'a=>1,b=>2'::hstore = 'b=>2,a=>1', 'a=>1'::hstore <> 'a=>2'

drop table if exists th

create table th(id int primary key, h hstore, b text)

insert into th values (1,'a=>1,b=>2','x'),(2,'b=>2,c=>3','y'),(3,NULL,'z')

create index thi on th using gin(h)

select id from th where h @> 'b=>2' order by id

select id from th where h ? 'c' order by id

select id from th where h ?| array['a','c'] order by id

select id from th where h ?& array['b','c'] order by id

select h->'a', count(*) from th group by 1 order by 1 nulls first

update th set h = h || 'z=>9' where id=1

select h from th order by id

select distinct h from th where id=1

select * from populate_record(null::th, 'id=>7, b=>q')

select (th #= 'b=>new'::hstore).b from th where id=1

select ext.hstore('a','b')

select pg_typeof(h), pg_catalog.format_type('ext.hstore'::regtype, null) from th limit 1

select h::text, h::text::hstore from th where id=2

select 'Foo'::citext = 'foo', 'Foo'::citext = 'foo'::text, 'a'::citext < 'B'::citext, 'Foo'::citext <> 'FOO'

select 'abc'::citext like 'AB%', 'abc'::citext ~ '^A', 'abc'::citext !~ 'B', 'abc'::citext ilike 'ABC', 'abc'::citext not like 'A%'

select max(x), min(x) from (values ('b'::citext),('A'),('C')) t(x)

drop table if exists tc

create table tc(e citext primary key, n int)

insert into tc values ('Ann@X.org',1),('bob',2)

insert into tc values ('ANN@x.ORG',3)

select * from tc where e='ANN@X.ORG'

select * from tc where e in ('BOB','zz')

select e from tc order by e desc

insert into tc values ('ANN@x.org',5) on conflict (e) do update set n=excluded.n returning *

select lower(e), upper(e), length(e), e||'x', e||'x'::text from tc order by e

select count(distinct x) from (values ('a'::citext),('A'),('b')) t(x)

select x, count(*) from (values ('a'::citext),('A'),('b')) t(x) group by x order by x

select strpos('aBc'::citext,'b'), replace('aBcB'::citext,'b','x'), split_part('1x2X3'::citext,'X',2), translate('abcABC'::citext,'Ab','xy'), regexp_replace('aBc'::citext,'B','x'), regexp_match('fooBar'::citext,'bar'), regexp_split_to_array('1x2X3'::citext,'x')

select regexp_matches('fooBar'::citext,'BAR'), regexp_split_to_table('1x2X3'::citext,'X')

select 'a'::citext::varchar, 'a'::varchar::citext, 'ab '::char(3)::citext, true::citext, pg_typeof('a'::citext)

select c.e, d.n from tc c join tc d on c.e = d.e order by 1

create unique index if not exists tcu on tc(e)

select 'x'::citext = any(array['X','y']::citext[]), array['a']::citext[] = array['A']::citext[]

select case when 'a'::citext = 'A' then 1 end, coalesce(null::citext,'z'), 'a'::citext between 'A' and 'B'

select icount('{1,2,3}'), sort('{3,1,2}','desc'), sort('{3,1,2}'), sort_asc('{2,1}'), sort_desc('{1,2}'), uniq('{1,1,2,1}'), idx('{5,6}',6), subarray('{1,2,3,4}',2,2), subarray('{1,2,3,4}',-2), subarray('{1,2,3,4}',2,-1), intset(5)

select '{1,2,3}'::int[] & '{2,3,4}', '{1,2}'::int[] | '{2,3}', '{1,2}'::int[] | 5, '{1,2,3}'::int[] - 2, '{1,2,3,3}'::int[] - '{2}'::int[], '{1}'::int[] + 2, '{1}'::int[] + '{1,2}'::int[], # '{1,2}'::int[], '{5,6}'::int[] # 6

select '{1,NULL}'::int[] & '{1}'

select '{1,2}'::int[] && '{2}', '{1,2}'::int[] @> '{2}', '{1}'::int[] <@ '{1,2}'

select * from crosstab('select * from (values (''r1'',''a'',1),(''r1'',''b'',2),(''r2'',''a'',3)) v order by 1,2') as ct(row text, a int, b int)

select * from crosstab('select * from (values (''r1'',''b'',2),(''r1'',''a'',1),(''r2'',''b'',3)) v order by 1', 'select unnest(array[''a'',''b''])') as ct(row text, a int, b int)

select * from crosstab3('select * from (values (''r1''::text,''a''::text,''1''::text),(''r1'',''b'',''2''),(''r2'',''a'',''3'')) v order by 1,2')

create table if not exists tree(id text, par text, pos int)

insert into tree values ('1',null,0),('2','1',0),('3','1',0),('4','2',1),('5','2',0),('6','4',0)

select * from connectby('tree','id','par','2',0,'~') as t(id text, par text, level int, branch text)

select * from connectby('tree','id','par','pos','2',0,'~') as t(id text, par text, level int, branch text, pos int)

select * from connectby('tree','id','par','1',1) as t(id text, par text, level int)

drop table tree

select word_similarity('word','two words'), strict_word_similarity('word','two words'), similarity('abc','abd'), show_limit()

select 'word' <% 'two words', 'two words' %> 'word', 'word' <<% 'two words', 'word' <<-> 'two words', 'word' <<<-> 'two words', 'two words' <->> 'word'

select set_limit(0.5), show_limit(), 'abcd' % 'abce'

set pg_trgm.similarity_threshold = 0.1

select show_limit(), 'abcd' % 'axyz'

select crypt('pw','$1$abcdefgh$'), crypt('password','$1$saltsalt')

select crypt('password','$2a$06$RQiOJ.3ELirrXwxIZY8q0O')

select gen_salt('zz')

select encode(encrypt('data','0123456789abcdef','aes'),'hex'), encode(encrypt('data','key','aes-cbc/pad:pkcs'),'hex'), convert_from(decrypt(encrypt('data','key','aes'),'key','aes'),'UTF8')

select encode(encrypt_iv('data','0123456789abcdef','iviviviviviviviv','aes'),'hex'), encode(encrypt('0123456789abcdef','0123456789abcdef','aes-ecb/pad:none'),'hex')

select encrypt('data','key','aes-ecb/pad:none')

select encrypt('data','key','xxx')

select decrypt('data','key','aes')
