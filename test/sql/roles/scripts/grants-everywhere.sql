-- GRANT and REVOKE on all kinds of objects, chains of grants, parameters, memberships.

create role ge_ann login

create role ge_bob login

create role ge_carl

create role ge_team

create role ge_boss superuser

create table t (a int primary key, b text, c int)

create sequence s

create schema sch

create table sch.t1 (a int)

create table sch.t2 (a int)

create sequence sch.q

create function sch.f(int) returns int language sql as 'select 1'

create procedure sch.p(int) language sql as 'select 1'

create aggregate sch.ag(int) (sfunc=int4pl, stype=int)

create type mood as enum ('a','b')

create domain dom as int

create function f(int) returns int language sql as 'select 1'

grant select, insert on t to ge_ann

grant select (a, b), update (c) on t to ge_bob

grant all on t to ge_carl with grant option

grant all privileges (a) on t to ge_team

select relacl from pg_class where relname='t'

select attname, attacl from pg_attribute where attrelid='t'::regclass and attnum>0

grant usage, select on sequence s to ge_ann

grant all on sequence s to ge_bob

grant select on s to ge_team

select relacl from pg_class where relname='s'

grant update on t to s

grant usage on t to ge_ann

grant truncate on sequence s to ge_ann

grant select on sequence t to ge_ann

grant connect on table t to ge_ann

grant select on database grants_everywhere to ge_ann

grant create, temporary on database grants_everywhere to ge_ann

grant connect, temp on database grants_everywhere to ge_bob with grant option

grant all on database grants_everywhere to ge_carl

select datacl from pg_database where datname='grants_everywhere'

revoke all on database grants_everywhere from public

select datacl from pg_database where datname='grants_everywhere'

grant connect on database nosuch to ge_ann

grant usage on schema sch to ge_ann

grant all on schema sch to ge_bob with grant option

grant select on schema sch to ge_bob

select nspacl from pg_namespace where nspname='sch'

grant usage on schema nosuch to ge_ann

grant execute on function f(int) to ge_ann

grant execute on function f to ge_bob

grant execute on function nosuch(int) to ge_bob

grant execute on function nosuch to ge_bob

grant select on function f(int) to ge_bob

grant execute on procedure sch.p(int) to ge_bob

grant execute on procedure sch.f(int) to ge_bob

grant execute on function sch.p(int) to ge_bob

grant execute on routine sch.p(int) to ge_ann

grant execute on routine sch.f(int) to ge_ann

grant execute on function sch.ag(int) to ge_ann

grant all on function sch.ag(int) to ge_ann

select proname, proacl from pg_proc where pronamespace='sch'::regnamespace order by 1

revoke execute on function f(int) from public

select proname, proacl from pg_proc where proname='f' and pronamespace='public'::regnamespace order by 1

grant usage on type mood to ge_ann

grant usage on domain dom to ge_ann

grant usage on type dom to ge_bob

grant usage on domain mood to ge_bob

grant usage on type nosuch to ge_bob

grant select on type mood to ge_bob

grant usage on type int4 to ge_bob

grant usage on type _int4 to ge_bob

grant usage on type mood[] to ge_bob

revoke usage on type mood from public

select typname, typacl from pg_type where typname in ('mood','dom','int4','_mood') order by 1

grant usage on language sql to ge_ann

grant usage on language plpgsql to ge_ann with grant option

grant usage on language c to ge_ann

grant usage on language nosuch to ge_ann

grant select on language sql to ge_ann

revoke usage on language plpgsql from public

select lanname, lanacl from pg_language order by 1

grant create on tablespace pg_default to ge_ann

grant create on tablespace nosuch to ge_ann

grant usage on foreign data wrapper x to ge_ann

grant usage on foreign server x to ge_ann

grant select on large object 1 to ge_ann

grant set on parameter work_mem to ge_ann

grant alter system on parameter work_mem to ge_ann

grant set, alter system on parameter "log_min_duration_statement", my.thing to ge_bob with grant option

grant all on parameter log_statement to ge_carl

grant select on parameter log_statement to ge_carl

grant set on parameter nosuch to ge_carl

grant set on parameter "bad name" to ge_carl

select parname, paracl from pg_parameter_acl order by 1

revoke set on parameter work_mem from ge_ann

select parname, paracl from pg_parameter_acl order by 1

revoke all on parameter work_mem from ge_ann

select parname, paracl from pg_parameter_acl order by 1

