create table t(a int primary key, b text);

insert into t select g, 'r' || g from generate_series(1, 10) g;

create function c1() returns refcursor language plpgsql as $$
declare c refcursor;
begin
  open c for select * from t order by a;
  return c;
end $$;

begin;

select c1();

fetch 2 from "<unnamed portal 1>";

fetch all from "<unnamed portal 1>";

commit;

create function c2(refcursor) returns refcursor language plpgsql as $$
begin
  open $1 for select a from t order by a;
  return $1;
end $$;

begin;

select c2('mycur');

fetch next from mycur;

fetch 3 from mycur;

move 2 from mycur;

fetch mycur;

fetch backward 2 from mycur;

fetch absolute 5 from mycur;

fetch last from mycur;

fetch first from mycur;

fetch relative 2 from mycur;

fetch prior from mycur;

select name, statement, is_holdable, is_binary, is_scrollable from pg_cursors;

close mycur;

fetch mycur;

commit;

create function c3() returns setof refcursor language plpgsql as $$
declare x refcursor := 'x1'; y refcursor := 'y1';
begin
  open x for select a from t where a < 3 order by a;
  return next x;
  open y scroll for execute 'select a, b from t where a > $1 order by a' using 7;
  return next y;
end $$;

begin;

select * from c3();

fetch all in x1;

fetch all in y1;

fetch backward all in y1;

commit;

do $$
declare c cursor for select a from t order by a; x int;
begin
  open c;
  fetch c into x; raise notice 'next %', x;
  fetch last from c into x; raise notice 'last %', x;
  fetch prior from c into x; raise notice 'prior %', x;
  fetch first from c into x; raise notice 'first %', x;
  fetch absolute 4 from c into x; raise notice 'abs %', x;
  fetch relative -2 from c into x; raise notice 'rel %', x;
  fetch forward 3 from c into x; raise notice 'fwd %', x;
  close c;
end $$;

do $$
declare c scroll cursor for select a from t order by a; x int;
begin
  open c;
  fetch c into x; raise notice 'next %', x;
  fetch last from c into x; raise notice 'last %', x;
  fetch prior from c into x; raise notice 'prior %', x;
  fetch first from c into x; raise notice 'first %', x;
  fetch absolute 4 from c into x; raise notice 'abs %', x;
  fetch relative -2 from c into x; raise notice 'rel %', x;
  fetch backward from c into x; raise notice 'bwd %', x;
  move forward 3 from c; fetch c into x; raise notice 'mv %', x;
  move last from c; fetch c into x; raise notice 'end % %', x, found;
  close c;
  fetch c into x;
end $$;

do $$
declare c no scroll cursor for select a from t order by a; x int;
begin
  open c;
  fetch c into x;
  fetch prior from c into x;
end $$;

do $$
declare c cursor for select a, b from t order by a for update; r record;
begin
  for r in c loop
    if r.a % 2 = 0 then
      update t set b = b || '!' where current of c;
    elsif r.a > 8 then
      delete from t where current of c;
    end if;
  end loop;
end $$;

select * from t order by a;

do $$
declare c refcursor; r record;
begin
  open c for select a, b from t order by a;
  fetch c into r;
  update t set b = 'first' where current of c;
  move 2 from c;
  delete from t where current of c;
  close c;
end $$;

select * from t order by a;

do $$
declare c refcursor; x int;
begin
  fetch c into x;
end $$;

do $$
declare c refcursor := 'nope'; x int;
begin
  fetch c into x;
end $$;

do $$
declare c refcursor := 'dup'; x int;
begin
  open c for select 1;
  open c for select 2;
end $$;

do $$
declare c refcursor; x int;
begin
  close c;
end $$;

do $$
declare c refcursor; a int; b text;
begin
  open c for select a.a, a.b from t a order by 1;
  loop
    fetch c into a, b;
    exit when not found;
    raise notice '% %', a, b;
  end loop;
  close c;
end $$;

do $$
declare c refcursor; n int;
begin
  open c for values (1), (2), (3);
  move all in c;
  get diagnostics n = row_count;
  raise notice 'moved % %', n, found;
  close c;
end $$;

do $$
declare c cursor for insert into t values (100, 'x') returning a; x int;
begin
  open c;
  fetch c into x;
  raise notice '%', x;
end $$;

do $$
declare c refcursor; x int;
begin
  open c for execute 'insert into t values (101, ''x'')';
end $$;

begin;

declare d1 cursor with hold for select a from t order by a;

declare d2 scroll cursor for select a from t order by a;

declare d3 no scroll cursor for select a from t order by a;

fetch 2 from d1;

fetch -1 from d2;

fetch forward 3 from d2;

fetch backward 1 from d3;

rollback;

begin;

declare d1 cursor with hold for select a from t order by a;

declare d2 scroll cursor for select a from t order by a;

fetch 2 from d1;

commit;

fetch 2 from d1;

fetch d2;

select name, is_holdable, is_scrollable from pg_cursors order by 1;

close all;

select count(*) from pg_cursors;

begin;

declare e1 cursor for select 10/(3-a) as q from t where a < 6 order by a;

fetch 2 from e1;

fetch 2 from e1;

rollback;

begin;

declare e2 cursor for select a from t order by a;

fetch 1 from e2;

insert into t values (0, 'new');

fetch all from e2;

rollback;

begin;

declare e3 cursor for select a from t order by a;

savepoint s;

declare e4 cursor for select a from t order by a;

fetch 2 from e3;

rollback to s;

fetch 1 from e3;

fetch 1 from e4;

rollback;

select 'x'::refcursor, pg_typeof('x'::refcursor);

select 'x'::refcursor = 'x';

create table rc(c refcursor);

insert into rc values ('abc');

select c, c::text from rc;

do $$
declare c1 cursor for select 1 as one; c2 refcursor;
begin
  raise notice '% %', c1, c2;
  open c1;
  open c2 for select 2;
  raise notice '% %', c1, c2 is null;
  close c1;
  raise notice '%', c1;
  close c2;
end $$;

create function reffunc() returns table(n int, m text) language plpgsql as $$
declare c cursor for select a, b from t order by a limit 2; r t%rowtype;
begin
  open c;
  fetch c into r;
  while found loop
    n := r.a; m := r.b;
    return next;
    fetch c into r;
  end loop;
  close c;
end $$;

select * from reffunc();

do $$
declare r record; n int := 0;
begin
  for r in select a from t order by a loop
    n := n + 1;
    delete from t where a = r.a + 1;
  end loop;
  raise notice 'loops %', n;
end $$;

select count(*) from t;
