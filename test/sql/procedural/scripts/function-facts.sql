create function f1(a int) returns int language sql immutable strict leakproof parallel safe cost 7 as 'select a';

create function f2(a int, out b int, out c text) returns setof record language sql stable rows 33 parallel restricted as $$ select a, 'x' $$;

create function f3() returns void language plpgsql security definer set search_path = public, pg_temp set work_mem to '5MB' as $$ begin end $$;

create procedure p1(inout a int default 3, b text default 'q') language plpgsql as $$ begin a := a + 1; end $$;

create function f4(variadic a int[]) returns int language sql window as 'select 1';

select proname, prokind, provolatile, proparallel, procost, prorows, proleakproof, prosecdef, proisstrict, proretset, proconfig, prosupport::text, pronargs, pronargdefaults from pg_proc where pronamespace = 'public'::regnamespace order by proname;

select pg_get_functiondef('f1'::regproc);

select pg_get_functiondef('f2'::regproc);

select pg_get_functiondef('f3'::regproc);

select pg_get_functiondef('p1'::regproc);

select pg_get_functiondef('f4'::regproc);

alter function f1(int) volatile called on null input not leakproof parallel unsafe cost 50;

select pg_get_functiondef('f1'::regproc);

alter function f2(int) rows 10 cost 3 parallel safe;

select pg_get_functiondef('f2'::regproc);

alter function f1 rows 10;

alter function f1 cost 0;

alter function f2 rows -1;

alter function f1 parallel maybe;

alter function f3 reset work_mem;

select pg_get_functiondef('f3'::regproc);

alter function f3 reset all;

select pg_get_functiondef('f3'::regproc);

alter function f3 security invoker set timezone = 'UTC';

select pg_get_functiondef('f3'::regproc);

alter function f1 returns null on null input;

select pg_get_functiondef('f1'::regproc);

alter procedure p1 cost 3;

alter procedure p1 set work_mem = '1MB';

select pg_get_functiondef('p1'::regproc);

alter function f1 support nosuch_support;

select pg_get_functiondef('f1'::regproc);

create function g1(a int) returns int language sql cost -1 as 'select a';

create function g2(a int) returns int language sql rows 10 as 'select a';

create function g3(a int) returns int language sql rows 0 as 'select a';

create function g4(a int) returns setof int language sql rows 0 as 'select a';

create function g5(a int) returns int language sql parallel whatever as 'select a';

create function g6(a int) returns int language sql transform for type int as 'select a';

create function g7(a int) returns int language sql support nosuch as 'select a';

create function g8(a int) returns int language sql immutable stable as 'select a';

create function g9(a int) returns int language sql as 'select a', 'b';

create function g10(a int) returns int language sql with (isStrict) as 'select a';

create function g11(a int) returns int return a + 1;

select pg_get_functiondef('g11'::regproc);

create function g12(a int, b text default 'x') returns text begin atomic select 1; select b || a; end;

select pg_get_functiondef('g12'::regproc);

select pg_get_function_sqlbody('g12'::regproc), pg_get_function_sqlbody('g11'::regproc), pg_get_function_sqlbody('f1'::regproc);

create or replace function g11(a int) returns int parallel safe cost 3 return a + 2;

select pg_get_functiondef('g11'::regproc);

create or replace function f1(a int) returns text language sql as 'select 1::text';

create or replace function f1(b int) returns int language sql as 'select 1';

create or replace procedure f1(b int) language sql as 'select 1';

create or replace function f2(a int, out b int, out d text) returns setof record language sql as $$ select a, 'x' $$;

create or replace function f2(a int) returns setof record language sql as $$ select a, 'x' $$;

create function h1(int, int) returns int language sql as 'select $1 + $2';

create function h1(a text) returns int language sql as 'select 1';

select 'h1'::regproc;

drop function h1;

alter function h1 cost 3;

drop function h1(int);

drop procedure h1(int, int);

drop routine h1(int, int);

drop function if exists h1(bool), h1(text);
