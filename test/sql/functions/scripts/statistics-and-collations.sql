set search_path=public

drop table if exists st cascade

create table st(a int, b int, c text, d json)

create statistics s1 on a, b from st

create statistics s2 (ndistinct, mcv) on c, a, b from st

create statistics s3 on (a+b), c from st

create statistics s4 on (lower(c)) from st

create statistics if not exists s1 on a, c from st

create statistics s1 on a, c from st

create statistics s9 on a from st

create statistics s9 on a, a from st

create statistics s9 on a, zz from st

create statistics s9 (foo) on a, b from st

create statistics s9 on a, d from st

create statistics s9 on a, b from nope

select stxname, stxkeys, stxkind, stxstattarget, stxrelid::regclass, pg_get_statisticsobjdef(oid), pg_get_statisticsobjdef_columns(oid), pg_get_statisticsobjdef_expressions(oid), pg_statistics_obj_is_visible(oid) from pg_statistic_ext order by stxname

alter statistics s1 set statistics 50

alter statistics s1 rename to s1b

alter statistics nope rename to x

alter statistics if exists nope set statistics 5

create schema if not exists sc2

alter statistics s2 set schema sc2

comment on statistics s1b is 'hello'

select obj_description(oid,'pg_statistic_ext'), stxstattarget from pg_statistic_ext where stxname='s1b'

alter table st drop column b

select stxname from pg_statistic_ext order by 1

drop statistics nope

drop statistics if exists nope

drop statistics s4

drop table st

select count(*) from pg_statistic_ext

create collation c1 (locale = 'C')

create collation c2 from "C"

create collation c3 (lc_collate='POSIX', lc_ctype='POSIX')

create collation if not exists c1 (locale='C')

create collation c1 (locale='C')

create collation c4 (foo = 'C')

create collation c4 (lc_collate='C')

create collation c4 (locale='xx_YY')

create collation c4 from nope

create collation c4 (locale='C', deterministic=false)

select collname, collprovider, collisdeterministic, collcollate, collctype, collnamespace::regnamespace from pg_collation where collnamespace = 'public'::regnamespace order by 1

select 'a' collate c1 < 'b', 'a' collate public.c2, 'x' collate nope

select 'a' collate c1 < 'b', 'a' collate public.c2

alter collation c3 rename to c3b

alter collation c3b set schema sc2

alter collation c1 rename to c2

select 'x' collate sc2.c3b

comment on collation c1 is 'hi'

select 'c1'::regcollation, obj_description('c1'::regcollation,'pg_collation'), pg_identify_object('pg_collation'::regclass,'c1'::regcollation,0)

drop collation nope

drop collation if exists nope

drop collation c1, c2

drop schema sc2

drop schema sc2 cascade

select pg_get_object_address('collation','{C}','{}')

select 'a' collate "C" < 'b' collate "POSIX"
