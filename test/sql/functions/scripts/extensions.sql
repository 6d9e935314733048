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

select armor('abc'::bytea), armor(decode(repeat('00',57*2),'hex')), armor(''::bytea)

select armor(decode(repeat('0a',58),'hex'), array['k','Comment'], array['a','b c'])

select armor('x', array['k: '], array['a'])

select armor('x', array['k'], array['a','b'])

select armor('x', array['ü'], array['a'])

select armor('x', array[e'k\nj'], array['a'])

select armor('x', array[null], array['a'])

select armor('x', array['k'], array[null])

select armor('x', array[[1]]::text[], array['a'])

select dearmor('zzz')

select dearmor(armor('some bytes')), dearmor('before' || chr(10) || armor(decode('00ff','hex'), array['a'], array['b']) || 'behind')

select dearmor(replace(armor('some bytes'), 'c29', 'c28'))

select * from pgp_armor_headers(armor('x', array['k','j j'], array['a','']))

select pgp_key_id('abc')

select pgp_key_id(pgp_sym_encrypt('x','k'))

select pgp_sym_encrypt('x','k','foo=1')

select pgp_sym_encrypt('x','k','s2k-count=10')

select pgp_sym_encrypt('x','k','s2k-mode=2')

select pgp_sym_encrypt('x','k','compress-algo=3')

select pgp_sym_encrypt('x','k','compress-level=10')

select pgp_sym_encrypt('x','k','cipher-algo')

select pgp_sym_encrypt('x','k','cipher-algo=rot13')

select pgp_sym_encrypt('x','k','  ')

select pgp_sym_encrypt('x','')

select pgp_sym_decrypt('abc','k')

select pgp_sym_decrypt('','k')

select pgp_sym_decrypt(pgp_sym_encrypt('x','k'),'j')

select pgp_sym_decrypt(pgp_sym_encrypt('x','k','sess-key=1'),'j')

select pgp_sym_decrypt(pgp_sym_encrypt_bytea('x','k'),'k')

select pgp_sym_decrypt_bytea(pgp_sym_encrypt('xü','k'),'k')

select o, pgp_sym_decrypt(pgp_sym_encrypt('Žluť 🐎' || repeat('long ', 3000), 'pässword', o), 'pässword') = 'Žluť 🐎' || repeat('long ', 3000) from unnest(array['', 'cipher-algo=aes192', 'cipher-algo=aes256, compress-algo=1', 'cipher-algo=3des,compress-algo=2', 's2k-mode=0', 's2k-mode=1, s2k-digest-algo=md5, cipher-algo=aes256', 's2k-count=65536,s2k-digest-algo=sha512', 'sess-key=1', 'sess-key=1,s2k-cipher-algo=aes256', 'disable-mdc=1', 'disable-mdc=1,cipher-algo=3des', 'unicode-mode=1', 'compress-algo=1,compress-level=0', 's2k-digest-algo=sha256']) o

select pgp_sym_decrypt_bytea(pgp_sym_encrypt(e'a\nb', 'k', 'convert-crlf=1'), 'k'), pgp_sym_decrypt(pgp_sym_encrypt(e'a\nb', 'k', 'convert-crlf=1'), 'k', 'convert-crlf=1') = e'a\nb'

select length(pgp_sym_encrypt('x', 'k')), length(pgp_sym_encrypt(repeat('x', 100), 'k', 'disable-mdc=1, s2k-mode=0')), length(pgp_sym_encrypt_bytea('', 'k', 'sess-key=1'))

select pgp_sym_decrypt('\xc30d04070302d85d3ca2d9478a6c71d24c0154460cdcad7f04a99da34587d43a35c08e9fb27ab0c631f5a720e5d799fe73f503d0319f9ac021aa8225275fe4d04d7be243c5bf36a8c217c21d2dacea007badfa3dd83e947ed1f379434e', 'pässword')

select pgp_sym_decrypt('\xc30d040903023e58198a450c2e826ad2490139cd4f80a0866825a86a53197b69141d6522c40a36705adfee785b00d8ac38229d0703ddaf29c97afa681b34e4a0d88e4c08253deae068af7ed193b76df2104733c75b20451c43fe', 'pässword')

