create table t (id int primary key, a int, b text);

create sequence s;

create type mood as enum ('sad', 'ok');

create type pr as (x int, y int);

create domain pos as int check (value > 0);

create function base(x int) returns int language sql immutable as 'select $1 + 1';

create function ra(x int) returns int return base(x) + 1;

create function rb() returns bigint begin atomic select count(*) from t where a > base(1); end;

create function rc() returns bigint return nextval('s'::regclass);

create function rd(m mood) returns mood return coalesce(m, 'ok'::mood);

create function re() returns int begin atomic insert into t (id, a) values (1, 2) returning a; end;

create function rf(p pr) returns int return p.x;

create function rg(p pos) returns int return 1;

create function rh() returns setof t begin atomic select * from t; end;

drop function base(int);

drop table t;

alter table t drop column a;

alter table t drop column b;

drop sequence s;

drop type mood;

drop type pr;

drop domain pos;

drop function base(int);

create function sf(a int, b int) returns int language sql immutable as 'select a + b';

create aggregate agg(int) (sfunc = sf, stype = int);

create operator +++ (function = sf, leftarg = int, rightarg = int);

create type box2 as (x int);

create function tobox(int) returns box2 language sql immutable as 'select row($1)::box2';

create cast (int as box2) with function tobox(int);

drop function sf(int, int);

drop function tobox(int);

drop type box2;

create view ov as select 1 +++ 2 as x, (select agg(i) from generate_series(1, 3) i) as y;

create function orr() returns int return 1 +++ 2;

create function agr() returns int begin atomic select agg(a) from t; end;

drop operator +++ (int, int);

drop aggregate agg(int);

drop view ov;

drop operator +++ (int, int);

drop aggregate agg(int);

drop function ra(int);

drop function base(int);

select proname from pg_proc where pronamespace = 'public'::regnamespace order by 1;

drop sequence s cascade;

drop type mood cascade;

drop table t cascade;

drop function sf(int, int) cascade;

drop type box2 cascade;

drop domain pos cascade;

select proname from pg_proc where pronamespace = 'public'::regnamespace order by 1;

create function q1() returns int language sql as 'select 1';

create function q2() returns int return q1() + 1;

create function q3() returns int return q2() + 1;

create function q4() returns int language sql as 'select q3()';

drop function q1();

drop function q1() cascade;

drop function q4();

create table w (a int, m int);

create function w2() returns w begin atomic select * from w; end;

create procedure w3(x int) begin atomic insert into w values (x, x); delete from w where m = x; update w set m = 3 where a = x; end;

alter table w drop column m;

drop table w;

drop table w cascade;
