-- Overloads, lists, defaults, and where objects may go.
create function f5(variadic anycompatiblearray) returns anycompatiblearray language sql as 'select $1';

select f5(1, 2.5, 3), pg_typeof(f5(1, 2.5)), f5(variadic array[1, 2]);

create function f4(variadic anyarray) returns anyelement language sql as 'select $1[1]';

select f4(1, 2, 3), f4(variadic array['a', 'b']);

select proname, provariadic::regtype from pg_proc where pronamespace = 'public'::regnamespace order by 1;

create procedure p3(a int default 1, out b int) language sql as 'select a';

create function g4(a int, b int default 1) returns int language sql as 'select 1';

create function g4(a int) returns int language sql as 'select 2';

create function g4(a text, b text default '') returns int language sql as 'select 3';

select g4(1);

select g4(a => 1);

select g4(1, 2), g4('x'::text);

create schema s2;

create function s2.g4(a int, b text default 'x') returns int language sql as 'select 4';

set search_path = s2, public;

select g4(1);

reset search_path;

create function pf() returns int language sql as 'select 1';

create function s2.pf() returns int language sql as 'select 1';

alter function pf() set schema s2;

create temp table t1 (a int);

create type pg_temp.ty as (a int);

create function pg_temp.f() returns int language sql as 'select 1';

create table pt (a int);

alter table t1 set schema public;

alter type pg_temp.ty set schema public;

alter function pg_temp.f() set schema public;

alter table pt set schema pg_temp;

alter function pf() set schema pg_temp;

alter table pt set schema pg_toast;

alter table pt set schema s2;

create unlogged view uv as select 1;

create view bv with (security_barrier = 2) as select 1;

create table st (a int, b int, c text);

create statistics s3 (dependencies) on (a), (b + 1) from st;

select stxkeys, pg_get_statisticsobjdef(oid), pg_get_statisticsobjdef_expressions(oid) from pg_statistic_ext;

create statistics s4 on a, b from (select 1) x;
