-- FETCH makes the rows that it gives and no others: nothing of a later row is seen.
create table t (a int primary key, b int);

insert into t select i, 10 - i from generate_series(1, 20) i;

create sequence s;

create function told(i int) returns int language plpgsql volatile as $$ begin raise notice 'row %', i; return i; end $$;

begin;

declare c cursor for select a, told(a), nextval('s') from t;

fetch 1 from c;

fetch 2 from c;

select last_value from s;

move 1 in c;

fetch relative 2 from c;

fetch absolute 8 from c;

close c;

declare d cursor for select a, 100 / b from t order by a;

fetch 3 from d;

fetch 6 from d;

fetch 1 from d;

rollback;

begin;

declare d cursor for select a, 100 / b from t where a % 2 = 0;

fetch 2 from d;

fetch 2 from d;

fetch next from d;

rollback;

begin;

declare e cursor for select told(a) from t union all select told(b) from t where a > 18;

fetch 1 from e;

move 18 in e;

fetch 2 from e;

fetch all from e;

rollback;

begin;

declare f cursor for select told(a) from t where told(b) % 3 = 0;

fetch 1 from f;

fetch 1 from f;

commit;

do $$
declare r record; c cursor for select told(a) as x from t;
begin
  open c;
  fetch c into r;
  raise notice 'got %', r.x;
  fetch c into r;
  raise notice 'got %', r.x;
end $$;
