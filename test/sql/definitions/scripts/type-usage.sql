-- Who makes a relation needs USAGE on the types of its columns.
create role rr; create type e as enum ('a'); create domain dd as int; create table t (x e, y dd, z e[]); grant select on t to rr; revoke usage on type e from public; revoke usage on type dd from public; grant create on schema public to rr;

set role rr;

create view v as select x from t;

create view v2 as select y from t;

create view v3 as select z from t;

create view v4 as select t from t;

create materialized view m as select x from t;

create table c as select y from t;

create temp view v5 as select x::text from t;

create table t2 (a e);

create function f(e) returns int language sql as 'select 1';

select 'a'::e;

prepare p(e) as select $1;

reset role; drop view v5;

drop owned by rr; drop role rr;

