create function e1() returns int language plpgsql as $$
begin
  x := 1;
  return x;
end $$;

create function e2() returns int language plpgsql as $$
begin
  retrun 1;
end $$;

create function e3() returns int language plpgsql as $$
begin
  select 1 fro;
  return 1
end $$;

create function e4() returns int language plpgsql as $$
declare
  a int;
  a text;
begin
  return 1;
end $$;

create function e5() returns int language plpgsql as $$
begin
  if true then
    return 1;
end $$;

create function e6() returns int language plpgsql as $$
declare
  a nosuchtype;
begin
  return 1;
end $$;

create function e7() returns int language plpgsql as $$
begin
  select into nosuch 1;
end $$;

create function e8() returns int language plpgsql as $$
begin
  return 1 +;
end $$;

create function e9() returns int language plpgsql as $$
begin
  exit;
  return 1;
end $$;

create function e10() returns int language plpgsql as $$
begin
  continue;
end $$;

create function e11() returns int language plpgsql as $$
begin
  loop
    exit nolabel;
  end loop;
end $$;

create function e12() returns int language plpgsql as $$
begin
  return;
end $$;

create function e13() returns void language plpgsql as $$
begin
  return 1;
end $$;

create function e14() returns setof int language plpgsql as $$
begin
  return 1;
end $$;

create function e15() returns int language plpgsql as $$
begin
  return next 1;
end $$;

create function e16() returns int language plpgsql as $$
begin
  return query select 1;
end $$;

create function e17(out a int) language plpgsql as $$
begin
  return 1;
end $$;

create function e18(out a int) returns setof int language plpgsql as $$
begin
  return next 1;
end $$;

create function e19() returns int language plpgsql as $$
begin
  raise exception 'a % b';
end $$;

create function e20() returns int language plpgsql as $$
begin
  raise exception 'a', 1;
end $$;

create function e21() returns int language plpgsql as $$
begin
  raise nosuchcond;
end $$;

create function e22() returns int language plpgsql as $$
begin
  null;
exception
  when nosuch_cond then null;
end $$;

create function e23() returns int language plpgsql as $$
begin
  get diagnostics x = row_count;
end $$;

create function e24() returns int language plpgsql as $$
declare x int;
begin
  get diagnostics x = nosuch;
end $$;

create function e25() returns int language plpgsql as $$
declare x int;
begin
  get diagnostics x = returned_sqlstate;
end $$;

create function e26() returns int language plpgsql as $$
declare x int;
begin
  open x for select 1;
end $$;

create function e27() returns int language plpgsql as $$
declare c cursor for select 1;
begin
  open c for select 2;
end $$;

create function e28() returns int language plpgsql as $$
declare c cursor (a int) for select a;
begin
  open c;
end $$;

create function e29() returns int language plpgsql as $$
declare c cursor for select 1;
begin
  open c(1);
end $$;

create function e30() returns int language plpgsql as $$
begin
  for x in select 1 loop
    null;
  end loop;
end $$;

create function e31() returns int language plpgsql as $$
declare k constant int := 1;
begin
  k := 2;
end $$;

create function e32() returns int language plpgsql as $$
declare k int not null;
begin
  return 1;
end $$;

create function e33() returns int language plpgsql as $$
<<a>>
begin
  return 1;
end b $$;

create function e34() returns int language plpgsql as $$
<<a>>
declare
begin
  <<a>>
  loop
    exit a;
  end loop a;
  return 1;
end a $$;

select e34();

create function e36() returns int language plpgsql as $$
begin
  x = 1;
end $$;

create function e37() returns int language plpgsql as $$
begin
  foreach x in array array[1] loop
    null;
  end loop;
end $$;

create function e38() returns int language plpgsql as $$
begin
  while true loop
    null;
  end
end $$;

create function e40() returns int language plpgsql as 'begin return ''a'' || ; end';

create function e41() returns int language plpgsql as $$
begin
  insert into t valuse (1);
end $$;

create function e42() returns int language plpgsql as $$
begin
  update t set;
end $$;

create function e43() returns int language plpgsql as $$
declare x int; y int;
begin
  select 1, 2 into x, nope;
end $$;

create function e44() returns int language plpgsql as $$
declare x record; y int;
begin
  select 1, 2 into x, y;
end $$;

create function e45() returns int language plpgsql as $$
declare x record;
begin
  x.a.b.c.d := 1;
end $$;

create function e46() returns int language plpgsql as $$
begin
  commit;
  rollback and chain;
  savepoint a;
end $$;

create function e47() returns nosuchtype language plpgsql as $$ begin end $$;

create function e48(a nosuchtype) returns int language plpgsql as $$ begin end $$;

create function e49() returns int language nosuchlang as $$ begin end $$;

create function e50() returns int language sql as $$ select 'a' $$;

