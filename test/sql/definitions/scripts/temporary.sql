-- What is a session's own beside what is not.
create temp table t (a int primary key, b int);

create temp sequence sq;

create table p (a int primary key, b int);

create schema s;

create sequence s.far;

alter sequence sq owned by t.b;

alter sequence sq owned by p.b;

alter sequence s.far owned by p.b;

create sequence s.other owned by p.b;

alter table p inherit t;

alter table t inherit p;

create table ch () inherits (t);

create table pp (a int) partition by range (a);

create temp table tp partition of pp for values from (1) to (2);

create temp table tpp (a int) partition by range (a);

create table x partition of tpp for values from (1) to (2);

create table pg_temp.x partition of tpp for values from (1) to (2);

create table q (a int);

alter table tpp attach partition q for values from (5) to (6);

set search_path = pg_temp;

create table zz (a int);

create table if not exists zz (a int);

create type ty as enum ('x');

create function zf() returns int language sql as 'select 2';

select pg_temp.zf();

insert into zz values (1);

reset search_path;

select relname, relpersistence from pg_class where relname in ('zz', 'x', 'tpp') order by 1;

select a from zz;
