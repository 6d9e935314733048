create function p_el(anyelement) returns anyelement language plpgsql as $$ begin return $1; end $$;

select p_el(1), p_el('x'::text), p_el(array[1,2]);

select pg_typeof(p_el(1::numeric));

create function p_arr(anyelement, anyelement) returns anyarray language sql as $$ select array[$1, $2] $$;

select p_arr(1, 2), p_arr('a'::text, 'b');

create function p_first(anyarray) returns anyelement language plpgsql as $$ begin return $1[1]; end $$;

select p_first(array[3,4]), p_first('{a,b}'::text[]);

create function p_comp(anycompatible, anycompatible) returns anycompatible language sql as $$ select case when $1 > $2 then $1 else $2 end $$;

select p_comp(1, 2.5), pg_typeof(p_comp(1, 2.5)), p_comp(3::bigint, 1::int);

create function p_rng(anyrange) returns anyelement language sql as $$ select lower($1) $$;

select p_rng(int4range(3,5)), p_rng(numrange(1.5,2));

create function p_var(variadic anyarray) returns int language plpgsql as $$ begin return array_length($1, 1); end $$;

select p_var(1,2,3), p_var(variadic array['a','b']);

create function p_var2(text, variadic int[]) returns text language plpgsql as $$ declare s text := $1; x int; begin foreach x in array $2 loop s := s || x; end loop; return s; end $$;

select p_var2('n', 1, 2, 3), p_var2('n', variadic array[9,8]);

create function p_dup(f1 anyelement, out f2 anyelement, out f3 anyarray) language plpgsql as $$ begin f2 := f1; f3 := array[f1, f1]; end $$;

create function p_decl(x anyelement) returns text language plpgsql as $$ declare y x%type; z x%type := x; begin y := x; return pg_typeof(y)::text || z::text; end $$;

select p_decl(1), p_decl('a'::varchar), p_decl('2020-01-01'::date);

create function n1(a int, b int default 10, c text default 'c') returns text language plpgsql as $$ begin return format('%s %s %s', a, b, c); end $$;

select n1(1), n1(1, 2), n1(1, c => 'x'), n1(a => 5, c := 'q'), n1(c => 'z', a => 1, b => 3);

select n1(b => 1);

select n1(1, 2, b => 3);

select n1(1, d => 3);

create function o1(in a int, out b int, out c text) language plpgsql as $$ begin b := a * 2; c := 'v' || a; end $$;

select o1(3), (o1(3)).b, (o1(3)).*;

select * from o1(4);

create function o2(inout a int) language plpgsql as $$ begin a := a + 1; end $$;

select o2(1);

create function o3(n int) returns table(x int, y text) language plpgsql as $$ begin for x in 1..n loop y := repeat('*', x); return next; end loop; end $$;

select * from o3(3);

select o3(2);

select x from o3(3) where x > 1;

create function o4() returns setof record language plpgsql as $$ begin return query select 1, 'a'::text; return query values (2, 'b'::text); end $$;

select * from o4() as t(a int, b text);

select * from o4() as t(a int, b int);

select * from o4() as t(a int);

select * from o4();

create function o5(out a int, out b int) returns setof record language plpgsql as $$ begin a := 1; b := 2; return next; a := 3; return next; return; end $$;

select * from o5();

create function o6() returns record language plpgsql as $$ declare r record; begin r := row(1, 'x'::text, 2.5); return r; end $$;

select * from o6() as (a int, b text, c numeric);

select o6();

select * from o6() as (a int, b text);

create type comp as (x int, y text);

create table ct(id int, c comp, cs comp[]);

create function k1(comp) returns comp language plpgsql as $$ begin $1.x := $1.x + 1; return $1; end $$;

select k1((1,'a')::comp), (k1(row(5,'q'))).x;

create function k2(c comp) returns text language plpgsql as $$ begin return c.x || c.y; end $$;

select k2((1,'z'));

create function k3() returns setof comp language plpgsql as $$ declare c comp; begin c.x := 1; c.y := 'one'; return next c; c := row(2, 'two'); return next c; return query select 3, 'three'::text; end $$;

select * from k3();

select k3();

create function k4() returns comp[] language plpgsql as $$ declare a comp[]; begin a[1] := (1,'a'); a[2] := row(2,'b')::comp; a[2].y := 'changed'; a[3].x := 7; return a; end $$;

select k4(), (k4())[2].y;

