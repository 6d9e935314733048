do $$
declare a int[] := '{1,2,3}'; b int[]; c int[];
begin
  a[2] := 20; b := a; a[2] := 21; c := a || 4; a := a || 5; a[1] := 9;
  raise notice '% % %', a, b, c;
end $$;

do $$
declare a int[]; r record; s record; n int := 0;
begin
  for i in 1..5 loop a[i] := i; if i = 3 then select a as x, i as y into r; end if; end loop;
  a[7] := 7; a[-1] := 0; a[a[3]] := 33;
  s := r; r.y := 8; r.x := a; a[1] := 100; s.y := s.y + 1;
  raise notice '% % % %', a, r, s, array_length(a, 1);
end $$;

create type pair as (x int, y int[]);

create function keep(p pair) returns pair language plpgsql as $$
declare q pair := p; o pair;
begin
  q.x := 5; o := q; q.x := 6; q.y[2] := 8; q.y[3] := q.x;
  raise notice '% % %', p, o, q;
  return q;
end $$;

select keep((1, '{1,2}'));

create function swapped(inout a int[], b int[]) language plpgsql as $$
begin
  for i in 1..array_length(a, 1) loop a[i] := a[i] + b[i]; b := a; b[1] := b[1] * 10; end loop;
end $$;

select swapped('{1,2,3}', '{4,5,6}'), swapped(x, x) from (values (array[1,2]), (array[3,4])) v(x);

create table kept (id int, a int[]);

do $$
declare a int[] := '{}';
begin
  for i in 1..4 loop a := a || i; insert into kept values (i, a); a[1] := a[1] + 10; end loop;
  for i in 1..2 loop a := array_append(a, a[i]); insert into kept values (i + 4, a); end loop;
end $$;

select * from kept order by id;

do $$
declare a int[] := '{1,2,3}'; x int;
begin
  foreach x in array a loop a[x] := x * 2; a := a || x; end loop;
  raise notice '%', a;
  begin
    a[1] := 77; a[2] := 1 / 0;
  exception when division_by_zero then raise notice '%', a;
  end;
  a[4 / (x - 3)] := 1;
end $$;

do $$
declare a int[] := '{1,2}'; m int[] := '{{1,2},{3,4}}'; t text[];
begin
  m[2][1] := 9; t[2] := 'b'; t[1] := a[1]; t := t || 'c'; t := t || null; t := t || '{d,e}'::text[];
  raise notice '% %', m, t;
  m[1] := 3;
end $$;

do $$
declare a constant int[] := '{1}';
begin
  a[1] := 2;
end $$;

create domain small as int[] check (array_length(value, 1) < 3);

do $$
declare d small := '{1}';
begin
  d[2] := 2; raise notice '%', d; d := d || 3;
end $$;

do $$
declare d small := '{1}';
begin
  d[3] := 2;
end $$;

do $$
declare a numeric[]; v varchar(3)[]; r record;
begin
  for i in 1..3 loop a[i] := i / 2; v[i] := i; end loop;
  raise notice '% %', a, v;
  v[1] := 'abcd';
end $$;

do $$
declare r record; s pair;
begin
  r.x := 1;
end $$;

do $$
declare r record; s pair;
begin
  s.x := 'a';
end $$;

do $$
declare s pair; t text;
begin
  s.y := '{1}'; s.z := 2;
end $$;

do $$
declare t text := ''; u text;
begin
  for i in 1..5 loop u := t; t := t || i; end loop;
  raise notice '% %', t, u;
end $$;

do $$
declare a int[]; j jsonb := '{}';
begin
  a[null] := 1;
end $$;

do $$
declare a int[]; j jsonb := '{}';
begin
  j['a'] := '1'; j['b'] := to_jsonb(j); j['a'] := '2'; raise notice '%', j;
  a['x'] := 1;
end $$;