select has_parameter_privilege('ge_bob','log_min_duration_statement','set')

select has_parameter_privilege('ge_bob','log_min_duration_statement','set, alter system with grant option')

select has_parameter_privilege('ge_ann','log_min_duration_statement','set')

select has_parameter_privilege('ge_ann','work_mem','set')

select has_parameter_privilege('ge_ann','nosuch','set')

select has_parameter_privilege('ge_ann','work_mem','foo')

grant select on all tables in schema sch to ge_ann

grant usage on all sequences in schema sch to ge_ann

grant execute on all functions in schema sch to ge_bob

grant execute on all procedures in schema sch to ge_carl

grant execute on all routines in schema sch to ge_team

select relname, relacl from pg_class where relnamespace='sch'::regnamespace order by 1

select proname, proacl from pg_proc where pronamespace='sch'::regnamespace order by 1

grant usage on all tables in schema sch to ge_ann

grant select on all tables in schema nosuch to ge_ann

revoke all on all tables in schema sch from ge_ann

revoke all on all routines in schema sch from public

select proname, proacl from pg_proc where pronamespace='sch'::regnamespace order by 1

grant select on nosuch to ge_ann

grant select on t to nosuch

grant select (nosuch) on t to ge_ann

grant select (a) on s to ge_ann

grant delete (a) on t to ge_ann

grant execute (a) on t to ge_ann

grant foo on t to ge_ann

grant select (ctid) on t to ge_ann

grant select on t, sch.t1 to public

grant select on t to current_user, session_user, current_role

grant select on t to public with grant option

grant insert on t to ge_ann granted by current_user

grant insert on t to ge_ann granted by ge_bob

revoke insert on t from ge_ann granted by ge_bob

set role ge_carl

grant select, delete on t to ge_bob

grant select on t to ge_team with grant option

reset role

set role ge_team

grant select on t to ge_ann

reset role

select relacl from pg_class where relname='t'

revoke grant option for select on t from ge_carl

revoke grant option for select on t from ge_carl cascade

select relacl from pg_class where relname='t'

revoke all on t from ge_carl

revoke all on t from ge_carl cascade

select relacl from pg_class where relname='t'

revoke select on t from ge_team restrict

set role ge_ann

grant select on t to ge_bob

grant delete on t to ge_bob

grant select on sch.t2 to ge_bob

revoke select on t from ge_bob

grant usage on schema public to ge_bob

grant usage on language sql to ge_bob

grant usage on language plpgsql to ge_bob

grant execute on function f(int) to ge_bob

grant usage on type mood to ge_bob

grant create on database grants_everywhere to ge_bob

grant set on parameter work_mem to ge_bob

reset role

select lanname, lanacl from pg_language order by 1

grant ge_team to ge_ann

grant ge_team to ge_bob with admin option

grant ge_team to ge_ann

grant ge_team, ge_carl to ge_bob, ge_ann

grant ge_team to ge_team

grant ge_ann to ge_team

grant ge_team to public

grant public to ge_team

grant nosuch to ge_ann

grant ge_team to nosuch

select roleid::regrole, member::regrole, grantor::regrole, admin_option from pg_auth_members where roleid::regrole::text ~ '^ge_' order by 1,2

revoke admin option for ge_team from ge_bob

revoke admin option for ge_team from ge_bob

select roleid::regrole, member::regrole, grantor::regrole, admin_option from pg_auth_members where roleid::regrole::text ~ '^ge_' order by 1,2

revoke ge_team from ge_ann

revoke ge_team from ge_ann

revoke ge_team from ge_ann cascade

grant ge_team to ge_ann granted by ge_bob

grant ge_team to ge_ann granted by current_user

select roleid::regrole, member::regrole, grantor::regrole, admin_option from pg_auth_members where roleid::regrole::text ~ '^ge_' order by 1,2

set role ge_ann

grant ge_team to ge_carl

grant ge_ann to ge_carl

grant pg_read_all_data to ge_carl

revoke ge_team from ge_bob

reset role

grant pg_read_all_data to ge_ann

revoke pg_read_all_data from ge_bob

create user ge_eve in role ge_team admin ge_ann

create role ge_r1 role ge_ann, ge_bob admin ge_carl

select roleid::regrole, member::regrole, grantor::regrole, admin_option from pg_auth_members where roleid::regrole::text ~ '^ge_' order by 1,2

alter group ge_team add user ge_carl

alter group ge_team drop user ge_carl

alter group nosuch add user ge_carl