create function e51() returns int language sql as $$ select 1, 2 $$;

create function e52() returns int language sql as $$ selct 1 $$;

create function e53() returns int language sql as $$ select nocol $$;

create function e54() returns int language sql as $$ create table zz(a int) $$;

create function e55() returns int language sql as $$ $$;

create function e56() returns int as $$ select 1 $$;

create function e57() language sql as $$ select 1 $$;

create function e58(a int, a int) returns int language sql as $$ select 1 $$;

create function e59(a int default 1, b int) returns int language sql as $$ select 1 $$;

create function e60(variadic a int) returns int language sql as $$ select 1 $$;

create function e61(variadic a int[], b int) returns int language sql as $$ select 1 $$;

create function e62(a int) returns anyelement language sql as $$ select 1 $$;

create function e63(out a anyelement) language sql as $$ select 1 $$;

set check_function_bodies = off;

create function e64() returns int language plpgsql as $$ begin bad syntax here; end $$;

select e64();

create function e65() returns int language sql as $$ select nocol $$;

select e65();

reset check_function_bodies;

create function e66() returns int language plpgsql as $$ begin return nocol; end $$;

select e66();

create function e67() returns int language plpgsql as $$ begin return 'abc'; end $$;

select e67();

create function e68() returns int language plpgsql strict immutable as $$ begin return 1; end $$ strict;

create or replace function e68() returns text language plpgsql as $$ begin return 1; end $$;

create function e69(a int) returns int language plpgsql as $$ declare a int; begin return a; end $$;

select e69(1);

create function e70(a int) returns int language plpgsql as $$ begin declare a int := 5; begin return a + e70.a; end; end $$;

select e70(1);

create function e71(a int) returns int language plpgsql as $$ << outerb >> declare b int := 7; begin declare b int := 5; begin return a + outerb.b * b; end; end $$;

select e71(1);

set plpgsql.extra_warnings = 'shadowed_variables';

create function e72(a int) returns int language plpgsql as $$ declare a int := 2; begin return a; end $$;

set plpgsql.extra_errors = 'shadowed_variables';

create function e73(a int) returns int language plpgsql as $$
declare
  a int := 2;
begin
  return a;
end $$;

set plpgsql.extra_warnings = 'none';

set plpgsql.extra_errors = 'too_many_rows';

do $$ declare x int; begin select g into x from generate_series(1,2) g; end $$;

set plpgsql.extra_errors = 'strict_multi_assignment';

do $$ declare x int; y int; begin select 1 into x, y; end $$;

set plpgsql.extra_errors = 'none';

set plpgsql.variable_conflict = 'use_column';

show plpgsql.variable_conflict;

set plpgsql.print_strict_params = on;

show plpgsql.check_asserts;

create procedure e74() returns int language plpgsql as $$ begin end $$;

create procedure e75() language plpgsql as $$ begin return 1; end $$;

create procedure e76(out a int) language plpgsql as $$ begin return; end $$;

call e76(null);

create procedure e77() language plpgsql immutable as $$ begin end $$;

create procedure e78() language plpgsql as $$
begin
  raise notice 'x' using nosuch = 1;
end $$;

do $$ begin raise notice 'x' using detail = 'a', detail = 'b'; end $$;

do $$ begin raise 'x' using errcode = 'foo'; end $$;

do $$ begin select 1; end $$;

do $$ begin insert into nowhere select 1; end $$;

do language sql $$ select 1 $$;

do language nolang $$ select 1 $$;

do $$ begin return 1; end $$;

do $$ declare x int; begin x.y := 1; end $$;

do $$ declare x int; begin x := (1,2); end $$;

do $$ declare x int; begin x := 1, 2; end $$;

do $$ declare x int; begin x := 1 2; end $$;

do $$ begin null end $$;

do $$ begin end; $$;

do $$ begin execute; end $$;

do $$ begin if then end if; end $$;

do $$ begin for i in 1..3 null; end loop; end $$;

do $$ begin for i in reverse 1..3 loop null; end loop; end $$;

do $$ declare i int; begin for i in select 1 loop null; end loop; end $$;

do $$ begin for i in 1..3 by 0 loop null; end loop; end $$;

do $$ begin for i in 1..null loop null; end loop; end $$;

do $$ begin case when false then null; end case; end $$;

do $$ begin copy pg_class to stdout; end $$;

do $$ begin begin; end $$;

do $$ begin start transaction; end $$;

do $$ begin savepoint x; end $$;

do $$ begin vacuum; end $$;

do $$ begin execute 'vacuum'; end $$;

do $$ begin execute 'commit'; end $$;

do $$ begin execute 'select 1; select 2'; end $$;

do $$ begin execute null; end $$;

do $$ begin execute ''; end $$;

do $$ begin execute 'select $1'; end $$;