select pgp_sym_decrypt('\xc30c04020102ca98fba38f98b8e0d24701ab889ff3309fa232e7dfd8777c21ae57251816f3e855a13d1796f3d908c2b77b09b48680b7f9376fb31b2176874d46d423a1c6af08b45d236350c6592df57d2d71cf5bd498cc', 'pässword')

select pgp_sym_decrypt('\xc3260408030a7abd4c3186c7c73f00e30db833e91b38b3e23bad3f1110a1d3566806b864c35aa170d24c01c3540e6048475733719ee8d554d0cb7ed1149916d62e1dca8a9f0ef042a6cb5a947b008c9fdc14cc0490c2e5ca5cfe7954f8ddfda3277db47a4de8d8ce1d9c968aee9ce8d527a84c0daeab', 'pässword')

select pgp_sym_decrypt('\xc30d04090302cba70d1c9058a9f979c935cbadb1b1f50c79f20da97dba947fd6bbefb7627d48d9a492db720ccce910c23ad8cfbe6140ddc96cb31cadbe0bf70f8387767e00d0', 'pässword')

select pgp_sym_decrypt('\xc30404070002d24c016c7f91a547d27a25e2fbc3241d2fd622f03cdc4ee8cd778f4f6a146ffaa609d83dcdac626668b2f2602d07e5755b9e697357e9dbc918a176893c35dd7af7015b53a93da2e7cf831aa05f6d', 'pässword')

select pgp_sym_decrypt('\xc30d04070302f5eaa4f550ace1c176d24c01e56c4a5a78caccc741345c683c99df287342de3961c5bcf84d569b0d4b5fed02d449f1d1d59623dac44eb32ca233d5d2c3b7f5238eed5d3ee9477a68257ff15d9f5f3305bb312879059f7c', 'pässword')

select pgp_sym_decrypt('\xc30d04090302df140cbe759ab8246cd246012a58a5d5a63a375d66c66dccac0fcc55d4d240c331a6bdaf59e19243aa3bc4459428cc95cd35d902fd95f36684a458208886b15a61104318d8e4f4bf60195052697239df26', 'pässword')

select pgp_sym_decrypt('\xc30c04020102aa213102e21cef60d244013f473aee3ce15c0b50e8eaf301d3dc86b76037c6fdd6c3455975e786af3d46f47030502ba14645da0a41be7b20c13ce3968850a92ae65e739a971343545b0071de2e2e', 'pässword')

select pgp_sym_decrypt('\xc3260408030a1f6c323615bfdafb0050f9ddd2e1e36a65fc3f0e88daf04197285a8f439a6ab875a8d24c010f70cd3849fc5723f2b4fae65a1119540ef43e606497a1aa1e25020b0a1eaeed9b77d8315c92f7b60bd930ce0fa9e8c03acbb5dcba3d72ec2b054e0891965d677e52d62b7cd8ef36eee514', 'pässword')

select pgp_sym_decrypt('\xc30d0409030261f0698755200fad60c9351d41c3ada6b1a73ad2e270f3ecf893bf7202f95c25c038b80078bf9347966e8f823652db3a0e1bf4cf72c71c9133301fde1e9eea10', 'pässword')

select pgp_sym_decrypt('\xc30404070002d24c017db9527f88bff645a1171a01a8228c5859f0401c05f980e466a53b4db2df01a0f45d8ee3c5781d099b67731a5f100099406074305b370a35a338057047a9aa0da4217ba90ebd9fcf28060b', 'pässword')

select length(pgp_sym_decrypt_bytea('\xc30d04070302bad6c2e34abd888075d25201134b583a66ccde2387c4f7b3ce3f7d8c02b80305916b9ab1bd9633ddbd9f6995ea82f29d3085ae90d3c323a6ed2fc1a0d82bca2a0ca5dd01f482d4e6290993b7d618bb064b664a83255c60edec843ff5b9', 'k'))