create function k5(t ct) returns int language plpgsql as $$ begin return t.id + (t.c).x; end $$;

insert into ct values (1, (10, 'c'), array[(1,'a')::comp, (2,'b')::comp]);

select k5(ct) from ct;

do $$ declare r ct%rowtype; begin select * into r from ct; r.c.x := 99; r.cs[2].y := 'deep'; raise notice '% % %', r.c, r.cs, r; end $$;

do $$ declare r record; begin select * into r from ct; r.id := 5; r.c.y := 'rec'; raise notice '%', r; end $$;

do $$ declare a int[] := '{1,2,3}'; m int[] := '{{1,2},{3,4}}'; begin a[2] := 20; a[5] := 50; m[2][1] := 30; a[0] := 0; raise notice '% %', a, m; a[1:2] := '{7,8}'; raise notice '%', a; end $$;

do $$ declare j jsonb := '{"a":1}'; begin j['b'] := '2'; j['c']['d'] := '"x"'; raise notice '%', j; end $$;

do $$ declare c comp; begin raise notice '% %', c, c is null; c.x := 1; raise notice '%', c; c := null; raise notice '%', c; end $$;

do $$ declare c comp := row(1, 'q'); d comp; begin d := c; d.x := 2; raise notice '% % %', c, d, c = d; end $$;

create domain posint as int check (value > 0);

create domain nn as text not null;

create function d1(posint) returns posint language plpgsql as $$ begin return $1 - 5; end $$;

select d1(10);

do $$ declare v varchar(3); n numeric(4,1); c char(5); begin n := 12.345; c := 'ab'; raise notice '% [%]', n, c; v := 'toolong'; end $$;

do $$ declare a ct.id%type := '5'; b ct%rowtype; begin a := a + 1; b.id := a; raise notice '% %', a, b; end $$;

do $$ declare x int; y text; begin execute 'select $1 + $2, $3' into x, y using 1, 2, 'z'; raise notice '% %', x, y; end $$;

do $$ declare x int; begin execute 'select 1 where false' into strict x; end $$;

do $$ declare x int; begin execute 'select 1 union select 2' into strict x; end $$;

do $$ declare x int := 5; begin execute 'select 1 where false' into x; raise notice '%', x is null; end $$;

do $$ declare x int; n int; begin execute format('create temp table %I (a int)', 'weird name'); execute format('insert into %I select generate_series(1,3)', 'weird name'); get diagnostics n = row_count; raise notice '% %', n, found; end $$;

do $$ begin execute 'select 1' using; end $$;

do $$ declare r record; begin for r in execute 'select g, g*g as sq from generate_series(1,$1) g' using 3 loop raise notice '%', r; end loop; end $$;

create function rqe(n int) returns setof int language plpgsql as $$ begin return query execute 'select generate_series(1, $1)' using n; raise notice 'found %', found; return query select 5 where false; raise notice 'found %', found; end $$;

select * from rqe(3);

do $$ declare i int; begin <<outerl>> for i in 1..3 loop for j in 1..3 loop continue outerl when j = 2; exit outerl when i = 3; raise notice '% %', i, j; end loop; end loop; end $$;

do $$ begin for i in reverse 10..1 by 4 loop raise notice '%', i; end loop; end $$;

do $$ declare x int := 0; begin loop x := x + 1; if x = 2 then continue; end if; raise notice '%', x; exit when x >= 3; end loop; end $$;

do $$ begin <<b>> begin raise notice 'in'; exit b; raise notice 'never'; end; raise notice 'out'; end $$;

do $$ declare a int[]; x int; s int[]; begin foreach x in array array[[1,2],[3,4]] loop raise notice '%', x; end loop; foreach s slice 1 in array array[[1,2],[3,4]] loop raise notice '%', s; end loop; end $$;

do $$ declare s int[]; begin foreach s slice 3 in array array[[1,2],[3,4]] loop raise notice '%', s; end loop; end $$;

do $$ declare s int; begin foreach s slice 1 in array array[[1,2],[3,4]] loop raise notice '%', s; end loop; end $$;

do $$ declare s int; begin foreach s in array null::int[] loop raise notice '%', s; end loop; end $$;

do $$ declare a int; b text; begin for a, b in select g, 'x' || g from generate_series(1,2) g loop raise notice '% %', a, b; end loop; end $$;

do $$ declare c comp; begin foreach c in array array[(1,'a')::comp, (2,'b')::comp] loop raise notice '% %', c.x, c; end loop; end $$;

