-- ALTER DEFAULT PRIVILEGES, owners, REASSIGN OWNED and DROP OWNED.

create role dp_ann login

create role dp_bob login

create schema sch

alter default privileges grant select on tables to dp_ann

alter default privileges for role dp_ann grant insert, update on tables to dp_bob with grant option

alter default privileges in schema sch grant select on sequences to dp_ann

alter default privileges in schema sch, public grant execute on functions to dp_ann

alter default privileges revoke execute on functions from public

alter default privileges revoke usage on types from public

alter default privileges grant usage on schemas to dp_bob

alter default privileges grant all on routines to dp_bob

alter default privileges in schema sch grant usage on schemas to dp_bob

alter default privileges grant usage on tables to dp_bob

alter default privileges grant select on functions to dp_bob

alter default privileges grant select on types to dp_bob

alter default privileges in schema nosuch grant select on tables to dp_ann

alter default privileges for role nosuch grant select on tables to dp_ann

alter default privileges grant select on tables to nosuch

alter default privileges grant select on tables to public

alter default privileges for user dp_ann, dp_bob in schema sch grant all privileges on tables to public

select defaclrole::regrole, defaclnamespace::regnamespace, defaclobjtype, defaclacl from pg_default_acl order by 1,2,3

create table t(a int)

create table sch.t(a int)

create view v as select 1 as x

create sequence sch.s

create function f() returns int language sql as 'select 1'

create function sch.f() returns int language sql as 'select 1'

create procedure pr() language sql as 'select 1'

create type ty as enum ('a')

create domain dd as int

create schema sch2

select relname, relacl from pg_class where relname in ('t','v','s') order by 1, relnamespace

select proname, proacl from pg_proc where proname in ('f','pr') order by 1,2

select typname, typacl from pg_type where typname in ('ty','dd','t','_ty') order by 1,2

select nspname, nspacl from pg_namespace where nspname in ('sch','sch2') order by 1

alter default privileges revoke all on tables from dp_ann

alter default privileges revoke select on tables from public

alter default privileges grant execute on functions to public

alter default privileges grant usage on types to public

alter default privileges revoke all on schemas from dp_bob

alter default privileges revoke all on routines from dp_bob

alter default privileges in schema sch, public revoke execute on functions from dp_ann

alter default privileges for role dp_ann revoke grant option for insert on tables from dp_bob

select defaclrole::regrole, defaclnamespace::regnamespace, defaclobjtype, defaclacl from pg_default_acl order by 1,2,3

set role dp_ann

alter default privileges grant select on tables to dp_bob

alter default privileges for role dp_bob grant select on tables to dp_bob

create table sch.zz(a int)

reset role

grant create on schema sch to dp_ann

set role dp_ann

create table sch.zz(a int)

reset role

select relname, relacl from pg_class where relname in ('zz') order by 1, relnamespace

drop role dp_ann

drop owned by dp_ann

select relname from pg_class where relname='zz'

select defaclrole::regrole, defaclnamespace::regnamespace, defaclobjtype, defaclacl from pg_default_acl order by 1,2,3

drop role dp_ann

drop role dp_bob

drop owned by dp_bob

drop role dp_bob

create role dp_ann

create role dp_bob

create role dp_carl

create schema own authorization dp_ann

create table own.a (x serial primary key, y int)

alter table own.a owner to dp_ann

create view own.v as select * from own.a

alter view own.v owner to dp_bob

create function own.f() returns int language sql as 'select 1'

alter function own.f() owner to dp_ann

create type own.t as (a int)

alter type own.t owner to dp_ann

create domain own.d as int

alter domain own.d owner to dp_ann

create sequence own.s

alter sequence own.s owner to dp_bob

alter sequence own.a_x_seq owner to dp_bob

grant select on own.a to dp_carl

create table other(a int)

grant select on other to dp_ann, dp_bob

create policy p on other to dp_ann using (true)

create policy p2 on other to dp_ann, dp_bob using (true)

create extension if not exists hstore

drop role dp_ann

drop role dp_bob

drop role dp_carl

drop role dp_ann, dp_bob

reassign owned by dp_ann to dp_carl

select relname, relowner::regrole, relacl from pg_class where relnamespace='own'::regnamespace order by 1

select nspowner::regrole from pg_namespace where nspname='own'

select proowner::regrole from pg_proc where proname='f' and pronamespace='own'::regnamespace

select typname, typowner::regrole from pg_type where typnamespace='own'::regnamespace order by 1

drop owned by dp_ann

select polname, polroles::regrole[] from pg_policy

select relacl from pg_class where relname='other'

drop role dp_ann

drop owned by dp_bob restrict

drop owned by dp_carl restrict

drop owned by dp_carl cascade

select relname from pg_class where relnamespace='own'::regnamespace

drop owned by nosuch

reassign owned by current_user to dp_bob

drop owned by dp_bob, dp_carl

drop role dp_bob, dp_carl

drop role nosuch

drop role if exists nosuch, nosuch2

drop role current_user

drop user if exists nosuch

drop group if exists nosuch
