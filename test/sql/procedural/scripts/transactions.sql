create table t(a int);

create procedure p1() language plpgsql as $$
begin
  for i in 0..9 loop
    insert into t values (i);
    if i % 2 = 0 then commit; else rollback; end if;
  end loop;
end $$;

call p1();

select * from t order by 1;

truncate t;

do $$
begin
  for i in 0..5 loop
    insert into t values (i);
    if i % 2 = 0 then commit; else rollback; end if;
  end loop;
end $$;

select * from t order by 1;

begin;

call p1();

rollback;

begin;

do $$ begin commit; end $$;

rollback;

create function f1() returns int language plpgsql as $$
begin
  insert into t values (100);
  commit;
  return 1;
end $$;

select f1();

create function f2() returns int language plpgsql as $$
begin
  call p1();
  return 1;
end $$;

select f2();

do $$
begin
  begin
    insert into t values (50);
    commit;
  exception when others then
    raise notice '% %', sqlstate, sqlerrm;
  end;
end $$;

do $$
begin
  begin
    insert into t values (50);
    rollback;
  exception when division_by_zero then
    null;
  end;
end $$;

select count(*) from t;

truncate t;

create procedure p2(n int) language plpgsql as $$
begin
  insert into t values (n);
  commit;
  if n > 0 then call p2(n - 1); end if;
end $$;

call p2(3);

select * from t order by 1;

truncate t;

insert into t values (1),(2),(3);

create table t2(a int);

do $$
declare r record;
begin
  for r in select a from t order by a loop
    insert into t2 values (r.a * 10);
    commit;
  end loop;
end $$;

select * from t2 order by 1;

truncate t2;

do $$
declare r record;
begin
  for r in select a from t order by a loop
    insert into t2 values (r.a * 10);
    rollback;
  end loop;
end $$;

select * from t2 order by 1;

create procedure p3() language plpgsql as $$
begin
  insert into t2 values (1);
  commit;
  insert into t2 values (2);
  perform 1/0;
end $$;

call p3();

select * from t2;

do $$
declare r record;
begin
  for r in update t set a = a + 10 returning a loop
    commit;
  end loop;
end $$;

create procedure p4() language plpgsql set work_mem = '1MB' as $$
begin
  commit;
end $$;

call p4();

create procedure p5() language plpgsql security definer as $$
begin
  commit;
end $$;

call p5();

truncate t2;

set default_transaction_isolation = 'read committed';

do $$
begin
  rollback;
  set transaction isolation level repeatable read;
  perform 1;
  raise notice '%', current_setting('transaction_isolation');
  commit and chain;
  raise notice '%', current_setting('transaction_isolation');
  insert into t2 values (5);
  rollback and chain;
  raise notice '%', current_setting('transaction_isolation');
  commit;
  raise notice '%', current_setting('transaction_isolation');
  commit and no chain;
end $$;

select * from t2;

do $$
begin
  set local work_mem = '2MB';
  raise notice '%', current_setting('work_mem');
  commit;
  raise notice '%', current_setting('work_mem');
end $$;

do $$ begin execute 'commit'; end $$;

create table fk(a int primary key, b int references fk(a) deferrable initially deferred);

create procedure p6() language plpgsql as $$
begin
  insert into fk values (1, 2);
  commit;
end $$;

call p6();

do $$
begin
  insert into fk values (1, 2);
  commit;
exception when others then raise notice 'caught %', sqlstate;
end $$;

select * from fk;

create procedure p7() language plpgsql as $$
begin
  perform f2();
end $$;

call p7();

create procedure p8() language plpgsql as $$
begin
  execute 'call p1()';
end $$;

call p8();

create procedure p9() language sql as $$ call p1() $$;

call p9();

create procedure p10() language sql as $$ insert into t2 values (77) $$;

call p10();

select * from t2;

create procedure p11() language sql as $$ commit $$;

call p11();

create procedure p12(inout a int, out b text) language plpgsql as $$
begin
  a := a + 1;
  commit;
  b := 'done';
  rollback;
end $$;

call p12(5, null);

do $$
declare x int := 1; y text;
begin
  call p12(x, y);
  raise notice '% %', x, y;
end $$;

select now() = statement_timestamp();

do $$
declare c cursor for select a from t order by 1; r record;
begin
  open c;
  fetch c into r;
  raise notice '%', r.a;
  commit;
  fetch c into r;
  raise notice '%', r.a;
end $$;

do $$
declare r record; c cursor for select a from t order by 1;
begin
  for r in c loop
    raise notice '%', r.a;
    commit;
  end loop;
end $$;

create procedure p13() language plpgsql as $$
declare x bigint; y bigint;
begin
  x := pg_current_xact_id()::text::bigint;
  commit;
  y := pg_current_xact_id()::text::bigint;
  raise notice '%', x <> y;
end $$;

show max_prepared_transactions;

begin;

insert into t2 values (1);

prepare transaction 'x';

select 1;

rollback;

prepare transaction 'y';

commit prepared 'x';

rollback prepared 'x';

begin;

commit prepared 'x';

rollback;

select * from pg_prepared_xacts;
