-- Attributes of roles, settings of roles and databases, comments on both.

create role rs_ann login connection limit 3 valid until '2035-01-02 03:04:05+00' noinherit bypassrls replication createdb createrole

create user rs_bob password 'x' valid until 'infinity'

create role rs_sup superuser

select rolname, rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication, rolconnlimit, rolvaliduntil, rolbypassrls from pg_roles where rolname in ('rs_ann','rs_bob','rs_sup') order by 1

alter role rs_ann connection limit -1

alter role rs_ann connection limit -2

alter role rs_ann connection limit 5 connection limit 6

alter role rs_ann superuser nosuperuser

alter role rs_ann nologin inherit nobypassrls noreplication nocreatedb nocreaterole valid until 'infinity'

alter role rs_ann valid until 'nonsense'

alter role rs_ann with password null

alter role rs_ann encrypted password 'abc'

select rolname, rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication, rolconnlimit, rolvaliduntil, rolbypassrls from pg_roles where rolname in ('rs_ann','rs_bob','rs_sup') order by 1

alter role nosuch nologin

alter role current_user connection limit -1

create role rs_ann

create role pg_foo

create role "public"

create role public

create role none

create role "none"

create role current_user

alter role rs_ann rename to rs_anna

alter role rs_anna rename to rs_bob

alter role rs_anna rename to pg_x

alter role nosuch rename to x

alter role rs_anna rename to public

alter user rs_anna rename to rs_ann

alter group rs_ann rename to rs_anna

alter role rs_anna rename to rs_ann

alter role rs_ann set search_path to a, b

alter role rs_ann set work_mem to '10MB'

alter role rs_ann set work_mem = 'abc'

alter role rs_ann set nosuch = 1

alter role rs_ann set my.thing = 'x y'

alter role rs_ann in database role_settings set enable_seqscan = off

alter role rs_ann in database nosuch set enable_seqscan = off

alter role all set enable_hashjoin = off

alter role all in database role_settings set enable_mergejoin = off

alter database role_settings set geqo = off

alter database role_settings set datestyle = 'German, DMY'

alter database role_settings set timezone to 'UTC'

alter database role_settings set nosuch = 1

alter database nosuch set geqo = off

alter role rs_ann set timezone from current

alter role rs_bob set time zone 'UTC'

alter role rs_bob set role rs_ann

alter role rs_bob set session authorization rs_ann

alter role rs_bob set port = 3

alter role rs_bob set log_statement = 'all'

alter role rs_bob set default_transaction_isolation = 'serializable'

select useconfig from pg_user where usename='rs_bob'

alter role rs_ann reset work_mem

alter role rs_ann reset nosuch

alter role rs_bob reset all

alter database role_settings reset datestyle

alter role rs_ann in database role_settings reset enable_seqscan

alter role all in database role_settings reset all

alter role all reset all

alter database role_settings reset all

alter database role_settings set search_path to default

alter role rs_ann set search_path = default

alter role rs_ann set search_path to ''

alter role rs_ann set search_path to 'a b', "C"

alter role rs_ann set work_mem = default

set role rs_ann

alter role rs_ann set work_mem = '3MB'

alter role rs_bob set work_mem = '3MB'

alter role rs_ann set log_statement = 'all'

alter role rs_ann connection limit 3

alter role rs_ann password 'foo'

alter role rs_ann nologin

alter role rs_bob password 'foo'

alter role all set work_mem='3MB'

alter database role_settings set work_mem='3MB'

alter database role_settings owner to rs_ann

create role rs_xx

drop role rs_bob

alter role rs_ann rename to x

reset role

alter role rs_ann createrole

set role rs_ann

create role rs_xx

create role rs_yy superuser

create role rs_yy replication

create role rs_yy bypassrls

create role rs_yy createdb

alter role rs_xx superuser

alter role rs_sup nologin

alter role rs_xx login

alter role rs_xx set work_mem = '3MB'

alter role rs_xx set log_statement = 'all'

alter role rs_sup set work_mem = '3MB'

grant rs_xx to rs_ann

grant rs_sup to rs_ann

drop role rs_sup

drop role rs_xx

drop role rs_ann

comment on role rs_yy is 'hello'

comment on role rs_sup is 'hello'

reset role

comment on role rs_yy is 'hello'

select shobj_description('rs_yy'::regrole,'pg_authid')

comment on database role_settings is 'db'

select shobj_description((select oid from pg_database where datname='role_settings'),'pg_database')

alter database role_settings with connection limit = -1

alter database role_settings allow_connections true

alter database role_settings is_template false

alter database role_settings set tablespace pg_default

alter database role_settings refresh collation version

alter database role_settings owner to rs_ann

select datdba::regrole from pg_database where datname='role_settings'

alter database nosuch connection limit 3

alter system set nosuch = 1

alter system reset all

set work_mem = '1kB'

set seed = 3
