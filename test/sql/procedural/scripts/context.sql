create function f1(a int) returns int language plpgsql as $$
begin
  raise exception 'boom %', a using detail = 'd', hint = 'h';
end $$;

select f1(3);

create function f2(a int, b text) returns int language plpgsql as $$
declare x int;
begin
  x := f1(a);
  return x;
end $$;

select f2(1, 'x');

create function f3(a int) returns int language plpgsql as $$
declare x int;
begin
  select f2(a, 'y') into x;
  perform f2(a, 'z');
  return x;
end $$;

select f3(7);

create function f4(a int) returns int language sql as $$ select f1(a) $$;

select f4(2);

create function f5() returns int language plpgsql as $$
declare x int := 1/0;
begin
  return x;
end $$;

select f5();

create function f6() returns int language plpgsql as $$
begin
  return 1/0;
end $$;

select f6();

create function f7() returns int language plpgsql as $$
begin
  insert into nowhere values (1);
end $$;

select f7();

create function f8() returns int language plpgsql as $$
begin
  return (select nocol from pg_class limit 1);
end $$;

select f8();

create function f9() returns void language plpgsql as $$
begin
  execute 'select 1/0';
end $$;

select f9();

create function f10() returns void language plpgsql as $$
begin
  execute 'selec 1';
end $$;

select f10();

create table t(a int primary key, b text check (b <> 'bad'));

create function f11() returns void language plpgsql as $$
begin
  insert into t values (1, 'x');
  insert into t values (1, 'y');
end $$;

select f11();

create function f12() returns text language plpgsql as $$
declare c text; d text; e text;
begin
  begin
    perform f11();
  exception when unique_violation then
    get stacked diagnostics c = pg_exception_context, d = pg_exception_detail, e = message_text;
    return c || ' | ' || d || ' | ' || e;
  end;
  return 'none';
end $$;

select f12();

create function f13() returns text language plpgsql as $$
declare c text;
begin
  get diagnostics c = pg_context;
  return c;
end $$;

select f13();

create function f14() returns text language plpgsql as $$
declare c text;
begin
  c := f13();
  return c;
end $$;

select f14();

create function f15() returns void language plpgsql as $$
begin
  raise notice 'hello';
  raise warning 'w' using errcode = '01004';
  raise info 'i';
  raise notice using message = 'm', detail = 'dd', hint = 'hh';
end $$;

select f15();

select f15();

do $$ begin perform f15(); end $$;

do $$ begin raise exception 'x'; end $$;

do $$
begin
  perform f1(1);
end $$;

do $$
declare x int;
begin
  x := 'abc';
end $$;

do $$
declare x int := 'abc';
begin
end $$;

do $$
begin
  for i in 1..3 loop
    if i = 2 then
      raise exception 'at %', i;
    end if;
  end loop;
end $$;

do $$
begin
  if 1/0 = 1 then null; end if;
end $$;

do $$
begin
  while 1/0 = 1 loop null; end loop;
end $$;

do $$
declare a int[];
begin
  foreach a in array array[1,2] loop null; end loop;
end $$;

do $$
begin
  assert false, 'nope';
end $$;

do $$
begin
  assert 1 = 2;
end $$;

set plpgsql.check_asserts = off;

do $$
begin
  assert 1 = 2;
end $$;

reset plpgsql.check_asserts;

do $$
begin
  case 3 when 1 then null; when 2 then null; end case;
end $$;

do $$
declare x int;
begin
  select a into strict x from t where a = 99;
end $$;

do $$
declare x int;
begin
  execute 'select a from t where a = $1' into strict x using 99;
end $$;

do $$
declare x int; y int := 5;
begin
  insert into t values (1,'a'),(2,'b');
  select a into strict x from t where a < y;
end $$;

do $$
#print_strict_params on
declare x int; y int := 5;
begin
  select a into strict x from t where a = y;
end $$;

create procedure p1() language plpgsql as $$
begin
  raise exception 'in p1';
end $$;

call p1();

do $$ begin call p1(); end $$;

create procedure p2(inout x int) language plpgsql as $$
begin
  call p1();
end $$;

call p2(1);

create function sqlf(int) returns int language sql as $$ select 1; select 10/$1 $$;

select sqlf(0);

create table tt(i int);

insert into tt values (0);

create function sqlf2(int) returns int language sql as $$ insert into t values (1, 'dup'); select 1 $$;

insert into t values (1, 'x');

select sqlf2(0);

create function f20() returns int language plpgsql as $$
begin
  return f1(1) + 1;
exception when others then
  raise;
end $$;

select f20();

create function f21() returns int language plpgsql as $$
begin
  begin
    perform 1/0;
  exception when division_by_zero then
    raise exception 'outer' using errcode = 'P0099';
  end;
end $$;

select f21();

create function f22() returns int language plpgsql as $$
begin
  null;
end $$;

select f22();

create function f23() returns setof int language plpgsql as $$
begin
  return next 1;
  return query select 1/0;
end $$;

select * from f23();

create function f24() returns numeric(5,2) language plpgsql as $$
begin
  return 'abc';
end $$;

select f24();

create function f25(int) returns int language plpgsql as $$ begin return $1 / 0; end $$;

select 1 from t where f25(a) = 1;

create view v as select f25(a) from t;

select * from v;

create function f26() returns void language plpgsql as $$
declare
  x int not null := 1;
begin
  x := null;
end $$;

select f26();

create function f27() returns void language plpgsql as $$
declare
  x constant int := 1;
begin
  x := null;
end $$;

select f27();

create schema s1;

create function s1.ff("Arg x" int, variadic y text[]) returns void language plpgsql as $$
begin
  raise exception 'q';
end $$;

select s1.ff(1, 'a', 'b');

create function "My Func"() returns void language plpgsql as $$
begin
  raise exception 'q';
end $$;

select "My Func"();

do $$
begin
  create table t(a int);
end $$;

do $$
begin
  execute 'create table t(a int)';
end $$;

do $$
begin
  delete from t where a = 1 and b = 5;
end $$;

do $$
begin
  raise sqlstate '22012';
end $$;

do $$
begin
  raise division_by_zero using message = 'mine', column = 'c', table = 't', schema = 's', constraint = 'k', datatype = 'd';
end $$;

do $$
begin
  raise exception using errcode = '22012';
end $$;

do $$
begin
  raise exception 'a' using message = 'b';
end $$;

do $$
begin
  raise exception 'a%', null;
end $$;

do $$
begin
  raise 'pct %% and %', 5;
end $$;

do $$
begin
  raise;
end $$;

do $$
declare r record;
begin
  raise notice '%', r.a;
end $$;

do $$
declare c refcursor;
begin
  fetch c into c;
end $$;