do $$ declare x int; y text; begin foreach x, y in array array[(1,'a')::comp, (2,'b')::comp] loop raise notice '% %', x, y; end loop; end $$;

do $$ declare x int := 3; begin case x when 1, 2 then raise notice 'low'; when 3 then raise notice 'three'; else raise notice 'other'; end case; case when x > 5 then raise notice 'big'; when x > 2 then raise notice 'mid'; end case; end $$;

do $$ begin raise notice '%', found; perform 1; raise notice '%', found; perform 1 where false; raise notice '%', found; update ct set id = id; raise notice '%', found; update ct set id = 1 where false; raise notice '%', found; for i in 1..0 loop null; end loop; raise notice '%', found; for i in 1..1 loop null; end loop; raise notice '%', found; end $$;

do $$ declare n int; o oid; begin perform generate_series(1,5); get diagnostics n = row_count; raise notice '%', n; insert into ct(id) values (7),(8); get diagnostics n = row_count; raise notice '%', n; end $$;

create table ex(a int primary key);

do $$ begin insert into ex values (1); begin insert into ex values (2); insert into ex values (1); exception when unique_violation then raise notice 'dup: % %', sqlstate, sqlerrm; end; end $$;

select * from ex;

do $$ begin begin raise exception 'x' using errcode = 'U0001'; exception when sqlstate 'U0001' then raise notice 'custom'; end; begin perform 1/0; exception when data_exception then raise notice 'class'; end; begin perform 'a'::int; exception when division_by_zero then null; when others then raise notice 'others %', sqlstate; end; end $$;

do $$ declare a text; b text; c text; d text; e text; begin begin raise exception 'm' using errcode='23505', detail='det', hint='hin', column='col', constraint='con', datatype='typ', table='tab', schema='sch'; exception when others then get stacked diagnostics a = message_text, b = pg_exception_detail, c = pg_exception_hint, d = column_name, e = constraint_name; raise notice '% % % % %', a, b, c, d, e; get stacked diagnostics a = returned_sqlstate, b = pg_datatype_name, c = table_name, d = schema_name, e = pg_exception_context; raise notice '% % % % %', a, b, c, d, e; end; end $$;

do $$ begin insert into ex values (1); exception when unique_violation then declare a text; b text; c text; begin get stacked diagnostics a = constraint_name, b = table_name, c = schema_name; raise notice '% % %', a, b, c; end; end $$;

do $$ begin begin raise exception 'inner'; exception when others then begin raise exception 'second'; exception when others then raise notice '%', sqlerrm; end; raise notice '%', sqlerrm; raise; end; exception when others then raise notice 'outer %', sqlerrm; end $$;

do $$ begin begin assert false, 'am'; exception when others then raise notice 'never'; end; end $$;

do $$ begin begin assert false, 'am'; exception when assert_failure then raise notice 'caught %', sqlerrm; end; end $$;

do $$ declare x int := 1; begin begin x := 2; perform 1/0; exception when others then raise notice '%', x; end; end $$;

create function retry() returns int language plpgsql as $$ declare n int := 0; begin loop begin n := n + 1; if n < 3 then raise exception 'try'; end if; return n; exception when raise_exception then null; end; end loop; end $$;

select retry();

create function ret_in_exc() returns int language plpgsql as $$ begin begin return 1/0; exception when division_by_zero then return -1; end; end $$;

select ret_in_exc();

create procedure pr1(in a int, out b int, inout c text default 'd') language plpgsql as $$ begin b := a + 1; c := c || '!'; end $$;

call pr1(1, null);

call pr1(1, null, 'x');

call pr1(a => 1, b => null, c => 'n');

call pr1(1);

do $$ declare q int; w text := 'w'; begin call pr1(5, q, w); raise notice '% %', q, w; end $$;

do $$ begin call pr1(5, 1, 'x'); end $$;

select pr1(1, null);

call n1(1);

call nosuch();

drop procedure pr1(int);

drop procedure pr1;

create procedure pr2() language sql begin atomic insert into ex values (50); insert into ex values (51); end;

call pr2();

select * from ex order by 1;

create function sb1(a int, b int) returns int return a + b;

create function sb2(a int) returns table(x int, y int) begin atomic select a, g from generate_series(1,2) g; end;

select sb1(1,2);

select * from sb2(5);

create table dep(a int, b int);

create function sb3() returns int begin atomic select count(*)::int from dep; end;
