-- While an expression is worked out, it is a statement wherever it is met again.
create function fac(n int) returns int language plpgsql as $$
declare r int;
begin
  if n = 0 then raise exception 'bottom'; end if;
  r := n * fac(n - 1);
  return r;
end $$;

select fac(0);

select fac(1);

select fac(3);

create function fac2(n int) returns int language plpgsql as $$
begin
  if n = 0 then raise notice 'bottom'; return 1; end if;
  return n * fac2(n - 1);
end $$;

select fac2(3);

create function fac3(n int) returns int language plpgsql as $$
declare x int := case when n > 0 then fac3(n - 1) end;
begin
  if n = 0 then perform 1 / 0; end if;
  return 1;
end $$;

select fac3(2);

create function even(n int) returns bool language plpgsql as $$ begin if n = 0 then raise exception 'found'; end if; return not odd(n - 1); end $$;

create function odd(n int) returns bool language plpgsql as $$ begin if even(n - 1) then return true; end if; return false; end $$;

select even(4);

create function empty1() returns int language plpgsql as $$ begin raise notice ; end $$;

create function empty2() returns setof int language plpgsql as $$ begin return query ; end $$;

create function empty3() returns int language plpgsql as $$ declare c refcursor; begin open c for ; end $$;

create function empty4() returns int language plpgsql as $$ declare c cursor for ; begin open c; end $$;

create function empty5() returns int language plpgsql as $$ begin raise ; end $$;

select empty5();
