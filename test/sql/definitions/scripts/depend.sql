-- What pg_depend has of objects, and the functions of range types.
create schema s;

set search_path = s, public;

create type r as range (subtype = int4);

select oid::regprocedure, prosrc, proisstrict, provolatile, proparallel, proargmodes, procost, provariadic::regtype, pg_get_function_arguments(oid), pg_get_function_result(oid)
  from pg_proc where pronamespace = 's'::regnamespace order by oid::regprocedure::text collate "C";

select castsource::regtype, casttarget::regtype, castfunc::regprocedure, castcontext, castmethod, pg_describe_object('pg_cast'::regclass, oid, 0) from pg_cast where castsource = 'r'::regtype;

select 'r(int,int)'::regprocedure, 'r_multirange'::regproc;

select 'r'::regproc;

select pg_get_functiondef('r(int,int,text)'::regprocedure);

create table t (a int primary key, b text);

create view v as select a from t;

create sequence sq;

create function f() returns int language plpgsql as 'begin return 1; end';

create type e as enum ('x');

create domain d as int;

create operator +++ (leftarg = int, rightarg = int, function = int4pl);

create collation co from "C";

create conversion cv for 'LATIN1' to 'UTF8' from iso8859_1_to_utf8;

create statistics st on a, b from t;

create text search configuration tc (copy = simple);

create text search dictionary td (template = simple);

create publication pb for table t;

create publication ps for tables in schema s;

select deptype, pg_describe_object(classid, objid, objsubid) o, pg_describe_object(refclassid, refobjid, refobjsubid) r from pg_depend
  where refclassid = 'pg_namespace'::regclass and refobjid = 's'::regnamespace order by 2 collate "C", 3 collate "C", 1;

select deptype, pg_describe_object(classid, objid, objsubid) o, pg_describe_object(refclassid, refobjid, refobjsubid) r from pg_depend
  where classid in ('pg_statistic_ext'::regclass, 'pg_publication_rel'::regclass, 'pg_publication_namespace'::regclass)
  or (classid in ('pg_proc'::regclass, 'pg_cast'::regclass) and objid in (select oid from pg_proc where pronamespace = 's'::regnamespace union select oid from pg_cast where castsource = 'r'::regtype))
  order by 2 collate "C", 3 collate "C", 1;
